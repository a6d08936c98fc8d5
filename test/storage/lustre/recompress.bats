#!/usr/bin/env bats
# recompress: every file once, a bounded number at a time, and after an interruption only the rest. lfs answers as 2.15.8 did.

load ../../client/lib/helper

setup() {
  make_machine
  export_replay
  export FSXBENCH_STATE="$BATS_TEST_TMPDIR/state" fsx="$BATS_TEST_TMPDIR/fsx"
  # The tree that `lfs find` listed when it was recorded, with data in the files.
  while read -r file; do
    mkdir -p "$(dirname "${file/#\/fsx/$fsx}")"
    head -c 65536 /dev/zero >"${file/#\/fsx/$fsx}"
  done <"$recorded/lfs-find.out"
  sed "s| /fsx | $fsx |" "$recorded/mount-proc.out" >"$FSXBENCH_ROOT/proc/mounts"
  export MIGRATED="$BATS_TEST_TMPDIR/migrated.log"
  : >"$MIGRATED"
  # `find` prints what is there now; `migrate` gives the file back with its size and without its blocks, as compression of
  # zeros would. FAKE_FAILS names a file that it refuses in recorded words (FAKE_FAILURE), FAKE_GATE a file that each one waits for,
  # FAKE_LAYOUT_OF a file with the layout that was recorded as FAKE_LAYOUT.
  fake lfs <<'BODY'
case "$1" in
  getstripe)
    if [[ -n "${FAKE_LAYOUT:-}" && "$2" == *"${FAKE_LAYOUT_OF:-}" ]]; then replay "$FAKE_LAYOUT"; fi
    ;;
  find)
    if [[ -n "${FAKE_FIND_FAILS:-}" ]]; then exit 5; fi
    if [[ -n "${FAKE_FIND_KILLED:-}" ]]; then kill -KILL $$; fi
    find "$2" -type f -print0
    if [[ -n "${FAKE_GONE:-}" ]]; then printf '%s\0' "$2/gone"; fi
    ;;
  migrate)
    file="${@: -1}"
    echo "begin" >>"$MIGRATED"
    if [[ -n "${FAKE_GATE:-}" ]]; then await 'the gate' test -e "$FAKE_GATE"; fi
    if [[ -n "${FAKE_GONE:-}" && "$file" == *"$FAKE_GONE" ]]; then
      rm "$file"
      exit 2
    fi
    if [[ -n "${FAKE_FAILS:-}" && "$file" == *"$FAKE_FAILS" ]]; then
      echo "end" >>"$MIGRATED"
      replay "${FAKE_FAILURE:-migrate-missing}"
      exit
    fi
    size="$(stat -c %s "$file")"
    truncate -s 0 "$file"
    truncate -s "$size" "$file"
    echo "end $file" >>"$MIGRATED"
    replay migrate-c1
    ;;
esac
BODY
}

recompress() { "$client/storage/lustre/recompress" "$@"; }
migrated() { grep -c '^end /' "$MIGRATED" || true; }
# begun NUMBER: so many files are at hand.
begun() { (($(grep -c '^begin' "$MIGRATED") >= $1)); }
# The last event, or a member of it.
end() { tail -n 1 <<<"$output" | node -p "JSON.stringify(JSON.parse(require('fs').readFileSync(0,'utf8'))$1)"; }

@test "rewrites every file with the documented layout, non-blocking, and leaves out what was released to S3" {
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(migrated)" -eq 7 ]
  [ "$(count '^lfs migrate -n -E 100M -c 1 -E 10G -c 8 -E 100G -c 16 -E -1 -c 32 /')" -eq 7 ]
  [ "$(count '^lfs find .* -type f ! -L released --print0$')" -eq 1 ]
}

