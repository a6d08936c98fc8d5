#!/usr/bin/env bats
# end-runs: what the state machine that deletes a stack calls on every client.

load lib/helper

setup() {
  servers=()
  make_machine
  export FSXBENCH_STATE="$BATS_TEST_TMPDIR/state" FSXBENCH_END_SECONDS=20
  folder="$FSXBENCH_STATE/runs/run-1"
}

teardown() {
  if [[ -s "$folder/driver.pid" ]]; then kill -KILL "$(<"$folder/driver.pid")" 2>/dev/null || true; fi
  end_machine
}

# a_run UPLOAD: a run whose driver works until it gets a signal to end, and uploads with the status UPLOAD
a_run() {
  mkdir -p "$folder"
  echo '{}' >"$folder/plan.json"
  echo '{}' >"$folder/manifest.json"
  cat >"$folder/driver.js" <<JS
const { appendFileSync } = require('node:fs');
if (process.argv.includes('--upload-only')) {
  appendFileSync('$BATS_TEST_TMPDIR/done', 'upload ' + process.argv.slice(2).join(' ') + '\\n');
  console.error('driver: s3://bucket: denied; 3 files not uploaded');
  process.exit($1);
}
process.on('SIGTERM', () => { appendFileSync('$BATS_TEST_TMPDIR/done', 'end\\n'); process.exit(130); });
appendFileSync('$BATS_TEST_TMPDIR/done', 'start\\n');
setTimeout(() => {}, 2 ** 31 - 1);
JS
}

works() {
  node "$folder/driver.js" --run "$folder" >/dev/null 2>&1 3>&- &
  echo "$!" >"$folder/driver.pid"
  until grep -qs start "$BATS_TEST_TMPDIR/done"; do sleep 0.05; done
}

@test "without a bucket it does nothing" {
  a_run 0
  run "$client/bin/end-runs"
  [ "$status" -eq 1 ]
  [[ "$output" == *"usage: end-runs BUCKET, got 0 arguments"* ]]
  [ ! -e "$BATS_TEST_TMPDIR/done" ]
}

@test "results that cannot be uploaded are told on stdout with the reason, and runs may still be started" {
  mkdir -p "$FSXBENCH_STATE/runs/never-fetched"
  a_run 1
  run --separate-stderr "$client/bin/end-runs" bucket
  [ "$status" -eq 1 ]
  [ "$output" = "run-1: driver: s3://bucket: denied; 3 files not uploaded" ]
  [ ! -e "$FSXBENCH_STATE/expired" ]
}

