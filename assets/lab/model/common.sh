# shellcheck shell=bash
# The scripts of the scale model share this: a storage's paths, and the kernel's limits on its disk.
#
# Environment of every script here:
#   MODEL_NAME     prefix of the storage's network namespaces and its control group, alike in no two labs
#   MODEL_FOLDER   the servers' folder: `disk` stores data, `device` is its number in the kernel; `master` is the metadata server's,
#                  `metadata-device` the number of its separate disk, if any

# shellcheck source-path=SCRIPTDIR source=../../client/lib/processes.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../client/lib/processes.sh"
# shellcheck source-path=SCRIPTDIR source=../mounts.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../mounts.sh"
: "${MODEL_NAME:?must be set}" "${MODEL_FOLDER:?must be set}"

log() { printf 'model: %s\n' "$*" >&2; }

die() {
  log "error: $*"
  exit 1
}

# wait_until SECONDS COMMAND…
wait_until() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS >= deadline)); then return 1; fi
    sleep 0.05
  done
}

# prefer PID…: puts the sessions of processes before this machine's other work, since what is measured is limits and not leftovers. A
# process's own priority counts only within its session where sessions are scheduled as groups (sched(7), "The autogroup feature"):
# MooseFS gives itself one, and on a busy machine got its share of a session all the same.
prefer() {
  local pid
  for pid in "$@"; do
    renice --priority -15 --pid "$pid" >/dev/null 2>&1 || true
    echo -15 2>/dev/null >"/proc/$pid/autogroup" || true
  done
}

# in_own_session SCRIPT WORD…: restarts a script as the leader of a session, whose place among others `prefer` can change without changing the
# caller's. Returns in a leader. A variable marks that it was restarted, so it restarts only once.
in_own_session() {
  local -a stat
  if [[ -n "${MODEL_OWN_SESSION:-}" ]] || { stat_of "$$" && ((stat[3] == $$)); }; then return 0; fi
  MODEL_OWN_SESSION=yes exec setsid --wait "$@"
}

# RFC 2544 reserves this range for benchmarks. All ends are in namespaces, so all storages of all labs may have the same.
readonly model_server=198.18.0.1

in_server() { nsenter --net="/run/netns/$MODEL_NAME-server" "$@"; }
in_client() { nsenter --net="/run/netns/$MODEL_NAME-client" "$@"; }

# ends: the existing network namespaces of the storage; n1, n2, … are clients with their own link.
ends() { ip netns list 2>/dev/null | sed -nE "s/^$MODEL_NAME-(server|client|n[0-9]+)( .*)?\$/\1/p"; }

# mount_storage END: through the link of that end.
# A small write cache: data that the client keeps would still be in flight when a phase ends. No extended attributes: the kernel would ask for one at
# every write. Only the kernel's read-ahead: MooseFS's own fetched 40 % more than was read, through the same disk, so reads reached 71 % of its rate;
# without it, 95 to 99 %. A GiB is more than a run reads of a file (a TiB had no effect).
mount_storage() {
  local log="$MODEL_FOLDER/mount-$1.log"
  nsenter --net="/run/netns/$MODEL_NAME-$1" mfsmount "${MODEL_MOUNT:?must be set}" -H "$model_server" \
    -o mfswritecachesize=16 -o mfsnoxattrs -o mfsreadaheadtrigger=1073741824 >"$log" 2>&1 || die "mfsmount: $(tail -n 1 "$log")"
}

# throttle_place [MOUNTS]: where the kernel accepts limits of block devices: `v1 FOLDER`, `v2 FOLDER`, or nothing.
throttle_place() {
  local mounts="${1:-/proc/mounts}" type folder options
  while read -r _ folder type options _; do
    if [[ "$type" == cgroup && ",$options," == *,blkio,* && -w "$folder/blkio.throttle.write_bps_device" ]]; then
      echo "v1 $folder"
      return
    fi
    if [[ "$type" == cgroup2 && -w "$folder/cgroup.subtree_control" ]] && grep -qw io "$folder/cgroup.controllers"; then
      echo "v2 $folder"
      return
    fi
  done <"$mounts"
}

