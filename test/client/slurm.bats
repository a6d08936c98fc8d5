#!/usr/bin/env bats
# slurm.sh: the job that a run's driver becomes, its user, and how long it counts as running.

load lib/helper

setup() {
  make_machine
  fake_user
  folder="$BATS_TEST_TMPDIR/runs/run-1"
  mkdir -p "$folder"
  echo '{"fleet": {"clients": 3}}' >"$folder/plan.json"
  client_is '{"launch": "slurm", "arms": {}}'
  fake sbatch <<<'echo 17'
  # It outlives the command that started it.
  fake setsid <<<''
}

client_is() {
  mkdir -p "$FSXBENCH_ROOT/etc/fsxbench"
  echo "$1" >"$FSXBENCH_ROOT/etc/fsxbench/client.json"
}

# slurm COMMAND…: as start-run, which sources it.
slurm() { run -"${wanted:-0}" --separate-stderr bash -o errexit -o nounset -o pipefail -c 'source "$client/lib/common.sh"; source "$client/lib/slurm.sh"; "$@"' start-run "$@"; }
start() { slurm start_in_slurm "$folder" s3://bucket/runs/B/run-1 node driver.js --run "$folder"; }

@test "the job has all nodes of the plan to itself, is put back into the queue, and goes on with its log" {
  start
  [ "$(grep '^sbatch' "$calls")" = "sbatch --parsable --job-name fsxbench-run-1 --nodes 3 --exclusive --requeue --chdir $folder --open-mode append --output $folder/driver.log $client/bin/drive-in-slurm node driver.js --run $folder" ]
}

@test "the number of a job is known, and watched, without the name of its cluster" {
  fake sbatch <<<'echo "17;cluster"'
  start
  [ "$(<"$folder/driver.job")" = 17 ]
  await 'the watcher' grep -q '^setsid' "$calls"
  grep -qx "setsid node $client/lib/watch-queue.mjs 17 $folder s3://bucket/runs/B/run-1" "$calls"
}

@test "what an earlier driver left says nothing of the new one" {
  touch "$folder"/{driver.pid,queue.json}
  start
  [ ! -e "$folder/driver.pid" ] && [ ! -e "$folder/queue.json" ]
}

@test "a job that Slurm refuses leaves no number, and says how many nodes it wanted" {
  fake sbatch <<<'echo "sbatch: error: Batch job submission failed: Node count specification invalid" >&2; exit 1'
  wanted=1 start
  [[ "$stderr" == *"Node count specification invalid"*"Slurm refuses a job of 3 nodes: does the partition have as many? ('sinfo' lists them)" ]]
  [ ! -e "$folder/driver.job" ]
  [ "$(count '^setsid')" -eq 0 ]
}

@test "a partition is asked for by name, and what is no name reaches no sbatch" {
  FSXBENCH_PARTITION=large,c5.x start
  [[ "$(grep '^sbatch' "$calls")" == *" --partition large,c5.x $client/bin/drive-in-slurm "* ]]
  : >"$calls"
  local wrong
  for wrong in 'large --uid=0' '--wrap=id' 'a;b'; do
    FSXBENCH_PARTITION="$wrong" wanted=1 start
    [[ "$stderr" == *"'FSXBENCH_PARTITION' must be names of letters, digits, "*"got '$wrong'" ]]
  done
  [ "$(count '^sbatch')" -eq 0 ]
}

@test "a client with a user of its own has the job be that user's, with the run's folder and one on every arm" {
  client_is '{"launch": "slurm", "user": "fsxbench", "arms": {"none": {"mountPoint": "'"$BATS_TEST_TMPDIR"'/fsx/none"}, "lz4": {"mountPoint": "'"$BATS_TEST_TMPDIR"'/fsx/lz4"}}}'
  start
  [ "$(grep -vE '^(sbatch|setsid)' "$calls" | sed "s|$BATS_TEST_TMPDIR||g; s| -- .* sbatch --parsable .*| … sbatch|")" = \
    'install --directory --owner fsxbench /fsx/none/fsxbench
install --directory --owner fsxbench /fsx/lz4/fsxbench
chown -R fsxbench: /runs/run-1
runuser -u fsxbench … sbatch' ]
}

@test "an arm that the user cannot be given keeps the job from starting" {
  client_is '{"launch": "slurm", "user": "fsxbench", "arms": {"none": {"mountPoint": "/fsx/none"}}}'
  fake install <<<'exit 1'
  wanted=1 start
  [ "$(count '^(sbatch|runuser)')" -eq 0 ]
  [ ! -e "$folder/driver.job" ]
}

@test "a client without a user submits as who asked, and gives nothing away" {
  start
  [ "$(count '^(runuser|chown|install)')" -eq 0 ]
}

@test "only a client that launches by Slurm is one" {
  slurm launches_by_slurm
  client_is '{"launch": "mpirun", "arms": {"slurm": {}}}'
  wanted=1 slurm launches_by_slurm
  rm "$FSXBENCH_ROOT/etc/fsxbench/client.json"
  wanted=1 slurm launches_by_slurm
}

# at_work JOB
at_work() {
  echo "$1" >"$folder/driver.job"
  slurm job_waits_or_runs "$folder"
}

@test "a job is at work while squeue lists it, and where Slurm's configuration is gone nobody is asked" {
  fake squeue <<<'if [[ "$*" == *"--jobs 17 "* ]]; then echo REQUEUED; else echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1; fi'
  unset SLURM_CONF
  at_work 17
  wanted=1 at_work 18
  [ -z "$stderr" ]
  SLURM_CONF="$BATS_TEST_TMPDIR/none" wanted=1 at_work 17
  [ "$(count '^squeue')" -eq 2 ]
}

@test "a job that Slurm remembers has ended once squeue lists it no more, whatever it warns of" {
  fake squeue <<<'echo "squeue: warning: the configuration is older than the controller" >&2'
  unset SLURM_CONF
  wanted=1 at_work 17
  [ -z "$stderr" ]
}

@test "a controller that restarts is asked again" {
  unset SLURM_CONF
  fake sleep <<<'touch "$BATS_TEST_TMPDIR/up"'
  fake squeue <<<'if [[ -e "$BATS_TEST_TMPDIR/up" ]]; then echo RUNNING; else echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >&2; exit 1; fi'
  at_work 17
  [ "$(count '^squeue')" -eq 2 ]
}

@test "on the first node the driver finds all nodes of the job, and nothing of its description that would limit its steps" {
  fake scontrol <<<'[[ "$*" == "show hostnames n[1-3]" ]] && printf "n1\nn2\nn3\n"'
  export SLURM_JOB_NODELIST='n[1-3]' SLURM_JOB_ID=17 SLURM_NTASKS=3 SLURM_NPROCS=3 SLURM_NNODES=3 SLURM_JOB_NUM_NODES=3 SLURM_TASKS_PER_NODE='1(x3)'
  run -0 "$client/bin/drive-in-slurm" env
  grep -qx 'FSXBENCH_NODES=n1 n2 n3 ' <<<"$output"
  [ "$(grep '^SLURM_' <<<"$output" | sort)" = $'SLURM_JOB_ID=17\nSLURM_JOB_NODELIST=n[1-3]' ]
}