@test "tells files, bytes before and after on disk, and time" {
  run --separate-stderr recompress "$fsx" LZ4
  [ "$(end .state)" = '"done"' ]
  [ "$(end .done)" -eq 7 ]
  [ "$(end .logicalBytes)" -eq $((7 * 65536)) ]
  [ "$(end .bytesBefore)" -ge $((7 * 65536)) ]
  [ "$(end .bytesAfter)" -lt 65536 ]
  [ "$(end '.seconds >= 0')" = true ]
}

@test "run again it does nothing, and still tells what was gained" {
  recompress "$fsx" LZ4 >/dev/null
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(migrated)" -eq 7 ]
  [ "$(end .done)" -eq 7 ]
  [ "$(end .logicalBytes)" -eq $((7 * 65536)) ]
}

@test "each switch has a journal of its own: LZ4, NONE and LZ4 again rewrite three times" {
  recompress "$fsx" LZ4 >/dev/null
  recompress "$fsx" NONE >/dev/null
  [ "$(migrated)" -eq 14 ]
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(migrated)" -eq 21 ]
  [ "$(end .done)" -eq 7 ]
  # And the third, run again, has nothing to do.
  recompress "$fsx" LZ4 >/dev/null
  [ "$(migrated)" -eq 21 ]
}

@test "a switch that was made just now begins anew, though the last journal is of the same type" {
  recompress "$fsx" LZ4 >/dev/null
  FSXBENCH_RECOMPRESS_NEW=1 recompress "$fsx" LZ4 >/dev/null
  [ "$(migrated)" -eq 14 ]
}

@test "blocks are looked at when a file is synced, before and after: 56 MB saved are no loss" {
  NODE_OPTIONS="--import $lib/stale-blocks.mjs" run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(end .bytesBefore)" -ge $((7 * 65536)) ]
  [ "$(end .bytesAfter)" -lt 65536 ]
}

@test "a hole is no compression: only what is not a hole counts as data" {
  truncate -s 64M "$fsx/one/file"
  run --separate-stderr recompress "$fsx" LZ4
  [ "$(end .logicalBytes)" -eq $((6 * 65536 + 64 * 1024 * 1024)) ]
  [ "$(end .dataBytes)" -eq $((7 * 65536)) ]
}

# refused RECORDING NEXT: a file that lfs refuses like that is named with its next step, and the others are done.
refused() {
  FAKE_FAILS=/one/file FAKE_FAILURE="$1" run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 1 ]
  [ "$(migrated)" -eq 6 ]
  [ "$(end '.nextSteps.length')" -eq 1 ]
  [ "$(end '.nextSteps[0].files')" -eq 1 ]
  [[ "$(end '.nextSteps[0].next')" == *"$2"* ]]
  [ "$(end '.failures[0].next')" = "$(end '.nextSteps[0].next')" ]
}

@test "an immutable file needs more than the same command again" { refused migrate-immutable 'chattr -i lets it be rewritten'; }

@test "a program that runs must be ended first" { refused migrate-running-program 'it is a program that runs: end it, then'; }

@test "a file that is open for writing must be closed first" { refused migrate-open-for-writing 'it is open for writing: close it, then'; }

@test "a file that was written to meanwhile is for the next run" { refused mirror-migrate 'it was written to meanwhile: run the same command again'; }

@test "a mirrored file is named and left alone: migrating it fails and leaves its mirrors stale" {
  FAKE_LAYOUT=mirror-getstripe FAKE_LAYOUT_OF=/one/file run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 1 ]
  [ "$(migrated)" -eq 6 ]
  [ "$(count '^lfs migrate .*/one/file$')" -eq 0 ]
  [ "$(end .leftAlone)" -eq 1 ]
  [ "$(end .failed)" -eq 0 ]
  [[ "$(end '.failures[0].reason')" == *'it has 2 mirrors'* ]]
}