# throttle DEVICE_NUMBER READ_BPS WRITE_BPS READ_IOPS WRITE_IOPS: 0 takes a limit away.
throttle() {
  local number="$1" read_bps="$2" write_bps="$3" read_iops="$4" write_iops="$5" version folder
  read -r version folder < <(throttle_place) || die 'the kernel takes no limits of block devices here'
  if [[ "$version" == v1 ]]; then
    # Version 1 charges all writeback to the root group, so the limits are set there.
    echo "$number $read_bps" >"$folder/blkio.throttle.read_bps_device"
    echo "$number $write_bps" >"$folder/blkio.throttle.write_bps_device"
    echo "$number $read_iops" >"$folder/blkio.throttle.read_iops_device"
    echo "$number $write_iops" >"$folder/blkio.throttle.write_iops_device"
    return
  fi
  # Version 2 charges it to the writer's group when it counts memory, too (Linux, admin-guide/cgroup-v2, "Writeback").
  { echo '+io +memory' >"$folder/cgroup.subtree_control"; } 2>/dev/null ||
    die "the control group $folder passes no limits on: it has processes of its own, as in a container"
  mkdir -p "$folder/$MODEL_NAME"
  # shellcheck disable=SC2046 # one word each
  echo "$number" $(limit rbps "$read_bps") $(limit wbps "$write_bps") $(limit riops "$read_iops") \
    $(limit wiops "$write_iops") >"$folder/$MODEL_NAME/io.max"
}

limit() { if (($2 == 0)); then echo "$1=max"; else echo "$1=$2"; fi; }

# The limits in force, in the order of `throttle`'s arguments; 0 for none.
throttle_in_force() {
  local number="$1" version folder file
  read -r version folder < <(throttle_place) || return 0
  if [[ "$version" == v1 ]]; then
    for file in read_bps write_bps read_iops write_iops; do
      awk -v number="$number" '$1 == number { limit = $2 } END { printf "%d ", limit }' \
        "$folder/blkio.throttle.${file}_device"
    done
    echo
    return
  fi
  local line key
  line="$(grep "^$number " "$folder/$MODEL_NAME/io.max" 2>/dev/null || true)"
  for key in rbps wbps riops wiops; do
    if [[ "$line" =~ $key=([0-9]+) ]]; then printf '%d ' "${BASH_REMATCH[1]}"; else printf '0 '; fi
  done
  echo
}

# Runs a command in the group whose limits are the model's.
in_throttle() (
  local version folder
  read -r version folder < <(throttle_place) || die 'the kernel takes no limits of block devices here'
  if [[ "$version" == v2 ]]; then folder="$folder/$MODEL_NAME"; fi
  echo "$BASHPID" >"$folder/cgroup.procs"
  exec "$@"
)

# device_name [metadata-]device: the device behind a disk of the servers, such as loop3.
device_name() { basename "$(readlink "/sys/dev/block/$(<"$MODEL_FOLDER/$1")")"; }

# As the kernel names it, even if it is gone: `readlink -f` then prints nothing, which would match every device of the machine.
own_folder() { readlink --canonicalize-missing "$MODEL_FOLDER"; }

# The loop devices whose image lies in the storage's folder.
own_devices() {
  local file device image
  for file in /sys/block/loop*/loop/backing_file; do
    device="${file#/sys/block/}"
    image="$(cat "$file" 2>/dev/null)" || continue
    if [[ "$image" == "$(own_folder)"/* ]]; then echo "/dev/${device%%/*}"; fi
  done
}

numbers_of_devices() {
  local device
  for device in $(own_devices); do cat "/sys/block/${device#/dev/}/dev"; done
}

# True unless another lab has got the device meanwhile: its limits are not this one's to take.
is_own() {
  local image
  image="$(cat "/sys/dev/block/$1/loop/backing_file" 2>/dev/null || true)"
  [[ -z "$image" || "$image" == "$(own_folder)"/* ]]
}

# In version 2 the limits go with their group.
unlimited() { if [[ "$(throttle_place)" == v1* ]] && is_own "$1"; then throttle "$1" 0 0 0 0; fi; }

# memory_bounds MOUNT: where the kernel bounds a file system's memory. Btrfs, which may have several disks, has a separate place.
memory_bounds() {
  local type number uuid
  read -r type number uuid < <(findmnt --noheadings --output FSTYPE,MAJ:MIN,UUID "$1")
  if [[ "$type" == btrfs ]]; then echo "/sys/fs/btrfs/$uuid/bdi"; else echo "/sys/class/bdi/$number"; fi
}

# bound_memory MOUNT BYTES: without a bound the page cache takes a short run whole; a network file system's fsync does not even reach the
# servers' disk. Linux 6.2 and later (Documentation/ABI/testing/sysfs-class-bdi).
bound_memory() {
  local bdi
  bdi="$(memory_bounds "$1")"
  if [[ ! -w "$bdi/max_bytes" ]]; then die 'the kernel cannot bound what a disk has in memory (Linux 6.2 and later can)'; fi
  echo 1 >"$bdi/strict_limit"
  echo "$2" >"$bdi/max_bytes"
  if (($(<"$bdi/strict_limit") != 1)); then die 'the kernel has not taken the bound of what a disk has in memory'; fi
}
