#!/usr/bin/env bats
# end-leftovers: real processes that a killed driver left on this computer, next to those of other runs.

load lib/helper

setup() {
  make_machine
  export FSXBENCH_END_SECONDS=1
  runs="$BATS_TEST_TMPDIR/runs"
  left=()
}

teardown() {
  local pid
  for pid in "${left[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
  end_machine
}

# leaves RUN SCRIPT: a process that carries the mark of a run; sets `pid`.
leaves() {
  local file="$BATS_TEST_TMPDIR/pid-${#left[@]}"
  FSXBENCH_RUN_FOLDER="$1" setsid bash -c "$2; echo \$\$ >$file; ${3:-exec sleep 300}" </dev/null >/dev/null 2>&1 3>&- &
  await "the process of $1" test -s "$file"
  pid="$(<"$file")"
  left+=("$pid")
}

end_leftovers() { run --separate-stderr "$client/bin/end-leftovers" "$@"; }
# Other tests may also have runs on this computer.
said() { grep -E "^[0-9]|$BATS_TEST_TMPDIR|relative" <<<"$output"; }

@test "ends what carries the mark of the run and nothing else, and names both" {
  leaves "$runs/run-1" :
  local own="$pid"
  leaves "$runs/run-10" :
  local longer="$pid"
  leaves "$runs/run-2" :
  # A line in another variable does not count as a mark.
  NOTES=$'of\n'"FSXBENCH_RUN_FOLDER=$runs/run-1" leaves "$runs/run-2" :
  local noted="$pid"
  leaves relative-path :
  await 'the program in its place' executes sleep "$own"
  end_leftovers "$runs/run-1"
  [ "$status" -eq 0 ]
  [ "$(said)" = "$own sleep
other $runs/run-10
other $runs/run-2" ]
  ended "$own"
  run ! ended "$longer"
  run ! ended "$noted"
}

@test "a process is asked once, and killed and named once when it does not end" {
  local asked="$BATS_TEST_TMPDIR/asked"
  leaves "$runs/run-1" "trap 'echo asked >>$asked' TERM" 'while :; do sleep 0.05; done'
  end_leftovers "$runs/run-1"
  [ "$status" -eq 0 ]
  [ "$(grep -cx "$pid bash" <<<"$output")" -eq 1 ]
  [ "$(<"$asked")" = asked ]
  ended "$pid"
}

@test "a process that is stopped ends by itself" {
  local word="$BATS_TEST_TMPDIR/word"
  leaves "$runs/run-1" "trap 'echo ended >$word; exit' TERM" 'kill -STOP $$; while :; do sleep 0.05; done'
  await 'its stop' grep -q '^State:.T' "/proc/$pid/status"
  end_leftovers "$runs/run-1"
  [ "$status" -eq 0 ]
  [ "$(<"$word")" = ended ]
}

@test "a folder is one argument without line breaks" {
  end_leftovers
  [ "$status" -eq 2 ]
  [ "$stderr" = 'usage: end-leftovers FOLDER, got 0 arguments' ]
  end_leftovers "$runs/run-1" "$runs/run-2"
  [ "$status" -eq 2 ]
  end_leftovers "$runs"$'\n'"$runs/run-1"
  [ "$status" -eq 2 ]
  [[ "$stderr" == "error: 'FOLDER' must be a path without line breaks, got "* ]]
}
