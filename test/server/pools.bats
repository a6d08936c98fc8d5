#!/usr/bin/env bats
# Which disks a server takes, and which it refuses to touch.

load helper

setup() { make_server; }

make_pools() { run -"${1:-0}" --separate-stderr bash "$server/make-pools"; }

# refused VERDICT: nine disks are wanted, and the ninth is no longer to be had.
refused() {
  FSXBENCH_RAID_DISKS=9 make_pools 1
  [[ "$stderr" == *"a RAID-Z1 of 9 needs as many empty instance-store NVMe, found 8; the others: nvme0n1 holds the operating system, nvme9n1 $1" ]]
  [ "$(count '^zpool create')" -eq 0 ]
  [ "$(count '^wipefs --all')" -eq 0 ]
}

@test "takes nine disks for RAID-Z1 and the next two as a mirror for the MDTs, by number, and leaves the others" {
  make_pools
  grep -qx "zpool create -O canmount=off -o ashift=12 -o cachefile=none fsxbench_ost raidz1 $(nvme 1 9 | sed "s|^|$FSXBENCH_ROOT/dev/|" | xargs)" "$calls"
  grep -qx "zpool create -O canmount=off -o ashift=12 -o cachefile=none fsxbench_mdt mirror $FSXBENCH_ROOT/dev/nvme10n1 $FSXBENCH_ROOT/dev/nvme11n1" "$calls"
  # Nothing is ever forced.
  [ "$(count '^zpool create .*-f')" -eq 0 ]
}

@test "makes nothing twice" {
  make_pools
  make_pools
  [ "$(count '^zpool create')" -eq 2 ]
  [[ "$stderr" == *'fsxbench_ost is there already, with 9 disks'* ]]
}

# bats test_tags=all
@test "seven and one on eight disks leave none for a mirror" {
  disks_are "$(nvme 1 8)"
  FSXBENCH_RAID_DISKS=8 make_pools
  [ "$(count '^zpool create')" -eq 1 ]
}

# bats test_tags=all
@test "one disk that is left is no mirror" {
  disks_are "$(nvme 1 10)"
  make_pools
  [ "$(count '^zpool create')" -eq 1 ]
}

# bats test_tags=all
@test "MDTs that are in the pool of the OSTs stay there, and a pool whose datasets are unknown gets none beside it" {
  nvme 1 9 | sed 's|^|/dev/|' >"$zfs_state/fsxbench_ost"
  touch "$zfs_state/unlisted"
  make_pools 1
  [[ "$stderr" == *'zfs cannot list fsxbench_ost, which may hold MDTs' ]]
  rm "$zfs_state/unlisted"
  printf 'fsxbench_ost/%s\n' mgs off-mdt0 off-ost0 >"$zfs_state/datasets"
  make_pools
  [ "$(count '^zpool create')" -eq 0 ]
}

@test "after a reboot its pools are imported, and nothing is made, cleared or mounted" {
  nvme 1 9 | sed 's|^|/dev/|' >"$zfs_state/exported-fsxbench_ost"
  nvme 10 11 | sed 's|^|/dev/|' >"$zfs_state/exported-fsxbench_mdt"
  make_pools
  [ "$(grep -E '^(zpool import|zpool create|wipefs)' "$calls" | xargs)" = 'zpool import -N fsxbench_ost zpool import -N fsxbench_mdt' ]
  [[ "$stderr" == *'fsxbench_ost is imported'*'fsxbench_mdt is imported'*'fsxbench_ost is there already, with 9 disks' ]]
}

# bats test_tags=all
@test "a second server has no MDTs, and so no mirror" {
  FSXBENCH_SERVER_INDEX=1 make_pools
  [ "$(count '^zpool create')" -eq 1 ]
}

@test "refuses the root disk, whatever its model" {
  disks_are "$(nvme 1 9)" 'disks["nvme9n1"]["mountpoint"] = "/"'
  refused 'holds the operating system'
}

# bats test_tags=all
@test "refuses a disk whose partition holds the root file system" {
  disks_are "$(nvme 1 9)" 'disks["nvme9n1"]["children"] = [{**root, "name": "nvme9n1p1", "type": "part"}]'
  refused 'holds the operating system'
}

# bats test_tags=all
@test "refuses a disk that the machine boots from" {
  disks_are "$(nvme 1 9)" 'disks["nvme9n1"]["children"] = [{**root, "name": "nvme9n1p1", "type": "part", "mountpoint": "/boot/efi"}]'
  refused 'holds the operating system'
}

