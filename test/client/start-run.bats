#!/usr/bin/env bats
# start-run: what the SSM document calls on the leader, on AWS and in the lab.

load lib/helper

setup() {
  servers=()
  make_machine
  start_s3
  rmdir "$FSXBENCH_ROOT/run/systemd/system"
  export FSXBENCH_STATE="$BATS_TEST_TMPDIR/state"
  folder="$FSXBENCH_STATE/runs/run-1"
  prefix=bucket/runs/CompressionBench/run-1
  echo '{}' | object "$prefix/plan.json"
  echo '{}' | object "$prefix/manifest.json"
  driver "$at_work"
}

teardown() {
  if [[ -s "$folder/driver.pid" ]]; then kill -KILL -- "-$(<"$folder/driver.pid")" 2>/dev/null || true; fi
  end_machine
}

# A driver that continues: it writes the run's status, and lives until it is killed.
at_work='require("node:fs").writeFileSync("status.json", "{\"state\": \"running\"}"); setTimeout(() => {}, 2 ** 31 - 1);'

driver() { printf 'console.log(process.argv.slice(2).join(" "));\n%s\n' "$1" | object "$prefix/driver.js"; }

# The sums of what lies in the bucket now.
sums() {
  local run_id="$1" name
  for name in plan.json manifest.json driver.js; do sha256sum "$s3/objects/bucket/runs/CompressionBench/$run_id/$name" | cut -d ' ' -f 1; done | xargs
}

start() { "$client/bin/start-run" CompressionBench "${1:-run-1}" bucket "$(sums "${1:-run-1}")"; }

@test "starts the driver with the run's folder, bucket and prefix, detached, and returns" {
  run start
  [ "$status" -eq 0 ]
  [ "$(<"$folder/driver.log")" = "--run $folder --bucket bucket --prefix runs/CompressionBench/run-1" ]
  local pid
  pid="$(<"$folder/driver.pid")"
  run ! ended "$pid"
  # It leads a separate session and process group.
  [ "$(ps -o sid= -o pgid= -p "$pid" | xargs)" = "$pid $pid" ]
}

@test "the command twice is one driver" {
  start
  local first
  first="$(<"$folder/driver.pid")"
  run start
  [ "$status" -eq 0 ]
  [[ "$output" == *"is running already (process $first)"* ]]
  [ "$(<"$folder/driver.pid")" = "$first" ]
}

# bats test_tags=all
@test "two commands at the same time are one driver" {
  local first second
  start &
  first=$!
  start &
  second=$!
  wait "$first" "$second"
  [ "$(pgrep -cf "$folder/driver.js --run")" -eq 1 ]
}

# bats test_tags=all
@test "a second run is refused while the job of another waits or runs, unless its Slurm is gone" {
  mkdir -p "$FSXBENCH_STATE/runs/run-0"
  echo 1 >"$FSXBENCH_STATE/runs/run-0/driver.job"
  fake squeue <<<'echo PENDING'
  export SLURM_CONF="$BATS_TEST_TMPDIR/slurm.conf"
  touch "$SLURM_CONF"
  run start
  [ "$status" -eq 1 ]
  [[ "$output" == *"the run run-0 is still running on this fleet (job 1)"* ]]
  rm "$SLURM_CONF"
  run start
  [ "$status" -eq 0 ]
}

# bats test_tags=all
@test "nothing is started while Slurm does not say whether the job of another run has ended" {
  mkdir -p "$FSXBENCH_STATE/runs/run-0"
  echo 1 >"$FSXBENCH_STATE/runs/run-0/driver.job"
  unset SLURM_CONF
  fake sleep <<<''
  fake squeue <<<'echo "squeue: fatal: Could not establish a configuration source" >&2; exit 1'
  run start
  [ "$status" -eq 1 ]
  [[ "$output" == *"whether job 1, the driver of run-0, has ended, but squeue says 'squeue: fatal: Could not establish a configuration source'"* ]]
  [ ! -e "$folder/driver.js" ]
}

