#!/usr/bin/env bats
# The NVMe disks of a client: real file systems in files, with RAID and mounts that are only recorded.

load ../../client/lib/helper.bash

setup() {
  command -v mkfs.xfs >/dev/null || skip 'this computer has no mkfs.xfs'
  make_machine
  export FSXBENCH_ARM_NAME=nvme FSXBENCH_ARM_MOUNT_POINT=/fsx/nvme FSXBENCH_ARM_MOUNT_OPTIONS=noatime
  export images="$BATS_TEST_TMPDIR/images" links="$FSXBENCH_ROOT/dev/disk/by-id"
  mkdir -p "$images" "$links" "$FSXBENCH_ROOT/dev/md"
  fake mount <<<'echo "$5 ${6#"$FSXBENCH_ROOT"} $2 rw,$4 0 0" >>"$FSXBENCH_ROOT/proc/mounts"'
  fake mdadm <<<'truncate -s 400M "$images/md"; ln -sf "$images/md" "$2"'
  fake systemctl <<<''
}

# disk NAME: with udev's links for one disk, and for an EBS volume next to it.
disk() {
  truncate -s 400M "$images/$1"
  ln -s "$images/$1" "$links/nvme-Amazon_EC2_NVMe_Instance_Storage_$1"
  ln -s "$images/$1" "$links/nvme-Amazon_EC2_NVMe_Instance_Storage_$1_1"
  ln -s "$images/$1" "$links/nvme-Amazon_EC2_NVMe_Instance_Storage_$1-ns-1"
  ln -sf "$images/root" "$links/nvme-Amazon_Elastic_Block_Store_vol0a1"
}

script() { bash "$client/../storage/instance-store/mount"; }
mount_arm() { run -"${1:-0}" --separate-stderr script; }

@test "an instance without disks is told which have some" {
  mount_arm 1
  [[ "$stderr" == *'arm nvme: this instance has no NVMe disks of its own: take an instance type that has, such as c5d.2xlarge'* ]]
}

@test "a disk that holds something else is refused, and not touched" {
  disk AWS1
  mkfs.xfs -q -L precious "$images/AWS1"
  local before
  before="$(sha256sum "$images/AWS1")"
  mount_arm 1
  [[ "$stderr" == *'must be empty, or hold what this arm made, but holds xfs precious'* ]]
  [[ "$(sha256sum "$images/AWS1")" == "$before" ]]
}

@test "one disk gets XFS and is mounted, also after a reboot, which finds it as it was" {
  disk AWS1
  mount_arm
  grep -qx "mount -t xfs -o noatime $links/nvme-Amazon_EC2_NVMe_Instance_Storage_AWS1 $FSXBENCH_ROOT/fsx/nvme" "$calls"
  grep -q "^LABEL=fsxb[0-9a-f]* /fsx/nvme xfs defaults,noatime,.*x-systemd.automount" "$FSXBENCH_ROOT/etc/fstab"
  local uuid
  uuid="$(blkid --probe --match-tag UUID --output value "$images/AWS1")"
  : >"$FSXBENCH_ROOT/proc/mounts"
  mount_arm
  [[ "$(blkid --probe --match-tag UUID --output value "$images/AWS1")" == "$uuid" ]]
  [[ "$(grep -c /fsx/nvme "$FSXBENCH_ROOT/etc/fstab")" == 1 ]]
}

@test "refuses a mount point where something else is, and leaves the disk empty" {
  local mounting=script
  disk AWS1
  truncate -s 400M "$images/other"
  mkfs.xfs -q -L other "$images/other"
  refuses_other_mount nvme /fsx/nvme 'its own xfs' '/dev/nvme1n1 xfs' "$images/other"
  [ -z "$(wipefs "$images/AWS1")" ]
}

@test "mounts where systemd's automount waits since a reboot" {
  local mounting=script
  disk AWS1
  mounts_behind_automount /fsx/nvme
}

@test "a second time nothing is made or mounted again" {
  disk AWS1
  mount_arm
  cp "$calls" "$BATS_TEST_TMPDIR/before"
  mount_arm
  cmp "$calls" "$BATS_TEST_TMPDIR/before"
}

@test "a disk that cannot be mounted ends the boot, and is not remembered" {
  disk AWS1
  fake mount <<<'exit 32'
  mount_arm 1
  [[ "$stderr" == *"arm nvme: $links/nvme-Amazon_EC2_NVMe_Instance_Storage_AWS1 could not be mounted at /fsx/nvme" ]]
  [ ! -s "$FSXBENCH_ROOT/etc/fstab" ]
}

@test "one of several disks that holds something ends it before a RAID-0 is made" {
  disk AWS1
  disk AWS2
  mkfs.xfs -q -L precious "$images/AWS2"
  mount_arm 1
  [[ "$stderr" == *'_AWS2 must be empty, or hold what this arm made, but holds xfs precious'* ]]
  [ "$(count '^mdadm')" -eq 0 ]
}

@test "several disks are one RAID-0, each of them once" {
  disk AWS1
  disk AWS2
  mount_arm
  grep -q -- "^mdadm --create $FSXBENCH_ROOT/dev/md/fsxb[0-9a-f]* --run --level=0 --raid-devices=2 --name=fsxb[0-9a-f]* .*_AWS1 .*_AWS2$" "$calls"
}

@test "the check fails without a mount" {
  run "$client/../storage/instance-store/check"
  [ "$status" -eq 1 ]
  echo '/dev/nvme1n1 /fsx/nvme xfs rw 0 0' >"$FSXBENCH_ROOT/proc/mounts"
  run "$client/../storage/instance-store/check"
  [ "$status" -eq 0 ]
}
