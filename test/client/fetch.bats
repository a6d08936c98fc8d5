#!/usr/bin/env bats
# fetch-verified and the table of archives: nothing is built from bytes that were not pinned.

load lib/helper

setup() {
  servers=()
  make_machine
  printf 'the archive\n' >"$BATS_TEST_TMPDIR/archive.tar.gz"
  sum="$(sha256sum "$BATS_TEST_TMPDIR/archive.tar.gz" | cut -d ' ' -f 1)"
  url="file://$BATS_TEST_TMPDIR/archive.tar.gz"
  out="$BATS_TEST_TMPDIR/out"
  fake sleep <<<''
}

fetch() { "$client/bin/fetch-verified" "$@"; }

@test "keeps a file with the right sum, in place of one with another, and leaves it alone the second time" {
  echo cut >"$out"
  fetch "$url" "$sum" "$out"
  cmp "$out" "$BATS_TEST_TMPDIR/archive.tar.gz"
  rm "$BATS_TEST_TMPDIR/archive.tar.gz"
  run fetch "$url" "$sum" "$out"
  [ "$status" -eq 0 ]
}

@test "a file with another sum is refused and not kept" {
  run fetch "$url" "${sum//[0-9]/0}" "$out"
  [ "$status" -eq 1 ]
  [[ "$output" == *"SHA-256 of $url must be ${sum//[0-9]/0}, got $sum: it is not the archive that was pinned"* ]]
  [ -z "$(find "$BATS_TEST_TMPDIR" -name 'out*')" ]
}

@test "a download that is cut is tried again, and what came of it is never kept" {
  start_server "$lib/cutting-server.mjs" "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/port"
  local address
  address="http://127.0.0.1:$(<"$BATS_TEST_TMPDIR/port")"
  run fetch "$address/cut-twice/archive.tar.gz" "$sum" "$out"
  [ "$status" -eq 0 ]
  cmp "$out" "$BATS_TEST_TMPDIR/archive.tar.gz"
  rm "$out"
  run fetch "$address/cut-always/archive.tar.gz" "$sum" "$out"
  [ "$status" -eq 1 ]
  [ -z "$(find "$BATS_TEST_TMPDIR" -name 'out*')" ]
}

@test "without a way to the internet a copy in the build cache will do, and its sum is checked as well" {
  start_s3
  export FSXBENCH_CACHE_URL=s3://bucket/build-cache
  object bucket/build-cache/sources/archive.tar.gz <"$BATS_TEST_TMPDIR/archive.tar.gz"
  run fetch http://127.0.0.1:9/archive.tar.gz "$sum" "$out"
  [ "$status" -eq 0 ]
  cmp "$out" "$BATS_TEST_TMPDIR/archive.tar.gz"
  rm "$out"
  echo other | object bucket/build-cache/sources/archive.tar.gz
  run fetch http://127.0.0.1:9/archive.tar.gz "$sum" "$out"
  [ "$status" -eq 1 ]
  [ ! -e "$out" ]
}

@test "with neither it says where to put the file" {
  start_s3
  FSXBENCH_CACHE_URL=s3://bucket/build-cache run fetch http://127.0.0.1:9/archive.tar.gz "$sum" "$out"
  [ "$status" -eq 1 ]
  [[ "$output" == *'put the file at s3://bucket/build-cache/sources/archive.tar.gz'* ]]
}

@test "a sum that is none is refused before anything is fetched" {
  run fetch "$url" abc "$out"
  [ "$status" -eq 1 ]
  [[ "$output" == *"'SHA256' must be 64 hexadecimal digits, got 'abc'"* ]]
}

@test "every archive of the table has a whole sum, an https address with its version, and a script that takes it" {
  local name version sum address
  while IFS=$'\t' read -r name version sum address; do
    [[ "$sum" =~ ^[0-9a-f]{64}$ && "$address" == https://*"$version"* ]]
    grep -qw -- "$name" "$client"/bin/build-* "$client"/bin/install-efa "$client"/../storage/*/build-*
  done < <(grep -v '^#' "$client/tools.tsv")
}

@test "a version without a pinned sum is refused with those that have one" {
  source "$client/lib/common.sh"
  source "$client/lib/tools.sh"
  run tool_source ior 3.2.1
  [ "$status" -eq 1 ]
  [[ "$output" == *"version of ior must be one of 3.3.0, 4.0.0, got '3.2.1'"* ]]
}