# bats test_tags=all
@test "a second run is refused while another works, and goes on when that one has ended" {
  start
  local name
  for name in plan.json manifest.json driver.js; do cat "$s3/objects/$prefix/$name" | object "bucket/runs/CompressionBench/run-2/$name"; done
  run start run-2
  [ "$status" -eq 1 ]
  [[ "$output" == *"the run run-1 is still running on this fleet"*"fsxbench watch run-1"*"fsxbench run CompressionBench --resume run-2"* ]]
  [ ! -e "$FSXBENCH_STATE/runs/run-2/driver.pid" ]

  # Its last word is written, its process ends a moment later: that is worth waiting for.
  echo '{ "state": "done" }' >"$folder/status.json"
  (sleep 1 && kill -KILL "$(<"$folder/driver.pid")") &
  run start run-2
  [ "$status" -eq 0 ]
  kill -KILL -- "-$(<"$FSXBENCH_STATE/runs/run-2/driver.pid")"
}

@test "after the driver was killed the command starts it again, with a new driver.js, beside what it had written" {
  start
  echo 'sample' >"$folder/samples.jsonl"
  kill -KILL "$(<"$folder/driver.pid")"
  await 'the end of the driver' ended "$(<"$folder/driver.pid")"
  driver "console.log('resumed'); $at_work"
  run start
  [ "$status" -eq 0 ]
  grep -qx resumed "$folder/driver.log"
  [ "$(<"$folder/samples.jsonl")" = sample ]
}

@test "a number that now belongs to another process is no running driver" {
  mkdir -p "$folder"
  echo "$$" >"$folder/driver.pid"
  run start
  [ "$status" -eq 0 ]
  [[ "$output" == *'started the driver'* ]]
}

# bats test_tags=all
@test "a driver that dies before its first word fails the command, however long it takes to die" {
  driver 'setTimeout(() => { throw new Error("late") }, 2500)'
  run start
  [ "$status" -eq 1 ]
  [[ "$output" == *'the driver ended at once with status 1'*'late'* ]]
}

# bats test_tags=all
@test "a driver that works but says nothing is left alone, with a warning" {
  driver 'setTimeout(() => {}, 2 ** 31 - 1)'
  FSXBENCH_START_SECONDS=1 run start
  [ "$status" -eq 0 ]
  [[ "$output" == *'the driver runs, but has said nothing for 1s'* ]]
  await 'its number' test -s "$folder/driver.pid"
  run ! ended "$(<"$folder/driver.pid")"
}

@test "a driver that dies at once fails the command with its words" {
  driver 'throw new Error("no plan in here")'
  run start
  [ "$status" -eq 1 ]
  [[ "$output" == *'the driver ended at once with status 1'*'no plan in here'* ]]
}

@test "a run that is not in the bucket fails the command with the next step" {
  run "$client/bin/start-run" CompressionBench run-2 bucket "$(sums run-1)"
  [ "$status" -eq 1 ]
  [[ "$output" == *"cannot fetch s3://bucket/runs/CompressionBench/run-2/plan.json: start the run with 'npx fsxbench run'"* ]]
}

# bats test_tags=all
@test "an argument that could be a path or a command is refused" {
  run "$client/bin/start-run" CompressionBench ../../etc bucket "$(sums run-1)"
  [ "$status" -eq 1 ]
  [[ "$output" == *"'RUN_ID' must be letters, digits"*"got '../../etc'"* ]]
  run "$client/bin/start-run" 'a;b' run-1 bucket "$(sums run-1)"
  [[ "$output" == *"'BENCHMARK' must be"*"got 'a;b'"* ]]
  run "$client/bin/start-run" CompressionBench run-1
  [[ "$output" == *'usage: start-run BENCHMARK RUN_ID BUCKET '*', got 2 arguments'* ]]
}