# bats test_tags=all
@test "refuses a read-only disk" {
  disks_are "$(nvme 1 9)" 'disks["nvme9n1"]["ro"] = True'
  refused 'is read-only'
  # As lsblk of RHEL 7 writes it.
  disks_are "$(nvme 1 9)" 'disks["nvme9n1"]["ro"] = "1"'
  refused 'is read-only'
}

# bats test_tags=all
@test "refuses a mounted disk" {
  disks_are "$(nvme 1 9)" 'disks["nvme9n1"].update(mountpoint="/data", fstype="xfs")'
  refused 'is in use at /data'
}

# bats test_tags=all
@test "refuses a disk in use as swap" {
  disks_are "$(nvme 1 9)" 'disks["nvme9n1"]["mountpoint"] = "[SWAP]"'
  refused 'is in use at [SWAP]'
}

# bats test_tags=all
@test "refuses a disk with a partition table, even an empty one" {
  disks_are "$(nvme 1 9)" 'disks["nvme9n1"]["pttype"] = "gpt"'
  refused 'has a partition table'
}

# bats test_tags=all
@test "refuses a disk under another device, such as a volume of LVM, by that device's name" {
  disks_are "$(nvme 1 9)" 'disks["nvme9n1"].update(fstype="LVM2_member", children=[{**disks["nvme1n1"], "name": "vg-data", "type": "lvm"}])'
  refused 'is part of vg-data (lvm)'
}

@test "refuses a volume of EBS, also an empty one" {
  disks_are "$(nvme 1 9)" 'disks["nvme9n1"]["model"] = "Amazon Elastic Block Store"'
  refused 'is a volume of EBS'
}

@test "refuses a member of another pool, as a real one was recorded" {
  disks_are "$(nvme 1 9)" 'disks["nvme9n1"] = {**member, "name": "nvme9n1", "model": disks["nvme9n1"]["model"]}'
  refused 'is a member of a ZFS pool'
}

# bats test_tags=all
@test "refuses a disk with a file system that is not mounted" {
  disks_are "$(nvme 1 9)" 'disks["nvme9n1"]["fstype"] = "ext4"'
  refused 'holds ext4'
}

# bats test_tags=all
@test "refuses what is no instance store, such as a virtual disk" {
  disks_are "$(nvme 1 9)" 'disks["nvme9n1"]["model"] = None'
  refused 'is no instance store, but of an unknown model'
}

@test "refuses a disk that carries what udev has not seen: the disk itself is asked last" {
  # As wipefs answered for a member of a real pool of zfs-fuse 0.7.0, which lsblk called empty.
  echo '/dev/loop2 0x1ffffc00 zfs_member' >"$BATS_TEST_TMPDIR/signatures-nvme4n1"
  make_pools 1
  [[ "$stderr" == *"refusing to take /dev/nvme4n1: it carries zfs_member" ]]
  [ "$(count '^zpool create')" -eq 0 ]
}

@test "refuses a disk that was taken, or is gone, since it was found empty" {
  local change said
  while IFS='|' read -r change said; do
    disks_are "$(nvme 1 12)" "$change"
    mv "$BATS_TEST_TMPDIR"/lsblk{,-later}.json
    disks_are "$(nvme 1 12)"
    make_pools 1
    [[ "$stderr" == *"refusing to take /dev/nvme9n1: it $said" ]]
  done <<'CHANGES'
disks["nvme9n1"].update(mountpoint="/data", fstype="xfs")|is in use at /data
del disks["nvme9n1"]|is not a disk of this computer
CHANGES
  [ "$(count '^zpool create')" -eq 0 ]
}

# bats test_tags=all
@test "disks of a mirror are asked as those of a RAID-Z1 are" {
  echo '/dev/loop2 0x1ffffc00 zfs_member' >"$BATS_TEST_TMPDIR/signatures-nvme11n1"
  make_pools 1
  [[ "$stderr" == *"refusing to take /dev/nvme11n1: it carries zfs_member" ]]
  [ "$(count '^zpool create .* fsxbench_mdt')" -eq 0 ]
}

@test "refuses a disk that wipefs cannot read or gets no answer from, and any where lsblk has none" {
  fake wipefs <<<'echo "wipefs: error: $3: probing initialization failed: Input/output error" >&2; exit 1'
  make_pools 1
  [[ "$stderr" == *'refusing to take /dev/nvme1n1: wipefs cannot read it' ]]
  fake wipefs <<<"$times_up"
  make_pools 1
  [[ "$stderr" == *'gave up after 60s: wipefs '*'refusing to take /dev/nvme1n1: wipefs cannot read it' ]]
  fake lsblk <<<"$times_up"
  make_pools 1
  [[ "$stderr" == *'gave up after 60s: lsblk '* ]]
  [ "$(count '^zpool create')" -eq 0 ]
}

