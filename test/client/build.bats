#!/usr/bin/env bats
# Open MPI and IOR on the client: built from pinned archives, or restored from what another client built.

load lib/helper
load lib/mirror

setup() {
  servers=()
  make_machine
  make_mirror
  start_s3
  export FSXBENCH_CACHE_URL=s3://bucket/build-cache
  bin="$FSXBENCH_ROOT/usr/local/bin"
}

teardown() { stop_servers; }

restore_or_build() { "$client/bin/restore-or-build"; }

# As another client of the fleet: nothing is installed there.
other_client() { rm -rf "$FSXBENCH_TOOLS" "$bin"; }

built() { grep -c '^ior' "$builds"; }
cached() { echo "$s3"/objects/bucket/build-cache/openmpi-4.1.8-ior-3.3.0-*/"$1"; }

@test "the first client builds, puts the result into the cache, and its programs are on PATH" {
  run restore_or_build
  [ "$status" -eq 0 ]
  [ "$("$bin/ior")" = 'ior of ior 3.3.0' ]
  [ "$("$bin/mpirun")" = 'mpirun of openmpi 4.1.8' ]
  [ -s "$(cached entry)" ]
  grep -q -- '--enable-orterun-prefix-by-default' "$FSXBENCH_TOOLS"/*/openmpi.words
  grep -q 'CC=mpicc' "$FSXBENCH_TOOLS"/*/ior.words
}

@test "the next client restores and compiles nothing" {
  restore_or_build
  other_client
  run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *'restored Open MPI and IOR from s3://bucket/build-cache/openmpi-4.1.8-ior-3.3.0-'* ]]
  [ "$(built)" -eq 1 ]
  [ "$("$bin/ior")" = 'ior of ior 3.3.0' ]
}

@test "a second run on the same client asks nobody" {
  restore_or_build
  : >"$s3/requests.log"
  run restore_or_build
  [ "$status" -eq 0 ]
  [ ! -s "$s3/requests.log" ]
}

@test "of clients that start together one compiles and the others wait for it" {
  unshare --mount --map-root-user true 2>/dev/null || skip 'needs mount namespaces, for a disk of its own for each client'
  export FAKE_BUILD_SECONDS=2
  local number pids=()
  mkdir -p "$FSXBENCH_TOOLS"
  for number in 1 2 3 4; do
    mkdir -p "$BATS_TEST_TMPDIR/disk-$number"
    # The path of the tools is compiled in, so it is the same on all clients; what lies there is each client's own.
    unshare --mount --map-root-user bash -c \
      'mount --bind "$1" "$FSXBENCH_TOOLS" && exec "$client/bin/restore-or-build"' client "$BATS_TEST_TMPDIR/disk-$number" \
      >"$BATS_TEST_TMPDIR/log-$number" 2>&1 &
    pids+=("$!")
  done
  wait "${pids[@]}"
  [ "$(built)" -eq 1 ]
  [ "$(ls "$BATS_TEST_TMPDIR"/disk-*/*/bin/ior | wc -l)" -eq 4 ]
  [ "$(grep -l 'restored Open MPI and IOR' "$BATS_TEST_TMPDIR"/log-* | wc -l)" -eq 3 ]
}

@test "an archive in the cache that was changed is refused by its sum and built again" {
  restore_or_build
  other_client
  local archive
  archive="$(cached '*.tar.gz')"
  # One byte more: one that is written over another may be the same.
  printf 'x' >>"$(echo $archive)"
  run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *'SHA-256 of s3://'*' is not '*': refused'* ]]
  [ "$(built)" -eq 2 ]
  other_client
  run restore_or_build
  [[ "$output" == *'restored Open MPI and IOR'* ]]
}

@test "an entry that was made for something else is refused and built again" {
  restore_or_build
  other_client
  sed -i '1s/arch=[^ ]*/arch=riscv64/' "$(cached entry)"
  run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *'the build cache holds something else'*'arch=riscv64'*': refused'* ]]
  [ "$(built)" -eq 2 ]
}