# bats test_tags=all
@test "what somebody else has written into the bucket is not started" {
  local name before
  before="$(sums run-1)"
  for name in plan.json manifest.json driver.js; do
    cp "$s3/objects/$prefix/$name" "$BATS_TEST_TMPDIR/kept"
    echo 'require("fs").writeFileSync("/tmp/owned", "")' >>"$s3/objects/$prefix/$name"
    run "$client/bin/start-run" CompressionBench run-1 bucket "$before"
    [ "$status" -eq 1 ]
    [[ "$output" == *"SHA-256 of s3://$prefix/$name must be "*": somebody has written it since"* ]]
    [ ! -e "$folder/driver.pid" ]
    [ ! -e "$folder/$name.new" ]
    cp "$BATS_TEST_TMPDIR/kept" "$s3/objects/$prefix/$name"
  done
  run "$client/bin/start-run" CompressionBench run-1 bucket "0 $before"
  [ "$status" -eq 1 ]
  [[ "$output" == *'the sums must be three times 64 hexadecimal digits'* ]]
}

# bats test_tags=all
@test "what boot wrote about the stack reaches the driver" {
  mkdir -p "$FSXBENCH_ROOT/etc/fsxbench"
  echo 'export FSXBENCH_STACK=TheStack' >"$FSXBENCH_ROOT/etc/fsxbench/environment"
  driver 'console.log(process.env.FSXBENCH_STACK, process.env.FSXBENCH_HOME, process.env.FSXBENCH_CLIENT_CONFIG);'"$at_work"
  mkdir -p "$FSXBENCH_STATE"
  date >"$FSXBENCH_STATE/booted"
  start
  grep -qx "TheStack $client $FSXBENCH_ROOT/etc/fsxbench/client.json" "$folder/driver.log"
}

# A systemd that starts a unit's command, and knows its number for as long as it runs.
fake_systemd() {
  ((EUID == 0)) || skip 'systemd is asked only by root'
  mkdir -p "$FSXBENCH_ROOT/run/systemd/system"
  fake systemd-run <<'BODY'
while [[ "$1" == --* ]]; do
  case "$1" in --collect | --quiet) shift ;; *) [[ "$2" != WorkingDirectory=* ]] || cd "${2#*=}"; shift 2 ;; esac
done
setsid "$@" </dev/null >>driver.log 2>&1 3>&- 9>&- &
echo "$!" >"$BATS_TEST_TMPDIR/main-pid"
BODY
  fake systemctl <<<'pid="$(<"$BATS_TEST_TMPDIR/main-pid")"; if ended "$pid"; then echo 0; else echo "$pid"; fi'
  export -f ended
}

@test "under systemd a driver that cannot start fails the command with its reason, and has no number" {
  fake_systemd
  driver 'throw new Error("cannot read the plan");'
  run start
  [ "$status" -eq 1 ]
  [[ "$output" == *'the driver ended at once with status unknown: '*'cannot read the plan'* ]]
  # It may have lived until systemd was asked; 0, which systemd reports later, is invalid.
  [ "$(cat "$folder/driver.pid")" != 0 ]
}

# bats test_tags=all
@test "under systemd the driver is a unit of its own, and no value of the environment stands on a command line" {
  fake_systemd
  run start
  [ "$status" -eq 0 ]
  [ "$(<"$folder/driver.pid")" = "$(<"$BATS_TEST_TMPDIR/main-pid")" ]
  [ -s "$folder/status.json" ]
  grep -q "^systemd-run --unit fsxbench-driver-run-1 --collect .*StandardOutput=append:$folder/driver.log" "$calls"
  grep -q -- '--setenv AWS_REGION ' "$calls"
  grep -q -- "driver.js --run $folder --bucket bucket --prefix runs/CompressionBench/run-1" "$calls"
  run ! grep -q "$AWS_SECRET_ACCESS_KEY" "$calls"
}

# bats test_tags=all
@test "a leader that has not come to the end of its first boot starts nothing, and says what to wait for" {
  mkdir -p "$FSXBENCH_ROOT/etc/fsxbench"
  echo 'export FSXBENCH_STACK=CompressionBench' >"$FSXBENCH_ROOT/etc/fsxbench/environment"
  run start
  [ "$status" -eq 1 ]
  [[ "$output" == *"has not come to the end of its first boot"*"fsxbench run CompressionBench --resume run-1"* ]]
  [ ! -e "$folder" ]
  mkdir -p "$FSXBENCH_STATE"
  date >"$FSXBENCH_STATE/booted"
  run start
  [ "$status" -eq 0 ]
}