# bats test_tags=all
@test "a disk that zpool finds in use ends it, with what zpool said" {
  touch "$zfs_state/in-use"
  make_pools 1
  [[ "$output$stderr" == *"is part of active pool 'tank'"*'zpool create fsxbench_ost failed, '* ]]
}

# bats test_tags=all
@test "a pool that takes too long is told from one that fails, and found there by the next run" {
  touch "$zfs_state/slow"
  FSXBENCH_POOL_SECONDS=1 make_pools 1
  [[ "$stderr" == *'gave up after 1s: zpool create '*'zpool create fsxbench_ost failed, or took more than 1s: what it began may still end, so run make-pools again' ]]
  # As after a reboot: it is there, but not imported.
  mv "$zfs_state"/{,exported-}fsxbench_ost
  FSXBENCH_POOL_SECONDS=1 make_pools 1
  [[ "$stderr" == *'zpool import fsxbench_ost took more than 1s: what it began may still end, so run make-pools again' ]]
  mv "$zfs_state"/{exported-,}fsxbench_ost
  rm "$zfs_state/slow"
  make_pools
  [[ "$stderr" == *'fsxbench_ost is there already, with 9 disks'* ]]
}

# bats test_tags=all
@test "a pool of another width is not taken for the one that was asked for" {
  nvme 1 8 | sed 's|^|/dev/|' >"$zfs_state/fsxbench_ost"
  make_pools 1
  [[ "$stderr" == *'the pool fsxbench_ost must have 9 disks, but has 8: destroy it with reset-pools' ]]
}

# bats test_tags=all
@test "a width that is none is refused" {
  FSXBENCH_RAID_DISKS=2 make_pools 1
  [[ "$stderr" == *"'FSXBENCH_RAID_DISKS' must be a number from 3, got '2'" ]]
}

@test "reset-pools loses nothing unasked, and only what make-pools made" {
  make_pools
  run -1 --separate-stderr bash "$server/reset-pools"
  [[ "$stderr" == *'all data of fsxbench_ost and fsxbench_mdt will be lost: say --yes' ]]
  [ "$(count '^zpool destroy')" -eq 0 ]
  sed -i 's|.*/dev/\(.*\)|/dev/\1p1|' "$zfs_state/fsxbench_ost"
  run -0 --separate-stderr bash "$server/reset-pools" --yes
  [ "$(count '^zpool destroy fsxbench_(ost|mdt)$')" -eq 2 ]
  # Whole disks, though ZFS made partitions on them.
  [ "$(count '^wipefs --all --quiet /dev/nvme[1-9]n1$')" -eq 9 ]
  [ "$(count '^blkdiscard /dev/nvme[1-9]n1$')" -eq 9 ]
}

@test "reset-pools clears no disk of a pool that is still in use" {
  make_pools
  touch "$zfs_state/busy"
  run -1 --separate-stderr bash "$server/reset-pools" --yes
  [[ "$stderr" == *'zpool destroy fsxbench_ost failed: are its targets still mounted? stop-targets unmounts them' ]]
  [ "$(count '^wipefs --all')" -eq 0 ]
}

# bats test_tags=all
@test "reset-pools leaves a pool whose disks are unknown, and pools of other names" {
  touch "$zfs_state/fsxbench_ost"
  echo /dev/nvme20n1 >"$zfs_state/tank"
  run -1 --separate-stderr bash "$server/reset-pools" --yes
  [[ "$stderr" == *'zpool status names no disk of fsxbench_ost: leaving it as it is' ]]
  rm "$zfs_state/fsxbench_ost"
  run -0 --separate-stderr bash "$server/reset-pools" --yes
  [ "$(count '^(zpool destroy|wipefs --all|blkdiscard)')" -eq 0 ]
}

# bats test_tags=all
@test "reset-pools says which disk it cannot clear, and minds none that takes no discard" {
  echo /dev/vdb1 >"$zfs_state/fsxbench_ost"
  fake blkdiscard <<<'exit 1'
  run -0 --separate-stderr bash "$server/reset-pools" --yes
  [[ "$stderr" == *'warning: /dev/vdb takes no discard'*'fsxbench_ost is gone, and 1 disks are empty' ]]
  echo /dev/sda1 >"$zfs_state/fsxbench_ost"
  fake wipefs <<<'exit 1'
  run -1 --separate-stderr bash "$server/reset-pools" --yes
  [[ "$stderr" == *'cannot clear the signatures of /dev/sda' ]]
}
