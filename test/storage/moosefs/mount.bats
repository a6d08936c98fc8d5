#!/usr/bin/env bats
# mount-arms with a MooseFS arm: built if it is missing, mounted through FUSE now and after a reboot, with the requested number of copies.

load ../../client/lib/helper

setup() {
  make_machine
  fake_user
  fake systemctl <<<''
  FSXBENCH_ARMS='[{"name":"moose","kind":"moosefs","engine":"moosefs-3.0.117","master":"10.0.0.7","mountPoint":"/fsx/moose","mountOptions":"subtype=mfs","copies":2}]'
  export FSXBENCH_ARMS
  # As built before.
  prefix="$FSXBENCH_TOOLS/moosefs-3.0.117"
  mkdir -p "$prefix/bin" "$prefix/sbin"
  echo 'client sum' >"$prefix/identity"
  touch "$prefix/bin/mfsmount" "$prefix/sbin/mount.moosefs"
  fake mount <<'BODY'
printf 'mfs\\043%s9421 %s fuse.mfs rw,allow_other 0 0\n' "$5" "$6" >>"$FSXBENCH_ROOT/proc/mounts"
BODY
  fake_all mfssetgoal mfssettrashtime
  fake mfsgetgoal <<<'echo "$1: 2"'
  fake mfsgettrashtime <<<'echo "$1: 0"'
  fake mfsmount <<<'echo "MFS version: 3.0.117-1 ; build: 1341" >&2'
}

@test "refuses a master that is no address, and an engine that nobody pinned" {
  FSXBENCH_ARMS="${FSXBENCH_ARMS/10.0.0.7/master;reboot}" run mount_arms
  [ "$status" -eq 1 ]
  [[ "$output" == *"'FSXBENCH_ARM_MASTER' must match"*"got 'master;reboot'"* ]]
  FSXBENCH_ARMS="${FSXBENCH_ARMS/3.0.117/9.9}" run mount_arms
  [ "$status" -eq 1 ]
  [[ "$output" == *"'FSXBENCH_ENGINE' must be one of moosefs-4.57.5, moosefs-3.0.117, got 'moosefs-9.9'"* ]]
  [ "$(count '^mount ')" -eq 0 ]
}

# bats test_tags=all
@test "refuses a mount point where something else is" {
  refuses_other_mount moose /fsx/moose 'the MooseFS of 10.0.0.7' 'mfs\04310.0.0.7:9421 fuse.mfs' 'mfs\04310.0.0.70:9421'
}

# bats test_tags=all
@test "mounts where systemd's automount waits since a reboot" {
  mounts_behind_automount /fsx/moose
}

@test "fails when MooseFS keeps another number of copies, or what is removed" {
  fake mfsgetgoal <<<'echo "$1: 1"'
  run mount_arms
  [ "$status" -eq 1 ]
  [[ "$output" == *'arm moose: number of copies of its root must be 2, but is 1'* ]]
  fake mfsgetgoal <<<'echo "$1: 2"'
  fake mfsgettrashtime <<<'echo "$1: 86400"'
  run mount_arms
  [ "$status" -eq 1 ]
  [[ "$output" == *'arm moose: trashtime of its root must be 0, but is 86400'* ]]
}

# bats test_tags=all
@test "fails when MooseFS takes no order for copies or trash, whatever it keeps" {
  fake mfssettrashtime <<<'exit 1'
  run mount_arms
  [ "$status" -eq 1 ]
  [[ "$output" == *"arm moose: mfssettrashtime 0 $FSXBENCH_ROOT/fsx/moose failed"* ]]
  fake_all mfssettrashtime
  fake mfssetgoal <<<'exit 1'
  run mount_arms
  [ "$status" -eq 1 ]
  [[ "$output" == *"arm moose: MooseFS takes no order for 2 copies at $FSXBENCH_ROOT/fsx/moose"* ]]
}

# bats test_tags=all
@test "refuses a number of copies that no file can have" {
  refuses_source '"copies":2' '"copies":0' "'FSXBENCH_ARM_COPIES' must match [1-9], got '0'"
}

@test "mounts, remembers it for the next boot, and sets copies and trash" {
  run mount_arms
  [ "$status" -eq 0 ]
  grep -q '^mount -t moosefs -o subtype=mfs 10.0.0.7: /fsx/moose' "$calls" || { cat "$calls"; false; }
  [[ "$(<"$FSXBENCH_ROOT/etc/fstab")" == '10.0.0.7: /fsx/moose moosefs defaults,subtype=mfs,_netdev,'* ]]
  grep -qx "mfssetgoal 2 $FSXBENCH_ROOT/fsx/moose" "$calls"
  grep -qx "mfssettrashtime 0 $FSXBENCH_ROOT/fsx/moose" "$calls"
  [ -L "$FSXBENCH_ROOT/usr/sbin/mount.moosefs" ]
}

# bats test_tags=all
@test "with MooseFS 4, makes a storage class of so many copies" {
  fake mfsmount <<<'echo "MFS version: 4.57.5-1 ; build: 1937" >&2'
  fake mfscreatesclass <<<'exit 1' # another client was first
  fake mfssetsclass <<<''
  fake mfsgetsclass <<<'echo "$1: copies2"'
  run mount_arms
  [ "$status" -eq 0 ]
  grep -qx "mfscreatesclass -M $FSXBENCH_ROOT/fsx/moose -K 2\* copies2" "$calls"
  [ "$(count '^mfssetgoal')" -eq 0 ]
}

@test "a second run mounts nothing and adds no line" {
  mount_arms
  mounts_nothing_more
}

@test "the check names the release and its master, and fails without a mount" {
  export FSXBENCH_ARM_MOUNT_POINT=/fsx/moose
  run "$client/storage/moosefs/check"
  [ "$status" -eq 1 ]
  [[ "$output" == *'no MooseFS is mounted at /fsx/moose'* ]]
  echo 'mfs\04310.0.0.7:9421 /fsx/moose fuse.mfs rw 0 0' >"$FSXBENCH_ROOT/proc/mounts"
  run "$client/storage/moosefs/check"
  [ "$status" -eq 0 ]
  [ "$output" = 'MooseFS 3.0.117-1, 10.0.0.7:9421' ]
}
