#!/usr/bin/env bats
# From user data to the signal: the order, what is done again and what is not, and the reason of a failure.

load lib/helper
load lib/lustre
load lib/mirror

setup_file() {
  export key="$BATS_FILE_TMPDIR/key" bundle="$BATS_FILE_TMPDIR/bundle.zip"
  ssh-keygen -q -t ed25519 -N '' -C '' -f "$key"
  (cd "$client" && python3 -m zipfile -c "$bundle" .)
}

setup() {
  servers=()
  make_machine
  # The gate wants what IOR and mdtest print.
  make_mirror 'replay ior-fpp; mdtest_says; '
  start_s3
  fake_lustre
  fake_user
  fake_all sudo visudo useradd systemctl rpm dnf ssh
  fake id <<<'exit 1'
  fake fio <<<'echo fio-3.32'
  fake hostname <<<'echo 10.0.1.7'
  fake getconf <<<'echo 2'
  fake systemd-escape <<<'shift 2; for path; do path="${path#/}"; echo "${path//\//-}.mount"; done | xargs'
  export FSXBENCH_CACHE_URL=s3://bucket/build-cache/CompressionBench FSXBENCH_SIGNAL_RESOURCE=FleetGroup1234
  export FSXBENCH_BUNDLE_URL=s3://assets/bundle.zip
  mkdir -p "$FSXBENCH_ROOT/var/lib/cloud/data"
  echo i-0abc >"$FSXBENCH_ROOT/var/lib/cloud/data/instance-id"
  fake_aws
  fake cfn-signal <<<'printf "%s\0" "$@" >"$BATS_TEST_TMPDIR/signal"'
  mkdir -p "$FSXBENCH_ROOT/opt/aws/amazon-cloudwatch-agent/bin"
  printf '#!/bin/bash\n' >"$FSXBENCH_ROOT/opt/aws/amazon-cloudwatch-agent/bin/amazon-cloudwatch-agent-ctl"
  chmod +x "$FSXBENCH_ROOT/opt/aws/amazon-cloudwatch-agent/bin/amazon-cloudwatch-agent-ctl"
  export FSXBENCH_HOME="$BATS_TEST_TMPDIR/opt/fsxbench"
}

# fake_aws [BODY]: what it is asked; a bundle comes from a file, unless BODY says something else.
fake_aws() {
  export fetches="${1:-cp "$bundle" "\${@: -1}"}"
  fake aws <<'BODY'
case "$1 $2" in
  'ssm get-parameter') cat "$key" ;;
  's3 cp') eval "$fetches" ;;
  'logs put-log-events') printf '%s' "${@: -1}" >"$BATS_TEST_TMPDIR/events" ;;
esac
BODY
}

user_data() { bash "$client/user-data.sh"; }
# failure: the reason that the log group got.
failure() { node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).map(({ message }) => message).join()' "$BATS_TEST_TMPDIR/events"; }
signal() { tr '\0' '\n' <"$BATS_TEST_TMPDIR/signal"; }
# event: the reason that the signal of a failure has.
event() { signal | sed -n '/^--reason$/{n;p}'; }
boot_log() { cat "$FSXBENCH_ROOT/var/log/fsxbench/boot.log"; }

@test "a first boot goes through all steps in order and signals success when IOR and mdtest run, with the key in no log, and stays on" {
  fake shutdown <<<''
  run user_data
  [ "$status" -eq 0 ]
  [ "$(boot_log | sed -n 's/.* boot: step \([a-z-]*\)$/\1/p' | xargs)" = \
    'install-packages setup-logs create-user prepare-storage mount-arms install-units tune-client setup-ssh restore-or-build write-client-config check-ior' ]
  [ "$(signal | xargs)" = '--success true --stack CompressionBench --resource FleetGroup1234 --region us-east-1' ]
  [ -s "$FSXBENCH_ROOT/etc/fsxbench/client.json" ]
  [[ "$(boot_log | tail -n 1)" == *'IOR and mdtest run: this client is ready' ]]
  grep -q '"mdtest": "3.3.0"' "$FSXBENCH_ROOT/etc/fsxbench/client.json"
  grep -qx 'export AWS_REGION=us-east-1' "$FSXBENCH_ROOT/etc/fsxbench/environment"
  [ "$(count '^shutdown')" -eq 0 ]
  run ! grep -rqF "$(sed -n 2p "$key")" "$FSXBENCH_ROOT/var/log" "$calls" "$BATS_TEST_TMPDIR/signal"
}

