#!/bin/bash
# First boot of a client, or of a storage's server: fetches the bundle of scripts, runs its bin/boot, and signals CloudFormation the result. Small,
# since EC2 takes 16 KB of user data; all else is in the bundle. It assumes only bash, the AWS CLI, Python and cfn-signal, as in Amazon Linux 2023.
# Elsewhere a function `prelude`, defined before this text, installs them (server/prelude.sh). ParallelCluster runs it on each node, and sees a
# failure in its status.
#
# usage: user-data.sh [FSXBENCH_NAME=VALUE…]     for a node of a cluster, in place of rendered lines
#
# Environment (exported by the lines that are rendered before this text):
#   FSXBENCH_BUNDLE_URL        s3:// address of the zip with these scripts
#   FSXBENCH_REGION            Region of the stack
#   FSXBENCH_STACK             name of the stack
#   FSXBENCH_SIGNAL_URL        address of the stack's wait condition, which takes the reason of a failure (default none)
#   FSXBENCH_SIGNAL_RESOURCE   logical id of the resource that waits for the signal: Auto Scaling group or builder (default none)
#   FSXBENCH_ROLE              client (the default), node of a cluster, mount, or builder, which is shut down, and so terminated, when it has signalled
#   FSXBENCH_BOOT              script of the bundle to run (default bin/boot): servers of a storage have their own
#   FSXBENCH_HOME              where the bundle goes (default /opt/fsxbench)
#   FSXBENCH_BOOT_SECONDS      how long all of it may take (default 2400): five minutes less than the stack waits
#   FSXBENCH_LOG_GROUP         log group that gets the last lines of a failed boot (default none)
#   FSXBENCH_CLIENTS           how many clients signal the same stack (default 1)
#   FSXBENCH_ROOT              put before paths of the operating system (default nothing; only tests set it)
#   … and all that bin/boot needs
set -o errexit -o nounset -o pipefail

root="${FSXBENCH_ROOT:-}"
home="${FSXBENCH_HOME:-/opt/fsxbench}"
log="$root/var/log/fsxbench/boot.log"
# A signal may have 4,096 bytes, of which its signed parts take some; nobody reads more in an event.
reason_bytes=900
report_bytes=3000
seconds_before_failure=45

# Every client of a fleet whose builds are in the cache is ready in the same second, and CloudFormation throttles
# SignalResource for the account; it publishes no rate. Ten a second, and what is refused again and again later.
signals_per_second=10
signal_seconds=600
# Of the five minutes between the end of a slow boot and the stack's own time-out: the last minute is left to CloudFormation.
signal_seconds_at_least=240
longest_pause=120

# within SECONDS COMMAND…: as that of lib/common.sh, which is still to be fetched.
within() {
  local status=0
  timeout "$@" || status=$?
  if ((status == 124)); then echo "user-data: gave up after ${1}s: ${*:2}" >&2; fi
  return "$status"
}

# printable BYTES: text in one line without quotes, as a string of JSON and of the shell may have it.
printable() { tr -c '[:print:]\n' '?' | tr '\n\\"' " /'" | head -c "$1"; }

instance_id() { cat "$root/var/lib/cloud/data/instance-id" 2>/dev/null || uname -n; }

# The reason of a failure in one line, as the stack's event shows it: `install-packages: dnf could not install …`. All errors of the last step, since
# the first is the cause and the last may name the next step; of the caller's only the name of the step.
reason() {
  local status="$1" late=''
  if ((status == 124)); then late="took longer than ${FSXBENCH_BOOT_SECONDS:-2400}s"; fi
  LC_ALL=C awk -v late="$late" '
    / boot: step [a-z-]+$/ { step = $NF; text = ""; next }
    / boot: error: step / { next }
    match($0, /^([^ ]*Z )?[A-Za-z0-9_-]+: error: /) {
      program = substr($0, 1, RLENGTH - 9)
      sub(/^[^ ]*Z /, "", program)
      if (step == "") step = program
      text = text (text == "" ? "" : "; ") substr($0, RLENGTH + 1)
      next
    }
    /./ { last = $0 }
    END { printf "%s", (step == "" ? "user-data" : step) ": " (late != "" ? late : text != "" ? text : last) }
  ' "$log" | printable "$reason_bytes"
}

# report STATUS: puts the last lines of a failed boot into the log group. The agent that sends the log may be what is missing.
report() {
  local status="$1" events stream to message
  if ((status == 0)) || [[ -z "${FSXBENCH_LOG_GROUP:-}" ]]; then return 0; fi
  to=(--region "${FSXBENCH_REGION:?}" --log-group-name "$FSXBENCH_LOG_GROUP")
  stream="$(instance_id)/boot-failed"
  message="$({ printf '%s: boot failed with status %s. ' "$(uname -n)" "$status" && tail -n 15 "$log"; } | printable "$report_bytes")"
  events="[{\"timestamp\":$(date +%s)000,\"message\":\"$message\"}]"
  # If a boot before this one has failed, the stream is there.
  within 20 aws logs create-log-stream "${to[@]}" --log-stream-name "$stream"
  within 20 aws logs put-log-events "${to[@]}" --log-stream-name "$stream" --log-events "$events" >/dev/null ||
    echo "user-data: error: could not write the reason to $FSXBENCH_LOG_GROUP" >&2
}

