#!/usr/bin/env bats
# watch-queue: Slurm's state of a driver's job, next to its run, until the job has left the queue.

load lib/helper

setup() {
  make_machine
  folder="$BATS_TEST_TMPDIR/run"
  fake squeue <<<'cat "$BATS_TEST_TMPDIR/state"'
  echo 'RUNNING |None |0 |n1 |' >"$BATS_TEST_TMPDIR/state"
}

teardown() {
  if [[ -n "${watcher:-}" ]]; then kill -KILL "$watcher" 2>/dev/null || true; fi
  end_machine
}

says() { grep -qs "\"state\":\"$1\"" "$folder/queue.json"; }

@test "a folder that cannot be written for a moment, as by a quota, keeps nobody from hearing how the job ends" {
  node "$client/lib/watch-queue.mjs" 7 "$folder" 2>"$BATS_TEST_TMPDIR/said" 3>&- &
  watcher=$!
  await 'its first complaint' grep -q "watch-queue: ENOENT" "$BATS_TEST_TMPDIR/said"
  mkdir "$folder"
  await 'the state of the job' says RUNNING
  echo 'TIMEOUT |TimeLimit |0 |n1 |' >"$BATS_TEST_TMPDIR/state"
  await 'the end of the job' says TIMEOUT
  grep -q '"ended":true' "$folder/queue.json"
  await 'the end of the watcher' ended "$watcher"
}
