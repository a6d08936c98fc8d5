# shellcheck shell=bash
# The client's scripts share this: paths, logging, bounded waiting. Sourced, never run.
#
# Environment:
#   FSXBENCH_HOME            folder of the unpacked bundle, with the storages' scripts in storage/ (default: the folder above this file)
#   FSXBENCH_STATE           files that outlive a reboot: runs, tuning.json (default /var/lib/fsxbench)
#   FSXBENCH_CLIENT_CONFIG   facts of this client about itself (default /etc/fsxbench/client.json)
#   FSXBENCH_TOOLS           where Open MPI and IOR are installed (default /opt/fsxbench-tools)
#   FSXBENCH_BIN             where what this client built is called from, before all others on PATH (default /usr/local/bin)
#   FSXBENCH_ROOT            put before every path of the operating system (default nothing; only tests set it)

# An error inside $(…) also ends the script.
shopt -s inherit_errexit

common_path="$(readlink -f "${BASH_SOURCE[0]}")"
root="${FSXBENCH_ROOT:-}"
home="${FSXBENCH_HOME:-${common_path%/lib/common.sh}}"
state="${FSXBENCH_STATE:-$root/var/lib/fsxbench}"
client_config="${FSXBENCH_CLIENT_CONFIG:-$root/etc/fsxbench/client.json}"
tools="${FSXBENCH_TOOLS:-/opt/fsxbench-tools}"
# The unprivileged user that MPI runs as, the same number on every client: files on the arms belong to it.
# Amazon Linux gives 1000 to ec2-user, 1001 and up to users made later, such as ssm-user.
fsxbench_user=fsxbench
fsxbench_uid=5200
export root home state client_config tools fsxbench_user fsxbench_uid
# The scripts of a storage are elsewhere, and source this file by it.
export FSXBENCH_HOME="$home"
# shellcheck source-path=SCRIPTDIR source=processes.sh
source "${common_path%/*}/processes.sh"
export PATH="${FSXBENCH_BIN:-$root/usr/local/bin}:$PATH:/usr/sbin:/sbin"
# [a-z] is not the same letters in every language, nor the decimal sign.
export LC_ALL=C
# srun hands on what is there on a login node, such as /tmp/USER, and may be missing on others.
if [[ -n "${TMPDIR:-}" && ! -w "$TMPDIR" ]]; then unset TMPDIR; fi

# log MESSAGE…: one line on stderr; stdout is for data.
log() { printf '%s %s: %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "${0##*/}" "$*" >&2; }

warn() { log "warning: $*"; }

# die MESSAGE…: the operator reads it in the stack's event, so it must be understandable alone.
die() {
  log "error: $*"
  exit 1
}

# retry ATTEMPTS SECONDS COMMAND…: the pause doubles each time. Returns the last status.
retry() {
  local attempts="$1" pause="$2" attempt status
  shift 2
  for ((attempt = 1; ; attempt++)); do
    status=0
    "$@" || status=$?
    ((status == 0)) && return 0
    ((attempt >= attempts)) && return "$status"
    log "attempt $attempt of $attempts failed with status $status, again in ${pause}s: $*"
    sleep "$pause"
    pause=$((pause * 2))
  done
}

# wait_until SECONDS WHAT COMMAND…: polls once a second; after SECONDS it fails with a message.
wait_until() {
  local seconds="$1" what="$2"
  shift 2
  local deadline=$((SECONDS + seconds))
  until "$@"; do
    if ((SECONDS >= deadline)); then
      log "error: gave up after ${seconds}s waiting for $what"
      return 1
    fi
    sleep 1
  done
}

# make_scratch: a folder for temporary files, also of later programs. It is always removed when the script ends: a file may hold a key.
make_scratch() {
  scratch="$(mktemp -d)"
  export TMPDIR="$scratch"
  trap 'rm -rf "$scratch"' EXIT
}

# give_up_after SECONDS COMMAND…: as within, of a program that may hang in the kernel.
# A process that hangs in the Lustre client ignores even SIGKILL until its server answers: it is left behind. Its
# output goes through files, since a pipe that it held open would make a caller's $(…) wait for ever. Bash says `Killed` on stderr when it hears
# of one that was, then or at any later time: it is kept from that, since the status says so.
give_up_after() {
  local seconds="$1" folder status=0 pid deadline
  shift
  folder="$(mktemp -d)" || return
  timeout --kill-after=2 "$seconds" "$@" </dev/null >"$folder/out" 2>"$folder/err" &
  pid=$!
  deadline=$((SECONDS + seconds + 4))
  {
    while is_running "$pid" && ((SECONDS < deadline)); do sleep 0.05; done
    if is_running "$pid"; then
      disown "$pid"
      status=124
    else
      wait "$pid" || status=$?
    fi
  } 2>/dev/null
  # 137: timeout had to send SIGKILL.
  if ((status == 137)); then status=124; fi
  cat "$folder/out"
  cat "$folder/err" >&2
  rm -rf "$folder"
  if ((status == 124)); then log "gave up after ${seconds}s: $*"; fi
  return "$status"
}

# write_file PATH MODE <TEXT: replaces the file in one step, and only when its text differs.
write_file() {
  local path="$1" mode="$2" draft
  mkdir -p "${path%/*}"
  draft="$(mktemp "${path%/*}/.fsxbench-XXXXXX")"
  cat >"$draft"
  if [[ -f "$path" ]] && cmp -s "$draft" "$path"; then
    rm "$draft"
    chmod "$mode" "$path"
    return 0
  fi
  chmod "$mode" "$draft"
  mv "$draft" "$path"
  log "wrote $path"
}

user_home() { printf '%s/home/%s\n' "$root" "$fsxbench_user"; }

# "${as_user[@]}" COMMAND…: as the user of the benchmarks, in that user's home. An array, since give_up_after runs programs.
as_user=(runuser -u "$fsxbench_user" -- env --chdir=/ "HOME=$(user_home)")
export as_user

# systemd is process 1, not merely installed.
systemd_running() { [[ -d "$root/run/systemd/system" ]]; }

cpu_count() { getconf _NPROCESSORS_ONLN; }

memory_kib() { awk '/^MemTotal:/ { print $2 }' "$root/proc/meminfo"; }

# arms: one line an arm from FSXBENCH_ARMS, fields separated by tabs: name, kind of storage, mount point.
arms() { python3 "$home/lib/arms.py" list; }

# mounted_arms: the same from client.json, once the first boot has written it.
mounted_arms() { python3 "$home/lib/arms.py" mounted "$client_config"; }

# storage_kinds: the kinds of storage that this client mounts, each once: while it boots by FSXBENCH_ARMS, later by client.json.
storage_kinds() {
  local all kind
  if [[ -n "${FSXBENCH_ARMS:-}" ]]; then all="$(arms)"; else all="$(mounted_arms)"; fi
  for kind in $(cut -f 2 <<<"$all" | sort -u); do
    [[ -d "$home/storage/$kind" ]] || die "no storage is called '$kind' here; there are: $(ls "$home/storage" | xargs)"
    printf '%s\n' "$kind"
  done
}

# has_storage_script KIND NAME: what a kind need not have is not there (docs/extending/storage.md says what each is for).
has_storage_script() { [[ -f "$home/storage/$1/$2" ]]; }

# with_arm NAME COMMAND…: with the arm's values from FSXBENCH_ARMS as FSXBENCH_ARM_<FIELD> in its environment.
with_arm() {
  local name="$1" text values
  shift
  text="$(python3 "$home/lib/arms.py" environment "$name")"
  mapfile -t values <<<"$text"
  env "${values[@]}" "$@"
}