@test "another version, another sum, another system or another recipe is another key" {
  source "$client/bin/restore-or-build"
  set +o errexit
  local one
  one="$(identity_text 3.3.0 4.1.8)"
  sed -i 's/2023/2027/' "$FSXBENCH_ROOT/etc/os-release"
  [ "$(identity_text 3.3.0 4.1.8)" != "$one" ]
  sed -i 's/2027/2023/' "$FSXBENCH_ROOT/etc/os-release"
  [ "$(identity_text 3.3.0 4.1.8)" = "$one" ]
  sed -i 's/^\(ior\t3.3.0\t\)./\1f/' "$FSXBENCH_TOOLS_FILE"
  [ "$(identity_text 3.3.0 4.1.8)" != "$one" ]
}

@test "a lock whose holder died is taken over when its time is over" {
  local key
  restore_or_build
  key="$(basename "$(dirname "$(cached entry)")")"
  other_client
  rm "$(cached entry)"
  printf 'ip-10-0-1-9-77 %s\n' "$(($(date +%s) + 3))" | object "bucket/build-cache/$key/lock"
  run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *'waiting for the build of ip-10-0-1-9-77'* ]]
  [ "$(built)" -eq 2 ]
}

@test "a holder that never ends is waited for only so long; then the client builds for itself" {
  local key
  restore_or_build
  key="$(basename "$(dirname "$(cached entry)")")"
  other_client
  rm "$(cached entry)"
  printf 'ip-10-0-1-9-77 %s\n' "$(($(date +%s) + 3600))" | object "bucket/build-cache/$key/lock"
  FSXBENCH_WAIT_SECONDS=1 run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *'ip-10-0-1-9-77 has been building for 1s: not waiting any longer'* ]]
  [ "$(built)" -eq 2 ]
}

@test "a lease is renewed while its holder builds" {
  FAKE_BUILD_SECONDS=4 FSXBENCH_LEASE_SECONDS=3 restore_or_build
  # Taken, renewed at least twice, given up.
  [ "$(grep -c 'PUT .*/lock 200' "$s3/requests.log")" -ge 4 ]
}

@test "a build that fails gives its lock up, says why, and leaves nothing that looks installed" {
  FAKE_BUILD_FAILS=1 run restore_or_build
  [ "$status" -ne 0 ]
  [[ "$output" == *'make of Open MPI 4.1.8 failed: '*'error: no compiler'* ]]
  read -r _ until <"$(cached lock)"
  (($(date +%s) >= until))
  run restore_or_build
  [ "$status" -eq 0 ]
}

@test "a build that takes too long is ended" {
  FAKE_BUILD_SECONDS=30 FSXBENCH_BUILD_SECONDS=1 run restore_or_build
  [ "$status" -ne 0 ]
  [[ "$output" == *'make of Open MPI 4.1.8 failed'* ]]
}

@test "a cache that cannot be used is a warning: the client builds for itself" {
  echo 403 >"$s3/refuse"
  run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *'the build cache cannot be written, so this client builds for itself: s3: PUT'*'answered 403'* ]]
  [ "$("$bin/ior")" = 'ior of ior 3.3.0' ]
}

@test "what was restored but does not run here is refused" {
  restore_or_build
  # As if built for another processor: mpirun cannot be executed.
  local key
  key="$(basename "$(dirname "$(cached entry)")")"
  printf 'not a program' >"$FSXBENCH_TOOLS/$key/bin/mpirun"
  tar -czf "$BATS_TEST_TMPDIR/new.tar.gz" -C "$FSXBENCH_TOOLS" "$key"
  local sum
  sum="$(sha256sum "$BATS_TEST_TMPDIR/new.tar.gz" | cut -d ' ' -f 1)"
  object "bucket/build-cache/$key/$sum.tar.gz" <"$BATS_TEST_TMPDIR/new.tar.gz"
  printf '%s\n%s\n%s\n' "$(head -n 1 "$(cached entry)")" "$sum" "$sum.tar.gz" >"$BATS_TEST_TMPDIR/entry"
  cp "$BATS_TEST_TMPDIR/entry" "$(cached entry)"
  other_client
  run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *'does not run here: refused'* ]]
  [ "$("$bin/mpirun")" = 'mpirun of openmpi 4.1.8' ]
}
