# shellcheck shell=bash
# The scripts of a Lustre server share this: names, disks, pools, file systems. Sourced after common.sh, never run.
#
# Environment:
#   FSXBENCH_RAID_DISKS     disks of the RAID-Z1, one of them the parity (default 9)
#   FSXBENCH_DISK_MODEL     model of the usable disks (default that of EC2's instance stores; machines elsewhere have others)
#   FSXBENCH_POOL_OPTIONS   of zpool create (default: sectors of 4 KiB, and no import at boot except by the scripts)
#   FSXBENCH_FILE_SYSTEMS   NAME:COMPRESSION:RECORD_KIB of each file system, blanks between
#   FSXBENCH_SERVER_INDEX   0 for the server with MGS and MDTs (default 0)

# Pools with these names are ours: no other pool is ever touched.
ost_pool=fsxbench_ost
mdt_pool=fsxbench_mdt
raid_disks="${FSXBENCH_RAID_DISKS:-9}"
server_index="${FSXBENCH_SERVER_INDEX:-0}"
lustre_folder="$root/srv/lustre"
read -r -a pool_options <<<"${FSXBENCH_POOL_OPTIONS--o ashift=12 -o cachefile=none}"
export ost_pool mdt_pool raid_disks server_index lustre_folder pool_options

# disks: lines of name and verdict (lib/disks.py).
disks() {
  within 60 lsblk --json --output NAME,TYPE,MODEL,MOUNTPOINT,FSTYPE,PTTYPE,RO |
    python3 "$home/server/lib/disks.py" "${FSXBENCH_DISK_MODEL:-Amazon EC2 NVMe Instance Storage}"
}

# must_be_empty NAME…: also asks the disks, since udev's data may be old.
must_be_empty() {
  local name verdict signatures all
  all="$(disks)"
  for name in "$@"; do
    verdict="$(awk -F '\t' -v name="$name" '$1 == name { print $2 }' <<<"$all")"
    [[ "$verdict" == empty ]] || die "refusing to take /dev/$name: it ${verdict:-is not a disk of this computer}"
    signatures="$(within 60 wipefs --no-act --noheadings "$root/dev/$name")" || die "refusing to take /dev/$name: wipefs cannot read it"
    [[ -z "$signatures" ]] || die "refusing to take /dev/$name: it carries $(awk 'NR == 1 { print $3 }' <<<"$signatures")"
  done
}

empty_disks() { disks | awk -F '\t' '$2 == "empty" { print $1 }'; }

has_pool() { [[ -n "$(zpool list -H -o name "$1" 2>/dev/null)" ]]; }

# sync_pools: writes what is in memory to the pools of ours. Without names zpool would wait for everybody's, and one of them may be suspended.
sync_pools() {
  local pool own=()
  for pool in "$ost_pool" "$mdt_pool"; do
    if has_pool "$pool"; then own+=("$pool"); fi
  done
  if ((${#own[@]} == 0)); then return 0; fi
  within 110 zpool sync "${own[@]}"
}

# leaves POOL: its disks, as `zpool status -PL` has them, by their full names: partitions, where ZFS got whole disks.
leaves() { zpool status -PL "$1" | awk '$1 ~ /^\// { print $1 }'; }

# meta_pool: the pool of MGS and MDTs, which is the OST's if no disks were left for a separate one.
meta_pool() { if has_pool "$mdt_pool"; then echo "$mdt_pool"; else echo "$ost_pool"; fi; }

# file_systems: lines of name, compression and record size in KiB, blanks between.
file_systems() {
  local each
  for each in ${FSXBENCH_FILE_SYSTEMS:?}; do
    [[ "$each" =~ ^([a-z][a-z0-9_]{0,7}):(off|lz4|gzip-[1-9]|zstd-([1-9]|1[0-9])):([0-9]+)$ ]] ||
      die "'FSXBENCH_FILE_SYSTEMS' must be NAME:COMPRESSION:RECORD_KIB with a name of at most 8 letters and digits, got '$each'"
    printf '%s %s %s\n' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[4]}"
  done
}

# effective DATASET PROPERTY: as ZFS has it, a size in bytes.
effective() { zfs get -Hp -o value "$2" "$1"; }

# set_and_verify DATASET PROPERTY VALUE EFFECTIVE
set_and_verify() {
  local found
  within 60 zfs set "$2=$3" "$1" || die "zfs set $2=$3 $1 failed"
  found="$(effective "$1" "$2")"
  [[ "$found" == "$4" ]] || die "$2 of $1 must be $4, but is ${found:-unknown}"
}

# set_data_properties DATASET COMPRESSION RECORD_KIB: what makes an arm.
set_data_properties() {
  local compression="$2"
  # ZFS calls its default level by the bare name.
  if [[ "$compression" == gzip-6 ]]; then compression=gzip; fi
  set_and_verify "$1" compression "$2" "$compression"
  set_and_verify "$1" recordsize "${3}K" "$((${3} * 1024))"
}

own_address() { ip -4 route get 192.0.2.1 | sed -n 's/.* src \([0-9.]*\) .*/\1/p'; }