# bats test_tags=all
@test "the builder fills the cache, signals, and is shut down, whether it went well or not" {
  fake shutdown <<<''
  # It has neither arms nor a key.
  unset FSXBENCH_ARMS FSXBENCH_KEY_PARAMETER FSXBENCH_NETWORK_CIDR
  export FSXBENCH_ROLE=builder FSXBENCH_SIGNAL_RESOURCE=Builder1234
  run user_data
  [ "$status" -eq 0 ]
  [ "$(boot_log | sed -n 's/.* boot: step \([a-z-]*\)$/\1/p' | xargs)" = 'install-packages setup-logs fill-cache' ]
  [ "$(signal | xargs)" = '--success true --stack CompressionBench --resource Builder1234 --region us-east-1' ]
  [ -s "$s3"/objects/bucket/build-cache/CompressionBench/openmpi-4.1.8-ior-3.3.0-*/entry ]
  [ "$(tail -n 1 "$calls")" = 'shutdown --poweroff +1' ]
  fake dnf <<<'exit 1'
  fake rpm <<<'exit 1'
  fake sleep <<<''
  : >"$calls"
  run user_data
  [ "$status" -ne 0 ]
  [[ "$(signal | xargs)" == '--success false --reason '* ]]
  [[ "$(failure)" == *'dnf could not install'* ]]
  [ "$(tail -n 1 "$calls")" = 'shutdown --poweroff +1' ]
}

# bats test_tags=all
@test "a node of a cluster takes its environment from arguments, shares its runs, has no key, and signals by its status" {
  unset FSXBENCH_SIGNAL_RESOURCE FSXBENCH_KEY_PARAMETER
  local shared="$BATS_TEST_TMPDIR/shared"
  run bash "$client/user-data.sh" FSXBENCH_ROLE=node FSXBENCH_LAUNCH=slurm FSXBENCH_PARTITION=clients "FSXBENCH_SHARED=$shared"
  [ "$status" -eq 0 ]
  [ "$(boot_log | sed -n 's/.* boot: step \([a-z-]*\)$/\1/p' | xargs)" = \
    'install-packages setup-logs create-user prepare-storage mount-arms install-units tune-client restore-or-build write-client-config check-ior' ]
  [[ "$(boot_log | tail -n 1)" == *'IOR and mdtest run: this node is ready' ]]
  [ ! -e "$BATS_TEST_TMPDIR/signal" ]
  grep -q '"launch": "slurm"' "$FSXBENCH_ROOT/etc/fsxbench/client.json"
  grep -qx 'export FSXBENCH_PARTITION=clients' "$FSXBENCH_ROOT/etc/fsxbench/environment"
  [ "$(readlink "$FSXBENCH_ROOT/var/lib/fsxbench/runs")" = "$shared/runs" ]
  fake dnf <<<'exit 1'
  fake rpm <<<'exit 1'
  fake sleep <<<''
  run bash "$client/user-data.sh" FSXBENCH_ROLE=node FSXBENCH_LAUNCH=slurm FSXBENCH_PARTITION=clients "FSXBENCH_SHARED=$shared"
  [ "$status" -ne 0 ]
  [[ "$output" == *'dnf could not install'* ]]
}

# bats test_tags=all
@test "the role mount installs, mounts and tunes, writes nothing to the file systems, and runs what the application wants" {
  unset FSXBENCH_KEY_PARAMETER FSXBENCH_IOR_VERSION FSXBENCH_OPENMPI_VERSION FSXBENCH_CACHE_URL
  export FSXBENCH_ROLE=mount FSXBENCH_SETUP='touch "$BATS_TEST_TMPDIR/setup"
touch "$BATS_TEST_TMPDIR/more"'
  run user_data
  [ "$status" -eq 0 ]
  [ "$(boot_log | sed -n 's/.* boot: step \([a-z-]*\)$/\1/p' | xargs)" = \
    'install-packages setup-logs prepare-storage mount-arms install-units tune-client write-client-config run-setup' ]
  [[ "$(boot_log | tail -n 1)" == *'the file systems are mounted: this client is ready' ]]
  [ -e "$BATS_TEST_TMPDIR/more" ]
  [ "$(count '^useradd')" -eq 0 ]
  [ "$(count '^lfs setstripe')" -eq 0 ]
  [ "$(count '^chown')" -eq 0 ]
  grep -q '"tools": {}' "$FSXBENCH_ROOT/etc/fsxbench/client.json"
  [ "$(signal | xargs)" = '--success true --stack CompressionBench --resource FleetGroup1234 --region us-east-1' ]
}

