#!/usr/bin/env bats
# recompress: every file once, a bounded number at a time, and after an interruption only the rest. lfs answers as 2.15.8 did.

load ../../client/lib/helper
load ../../support/lustre/substitute

setup() {
  make_machine
  export_replay
  export FSXBENCH_STATE="$BATS_TEST_TMPDIR/state" fsx="$BATS_TEST_TMPDIR/fsx" sources="$recorded/sources.json"
  # The tree that `lfs find` listed when it was recorded, with data in the files.
  while read -r file; do
    mkdir -p "$(dirname "${file/#\/fsx/$fsx}")"
    head -c 65536 /dev/zero >"${file/#\/fsx/$fsx}"
  done <"$recorded/lfs-find.out"
  sed "s| /fsx | $fsx |" "$recorded/mount-proc.out" >"$FSXBENCH_ROOT/proc/mounts"
  use_lustre "$fsx" fsxvol
  export MIGRATED="$LUSTRE_SUBSTITUTE/migrated.log"
  : >"$MIGRATED"
  # FAKE_FIND ends the search, FAKE_GONE is a file that is listed but not there, or goes when it is migrated; FAKE_FAILS is refused in recorded words.
  fake lfs <<BODY
case "\$1 \${FAKE_FIND:-}" in
  'find fails') exit 5 ;;
  'find killed') kill -KILL \$\$ ;;
  find*) if [[ -n "\${FAKE_GONE:-}" ]]; then printf '%s\0' "\$2/gone"; fi ;;
  migrate*)
    if [[ -n "\${FAKE_GONE:-}" && "\$*" == *"\$FAKE_GONE" ]]; then rm "\${@: -1}" && exit 2; fi
    if [[ -n "\${FAKE_FAILS:-}" && "\$*" == *"\$FAKE_FAILS" ]]; then replay "\$FAKE_FAILURE"; exit; fi
    ;;
esac
exec "$(command -v lfs)" "\$@"
BODY
}

recompress() { "$client/storage/lustre/recompress" "$@"; }
migrated() { grep -c '^end /' "$MIGRATED" || true; }
# reached NUMBER begin|swapped: so many files are at hand, or have their new objects.
reached() { (($(grep -c "^$2" "$MIGRATED") >= $1)); }
# The last event, or a member of it.
end() { tail -n 1 <<<"$output" | node -p "JSON.stringify(JSON.parse(require('fs').readFileSync(0,'utf8'))$1)"; }

@test "rewrites every file non-blocking and with its own layout; with the documented one where that is asked for" {
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(migrated)" -eq 7 ]
  [ "$(count '^lfs migrate -n --copy=(/.*) \1$')" -eq 7 ]
  [ "$(count '^lfs find .* -type f ! -L released --print0$')" -eq 1 ]
  run --separate-stderr recompress "$fsx" NONE --layout default
  [ "$(count '^lfs migrate -n -E 100M -c 1 -E 10G -c 8 -E 100G -c 16 -E -1 -c 32 /')" -eq 7 ]
  [ "$(end .ownLayout)" -eq 7 ]
  # They have it now, even on fewer targets than it could use.
  run --separate-stderr recompress "$fsx" LZ4 --layout default --survey
  [ "$(end .ownLayout)" -eq 0 ]
}

@test "a survey counts the files that are to be rewritten and lose their layout, and rewrites none" {
  run --separate-stderr recompress "$fsx" LZ4 --layout default --survey
  [ "$status" -eq 0 ]
  [ "$(end .remaining)" -eq 7 ]
  [ "$(end .ownLayout)" -eq 7 ]
  [ "$(migrated)" -eq 0 ]
  [ ! -e "$FSXBENCH_STATE/recompress/"*.jsonl ]
}

@test "what lfs find leaves out is found: files released to S3, others, and those whose layout nobody knows" {
  lustre_mark "$fsx/one/file" released
  lustre_mark "$fsx/all/file" unknown
  # As after a mount: lfs find lists nothing, and lfs getstripe gets the layouts.
  FAKE_FIND=empty run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 1 ]
  [ "$(end .found)" -eq 7 ]
  [ "$(end .done)" -eq 5 ]
  [ "$(end .released)" -eq 1 ]
  [ "$(end .unknown)" -eq 1 ]
  [ "$(end '.failures[0].path.endsWith("/all/file")')" = true ]
  [ "$(count 'migrate .*/(one|all)/file$')" -eq 0 ]
}

# bats test_tags=all
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

