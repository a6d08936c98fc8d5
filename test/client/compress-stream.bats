#!/usr/bin/env bats
# compress-stream: data through a pipe of lz4 or zstd into files, with what that took.

setup() {
  stream="$BATS_TEST_DIRNAME/../../assets/client/bin/compress-stream"
  target="$BATS_TEST_TMPDIR/target"
  mkdir "$target"
  # A quarter of it is zeros: lz4 stores about three quarters.
  make=(bash -c 'for file in a b; do { head -c 12M /dev/urandom; head -c 4M /dev/zero; } >{input}/$file; done')
}

field() { sed -E "s/.*\"$1\":([^,}]*).*/\1/" <<<"$output"; }
needs() { command -v "$1" >/dev/null || skip "$1 is not installed"; }

@test "refuses what it cannot do, and says what it can" {
  run "$stream" gzip 1 1 1 "$target" c -- true
  [ "$status" -eq 2 ]
  [[ "$output" == *"PROGRAM must be lz4 or zstd, got 'gzip'"* ]]
  run "$stream" zstd 20 1 1 "$target" c -- true
  [ "$status" -eq 2 ]
  [[ "$output" == *"LEVEL of zstd must be from 1 to 19, got '20'"* ]]
  run "$stream" lz4 1 0 1 "$target" c -- true
  [ "$status" -eq 2 ]
  [[ "$output" == *"SECONDS must be a whole number from 1, got '0'"* ]]
  run "$stream" lz4 1 1 1 "$target/none" c -- true
  [ "$status" -eq 2 ]
  [[ "$output" == *"DIRECTORY must be a directory, got '$target/none'"* ]]
  run "$stream" lz4 1 1 1 "$target"
  [ "$status" -eq 2 ]
}

@test "data that cannot be made, or are too short to be repeated, are an error" {
  needs lz4
  run "$stream" lz4 1 1 1 "$target" c -- bash -c 'echo no generator >&2; exit 1'
  [ "$status" -eq 1 ]
  [[ "$output" == *'the data could not be made: no generator'* ]]
  run "$stream" lz4 1 1 1 "$target" c -- bash -c 'echo short >{input}/a'
  [ "$status" -eq 1 ]
  [[ "$output" == *'COMMAND must leave files of 16777216 bytes at least, got 6 in a'* ]]
}

@test "a file per process, of the data again and again, no smaller by the repetition" {
  local program
  for program in lz4 zstd; do
    needs "$program"
    # Another name that begins alike.
    head -c 8M /dev/zero >"$target/c01.0.$program"
    run "$stream" "$program" 1 60 40 "$target" c0 -- "${make[@]}"
    [ "$status" -eq 0 ]
    [ "$(field processes)" -eq 2 ]
    # Whole pieces of 16 MiB, not more than 40 MiB: two for each process.
    [ "$(field bytes)" -eq $((4 << 24)) ]
    (($(field stored_bytes) > 48000000 && $(field stored_bytes) < 52000000))
    [ "$("$program" -dc "$target/c0.0.$program" | wc -c)" -eq $((2 << 24)) ]
  done
}

@test "a pipe that fails is a failure, and nothing is left in memory" {
  needs lz4
  make=(bash -c "echo {input} >'$BATS_TEST_TMPDIR/input'; ${make[2]}")
  chattr +i "$target" 2>/dev/null || skip 'no file system here refuses files'
  run "$stream" lz4 1 1 16 "$target" c0 -- "${make[@]}"
  chattr -i "$target"
  [ "$status" -eq 1 ]
  [[ "$output" != *fsxbench.stream* ]]
  [ -s "$BATS_TEST_TMPDIR/input" ]
  [ ! -e "$(dirname "$(<"$BATS_TEST_TMPDIR/input")")" ]
}

@test "seconds keep the zeros behind the point" {
  run bash -c 'source "$1"
    unset EPOCHREALTIME
    EPOCHREALTIME=100.990000
    lz4() { :; }
    make_input() { echo a; }
    all_processes() { EPOCHREALTIME=106.040000; echo 1 >"$work/count.0"; }
    main lz4 1 1 1 "$2" c -- true' - "$stream" "$target"
  [ "$status" -eq 0 ]
  [ "$(field wall_s)" = 5.050000 ]
}
