# shellcheck shell=bash
# What the tests of the client's scripts share: a made-up machine below $BATS_TEST_TMPDIR, with programs that it lacks
# replaced by fakes on PATH that log their calls, and recorded output of a real Lustre 2.15 client.

bats_require_minimum_version 1.5.0

lib="$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
client="$(readlink -f "$lib/../../../assets/client")"
recorded="$(readlink -f "$lib/../../fixtures/lustre")"
export client recorded lib

# How long a wait is until it counts as hanging: a guard, not a guess of how fast a machine is. The same for jest and pytest.
hang_seconds="$(grep -o '[0-9]*' "$lib/../../support/hang-guard.json")"
export hang_seconds

# Body of a fake whose time is up at once, as timeout(1) ends it: no machine is too slow for it. It waits a moment, since timeout treats a signal that
# comes before it knows its child as its own end, and repeats until it has ended. The real sleep: tests replace it.
# shellcheck disable=SC2016,SC2034 # expanded by the fake, used by the suites
times_up='/bin/sleep 0.2; while kill -s ALRM "$PPID" 2>/dev/null; do /bin/sleep 0.1; done'

# await WHAT COMMAND…: looks until the command succeeds.
await() {
  local what="$1" deadline=$((SECONDS + hang_seconds))
  shift
  until "$@"; do
    if ((SECONDS >= deadline)); then
      echo "gave up after ${hang_seconds} s waiting for $what" >&2
      return 1
    fi
    # The real one: tests put another into its place.
    /bin/sleep 0.05
  done
}
export -f await