@test "a setup of the application that fails is signalled with its status" {
  unset FSXBENCH_KEY_PARAMETER
  export FSXBENCH_ROLE=mount FSXBENCH_SETUP='false
touch "$BATS_TEST_TMPDIR/setup"'
  run user_data
  [ "$status" -ne 0 ]
  [ ! -e "$BATS_TEST_TMPDIR/setup" ]
  [[ "$(failure)" == *"the application's setup failed with status 1"* ]]
  [[ "$(signal | xargs)" == '--success false --reason '* ]]
}

# bats test_tags=all
@test "a node refuses an argument that names no variable of ours" {
  run bash "$client/user-data.sh" PATH=/tmp
  [ "$status" -eq 2 ]
  [[ "$output" == *"an argument must be FSXBENCH_NAME=VALUE, got 'PATH=/tmp'"* ]]
}

@test "a second boot mounts nothing, compiles nothing and writes nothing but when it was" {
  user_data
  rm "$FSXBENCH_ROOT/var/log/fsxbench/boot.log"
  : >"$builds"
  : >"$calls"
  run user_data
  [ "$status" -eq 0 ]
  [ ! -s "$builds" ]
  [ "$(count '^mount')" -eq 0 ]
  [ "$(boot_log | grep -o 'wrote .*' | grep -v 'tuning.json$\|booted$')" = '' ]
}

@test "a step that fails is signalled, its reason is in the stack's log group, and nothing after it runs" {
  export FSXBENCH_MOUNT_SECONDS=0
  mounts mount-wrong-fsname mount-wrong-fsname mount-wrong-fsname
  run user_data
  [ "$status" -ne 0 ]
  [ "$(signal | tail -n 6 | xargs)" = '--stack CompressionBench --resource FleetGroup1234 --region us-east-1' ]
  [[ "$(event)" == "mount-arms: arm none: could not mount fs-0123456789abcdef0"* ]]
  grep -q -- '^aws logs put-log-events .* --log-group-name /fsxbench/CompressionBench --log-stream-name i-0abc/boot-failed ' "$calls"
  [[ "$(failure)" == *'boot failed with status 1.'*'arm none: could not mount fs-0123456789abcdef0'*'Is the MGS specification correct?'*'boot: error: step mount-arms failed with status 1'* ]]
  [[ "$(boot_log)" != *'step setup-ssh'* ]]
  [ ! -e "$FSXBENCH_ROOT/etc/fsxbench/client.json" ]
}

# bats test_tags=all
@test "the reason is a short, printable string of JSON, whatever a tool says" {
  fake dnf <<<'head -c 100000 /dev/urandom >&2; echo "a \"quoted\" back\\slash" >&2; for i in {1..40}; do printf "%0300d\n" 0 >&2; done; exit 1'
  fake rpm <<<'exit 1'
  fake sleep <<<''
  run user_data
  [ "$status" -ne 0 ]
  (($(failure | wc -c) < 4096))
  LC_ALL=C run ! grep -q '[^[:print:][:space:]]' <(failure)
  (($(event | wc -c) <= 901))
  LC_ALL=C run ! grep -q '[^[:print:]]' <(event)
}

# bats test_tags=all
@test "a boot that takes too long is ended, and the reason says so" {
  # timeout(1) treats this signal as the end of its time: no machine is too slow for it.
  fake ssh <<<'pkill -ALRM -f "^timeout --kill-after=10 [0-9]+ $FSXBENCH_HOME/bin/boot"; sleep "$hang_seconds"'
  FSXBENCH_BOOT_SECONDS="$hang_seconds" run user_data
  [ "$status" -ne 0 ]
  [ "$(event)" = "setup-ssh: took longer than ${hang_seconds}s" ]
  [[ "$(failure)" == *'boot failed with status 124.'*'step setup-ssh'* ]]
}

