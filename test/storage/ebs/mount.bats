#!/usr/bin/env bats
# How a client gets the volumes of an arm: real file systems in files, with attachments, RAID and mounts that are only recorded.

load ../../client/lib/helper.bash

setup() {
  command -v mkfs.btrfs compsize >/dev/null || skip 'this computer has no mkfs.btrfs or no compsize'
  make_machine
  export FSXBENCH_ARM_NAME=zstd FSXBENCH_ARM_MOUNT_POINT=/fsx/zstd FSXBENCH_ARM_MOUNT_OPTIONS=noatime,compress-force=zstd:3
  export FSXBENCH_ARM_FILESYSTEM=btrfs FSXBENCH_ARM_VOLUME_IDS=vol-0a1 FSXBENCH_ATTACH_SECONDS=2
  export images="$BATS_TEST_TMPDIR/images" links="$FSXBENCH_ROOT/dev/disk/by-id"
  mkdir -p "$images" "$links" "$FSXBENCH_ROOT/dev/md"
  fake systemctl <<<''
  fake node <<<'printf i-0123456789abcdef0'
  # Another arm has the first name.
  fake aws <<'FAKE'
if [[ "$*" == *'--device /dev/sdf' ]]; then
  echo '/dev/sdf is already in use' >&2
  exit 254
fi
if [[ -e "$images/refused" ]]; then
  echo 'VolumeInUse: it has another instance' >&2
  exit 254
fi
truncate -s 400M "$images/$4"
ln -s "$images/$4" "$links/nvme-Amazon_Elastic_Block_Store_${4/-/}"
FAKE
  fake mount <<<'echo "$5 ${6#"$FSXBENCH_ROOT"} $2 rw,$4 0 0" >>"$FSXBENCH_ROOT/proc/mounts"'
  fake mdadm <<<'truncate -s 400M "$images/md"; ln -sf "$images/md" "$2"'
}

script() { bash "$client/../storage/ebs/mount"; }
mount_arm() { run -"${1:-0}" --separate-stderr script; }
labels() { blkid --probe --match-tag LABEL --output value "$images/$1"; }

@test "a volume is attached by a free name, gets its file system, is mounted and remembered" {
  mount_arm
  grep -qx 'aws ec2 attach-volume --volume-id vol-0a1 --instance-id i-0123456789abcdef0 --device /dev/sdg' "$calls"
  [[ "$(labels vol-0a1)" == fsxb* ]]
  grep -qx "mount -t btrfs -o $FSXBENCH_ARM_MOUNT_OPTIONS $links/nvme-Amazon_Elastic_Block_Store_vol0a1 $FSXBENCH_ROOT/fsx/zstd" "$calls"
  grep -q "^LABEL=$(labels vol-0a1) /fsx/zstd btrfs defaults,noatime,compress-force=zstd:3," "$FSXBENCH_ROOT/etc/fstab"
}

# bats test_tags=all
@test "Btrfs writes data and metadata once, not twice" {
  mount_arm
  [ "$(btrfs inspect-internal dump-tree --tree chunk "$images/vol-0a1" | grep -oE 'type (DATA|METADATA|SYSTEM).*' | sort | xargs)" = 'type DATA|single type METADATA|single type SYSTEM|single' ]
}

# bats test_tags=all
@test "a volume that cannot be mounted ends the boot, and is not remembered" {
  fake mount <<<'exit 32'
  mount_arm 1
  [[ "$stderr" == *"arm zstd: $links/nvme-Amazon_Elastic_Block_Store_vol0a1 could not be mounted at /fsx/zstd" ]]
  [ ! -s "$FSXBENCH_ROOT/etc/fstab" ]
}

# bats test_tags=all
@test "a volume that AWS attaches, but the kernel does not see, is named" {
  fake aws <<<''
  FSXBENCH_ATTACH_SECONDS=0 mount_arm 1
  [[ "$stderr" == *'vol-0a1 is attached, but no device of it came' ]]
  [ "$(count '^mount')" -eq 0 ]
}

# bats test_tags=all
@test "an instance that does not know its id attaches nothing" {
  fake node <<<''
  mount_arm 1
  [[ "$stderr" == *"this instance does not know its id, got ''" ]]
  [ "$(count '^aws')" -eq 0 ]
}

@test "a second time nothing is attached, made or mounted again" {
  mount_arm
  cp "$calls" "$BATS_TEST_TMPDIR/before"
  mount_arm
  cmp "$calls" "$BATS_TEST_TMPDIR/before"
}

# bats test_tags=all
@test "refuses a mount point where something else is, before a volume is attached" {
  local mounting=script
  truncate -s 400M "$images/other"
  mkfs.btrfs -q -L other "$images/other"
  refuses_other_mount zstd /fsx/zstd 'its own btrfs' '/dev/nvme1n1 btrfs' "$images/other"
  [ "$(count '^aws')" -eq 0 ]
}

# bats test_tags=all
@test "mounts where systemd's automount waits since a reboot" {
  local mounting=script
  mounts_behind_automount /fsx/zstd
}