# random_up_to SECONDS: 0 to SECONDS, both included. SRANDOM comes from the kernel; RANDOM of clients that start in the same second is alike, but
# bash before 5.1, as on RHEL 8, has nothing else.
random_up_to() { printf '%d\n' "$((${SRANDOM:-RANDOM} % ($1 + 1)))"; }

# When the last attempt may begin, in seconds since this script began: ten minutes from now, or shortly before the stack gives up.
signal_until() {
  local last=$((${FSXBENCH_BOOT_SECONDS:-2400} + signal_seconds_at_least)) wanted=$((SECONDS + signal_seconds))
  printf '%d\n' "$((wanted < last ? wanted : last))"
}

# send COMMAND…: until it succeeds. Pauses grow, and half of each is random: clients that were refused together do not come back together.
send() {
  local deadline attempt pause longest=10
  deadline="$(signal_until)"
  for ((attempt = 1; ; attempt++)); do
    within 60 "$@" && return 0
    pause=$((longest / 2 + $(random_up_to "$((longest / 2))")))
    if ((SECONDS + pause > deadline)); then break; fi
    sleep "$pause"
    longest=$((longest * 2 < longest_pause ? longest * 2 : longest_pause))
  done
  echo "user-data: error: could not signal ${FSXBENCH_STACK:?} in $attempt attempts: the stack will wait until its time is up" >&2
  return 1
}

# signal STATUS: first to the wait condition, whose event shows the reason, then to the resource, for which an update also waits.
signal() {
  local status="$1" cfn_signal outcome=(--success true)
  cfn_signal="$(command -v cfn-signal || echo "$root/opt/aws/bin/cfn-signal")"
  if ((status != 0)); then outcome=(--success false --reason "$(reason "$status")"); fi
  sleep "$(random_up_to "$((${FSXBENCH_CLIENTS:-1} / signals_per_second))")"
  if [[ -n "${FSXBENCH_SIGNAL_URL:-}" ]] && send "$cfn_signal" "${outcome[@]}" --id "$(instance_id)" "$FSXBENCH_SIGNAL_URL" && ((status != 0)); then
    # Whichever fails first is what `cdk deploy` prints first; CloudFormation looks at a wait condition now and then.
    sleep "$seconds_before_failure"
  fi
  send "$cfn_signal" "${outcome[@]}" --stack "${FSXBENCH_STACK:?}" --resource "${FSXBENCH_SIGNAL_RESOURCE:?}" --region "${FSXBENCH_REGION:?}" || true
}

fetch_bundle() (
  folder="$(mktemp -d)"
  trap 'rm -rf "$folder"' EXIT
  for attempt in 1 2 3 4 5; do
    # A role is not usable everywhere in the first seconds of its life.
    if within 120 aws s3 cp --quiet --region "$FSXBENCH_REGION" "${FSXBENCH_BUNDLE_URL:?}" "$folder/bundle.zip"; then break; fi
    if ((attempt == 5)); then
      echo "user-data: error: cannot fetch $FSXBENCH_BUNDLE_URL: may the instance role read it, and is there a way to S3?" >&2
      return 1
    fi
    sleep $((attempt * 2))
  done
  mkdir -p "$home"
  # Python's zip module is always there, unzip is not; it keeps no modes. RHEL 8 has a Python for itself until somebody installs another.
  "$(command -v python3 || echo /usr/libexec/platform-python)" -m zipfile -e "$folder/bundle.zip" "$home"
  chmod -R 0755 "$home"
)

boot() {
  local left
  if declare -F prelude >/dev/null; then prelude; fi
  fetch_bundle
  left=$((${FSXBENCH_BOOT_SECONDS:-2400} - SECONDS))
  timeout --kill-after=10 "$((left > 0 ? left : 1))" "$home/${FSXBENCH_BOOT:-bin/boot}"
}

take_arguments() {
  local pair
  for pair in "$@"; do
    if [[ ! "$pair" =~ ^FSXBENCH_[A-Z_]+= ]]; then
      echo "user-data: error: an argument must be FSXBENCH_NAME=VALUE, got '$pair'" >&2
      return 2
    fi
    export "${pair?}"
  done
}

main() {
  local status=0 booting
  take_arguments "$@"
  mkdir -p "${log%/*}"
  # In the background, because bash ignores errexit inside a function whose status is tested. Into a file, not a pipe:
  # a process that hangs in the kernel would hold a pipe open.
  boot >>"$log" 2>&1 </dev/null &
  booting=$!
  wait "$booting" || status=$?
  tail -n 40 "$log" >&2
  # The signal must be sent even if this fails.
  report "$status" || true
  if [[ -n "${FSXBENCH_SIGNAL_RESOURCE:-}" ]]; then signal "$status"; fi
  # A minute for the last lines of the log to reach CloudWatch.
  if [[ "${FSXBENCH_ROLE:-client}" == builder ]]; then shutdown --poweroff +1; fi
  return "$status"
}

if [[ "${BASH_SOURCE[0]}" == "$0" ]]; then main "$@"; fi
