#!/usr/bin/env bats
# mount-arms with an FSx for OpenZFS arm: NFS 4.2 over several connections, now and after a reboot.

load ../../client/lib/helper

source_name=fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com:/fsx

setup() {
  make_machine
  fake_user
  fake systemctl <<<''
  FSXBENCH_ARMS='[{"name":"zfs","kind":"openzfs","dnsName":"fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com","mountPoint":"/fsx/zfs","mountOptions":"nfsvers=4.2,nconnect=16"}]'
  export FSXBENCH_ARMS FSXBENCH_ARM_MOUNT_POINT=/fsx/zfs
  fake mount <<'BODY'
printf '%s %s nfs4 rw,vers=4.2 0 0\n' "$5" "$6" >>"$FSXBENCH_ROOT/proc/mounts"
BODY
}

@test "refuses a name that is none of FSx" {
  refuses_source fs-0123456789abcdef0.fsx files.example "'FSXBENCH_ARM_DNS_NAME' must match fs-"
  refuses_source amazonaws.com 'amazonaws.com /' "'FSXBENCH_ARM_DNS_NAME' must match fs-"
}

@test "refuses a mount point where something else is" {
  refuses_other_mount zfs /fsx/zfs "$source_name" "$source_name nfs4" 127.0.0.1:/
}

@test "mounts where systemd's automount waits since a reboot" {
  mounts_behind_automount /fsx/zfs
}

@test "an attempt that hangs is given up" {
  fake mount <<<"$times_up"
  FSXBENCH_MOUNT_SECONDS=0 run mount_arms
  [ "$status" -eq 1 ]
  [[ "$output" == *"arm zfs: could not mount $source_name at /fsx/zfs within 0s; mount said: "*"gave up after 60s: mount -t nfs4"* ]]
}

@test "mounts the root volume, remembers it, and does neither twice" {
  run mount_arms
  [ "$status" -eq 0 ]
  grep -qx "mount -t nfs4 -o nfsvers=4.2,nconnect=16 $source_name /fsx/zfs" "$calls"
  [[ "$(cat "$FSXBENCH_ROOT/etc/fstab")" == "$source_name /fsx/zfs nfs4 defaults,nfsvers=4.2,nconnect=16,_netdev,"* ]]
  mounts_nothing_more
}

@test "the check fails without a mount, and with one of somebody else" {
  check_says 1 openzfs 'no NFS is mounted at /fsx/zfs'
  check_says 1 openzfs '/fsx/zfs is mounted from 10.0.0.7:/x, which is no FSx for OpenZFS' '10.0.0.7:/x /fsx/zfs nfs4 rw 0 0'
  check_says 0 openzfs '' "$source_name /fsx/zfs nfs4 rw 0 0"
}