# bats test_tags=all
@test "a bundle that cannot be fetched is signalled, too" {
  fake sleep <<<''
  fake_aws 'echo "fatal error: An error occurred (403)" >&2; exit 1'
  run user_data
  [ "$status" -ne 0 ]
  [[ "$(signal | xargs)" == '--success false --reason '* ]]
  [[ "$(event)" == 'user-data: cannot fetch s3://assets/bundle.zip: may the instance role read it'* ]]
}

# bats test_tags=all
@test "a server of a storage that cannot install its packages signals at once, too, with the reason in the log group" {
  fake sleep <<<''
  fake rpm <<<'exit 1'
  fake modinfo <<<'exit 1'
  fake dnf <<<'echo "Error: Unable to find a match" >&2; exit 1'
  export FSXBENCH_MOOSEFS_ROLE=master FSXBENCH_ENGINE=moosefs-4.57.5
  local boot
  for boot in storage/moosefs/server/boot server/bin/boot; do
    rm -f "$BATS_TEST_TMPDIR"/{signal,events} "$FSXBENCH_ROOT/var/log/fsxbench/boot.log"
    FSXBENCH_BOOT="$boot" run user_data
    [ "$status" -ne 0 ]
    [[ "$(signal | xargs)" == '--success false --reason '* ]]
    [[ "$(failure)" == *'Unable to find a match'*'error: dnf could not install '* ]]
    [[ "$(event)" == 'install-packages: dnf could not install '* ]]
  done
}

# bats test_tags=all
@test "the wait condition hears the reason first, and the group a while later, whatever became of the first" {
  export FSXBENCH_SIGNAL_URL='https://example.com/arn%3Aaws?Expires=1&Signature=a'
  fake sleep <<<'echo "sleep $1" >>"$BATS_TEST_TMPDIR/signals"'
  fake cfn-signal <<<'printf "%s|" "$@" >>"$BATS_TEST_TMPDIR/signals"; echo >>"$BATS_TEST_TMPDIR/signals"'
  fake_aws 'echo "fatal error: An error occurred (403)" >&2; exit 1'
  run user_data
  [ "$status" -ne 0 ]
  run grep -A 2 -F 'Signature' "$BATS_TEST_TMPDIR/signals"
  [[ "${lines[0]}" == '--success|false|--reason|user-data: cannot fetch s3://assets/bundle.zip: '*"|--id|i-0abc|$FSXBENCH_SIGNAL_URL|" ]]
  [ "${lines[1]}" = 'sleep 45' ]
  [[ "${lines[2]}" == '--success|false|--reason|'*'|--stack|CompressionBench|--resource|FleetGroup1234|--region|us-east-1|' ]]
  rm "$BATS_TEST_TMPDIR/signals"
  bash -c 'source "$1/user-data.sh"; signal 0' signal "$client"
  [ "$(grep -v ^sleep "$BATS_TEST_TMPDIR/signals" | head -n 1)" = "--success|true|--id|i-0abc|$FSXBENCH_SIGNAL_URL|" ]
  [ "$(grep -c '^sleep 45' "$BATS_TEST_TMPDIR/signals")" -eq 0 ]
}

# bats test_tags=all
@test "a log group that cannot be written to does not keep the signal" {
  fake sleep <<<''
  fake aws <<<'exit 1'
  run user_data
  [ "$status" -ne 0 ]
  [[ "$output" == *'could not write the reason to /fsxbench/CompressionBench'* ]]
  [[ "$(signal | xargs)" == '--success false --reason '* ]]
}

# bats test_tags=all
@test "a signal that does not get through is tried again" {
  fake sleep <<<''
  fake aws <<<'exit 1'
  fake cfn-signal <<<'[[ $(grep -c "^cfn-signal" "$calls") -ge 3 ]]'
  run user_data
  [ "$(count '^cfn-signal')" -eq 3 ]
}

# signal_times CLIENTS BEGUN: when one client of so many signals, in seconds since its boot began, if every attempt is refused.
signal_times() {
  FSXBENCH_CLIENTS="$1" bash -c '
    source "$1/user-data.sh"
    # Time passes by the pauses alone; a program that is asked in vain takes a second.
    sleep() { SECONDS=$((SECONDS + $1)); }
    timeout() { echo "$SECONDS"; SECONDS=$((SECONDS + 1)); return 1; }
    SECONDS="$2"
    signal 0
  ' signal_times "$client" "$2" 2>"$BATS_TEST_TMPDIR/err"
}