@test "ends the driver before it uploads, and no run is started any more" {
  a_run 0
  works
  run "$client/bin/end-runs" bucket
  [ "$status" -eq 0 ]
  [ "$(<"$BATS_TEST_TMPDIR/done")" = "start
end
upload --run $folder --bucket bucket --upload-only" ]
  run "$client/bin/start-run" CompressionBench run-2 bucket "$(printf '%064d %064d %064d' 1 2 3)"
  [ "$status" -eq 1 ]
  [[ "$output" == *"the stack of CompressionBench has expired and is about to be deleted"* ]]
  # A stack that is still there an hour later was kept.
  touch -d '61 minutes ago' "$FSXBENCH_STATE/expired"
  run "$client/bin/start-run" CompressionBench run-2 bucket "$(printf '%064d %064d %064d' 1 2 3)"
  [[ "$output" != *expired* ]]
}

@test "a driver that does not end is killed, and what it measured is uploaded: its stack does not bill on" {
  a_run 0
  sed -i "s/process.exit(130)/0/" "$folder/driver.js"
  works
  FSXBENCH_END_SECONDS=1 run "$client/bin/end-runs" bucket
  [ "$status" -eq 0 ]
  [[ "$(<"$BATS_TEST_TMPDIR/done")" == *"end
upload --run $folder"* ]]
  ! kill -0 "$(<"$folder/driver.pid")" 2>/dev/null || grep -q '^State:.Z' "/proc/$(<"$folder/driver.pid")/status"
}

@test "a driver that was stopped ends by itself, with its last word" {
  a_run 0
  works
  kill -STOP "$(<"$folder/driver.pid")"
  run "$client/bin/end-runs" bucket
  [ "$status" -eq 0 ]
  [[ "$(<"$BATS_TEST_TMPDIR/done")" == *"end
upload"* ]]
}

# job_ends_by WORD: Slurm runs job 17 as this run's driver, until it is cancelled with that word.
job_ends_by() {
  echo 17 >"$folder/driver.job"
  touch "$BATS_TEST_TMPDIR/running"
  export ends_by="$1"
  fake squeue <<<'if [[ -e "$BATS_TEST_TMPDIR/running" && "$*" == *"--jobs 17 "* ]]; then echo RUNNING; fi'
  fake scancel <<<'if [[ " $* " == *" $ends_by "* ]]; then rm "$BATS_TEST_TMPDIR/running"; fi'
  unset SLURM_CONF
}

@test "a driver in a job of Slurm is asked to end, which ends its steps, and then uploads" {
  a_run 0
  job_ends_by --signal=TERM
  run "$client/bin/end-runs" bucket
  [ "$status" -eq 0 ]
  [ "$(grep '^scancel' "$calls")" = 'scancel --batch --signal=TERM 17' ]
  [ "$(<"$BATS_TEST_TMPDIR/done")" = "upload --run $folder --bucket bucket --upload-only" ]
}

@test "a job that does not end is killed with its steps, and what it measured is uploaded" {
  a_run 0
  job_ends_by --signal=KILL
  FSXBENCH_END_SECONDS=1 run "$client/bin/end-runs" bucket
  [ "$status" -eq 0 ]
  [ "$(grep '^scancel' "$calls" | tail -n 1)" = 'scancel --full --signal=KILL 17' ]
  [ "$(<"$BATS_TEST_TMPDIR/done")" = "upload --run $folder --bucket bucket --upload-only" ]
}

# slurm_is_away: its controller does not answer, at the first look or once this test says so.
slurm_is_away() {
  fake sleep <<<''
  fake squeue <<<'if [[ -e "$BATS_TEST_TMPDIR/up" ]]; then echo RUNNING; exit; fi
echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >&2
exit 1'
}

# keeps_everything: the run's job may still measure, so nothing is uploaded meanwhile, and its stack is kept.
keeps_everything() {
  [ "$status" -eq 1 ] && [[ "$output" == "run-1: "*"error: Slurm must say whether job 17, the driver of run-1, has ended, but squeue says \
'slurm_load_jobs error: Unable to contact slurm controller (connect failure)': try again once 'scontrol ping' finds its controller up; \
if this Slurm is gone, remove $folder/driver.job" ]] && [ ! -e "$BATS_TEST_TMPDIR/done" ] && [ ! -e "$FSXBENCH_STATE/expired" ]
}

@test "a job whose Slurm does not answer is left alone, and keeps the stack" {
  a_run 0
  job_ends_by never
  slurm_is_away
  run --separate-stderr "$client/bin/end-runs" bucket
  keeps_everything
  [ "$(count '^scancel')" -eq 0 ]
}

@test "a Slurm that goes away while its job is ended keeps the stack" {
  a_run 0
  job_ends_by never
  slurm_is_away
  touch "$BATS_TEST_TMPDIR/up"
  fake scancel <<<'rm "$BATS_TEST_TMPDIR/up"'
  run --separate-stderr "$client/bin/end-runs" bucket
  keeps_everything
}

@test "a job that cannot be killed keeps the stack" {
  a_run 0
  job_ends_by never
  fake scancel <<<'echo "scancel: error: Kill job error on job id 17: Access/permission denied" >&2; exit 1'
  FSXBENCH_END_SECONDS=0 run --separate-stderr "$client/bin/end-runs" bucket
  [ "$status" -eq 1 ]
  [[ "$output" == "run-1: "*"error: job 17 is still running, and scancel could not kill it: end it with 'scancel --full --signal=KILL 17'" ]]
  [ ! -e "$BATS_TEST_TMPDIR/done" ]
}

@test "a job that ends just before it would be killed is uploaded" {
  a_run 0
  job_ends_by never
  fake scancel <<<'if [[ "$*" == *KILL* ]]; then rm "$BATS_TEST_TMPDIR/running"; echo "scancel: error: Kill job error on job id 17: Invalid job id specified" >&2; exit 1; fi'
  FSXBENCH_END_SECONDS=0 run "$client/bin/end-runs" bucket
  [ "$status" -eq 0 ]
  [ "$(<"$BATS_TEST_TMPDIR/done")" = "upload --run $folder --bucket bucket --upload-only" ]
}

@test "one run that cannot be saved keeps no other from being saved, and keeps the stack" {
  a_run 0
  cp -r "$folder" "$FSXBENCH_STATE/runs/run-0"
  sed -i 's/process.exit(0)/process.exit(1)/' "$FSXBENCH_STATE/runs/run-0/driver.js"
  run --separate-stderr "$client/bin/end-runs" bucket
  [ "$status" -eq 1 ]
  [ "$output" = "run-0: driver: s3://bucket: denied; 3 files not uploaded" ]
  [[ "$(<"$BATS_TEST_TMPDIR/done")" == *"upload --run $folder "* ]]
}

@test "a client that never started a driver has nothing to save" {
  run "$client/bin/end-runs" bucket
  [ "$status" -eq 0 ]
  [ -z "$output" ]
}

# by_ssm: as the Systems Manager document runs it
by_ssm() { env FSXBENCH_BUCKET=bucket FSXBENCH_HOME="${1:-$client}" sh "$client/end-runs.sh"; }

@test "a client that was never booted has nothing to save, so that its stack is deleted" {
  run by_ssm "$BATS_TEST_TMPDIR/no-bundle"
  [ "$status" -eq 0 ]
  [ -z "$output" ]
}

@test "a client with runs whose bundle is gone keeps its stack" {
  a_run 0
  run -127 by_ssm "$BATS_TEST_TMPDIR/no-bundle"
  [[ "$output" == *"$BATS_TEST_TMPDIR/no-bundle/bin/end-runs"* ]]
}

@test "a client that was booted is asked for its runs" {
  a_run 1
  run by_ssm
  [ "$status" -eq 1 ]
  [[ "$output" == *"run-1: driver: s3://bucket: denied; 3 files not uploaded"* ]]
}
