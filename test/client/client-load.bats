#!/usr/bin/env bats
# client-load: two answers tell what a client did in between, and one who was busy when nobody measured.

load lib/helper

@test "prints one line of JSON, with counters of this machine" {
  run --separate-stderr "$BATS_TEST_DIRNAME/../../assets/client/bin/client-load" "$BATS_TEST_TMPDIR"
  [ "$status" -eq 0 ]
  [ "${#lines[@]}" -eq 1 ]
  run node -e '
    const { schema, processors, busySeconds, uptime } = JSON.parse(process.argv[1]);
    if (schema !== "fsxbench.load/1" || !(processors >= 1) || !(busySeconds > 0) || !(uptime > 0)) process.exit(1);
  ' "${lines[0]}"
  [ "$status" -eq 0 ]
}

@test "a directory that does not exist is an error that names it" {
  run "$BATS_TEST_DIRNAME/../../assets/client/bin/client-load" "$BATS_TEST_TMPDIR/nowhere"
  [ "$status" -ne 0 ]
  [[ "$output" == *"$BATS_TEST_TMPDIR/nowhere"* ]]
}