@test "a file with data on the metadata target is left alone, unless the layout that is asked for has such a component" {
  export FAKE_LAYOUT=dom-getstripe FAKE_LAYOUT_OF=/one/file
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 1 ]
  [ "$(end .leftAlone)" -eq 1 ]
  [[ "$(end '.nextSteps[0].next')" == *'FSXBENCH_RECOMPRESS_LAYOUT'* ]]
  FSXBENCH_RECOMPRESS_LAYOUT='-n -E 64K -L mdt -E -1 -c 1' run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(count '^lfs migrate -n -E 64K -L mdt -E -1 -c 1 .*/one/file$')" -eq 1 ]
}

@test "an ordinary layout of several components is rewritten" {
  FAKE_LAYOUT=getstripe-dir-pfl run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(migrated)" -eq 7 ]
}

@test "a name that is not UTF-8 is rewritten like any other, and shown with its bytes" {
  head -c 4096 /dev/zero >"$fsx/one/caf"$'\xe9'
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(end .done)" -eq 8 ]
  [ "$(migrated)" -eq 8 ]
  grep -qF '/one/caf\\xe9"' "$FSXBENCH_STATE"/recompress/*-LZ4.jsonl
}

@test "a file that lfs refuses is told in lfs' words, does not stop the others, and is tried again" {
  FAKE_FAILS=/one/file run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 1 ]
  [ "$(migrated)" -eq 6 ]
  [ "$(end .failed)" -eq 1 ]
  [ "$(end '.failures[0].path.endsWith("/one/file")')" = true ]
  [[ "$(end '.failures[0].reason')" == *'error: lfs migrate: /fsx/nosuch: cannot open source file'* ]]
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(migrated)" -eq 7 ]
}

@test "works on no more files at a time than asked" {
  local gate="$BATS_TEST_TMPDIR/gate" most
  FAKE_GATE="$gate" FSXBENCH_RECOMPRESS_FILES=3 recompress "$fsx" LZ4 >/dev/null 3>&- &
  await 'three files at hand' begun 3
  touch "$gate"
  wait $!
  most="$(awk '/^begin/ { if (++now > most) most = now } /^end/ { now-- } END { print most }' "$MIGRATED")"
  [ "$most" -eq 3 ]
}

@test "interrupted it ends after the files at hand, and the next run does the rest only" {
  # The program, not the function: its process is what gets the signal.
  local gate="$BATS_TEST_TMPDIR/gate"
  FAKE_GATE="$gate" FSXBENCH_RECOMPRESS_FILES=2 "$client/storage/lustre/recompress" "$fsx" LZ4 >"$BATS_TEST_TMPDIR/out" 2>/dev/null 3>&- &
  local pid=$!
  await 'two files at hand' begun 2
  kill -TERM "$pid"
  touch "$gate"
  local status=0
  wait "$pid" || status=$?
  [ "$status" -eq 1 ]
  output="$(<"$BATS_TEST_TMPDIR/out")"
  [ "$(end .state)" = '"interrupted"' ]
  [ "$(migrated)" -eq 2 ]
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(migrated)" -eq 7 ]
  [ "$(end .done)" -eq 7 ]
}

@test "killed outright it loses nothing but the files at hand: a torn line of the journal is done once more" {
  recompress "$fsx" LZ4 >/dev/null
  local journal
  journal="$(echo "$FSXBENCH_STATE"/recompress/*-LZ4.jsonl)"
  truncate -s -5 "$journal"
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(migrated)" -eq 8 ]
  [ "$(end .done)" -eq 7 ]
  [ "$(wc -l <"$journal")" -eq 7 ]
}

@test "a file with two names is rewritten once" {
  ln "$fsx/one/file" "$fsx/one/other name"
  recompress "$fsx" LZ4 >/dev/null
  [ "$(migrated)" -eq 7 ]
}

@test "names may hold spaces, quotes and line ends" {
  head -c 4096 /dev/zero >"$fsx/one/a 'b' "$'\n'"c"
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(end .done)" -eq 8 ]
}

@test "files that are removed before their turn, or during it, need nothing" {
  FAKE_GONE=/one/file run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(migrated)" -eq 6 ]
  [ "$(end '.skipped')" -eq 2 ]
  [ "$(end '.failed')" -eq 0 ]
}

@test "an empty file needs nothing" {
  : >"$fsx/one/empty"
  run --separate-stderr recompress "$fsx" LZ4
  [ "$(end .skipped)" -eq 1 ]
  [ "$(migrated)" -eq 7 ]
}

@test "a file that takes too long is given up and told" {
  FAKE_GATE="$BATS_TEST_TMPDIR/never" FSXBENCH_RECOMPRESS_SECONDS=1 run --separate-stderr recompress "$fsx/over" LZ4
  [ "$status" -eq 1 ]
  [[ "$(end '.failures[0].reason')" == *'took more than 1 s'* ]]
}

@test "a search that fails is no success" {
  FAKE_FIND_FAILS=1 run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 1 ]
  [[ "$(end '.failures[0].reason')" == *'lfs find ended with 5'* ]]
}

@test "a search that is killed ends, and is no success" {
  FAKE_FIND_KILLED=1 run --separate-stderr timeout --kill-after=1 20 "$client/storage/lustre/recompress" "$fsx" LZ4
  [ "$status" -eq 1 ]
  [ "$(end .complete)" = false ]
  [[ "$(end '.failures[0].reason')" == *'lfs find ended with SIGKILL'* ]]
}

@test "numbers of files and seconds with which nothing would be rewritten are refused" {
  local wrong
  for wrong in FILES=0 FILES=all SECONDS=0 SECONDS=9999999; do
    run timeout 20 env "FSXBENCH_RECOMPRESS_$wrong" "$client/storage/lustre/recompress" "$fsx" LZ4
    [ "$status" -eq 2 ]
    [[ "$output" == *"FSXBENCH_RECOMPRESS_${wrong%=*} must be a whole number from 1"*", got ${wrong#*=}"* ]]
  done
  [ "$(count '^lfs')" -eq 0 ]
}

@test "two at once are refused" {
  local gate="$BATS_TEST_TMPDIR/gate"
  FAKE_GATE="$gate" recompress "$fsx" LZ4 >/dev/null 2>&1 3>&- &
  local pid=$!
  await 'a file at hand' begun 1
  run recompress "$fsx" LZ4
  [ "$status" -eq 1 ]
  [[ "$output" == *"another recompress is at work on $fsx"* ]]
  touch "$gate"
  wait "$pid"
}

@test "a directory that is not on Lustre, a type that there is not and a relative path are refused before anything" {
  local elsewhere="$BATS_TEST_TMPDIR/elsewhere"
  mkdir "$elsewhere"
  run recompress "$elsewhere" LZ4
  [ "$status" -eq 2 ]
  [[ "$output" == *"DIR must be on a mounted Lustre file system, got $elsewhere"* ]]
  run recompress "$fsx" lz4
  [ "$status" -eq 2 ]
  [[ "$output" == *'TYPE must be LZ4 or NONE, got lz4'* ]]
  run recompress one LZ4
  [ "$status" -eq 2 ]
  [ "$(count '^lfs')" -eq 0 ]
}

@test "another file system below Lustre is not on it" {
  echo "/dev/nvme1n1 $fsx/local ext4 rw 0 0" >>"$FSXBENCH_ROOT/proc/mounts"
  mkdir -p "$fsx/local/data"
  run recompress "$fsx/local/data" LZ4
  [ "$status" -eq 2 ]
  [[ "$output" == *"DIR must be on a mounted Lustre file system, got $fsx/local/data"* ]]
}

@test "journals are counted on from the eighth, and a slash at the end is the same directory" {
  mkdir "$fsx/none-at-all"
  recompress "$fsx/none-at-all" LZ4
  local first=("$FSXBENCH_STATE"/recompress/*-0001-LZ4.jsonl)
  mv "${first[0]}" "${first[0]/0001/0008}"
  recompress "$fsx/none-at-all/" NONE
  [ -e "${first[0]/0001-LZ4/0009-NONE}" ]
}