# bats test_tags=all
@test "a switch that was made just now begins anew, though the last journal is of the same type" {
  recompress "$fsx" LZ4 >/dev/null
  FSXBENCH_RECOMPRESS_NEW=1 recompress "$fsx" LZ4 >/dev/null
  [ "$(migrated)" -eq 14 ]
}

# bats test_tags=all
@test "blocks are looked at when a file is synced, before and after: 56 MB saved are no loss" {
  NODE_OPTIONS="--import $lib/stale-blocks.mjs" run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(end .bytesBefore)" -ge $((7 * 65536)) ]
  [ "$(end .bytesAfter)" -lt 65536 ]
}

# bats test_tags=all
@test "a hole is no compression, and the rest of a block is no data: what is neither counts as data" {
  truncate -s 64M "$fsx/one/file"
  truncate -s 65000 "$fsx/all/file"
  run --separate-stderr recompress "$fsx" LZ4
  [ "$(end .logicalBytes)" -eq $((5 * 65536 + 65000 + 64 * 1024 * 1024)) ]
  [ "$(end .dataBytes)" -eq $((6 * 65536 + 65000)) ]
}

# refused BECAUSE NEXT: a file that lfs refuses like that is named with its next step, and the others are done.
refused() {
  lustre_refuse "$fsx/one/file" "$1"
  refused_with "$2"
}

refused_with() {
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 1 ]
  [ "$(migrated)" -eq 6 ]
  [ "$(end .failed)" -eq 1 ]
  [ "$(end '.nextSteps.length')" -eq 1 ]
  [ "$(end '.nextSteps[0].files')" -eq 1 ]
  [[ "$(end '.nextSteps[0].next')" == *"$1"* ]]
  [ "$(end '.failures[0].next')" = "$(end '.nextSteps[0].next')" ]
}

@test "an immutable file needs chattr -i" { refused immutable 'it is immutable: chattr -i lets it be rewritten, then'; }

@test "an append-only file, which lfs refuses in the same words, needs chattr -a" { refused append-only 'it is append-only: chattr -a lets it be rewritten, then'; }

# bats test_tags=all
@test "a file that is not allowed for another reason names both" {
  FAKE_FAILS=/one/file FAKE_FAILURE=migrate-immutable refused_with 'immutable (i) or append-only (a): chattr -i lets it be rewritten, or chattr -a'
}

# bats test_tags=all
@test "a program that runs must be ended first" { refused running 'it is a program that runs: end it, then'; }

# bats test_tags=all
@test "a file that is open for writing must be closed first" { refused open 'it is open for writing: close it, then'; }

# bats test_tags=all
@test "a file that was written to meanwhile is for the next run" {
  FAKE_FAILS=/one/file FAKE_FAILURE=mirror-migrate refused_with 'it was written to meanwhile: run the same command again'
}

# bats test_tags=all
@test "an lfs that cannot keep layouts is told as that" {
  fake lfs <<<'if [[ "$1" == migrate ]]; then echo "lfs migrate: unrecognized option '"'--copy=x'"'" >&2; echo usage >&2; exit 1; fi; find "$2" -type f -print0'
  run --separate-stderr recompress "$fsx/one" LZ4
  [ "$status" -eq 1 ]
  [[ "$(end '.failures[0].reason')" == *"unrecognized option '--copy"* ]]
  [[ "$(end '.nextSteps[0].next')" == *'--layout default"' ]]
}

@test "a mirrored file is named and left alone: migrating it fails and leaves its mirrors stale" {
  lustre_layout "$fsx/one/file" 'mirrors 2' 'EOF 1 1048576 raid0 0' 'EOF 1 1048576 raid0 1'
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 1 ]
  [ "$(migrated)" -eq 6 ]
  [ "$(count '^lfs migrate .*/one/file$')" -eq 0 ]
  [ "$(end .leftAlone)" -eq 1 ]
  [ "$(end .failed)" -eq 0 ]
  [[ "$(end '.failures[0].reason')" == *'it has 2 mirrors'* ]]
}

# bats test_tags=all
@test "a file with data on the metadata target is left alone, with the command that rewrites it" {
  lustre_layout "$fsx/one/file" '65536 0 65536 mdt 0' 'EOF 1 65536 raid0 -'
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 1 ]
  [ "$(end .leftAlone)" -eq 1 ]
  [[ "$(end '.nextSteps[0].next')" == *'lfs migrate -n -E 64K -L mdt -E -1 -c 1 FILE'* ]]
}

