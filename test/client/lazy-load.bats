#!/usr/bin/env bats
# Lazy loading, with an lfs that keeps the state of each file as Lustre prints it: `NAME: (0x0000000d) released exists archived, archive_id:1`.

setup() {
  tool="$BATS_TEST_DIRNAME/../../assets/client/bin/lazy-load"
  fsx="$BATS_TEST_TMPDIR/fsx"
  export FAKE="$BATS_TEST_TMPDIR/fake" recorded="$BATS_TEST_DIRNAME/../fixtures/lustre"
  mkdir -p "$fsx/sub dir" "$FAKE/bin" "$FAKE/released"
  for name in a b c 'sub dir/d:e'; do
    head -c 1000 /dev/zero >"$fsx/$name"
    touch "$FAKE/released/${name##*/}"
  done
  # After hsm_restore a file is there from the second question on.
  cat >"$FAKE/bin/lfs" <<'LFS'
#!/bin/bash
action="$1"
shift
echo "$action $#" >>"$FAKE/calls"
for path in "$@"; do
  marker="$FAKE/released/${path##*/}"
  case "$action" in
  hsm_state)
    if [[ -e "$FAKE/unlinked" || "$path" == */own* ]]; then
      sed "s|^[^:]*|$path|" "$recorded/hsm_state.out"
    elif [[ -e "$FAKE/lost" ]]; then
      echo "$path: (0x00000049) exists archived lost, archive_id:1"
    elif [[ -e "$marker" ]]; then
      echo "$path: (0x0000000d) released exists archived, archive_id:1"
      if [[ -e "$marker.asked" && ! -e "$FAKE/stuck" ]]; then rm "$marker" "$marker.asked"; fi
    else
      echo "$path: (0x00000009) exists archived, archive_id:1"
    fi
    ;;
  hsm_restore) touch "$marker.asked" ;;
  esac
done
LFS
  chmod +x "$FAKE/bin/lfs"
  export PATH="$FAKE/bin:$PATH"
}

# field NAME: of the document in $output
field() { tail -n 1 <<<"$output" | python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }

@test "a directory without a bucket is refused with what it lacks" {
  touch "$FAKE/unlinked"
  run "$tool" first "$fsx"
  [ "$status" -eq 1 ]
  [[ "$output" == *"no file of $fsx is in a bucket: has the file system a data repository association"* ]]
}

@test "files whose objects are gone are named" {
  touch "$FAKE/lost"
  run "$tool" metadata "$fsx"
  [ "$status" -eq 1 ]
  [[ "$output" == *"4 files are lost: their objects are gone from the bucket, such as that of $fsx/a"* ]]
}

@test "what lfs cannot do ends it with what lfs said" {
  printf '#!/bin/sh\ncat "$recorded/hsm_state-missing.out" >&2\nexit 2\n' >"$FAKE/bin/lfs"
  run "$tool" metadata "$fsx"
  [ "$status" -eq 1 ]
  [[ "$output" == *"lfs hsm_state failed with status 2: can't get hsm state for /fsx/nosuch: No such file or directory"* ]]
}

@test "an empty directory, a part beyond the others and another phase are refused" {
  mkdir "$fsx/empty"
  run "$tool" first "$fsx/empty"
  [ "$status" -eq 1 ]
  [[ "$output" == *"must have at least 1 files, got 0"* ]]
  run "$tool" first "$fsx" --part 2 --of 2
  [ "$status" -eq 2 ]
  [[ "$output" == *'--part must be below --of, got 2 of 2'* ]]
  run "$tool" third "$fsx"
  [ "$status" -eq 2 ]
}

@test "metadata reads no data" {
  run "$tool" metadata "$fsx"
  [ "$status" -eq 0 ]
  [ "$(field files) $(field bytes) $(field file_bytes) $(field released_before)" = '4 0 4000 4' ]
  # The walk itself is what takes the time: no microseconds.
  [[ "$(field seconds)" != *e-* ]]
}

@test "a read moves all bytes, and says how many files were in the bucket before it" {
  rm "$FAKE/released/a"
  run "$tool" first "$fsx" --processes 2
  [ "$status" -eq 0 ]
  [ "$(field bytes) $(field released_before)" = '4000 3' ]
}

@test "every file counts once, in the bucket or not, in calls of at most 200, and no link does" {
  touch "$fsx/sub dir"/own{1..249}
  ln -s "$fsx/a" "$fsx/link"
  run "$tool" second "$fsx"
  [ "$status" -eq 0 ]
  [ "$(field files) $(field bytes) $(field released_before)" = '253 4000 4' ]
  [ "$(sort -u "$FAKE/calls" | xargs)" = 'hsm_state 200 hsm_state 53' ]
}

@test "clients share the files without a rest" {
  run "$tool" first "$fsx" --part 0 --of 3
  [ "$(field files)" = 2 ]
  run "$tool" first "$fsx" --part 2 --of 3
  [ "$(field files)" = 1 ]
}

@test "preload asks for what is released, and waits until it is there, with progress" {
  rm "$FAKE/released/a"
  run "$tool" preload "$fsx"
  [ "$status" -eq 0 ]
  [[ "$output" == *'lazy-load: 0%, 0 of 3000 B after 0 s, 3 files to come'* ]]
  [[ "$output" == *'100%, 3000 of 3000 B'* ]]
  [ "$(field bytes) $(field released_after)" = '3000 0' ]
  grep -qx 'hsm_restore 3' "$FAKE/calls"
}

@test "a preload that does not end says how many files are still in the bucket" {
  touch "$FAKE/stuck"
  run "$tool" preload "$fsx" --deadline 1
  [ "$status" -eq 1 ]
  [[ "$output" == *'4 files are still in the bucket after 1 s'* ]]
}