# ended PID: it is gone, or nothing but an entry in the table of processes.
ended() { [[ ! -e "/proc/$1" ]] || grep -q '^State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null || [[ ! -e "/proc/$1" ]]; }

# executes PROGRAM PID: a shell that says `exec` has become that program. Until then it is a shell, which asks for the end of its children.
executes() { [[ "$(<"/proc/$2/comm")" == "$1" ]]; }

# Nothing here may reach AWS or the metadata service of the machine that tests run on, whatever its environment says.
make_machine() {
  export FSXBENCH_ROOT="$BATS_TEST_TMPDIR/root" FSXBENCH_HOME="$client" FSXBENCH_TOOLS="$BATS_TEST_TMPDIR/tools"
  export FAKES="$BATS_TEST_TMPDIR/fakes" calls="$BATS_TEST_TMPDIR/calls.log"
  export AWS_ENDPOINT_URL=http://127.0.0.1:9 AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=secret AWS_REGION=us-east-1
  export AWS_EC2_METADATA_DISABLED=true
  unset FSXBENCH_STATE FSXBENCH_CLIENT_CONFIG AWS_SESSION_TOKEN AWS_ENDPOINT_URL_S3 FSXBENCH_CACHE_URL
  export HOME="$BATS_TEST_TMPDIR/home" TMPDIR="$BATS_TEST_TMPDIR/temporary"
  mkdir -p "$FAKES" "$HOME" "$TMPDIR" "$FSXBENCH_ROOT"/{etc,proc/sys/vm,run/systemd/system,fsx}
  export PATH="$FAKES:$PATH"
  : >"$calls"
  : >"$FSXBENCH_ROOT/etc/fstab"
  : >"$FSXBENCH_ROOT/proc/mounts"
  : >"$FSXBENCH_ROOT/proc/sys/vm/drop_caches"
  printf 'MemTotal:       100000000 kB\n' >"$FSXBENCH_ROOT/proc/meminfo"
  printf 'ID="amzn"\nVERSION_ID="2023"\nPRETTY_NAME="Amazon Linux 2023"\n' >"$FSXBENCH_ROOT/etc/os-release"
  export FSXBENCH_REGION=us-east-1 FSXBENCH_STACK=CompressionBench FSXBENCH_NETWORK_CIDR=10.0.0.0/16
  export FSXBENCH_IOR_VERSION=3.3.0 FSXBENCH_OPENMPI_VERSION=4.1.8 FSXBENCH_LOG_GROUP=/fsxbench/CompressionBench
  export FSXBENCH_KEY_PARAMETER=/ec2/keypair/key-0123
  FSXBENCH_ARMS="$(arm none 0123456789abcdef0 fsxvol),$(arm lz4 fedcba98765432100 lz4vol)"
  export FSXBENCH_ARMS="[$FSXBENCH_ARMS]"
}

# no_temporary_files: on a machine that make_machine made, no script leaves any, whether it succeeds, fails or is ended.
no_temporary_files() {
  local left=("$BATS_TEST_TMPDIR/temporary"/*)
  [[ ! -e "${left[0]}" ]] || { echo "left in TMPDIR: ${left[*]}"; return 1; }
}

# A suite with another teardown calls this.
end_machine() {
  stop_servers
  no_temporary_files
}
teardown() { end_machine; }

arm() {
  printf '{"name":"%s","kind":"lustre","dnsName":"fs-%s.fsx.us-east-1.amazonaws.com","mountName":"%s","mountPoint":"/fsx/%s","mountOptions":"noatime,flock","stripeCount":-1}' \
    "$1" "$2" "$3" "$1"
}

# fake NAME <BODY: a program on PATH that logs its call and then runs BODY.
fake() {
  {
    printf '#!/bin/bash\nprintf "%%s\\n" "%s $*" >>"$calls"\n' "$1"
    cat
  } >"$FAKES/$1"
  chmod +x "$FAKES/$1"
}

fake_all() {
  local name
  for name in "$@"; do fake "$name" <<<''; done
}

# count PATTERN: how often the fakes were called like that.
count() { grep -cE "$1" "$calls" || true; }

# mdtest_says [VERSION [RATE [cut]]]: what mdtest prints on two ranks with -F -C -T -r.
mdtest_says() {
  printf '\nmdtest-%s was launched with 2 total task(s) on 1 node(s)\n\nSUMMARY rate: (of 1 iterations)\n' "${1:-3.3.0}"
  printf '   File creation             :      %s      20123.1      20190.0          67.0\n' "${2:-20258.4}"
  printf '   File stat                 :     491023.500     481204.100     486113.800       4909.700\n'
  printf '   File read                 :          0.000          0.000          0.000          0.000\n'
  printf '   File removal              :      31200.500      31100.100      31150.300         50.200\n'
  [[ -n "${3:-}" ]] || printf -- '-- finished at 11/21/2026 09:00:01 --\n'
}
export -f mdtest_says

# The programs that a test file wants replayed have this function: replay NAME prints what was recorded and returns its status.
export_replay() {
  replay() {
    local out="$recorded/$1.out" cmd="$recorded/$1.cmd" errors lines
    errors="$(sed -n 's/^stderr_lines: \([0-9]*\).*/\1/p' "$cmd")"
    # Recorded with both streams in one: what is of which is not known, and all of it is printed.
    errors="${errors:-0}"
    lines="$(wc -l <"$out")"
    head -n "$((lines - errors))" "$out"
    tail -n "$errors" "$out" >&2
    return "$(sed -n 's/^exit_status: //p' "$cmd")"
  }
  export -f replay
}

# A user of the benchmarks that is whoever runs the tests.
fake_user() {
  fake runuser <<<'while [[ "$1" != -- ]]; do shift; done; shift; exec "$@"'
  fake chown <<<''
  fake install <<<'exec mkdir -p "${@: -1}"'
}

# start_s3: a local S3 that keeps files in $s3/objects.
start_s3() {
  export s3="$BATS_TEST_TMPDIR/s3"
  mkdir -p "$s3/objects"
  start_server "$lib/fake-s3.mjs" "$s3" "$s3/port"
  AWS_ENDPOINT_URL="http://127.0.0.1:$(<"$s3/port")"
  export AWS_ENDPOINT_URL
}

# start_server SCRIPT FOLDER PORT_FILE
start_server() {
  node "$@" >/dev/null 2>&1 3>&- &
  servers+=("$!")
  await "the port of $1" test -s "$3"
}

stop_servers() {
  local pid
  for pid in "${servers[@]:-}"; do
    if [[ -n "$pid" ]]; then kill "$pid" 2>/dev/null || true; fi
  done
}

# object KEY <TEXT: puts a file into the local S3.
object() {
  mkdir -p "$(dirname "$s3/objects/$1")"
  cat >"$s3/objects/$1"
}

mount_arms() { "$client/bin/mount-arms"; }

# mounts_nothing_more: after a first run of mount-arms, a second one succeeds, mounts nothing and leaves fstab untouched.
mounts_nothing_more() {
  local before
  before="$(stat -c '%i %y' "$FSXBENCH_ROOT/etc/fstab")"
  : >"$calls"
  mount_arms || return
  [ "$(count '^mount ')" -eq 0 ] && [ "$(stat -c '%i %y' "$FSXBENCH_ROOT/etc/fstab")" = "$before" ]
}

# refuses_other_mount ARM POINT WANTED OWN OTHER: a mount point is refused where something else is mounted over what is the arm's own, given as
# `SOURCE TYPE`: another one of its type, or of any other. It is named; nothing is mounted there or remembered.
refuses_other_mount() {
  local arm="$1" point="$2" wanted="$3" own="$4" found remembered
  remembered="$(grep " $point " "$FSXBENCH_ROOT/etc/fstab" || true)"
  for found in "$5 ${own#* }" '/dev/nvme9n1 ext4' 'tmpfs tmpfs'; do
    printf '%s\n' "$own" "$found" | sed "s| | $point |; s|\$| rw 0 0|" >"$FSXBENCH_ROOT/proc/mounts"
    run "${mounting:-mount_arms}"
    [ "$status" -eq 1 ] || return
    [[ "$output" == *"arm $arm: $point must be free or hold $wanted, but ${found% *} (${found#* }) is mounted there: unmount it with 'umount $point', then"* ]] || return
  done
  [ "$(count "^mount .*$point\$")" -eq 0 ] && [ "$(grep " $point " "$FSXBENCH_ROOT/etc/fstab" || true)" = "$remembered" ]
}

# mounts_behind_automount POINT: what systemd puts there at a boot, to mount once somebody looks, is nothing that is mounted.
mounts_behind_automount() {
  echo "systemd-1 $1 autofs rw,relatime,fd=41 0 0" >"$FSXBENCH_ROOT/proc/mounts"
  run "${mounting:-mount_arms}"
  [ "$status" -eq 0 ] && [ "$(count "^mount .*$1\$")" -eq 1 ]
}

# refuses_source GOOD BAD WORDS: mount-arms refuses a source that its arm cannot have, before anything is mounted.
refuses_source() {
  FSXBENCH_ARMS="${FSXBENCH_ARMS/"$1"/"$2"}" run mount_arms
  [ "$status" -eq 1 ] && [[ "$output" == *"$3"* ]] && [ "$(count '^mount ')" -eq 0 ]
}

# check_says STATUS KIND WORDS [MOUNT]: what a storage's check says, with that line in /proc/mounts.
check_says() {
  [ -z "${4:-}" ] || echo "$4" >"$FSXBENCH_ROOT/proc/mounts"
  run "$client/storage/$2/check"
  [ "$status" -eq "$1" ] && [[ "$output" == *"$3"* ]]
}