# bats test_tags=all
@test "a thousand clients that are ready in the same second signal over minutes, not together" {
  local client_number times
  for client_number in {1..60}; do
    times="$(signal_times 1000 300)"
    head -n 1 <<<"$times" >>"$BATS_TEST_TMPDIR/first"
    sed -n 4p <<<"$times" >>"$BATS_TEST_TMPDIR/fourth"
  done
  # 60 of the 1,000, over 100 s: on an average six in ten seconds, never a third of them in one second.
  [ "$(sort -u "$BATS_TEST_TMPDIR/first" | wc -l)" -ge 20 ]
  (($(sort -n "$BATS_TEST_TMPDIR/first" | tail -n 1) - $(sort -n "$BATS_TEST_TMPDIR/first" | head -n 1) >= 60))
  [ "$(sort -u "$BATS_TEST_TMPDIR/fourth" | wc -l)" -ge 20 ]
}

# bats test_tags=all
@test "signals are tried for ten minutes, with pauses that grow to two minutes" {
  local times pauses
  times="$(signal_times 8 300)"
  (($(tail -n 1 <<<"$times") > 900 - 120))
  (($(tail -n 1 <<<"$times") <= 900))
  pauses="$(awk 'NR > 1 { print $1 - last - 1 } { last = $1 }' <<<"$times")"
  (($(head -n 1 <<<"$pauses") >= 5 && $(head -n 1 <<<"$pauses") <= 10))
  (($(tail -n 1 <<<"$pauses") >= 60 && $(tail -n 1 <<<"$pauses") <= 120))
  # A small fleet does not wait before its first word.
  [ "$(head -n 1 <<<"$times")" -eq 300 ]
  [[ "$(cat "$BATS_TEST_TMPDIR/err")" == *'could not signal CompressionBench in '*' attempts'* ]]
}

# bats test_tags=all
@test "a boot that used all its time signals before the stack gives up" {
  # The stack waits five minutes longer than a boot may take; its first word comes at once, its last within that time.
  export FSXBENCH_BOOT_SECONDS=2400
  local times
  for _ in {1..20}; do
    times="$(signal_times 1000 2400)"
    (($(head -n 1 <<<"$times") <= 2400 + 100))
    (($(tail -n 1 <<<"$times") <= 2700))
  done
}

# lacks ROLE NAME: a boot in that role without that variable says so before anything is installed.
lacks() {
  local environment=(FSXBENCH_HOME="$client" FSXBENCH_ROLE="$1" FSXBENCH_CACHE_URL=s3://bucket/cache FSXBENCH_SHARED="$BATS_TEST_TMPDIR/shared" FSXBENCH_PARTITION=clients)
  run env "${environment[@]}" env -u "$2" "$client/bin/boot"
  [ "$status" -eq 1 ] && [[ "$output" == *"error: '$2' must be in the environment: the user data of the stack exports it" ]] &&
    [ "$(count '^(rpm|dnf) ')" -eq 0 ]
}

@test "each role is refused without what it needs, before anything is installed" {
  local role
  for role in client node builder mount; do lacks "$role" FSXBENCH_LOG_GROUP; done
  for role in client node builder; do lacks "$role" FSXBENCH_CACHE_URL; done
  for role in client node mount; do lacks "$role" FSXBENCH_NETWORK_CIDR; done
  lacks node FSXBENCH_PARTITION
  lacks client FSXBENCH_KEY_PARAMETER
  FSXBENCH_HOME="$client" FSXBENCH_ROLE=server run "$client/bin/boot"
  [ "$status" -eq 1 ]
  [[ "$output" == *"'FSXBENCH_ROLE' must be client, node, builder or mount, got 'server'" ]]
}

# bats test_tags=all
@test "a version that cannot be built is refused before anything is installed" {
  FSXBENCH_IOR_VERSION=3.2.1 run user_data
  [ "$status" -ne 0 ]
  [[ "$(failure)" == *"version of ior must be one of 3.3.0, got '3.2.1'"* ]]
  [ "$(count '^(dnf|rpm)')" -eq 0 ]
}
