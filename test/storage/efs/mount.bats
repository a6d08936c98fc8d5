#!/usr/bin/env bats
# mount-arms with an EFS arm: mounted over TLS by the mount helper, now and after a reboot.

load ../../client/lib/helper

setup() {
  make_machine
  fake_user
  fake systemctl <<<''
  FSXBENCH_ARMS='[{"name":"bursting","kind":"efs","fileSystemId":"fs-0123456789abcdef0","mountPoint":"/fsx/bursting","mountOptions":"tls"}]'
  export FSXBENCH_ARMS
  fake_efs 0
}

# fake_efs FAILURES: a mount helper that fails so many times first, as before the name of a new mount target resolves.
fake_efs() {
  printf '%s' "$1" >"$BATS_TEST_TMPDIR/failures"
  fake mount <<'BODY'
failures="$(<"$BATS_TEST_TMPDIR/failures")"
if ((failures > 0)); then
  printf '%s' "$((failures - 1))" >"$BATS_TEST_TMPDIR/failures"
  echo 'Failed to resolve "fs-0123456789abcdef0.efs.us-east-1.amazonaws.com" - check that your file system ID is correct' >&2
  exit 1
fi
# As the kernel shows it, and as the helper writes it down.
printf '127.0.0.1:/ %s nfs4 rw,relatime,vers=4.1,port=20049 0 0\n' "$6" >>"$FSXBENCH_ROOT/proc/mounts"
mkdir -p "$FSXBENCH_ROOT/var/run/efs"
touch "$FSXBENCH_ROOT/var/run/efs/${5%:/}.$(tr / . <<<"${6#/}").20049"
BODY
}

@test "refuses a file system that has no id of EFS" {
  refuses_source fs-0123456789abcdef0 example.com: "'FSXBENCH_ARM_FILE_SYSTEM_ID' must match fs-[0-9a-f]{8,40}, got 'example.com:'"
}

@test "refuses a mount point where something else is" {
  mount_arms
  : >"$calls"
  refuses_other_mount bursting /fsx/bursting fs-0123456789abcdef0 '127.0.0.1:/ nfs4' 10.0.0.7:/x
  rm -r "$FSXBENCH_ROOT/var/run/efs"
  refuses_other_mount bursting /fsx/bursting fs-0123456789abcdef0 '127.0.0.1:/ nfs4' 127.0.0.1:/
}

@test "mounts where systemd's automount waits since a reboot" {
  mounts_behind_automount /fsx/bursting
}

@test "gives up with the arm, the file system and what the helper said" {
  fake_efs 99
  FSXBENCH_MOUNT_SECONDS=1 run mount_arms
  [ "$status" -eq 1 ]
  [[ "$output" == *'arm bursting: could not mount fs-0123456789abcdef0:/ at /fsx/bursting within 1s; mount said: Failed to resolve'* ]]
}

@test "gives up, too, where the helper says that it mounted and nothing shows which file system that is" {
  fake mount <<<'printf "127.0.0.1:/ %s nfs4 rw,port=20049 0 0\n" "$6" >>"$FSXBENCH_ROOT/proc/mounts"'
  FSXBENCH_MOUNT_SECONDS=1 run timeout "$hang_seconds" "$client/bin/mount-arms"
  [ "$status" -eq 1 ]
  [[ "$output" == *'arm bursting: could not mount fs-0123456789abcdef0:/ at /fsx/bursting within 1s; mount said: that it succeeded, and the kernel has 127.0.0.1:/ nfs4 there'* ]]
}

@test "mounts over TLS and remembers it for the next boot" {
  run mount_arms
  [ "$status" -eq 0 ]
  grep -qx 'mount -t efs -o tls fs-0123456789abcdef0:/ /fsx/bursting' "$calls"
  [ "$(cat "$FSXBENCH_ROOT/etc/fstab")" = 'fs-0123456789abcdef0:/ /fsx/bursting efs defaults,tls,_netdev,x-systemd.automount,x-systemd.requires=systemd-networkd-wait-online.service 0 0' ]
  grep -q "^chown fsxbench:fsxbench $FSXBENCH_ROOT/fsx/bursting" "$calls"
}

@test "waits for a mount target whose name does not resolve yet" {
  fake_efs 2
  run mount_arms
  [ "$status" -eq 0 ]
  [ "$(count '^mount ')" -eq 3 ]
}

@test "a second run mounts nothing and adds no line" {
  mount_arms
  mounts_nothing_more
}

@test "the check fails without a mount, and where nothing encrypts" {
  export FSXBENCH_ARM_MOUNT_POINT=/fsx/bursting
  check_says 1 efs 'no EFS is mounted at /fsx/bursting'
  check_says 1 efs '/fsx/bursting is mounted from 10.0.0.7:/, without TLS' '10.0.0.7:/ /fsx/bursting nfs4 rw 0 0'
  check_says 0 efs '' '127.0.0.1:/ /fsx/bursting nfs4 rw 0 0'
}