@test "after another instance had it, the file system that the arm made is mounted as it is" {
  mount_arm
  : >"$FSXBENCH_ROOT/proc/mounts"
  local uuid
  uuid="$(blkid --probe --match-tag UUID --output value "$images/vol-0a1")"
  mount_arm
  [[ "$(blkid --probe --match-tag UUID --output value "$images/vol-0a1")" == "$uuid" ]]
}

@test "a device that holds something else is refused, and not touched" {
  truncate -s 400M "$images/vol-0a1"
  mkfs.btrfs -q -L precious "$images/vol-0a1"
  ln -s "$images/vol-0a1" "$links/nvme-Amazon_Elastic_Block_Store_vol0a1"
  local before
  before="$(sha256sum "$images/vol-0a1")"
  mount_arm 1
  [[ "$stderr" == *"must be empty, or hold what this arm made, but holds btrfs precious: empty it with wipefs --all"* ]]
  [[ "$(sha256sum "$images/vol-0a1")" == "$before" ]]
  run ! grep -q '^mount' "$calls"
}

# bats test_tags=all
@test "a volume that is not to be had ends the boot with what AWS said" {
  touch "$images/refused"
  mount_arm 1
  [[ "$stderr" == *"VolumeInUse: it has another instance"* ]]
  [[ "$stderr" == *"vol-0a1 could not be attached within 2s"* ]]
}

@test "several volumes are one RAID-0 in the order in which they are named" {
  export FSXBENCH_ARM_VOLUME_IDS='vol-0b2 vol-0a1'
  mount_arm
  grep -q -- "^mdadm --create $FSXBENCH_ROOT/dev/md/fsxb[0-9a-f]* --run --level=0 --raid-devices=2 --name=fsxb[0-9a-f]* .*vol0b2 .*vol0a1$" "$calls"
  [[ "$(labels md)" == fsxb* ]]
}

# bats test_tags=all
@test "a RAID-0 that another instance made, and udev has assembled by a number, is taken as it is" {
  export FSXBENCH_ARM_VOLUME_IDS='vol-0a1 vol-0b2'
  local name
  name="fsxb$(sha256sum <<<zstd | cut -c 1-8)"
  mkdir -p "$FSXBENCH_ROOT"/sys/class/block/vol-0{a1,b2}/holders/md127
  truncate -s 400M "$FSXBENCH_ROOT/dev/md127"
  mkfs.btrfs -q -L "$name" "$FSXBENCH_ROOT/dev/md127"
  # As blkid shows a member, with the host that made the array.
  fake wipefs <<<'if [[ "${@: -1}" == *Elastic* ]]; then echo linux_raid_member; else /sbin/wipefs "$@"; fi'
  fake blkid <<<"if [[ \"\${@: -1}\" != *Elastic* ]]; then /sbin/blkid \"\$@\"; elif [[ \"\$*\" == *TYPE* ]]; then echo linux_raid_member; else echo ip-10-0-1-7:$name; fi"
  fake mdadm <<<'echo "mdadm: ${@: -1} is busy - skipping" >&2; exit 1'
  mount_arm
  grep -qx "mount -t btrfs -o $FSXBENCH_ARM_MOUNT_OPTIONS $FSXBENCH_ROOT/dev/md127 $FSXBENCH_ROOT/fsx/zstd" "$calls"
}

# bats test_tags=all
@test "one of several volumes that holds something ends it before a RAID-0 is made" {
  export FSXBENCH_ARM_VOLUME_IDS='vol-0a1 vol-0b2'
  truncate -s 400M "$images/vol-0b2"
  mkfs.btrfs -q "$images/vol-0b2"
  ln -s "$images/vol-0b2" "$links/nvme-Amazon_Elastic_Block_Store_vol0b2"
  mount_arm 1
  [[ "$stderr" == *"vol0b2 must be empty"* ]]
  run ! grep -q '^mdadm' "$calls"
}

@test "check says the compression that is in force" {
  mount_arm
  run -0 bash "$client/../storage/ebs/check"
  [[ "$output" == "Btrfs compress-force=zstd:3 on $links/nvme-Amazon_Elastic_Block_Store_vol0a1" ]]
}

# bats test_tags=all
@test "XFS takes the same road" {
  command -v mkfs.xfs >/dev/null || skip 'this computer has no mkfs.xfs'
  export FSXBENCH_ARM_FILESYSTEM=xfs FSXBENCH_ARM_MOUNT_OPTIONS=noatime
  mount_arm
  [[ "$(blkid --probe --match-tag TYPE --output value "$images/vol-0a1")" == xfs ]]
  run -0 bash "$client/../storage/ebs/check"
  [[ "$output" == "XFS on $links/nvme-Amazon_Elastic_Block_Store_vol0a1" ]]
}

@test "check fails where nothing of it is mounted" {
  run -1 --separate-stderr bash "$client/../storage/ebs/check"
  [[ "$stderr" == *'neither XFS nor Btrfs is mounted at /fsx/zstd'* ]]
}
