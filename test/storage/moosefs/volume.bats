#!/usr/bin/env bats
# server/boot, prepare_volume: which volumes of a chunkserver get a file system. Real signatures in a file, with a mount that is only recorded.

load ../../client/lib/helper.bash

setup() {
  command -v mkfs.xfs >/dev/null || skip 'this computer has no mkfs.xfs'
  make_machine
  volume="$FSXBENCH_ROOT/dev/sdf"
  mkdir -p "$FSXBENCH_ROOT/dev"
  truncate -s 400M "$volume"
  fake chown <<<''
  # As the kernel does with a device that has no XFS.
  fake mount <<<'[[ "$(blkid --probe --match-tag TYPE --output value "$5")" == xfs ]] || exit 32; echo "$5 $6 xfs rw 0 0" >>"$FSXBENCH_ROOT/proc/mounts"'
}

# prepare [STATUS]: the only difference between a file and a block device is its type.
prepare() {
  run -"${1:-0}" --separate-stderr bash -c 'source "$client/storage/moosefs/server/boot"; test() { [[ "$1" == -b && -e "$2" ]]; }; prepare_volume /dev/sdf "$FSXBENCH_ROOT/srv/volume0"'
}
uuid() { blkid --probe --match-tag UUID --output value "$volume"; }

@test "an empty volume gets XFS once, is mounted, and remembered once" {
  local first
  prepare
  first="$(uuid)"
  [ -n "$first" ]
  prepare
  : >"$FSXBENCH_ROOT/proc/mounts"
  prepare
  [ "$(uuid)" = "$first" ]
  [ "$(count '^mount -t xfs -o noatime ')" -eq 2 ]
  [ "$(<"$FSXBENCH_ROOT/etc/fstab")" = "/dev/sdf $FSXBENCH_ROOT/srv/volume0 xfs noatime,nofail 0 0" ]
}

@test "a volume that holds something else is left as it is, whatever mkfs.xfs would say of it" {
  local before
  fake mkfs.xfs <<<'exec /usr/sbin/mkfs.xfs -f "$@"'
  # A magic number of swap space, as mkswap leaves it: nothing that a mount takes.
  printf 'SWAPSPACE2' | dd of="$volume" bs=1 seek=4086 conv=notrunc status=none
  printf '\x01\x00\x00\x00\xff\x8f\x01\x00' | dd of="$volume" bs=1 seek=1024 conv=notrunc status=none
  before="$(cksum "$volume")"
  prepare 1
  [[ "$stderr" == *"cannot mount /dev/sdf at $FSXBENCH_ROOT/srv/volume0" ]]
  [ "$(cksum "$volume")" = "$before" ]
  [ ! -s "$FSXBENCH_ROOT/etc/fstab" ]
}

@test "a volume that cannot be read is not taken for empty" {
  fake wipefs <<<'exit 1'
  # blkid says of it what it says of an empty one.
  fake blkid <<<'exit 2'
  fake mkfs.xfs <<<''
  prepare 1
  [[ "$stderr" == *"wipefs cannot read $volume" ]]
  [ "$(count '^mkfs')" -eq 0 ]
}

@test "a chunkserver is at the master by its whole address" {
  fake mfscli <<<'echo chunk servers:,198.18.0.12,9422,1'
  run -0 bash -c 'source "$client/storage/moosefs/server/boot"; is_at_master 198.18.0.3 198.18.0.12'
  run -1 bash -c 'source "$client/storage/moosefs/server/boot"; is_at_master 198.18.0.3 198.18.0.1'
}
