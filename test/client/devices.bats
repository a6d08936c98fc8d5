#!/usr/bin/env bats
# devices.sh: which devices are made into an array or a file system, and that all others are refused as they are: real signatures in files, and an mdadm
# that is only recorded.

load lib/helper

setup() {
  command -v mkfs.btrfs mkfs.xfs >/dev/null || skip 'this computer has no mkfs.btrfs or no mkfs.xfs'
  make_machine
  name="$(in_script label_of zstd)"
  array="$FSXBENCH_ROOT/dev/md/$name"
  mkdir -p "$FSXBENCH_ROOT/dev/md"
  one="$FSXBENCH_ROOT/dev/one" two="$FSXBENCH_ROOT/dev/two"
  truncate -s 400M "$one" "$two"
  fake mdadm <<<''
}

# in_script COMMAND…: as the scripts that source devices.sh, which end with the first command that fails.
in_script() { bash -o errexit -o nounset -o pipefail -c 'source "$client/lib/common.sh"; source "$client/lib/devices.sh"; "$@"' mount "$@"; }

# member DEVICE ARRAY: what mdadm leaves on a member of a RAID-0 (md_p.h, struct mdp_superblock_1).
member() {
  python3 - "$@" <<'PYTHON'
import struct, sys
device, array = sys.argv[1:]
block = bytearray(260)
struct.pack_into("<IIII16s32sQIIQII", block, 0, 0xA92B4EFC, 1, 0, 0, b"0123456789abcdef", array.encode(), 0, 0, 0, 800000, 1024, 2)
struct.pack_into("<QQQQ", block, 128, 2048, 800000, 8, 0)
struct.pack_into("<I", block, 220, 2)
total = sum(struct.unpack("<65I", block))
struct.pack_into("<I", block, 216, (total & 0xFFFFFFFF) + (total >> 32))
with open(device, "r+b") as file:
    file.seek(4096)
    file.write(block)
PYTHON
}

# state_of FILE…: sizes, blocks and the time of the last write, and where signatures are, since reading all would take seconds.
state_of() {
  local file
  stat --format '%n %s %b %y' "$@"
  for file in "$@"; do head -c 1M "$file" | cksum; done
}

# untouched STATUS COMMAND…: it ends with that status, no device is another afterwards, and no array is made.
untouched() {
  local before wanted="$1"
  shift
  before="$(state_of "$one" "$two")"
  run -"$wanted" --separate-stderr in_script "$@"
  [ "$(state_of "$one" "$two")" = "$before" ] && [ "$(count '^mdadm --create')" -eq 0 ]
}

@test "empty volumes become an array" {
  run -0 --separate-stderr in_script stripe zstd "$name" "$one" "$two"
  [ "$output" = "$array" ]
  [ "$(<"$calls")" = "mdadm --create $array --run --level=0 --raid-devices=2 --name=$name $one $two" ]
}

@test "an array that is there is taken without a look at its volumes" {
  touch "$array"
  untouched 0 stripe zstd "$name" "$one" "$two"
  [ "$output" = "$array" ]
  [ "$(count '^mdadm')" -eq 0 ]
}

@test "volumes that are the arm's array, by this host or another, are assembled and never made anew" {
  member "$one" "$name"
  member "$two" "ip-10-0-1-7:$name"
  untouched 0 stripe zstd "$name" "$one" "$two"
  [ "$output" = "$array" ]
  [ "$(<"$calls")" = "mdadm --assemble $array $one $two" ]
}

@test "an array that cannot be assembled is not made anew" {
  member "$one" "$name"
  member "$two" "$name"
  fake mdadm <<<'echo "mdadm: $2 assembled from 2 drives - not enough to start the array." >&2; exit 1'
  untouched 1 stripe zstd "$name" "$one" "$two"
  [[ -z "$output" && "$stderr" == *'not enough to start the array'* ]]
}

@test "a member of another array is refused, whichever volume it is" {
  member "$two" ip-10-0-1-7:precious
  untouched 1 stripe zstd "$name" "$one" "$two"
  [[ "$stderr" == *"arm zstd: $two must be empty, or hold what this arm made, but holds linux_raid_member ip-10-0-1-7:precious: empty it with wipefs --all, "* ]]
  untouched 1 stripe zstd "$name" "$two" "$one"
  member "$one" ip-10-0-1-7:precious
  untouched 1 stripe zstd "$name" "$one" "$two"
  [ "$(count '^mdadm')" -eq 0 ]
}

@test "an empty volume beside a member of the arm's array is not made one with it" {
  member "$one" "$name"
  untouched 1 stripe zstd "$name" "$one" "$two"
  [[ "$stderr" == *'arm zstd: 1 of its 2 volumes are a RAID-0 and the others are empty: empty all with wipefs --all' ]]
  [ "$(count '^mdadm')" -eq 0 ]
}

@test "a member of any array is no device for a file system" {
  member "$one" "$name"
  untouched 1 make_filesystem zstd xfs "$name" "$one"
  [[ "$stderr" == *"$one must be empty, or hold what this arm made, but holds linux_raid_member $name"* ]]
}

@test "the arm's label on a file system of another type is not the arm's own, nor is its type with another label" {
  mkfs.btrfs -q -L "$name" "$one"
  untouched 1 make_filesystem zstd xfs "$name" "$one"
  [[ "$stderr" == *"but holds btrfs $name: "* ]]
  mkfs.xfs -q -L precious "$two"
  untouched 1 make_filesystem zstd xfs "$name" "$two"
  [[ "$stderr" == *'but holds xfs precious: '* ]]
  mkfs.xfs -q -f "$two"
  untouched 1 make_filesystem zstd xfs "$name" "$two"
  [[ "$stderr" == *'but holds xfs -: '* ]]
}

@test "a device with signatures of two file systems, for which blkid has no name, is refused" {
  mkfs.xfs -q -L "$name" "$one"
  mkfs.btrfs -q "$two"
  dd if="$two" of="$one" bs=64K skip=1 seek=1 count=1 conv=notrunc status=none
  run ! blkid --probe "$one"
  untouched 1 make_filesystem zstd xfs "$name" "$one"
  [[ "$stderr" == *"$one must be empty, or hold what this arm made, but holds unknown -: "* ]]
  untouched 1 stripe zstd "$name" "$one" "$two"
}

@test "a device with a partition table and no file system is refused" {
  # The last bytes of an MBR, and an entry for a partition of Linux.
  printf '\x20\x21\x00\x83\xdd\x1e\x3f\x00\x08\x00\x00\x00\x98\x01\x00' | dd of="$one" bs=1 seek=447 conv=notrunc status=none
  printf '\x55\xaa' | dd of="$one" bs=1 seek=510 conv=notrunc status=none
  [ "$(wipefs --noheadings --output TYPE "$one")" = dos ]
  untouched 1 make_filesystem zstd xfs "$name" "$one"
  [[ "$stderr" == *"$one must be empty"* ]]
}

@test "a device that cannot be read is not taken for empty" {
  fake wipefs <<<'echo "wipefs: error: ${!#}: probing initialization failed: Input/output error" >&2; exit 1'
  untouched 1 make_filesystem zstd xfs "$name" "$one"
  [[ "$stderr" == *"wipefs cannot read $one" ]]
  untouched 1 stripe zstd "$name" "$one" "$two"
  [[ "$stderr" == *"wipefs cannot read $one" ]]
}
