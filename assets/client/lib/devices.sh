# shellcheck shell=bash
# File systems of a client's own kernel on block devices. Sourced after storage.sh, never run. A device that holds anything but the arm's own file
# system is refused, never overwritten.

# label_of ARM: XFS takes twelve characters.
label_of() { echo "fsxb$(sha256sum <<<"$1" | cut -c 1-8)"; }

# signature DEVICE: TYPE and LABEL of its content, `- -` for nothing. wipefs also finds signatures that blkid calls ambiguous.
signature() {
  local device="$1" all type label
  all="$(wipefs --noheadings --output TYPE "$device")" || die "wipefs cannot read $device"
  if [[ -z "$all" ]]; then
    echo '- -'
    return
  fi
  type="$(blkid --probe --match-tag TYPE --output value "$device" || true)"
  label="$(blkid --probe --match-tag LABEL --output value "$device" || true)"
  printf '%s %s\n' "${type:-unknown}" "${label:--}"
}

# is_mounted TYPE LABEL MOUNT_POINT: what the arm made is mounted there.
is_mounted() {
  local device
  device="$(mount_source "$1" "$3")" && [[ "$(signature "$device")" == "$1 $2" ]]
}

# refuse ARM DEVICE FOUND
refuse() { die "arm $1: $2 must be empty, or hold what this arm made, but holds $3: empty it with wipefs --all, or give the arm another volume"; }

# assembled DEVICE: prints the array that the kernel has already made of it, or fails.
assembled() {
  local array disk
  disk="$(readlink -f "$1")"
  for array in "$root/sys/class/block/${disk##*/}"/holders/md*; do
    if [[ -e "$array" ]]; then
      printf '%s/dev/%s\n' "$root" "${array##*/}"
      return 0
    fi
  done
  return 1
}

# stripe ARM NAME DEVICE…: prints the device of the RAID-0; assembles it where these volumes are one already.
stripe() {
  local arm="$1" name="$2" array="$root/dev/md/$2" device found members=0
  shift 2
  if [[ -e "$array" ]]; then
    echo "$array"
    return
  fi
  for device in "$@"; do
    found="$(signature "$device")"
    # mdadm writes `host:name`.
    if [[ "$found" == "linux_raid_member "*"$name" ]]; then members=$((members + 1)); else [[ "$found" == '- -' ]] || refuse "$arm" "$device" "$found"; fi
  done
  if ((members == $#)); then
    # udev assembles an array with another host's name under a new name, such as md127.
    if assembled "$1"; then return 0; fi
    mdadm --assemble "$array" "$@" >&2
  elif ((members == 0)); then
    mdadm --create "$array" --run --level=0 --raid-devices=$# --name="$name" "$@" >&2
  else
    die "arm $arm: $members of its $# volumes are a RAID-0 and the others are empty: empty all with wipefs --all"
  fi
  echo "$array"
}

# make_filesystem ARM TYPE LABEL DEVICE: XFS or Btrfs, unless the arm has made it before.
make_filesystem() {
  local arm="$1" type="$2" label="$3" device="$4" found
  found="$(signature "$device")"
  if [[ "$found" == "$type $label" ]]; then return 0; fi
  [[ "$found" == '- -' ]] || refuse "$arm" "$device" "$found"
  case "$type" in
  xfs) mkfs.xfs -q -L "$label" "$device" ;;
  btrfs) mkfs.btrfs --quiet --data single --metadata single --label "$label" "$device" ;;
  esac
  log "arm $arm: made $type on $device"
}
