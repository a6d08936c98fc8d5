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

@test "each state of a job is told once, with why it waits and where it runs, until Slurm says or forgets that it has ended" {
  mkdir "$folder"
  start_s3
  mkdir -p "$s3/objects/bucket/run"
  # Two looks at one state, a controller that does not answer, then a job that is put back, and forgotten.
  fake squeue <<'FAKE'
cat "$folder/queue.json" >>"$BATS_TEST_TMPDIR/told" 2>/dev/null
case "$(grep -c '^squeue' "$calls")" in
1 | 2) echo 'PENDING |Resources |0 | |' ;;
3) echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2 && exit 1 ;;
4) echo 'RUNNING |None |2 |n[1-2] |' ;;
*) echo 'slurm_load_jobs error: Invalid job id specified' >&2 && exit 1 ;;
esac
FAKE
  export folder
  node "$client/lib/watch-queue.mjs" 7 "$folder" s3://bucket/run 3>&-
  grep -qx 'squeue --noheader --states=all --jobs=7 --Format=State:|,Reason:|,RestartCnt:|,NodeList:|' "$calls"
  [ "$(sed -E 's/,"updatedAt":"[^"]*"//' "$BATS_TEST_TMPDIR/told" | uniq)" = '{"schema":"fsxbench.queue/1","job":"7","state":"PENDING","ended":false,"reason":"Resources","restarts":0,"nodes":""}
{"schema":"fsxbench.queue/1","job":"7","state":"RUNNING","ended":false,"reason":"None","restarts":2,"nodes":"n[1-2]"}' ]
  # The same state is not written again.
  [ "$(sort -u "$BATS_TEST_TMPDIR/told" | wc -l)" -eq 2 ]
  [[ "$(<"$folder/queue.json")" == *'"state":"GONE","ended":true,'* ]]
  [ "$(find "$s3" -name queue.json -exec cat {} +)" = "$(<"$folder/queue.json")" ]
  [ -z "$(find "$folder" -name '*.new')" ]
}