@test "a name that is not UTF-8 is rewritten like any other, and shown with its bytes" {
  head -c 4096 /dev/zero >"$fsx/one/caf"$'\xe9'
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(end .done)" -eq 8 ]
  [ "$(migrated)" -eq 8 ]
  grep -qF '/one/caf\\xe9"' "$FSXBENCH_STATE"/recompress/*-LZ4.jsonl
}

# bats test_tags=all
@test "a file that lfs refuses is told in lfs' words, does not stop the others, and is tried again" {
  FAKE_FAILS=/one/file FAKE_FAILURE=migrate-missing run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 1 ]
  [ "$(migrated)" -eq 6 ]
  [ "$(end '.failures[0].path.endsWith("/one/file")')" = true ]
  [[ "$(end '.failures[0].reason')" == *'error: lfs migrate: /fsx/nosuch: cannot open source file'* ]]
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(migrated)" -eq 7 ]
}

# bats test_tags=all
@test "works on no more files at a time than asked" {
  local most
  lustre_close gate
  FSXBENCH_RECOMPRESS_FILES=3 recompress "$fsx" LZ4 >/dev/null 3>&- &
  await 'three files at hand' reached 3 begin
  lustre_open gate
  wait $!
  most="$(awk '/^begin/ { if (++now > most) most = now } /^end/ { now-- } END { print most }' "$MIGRATED")"
  [ "$most" -eq 3 ]
}

# interrupt GATE SIGNAL…: sends these to the process group of a recompress with two files at hand, as a terminal does, and then opens the gate.
interrupt() {
  local gate="$1" pid status=0 signal
  shift
  lustre_close "$gate"
  # The program, not the function: its process is what gets the signal.
  FSXBENCH_RECOMPRESS_FILES=2 setsid "$client/storage/lustre/recompress" "$fsx" LZ4 >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
  pid=$!
  await 'two files at hand' reached 2 "${gate/gate/begin}"
  for signal in "$@"; do
    kill "-$signal" -- "-$pid"
    await 'its answer' grep -q 'finishing the files at hand' "$BATS_TEST_TMPDIR/err"
  done
  if (($# == 1)); then lustre_open "$gate"; fi
  wait "$pid" || status=$?
  lustre_open "$gate"
  [ "$status" -eq 1 ]
  output="$(<"$BATS_TEST_TMPDIR/out")"
  [ "$(end .state)" = '"interrupted"' ]
}

# The next run does the rest, and knows what all of them had before.
does_the_rest() {
  run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 0 ]
  [ "$(end .done)" -eq 7 ]
  [ "$(end .bytesBefore)" -ge $((7 * 65536)) ]
}

@test "the first Ctrl-C finishes the files at hand, whose lfs it does not reach, and the next run does the rest only" {
  interrupt gate INT
  [ "$(migrated)" -eq 2 ]
  [ "$(end .done)" -eq 2 ]
  does_the_rest
  [ "$(migrated)" -eq 7 ]
}

# bats test_tags=all
@test "a second Ctrl-C breaks off the files at hand, and what was swapped just before still counts as saved" {
  interrupt swapped INT INT
  [ "$(migrated)" -eq 0 ]
  [ "$(end .done)" -eq 0 ]
  [ "$(end .failed)" -eq 0 ]
  does_the_rest
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

# bats test_tags=all
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

# bats test_tags=all
@test "a file that takes too long is given up and told" {
  lustre_close gate
  FSXBENCH_RECOMPRESS_SECONDS=1 run --separate-stderr recompress "$fsx/over" LZ4
  [ "$status" -eq 1 ]
  [[ "$(end '.failures[0].reason')" == *'took more than 1 s'* ]]
}

# bats test_tags=all
@test "a search that fails or is killed ends, and is no success" {
  FAKE_FIND=fails run --separate-stderr recompress "$fsx" LZ4
  [ "$status" -eq 1 ]
  [[ "$(end '.failures[0].reason')" == *'lfs find ended with 5'* ]]
  FAKE_FIND=killed run --separate-stderr timeout --kill-after=1 20 "$client/storage/lustre/recompress" "$fsx" LZ4
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

# at_once FIRST SECOND: while FIRST is rewritten, SECOND is refused or not.
at_once() {
  local pid
  lustre_close gate
  FSXBENCH_RECOMPRESS_NEW=1 recompress "$1" LZ4 >/dev/null 2>&1 3>&- &
  pid=$!
  await 'a file at hand' reached 1 begin
  run timeout 5 "$client/storage/lustre/recompress" "$2" LZ4
  lustre_open gate
  wait "$pid"
  : >"$MIGRATED"
}

@test "a directory, one above it and one below it are not rewritten at the same time, whatever they are mounted or called as" {
  local second mounted="$BATS_TEST_TMPDIR/mounted" bound="$BATS_TEST_TMPDIR/bound"
  mkdir -p "$mounted" "$bound" "$fsx/one/below" "$FSXBENCH_ROOT/proc/self"
  ln -s "$fsx/one" "$BATS_TEST_TMPDIR/link"
  echo "172.31.8.16@tcp:/fsxvol/one/below $mounted lustre rw 0 0" >>"$FSXBENCH_ROOT/proc/mounts"
  echo "172.31.8.15@tcp:/fsxvol $bound lustre rw 0 0" >>"$FSXBENCH_ROOT/proc/mounts"
  echo "40 30 0:44 /one $bound rw - lustre 172.31.8.15@tcp:/fsxvol rw" >"$FSXBENCH_ROOT/proc/self/mountinfo"
  for second in "$fsx/one" "$fsx" "$fsx/one/below" "$fsx/all/../one/" "$BATS_TEST_TMPDIR/link" "$mounted" "$bound" "$bound/"; do
    at_once "$fsx/one" "$second"
    [ "$status" -eq 1 ]
    [[ "$output" == *"another recompress is still running on "*', or on a directory above or below it: wait until it ends'* ]]
  done
}

@test "directories next to each other, and those of another file system, are rewritten at the same time" {
  local other="$BATS_TEST_TMPDIR/other" second
  mkdir -p "$other/one" "$fsx/one-2"
  echo "172.31.8.15@tcp:/fsxvol2 $other lustre rw 0 0" >>"$FSXBENCH_ROOT/proc/mounts"
  for second in "$fsx/one-2" "$other/one" "$other"; do
    at_once "$fsx/one" "$second"
    [ "$status" -eq 0 ]
  done
}

@test "the journal belongs to the path in the file system: another mount of the directory has nothing left to do" {
  local mounted="$BATS_TEST_TMPDIR/mounted"
  mkdir "$mounted"
  recompress "$fsx/one" LZ4 >/dev/null
  # Same files, as a mount of the folder has them.
  ln "$fsx"/one/* "$mounted"
  echo "172.31.8.15@tcp:/fsxvol/one $mounted lustre rw 0 0" >>"$FSXBENCH_ROOT/proc/mounts"
  : >"$MIGRATED"
  run --separate-stderr recompress "$mounted" LZ4
  [ "$status" -eq 0 ]
  [ "$(migrated)" -eq 0 ]
  [ "$(end .done)" -eq 3 ]
}

@test "file system, folder and servers of each source, as TypeScript has them" {
  node -p 'JSON.parse(fs.readFileSync(process.env.sources)).sources.map(({ source, fileSystem, folder, nids }) => [source, fileSystem, folder, ...nids].join("\t")).join("\n")' >"$BATS_TEST_TMPDIR/wanted"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/wanted")" -ge 12 ]
  while IFS= read -r line; do
    run node "$client/storage/lustre/source.mjs" "${line%%$'\t'*}"
    [ "$output" = "$(tr '\t' '\n' <<<"${line#*$'\t'}")" ]
  done <"$BATS_TEST_TMPDIR/wanted"
  while IFS= read -r line; do
    run node "$client/storage/lustre/source.mjs" "$line"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
  done < <(node -p 'JSON.parse(fs.readFileSync(process.env.sources)).refused.join("\n")')
}

@test "a directory that is not on Lustre, a type that there is not and a relative path are refused before anything" {
  local elsewhere="$BATS_TEST_TMPDIR/elsewhere"
  mkdir "$elsewhere"
  run recompress "$elsewhere" LZ4
  [ "$status" -eq 2 ]
  [[ "$output" == *"DIR must be on a mounted Lustre file system, got $elsewhere"* ]]
  # A link on Lustre that leads away from it.
  ln -s "$elsewhere" "$fsx/link"
  run recompress "$fsx/link" LZ4
  [ "$status" -eq 2 ]
  [[ "$output" == *"DIR must be on a mounted Lustre file system, got $elsewhere"* ]]
  run recompress "$fsx/none" LZ4
  [ "$status" -eq 2 ]
  [[ "$output" == *"DIR must be a directory that answers, got $fsx/none"* ]]
  run recompress "$fsx" LZ4 --layout own
  [ "$status" -eq 2 ]
  [[ "$output" == *"--layout must be keep or default, got 'own'"* ]]
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
