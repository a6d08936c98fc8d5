#!/usr/bin/env bats
# Open MPI and IOR: built from pinned archives by the builder, and on the clients restored from what it built.

load lib/helper
load lib/mirror

setup() {
  servers=()
  make_machine
  make_mirror
  start_s3
  export FSXBENCH_CACHE_URL=s3://bucket/build-cache/CompressionBench
  bin="$FSXBENCH_ROOT/usr/local/bin"
}

restore_or_build() { "$client/bin/restore-or-build"; }

# As the builder of the stack, which is another machine.
fill_cache() {
  "$client/bin/fill-cache" || return 1
  other_client
}

# Another machine: nothing is installed there.
other_client() { rm -rf "$FSXBENCH_TOOLS" "$bin"; }

built() { grep -c '^ior' "$builds"; }
cached() { echo "$s3"/objects/bucket/build-cache/CompressionBench/openmpi-4.1.8-ior-3.3.0-*/"$1"; }

@test "the builder builds and fills the cache; clients restore, compile nothing and write nothing" {
  fill_cache
  [ -s "$(cached entry)" ]
  : >"$s3/requests.log"
  run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *'restored Open MPI and IOR from s3://bucket/build-cache/CompressionBench/openmpi-4.1.8-ior-3.3.0-'* ]]
  [ "$(built)" -eq 1 ]
  [ "$("$bin/ior")" = 'ior of ior 3.3.0' ]
  [ "$("$bin/mpirun")" = 'mpirun of openmpi 4.1.8' ]
  grep -q -- '--enable-orterun-prefix-by-default' "$FSXBENCH_TOOLS"/*/openmpi.words
  grep -q 'CC=mpicc' "$FSXBENCH_TOOLS"/*/ior.words
  run ! grep -q '^PUT' "$s3/requests.log"
}

@test "the builder builds only what is missing" {
  fill_cache
  : >"$s3/requests.log"
  run fill_cache
  [ "$status" -eq 0 ]
  [ "$(built)" -eq 1 ]
  run ! grep -q '^PUT' "$s3/requests.log"
}

# bats test_tags=all
@test "a client that finds nothing in the cache builds for itself, and keeps it to itself" {
  run restore_or_build
  [ "$status" -eq 0 ]
  [ "$("$bin/ior")" = 'ior of ior 3.3.0' ]
  run ! grep -q '^PUT' "$s3/requests.log"
}

# bats test_tags=all
@test "a builder that may not write the cache fails the deployment, and says so" {
  fake tar <<<'if [[ "$1" == -czf ]]; then echo 403 >"$s3/refuse"; fi; exec /usr/bin/tar "$@"'
  run fill_cache
  [ "$status" -ne 0 ]
  [[ "$output" == *"could not be put into s3://bucket/build-cache/CompressionBench/"*": may the builder's role write there?"* ]]
}

# bats test_tags=all
@test "a second run on the same client asks nobody" {
  restore_or_build
  : >"$s3/requests.log"
  run restore_or_build
  [ "$status" -eq 0 ]
  [ ! -s "$s3/requests.log" ]
}

@test "an archive in the cache that was changed is refused by its sum: a client builds for itself, the builder anew" {
  fill_cache
  # One byte more: one that is written over another may be the same.
  local archive
  archive="$(cached '*.tar.gz')"
  printf 'x' >>"$(echo $archive)"
  run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *'SHA-256 of s3://'*' is not '*': refused'* ]]
  [ "$(built)" -eq 2 ]
  other_client
  fill_cache
  [ "$(built)" -eq 3 ]
  run restore_or_build
  [[ "$output" == *'restored Open MPI and IOR'* ]]
}

# bats test_tags=all
@test "an entry that was made for something else is refused" {
  fill_cache
  sed -i '1s/arch=[^ ]*/arch=riscv64/' "$(cached entry)"
  run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *'the build cache holds something else'*'arch=riscv64'*': refused'* ]]
  [ "$(built)" -eq 2 ]
}

# bats test_tags=all
@test "an entry that names a file elsewhere is refused" {
  fill_cache
  sed -i '3s|.*|../../../runs/CompressionBench/r/raw/x.tar.gz|' "$(cached entry)"
  run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *': refused'* ]]
  [ "$(built)" -eq 2 ]
}

# bats test_tags=all
@test "another version, another sum, another system or another recipe is another key" {
  source "$client/bin/restore-or-build"
  local one
  one="$(identity_text 3.3.0 4.1.8)"
  sed -i 's/2023/2027/' "$FSXBENCH_ROOT/etc/os-release"
  [ "$(identity_text 3.3.0 4.1.8)" != "$one" ]
  sed -i 's/2027/2023/' "$FSXBENCH_ROOT/etc/os-release"
  [ "$(identity_text 3.3.0 4.1.8)" = "$one" ]
  sed -i -E 's/^(ior\t3.3.0\t)[0-9a-f]{8}/\1deadbeef/' "$FSXBENCH_TOOLS_FILE"
  [ "$(identity_text 3.3.0 4.1.8)" != "$one" ]
}

@test "a build that fails says why, and leaves nothing that looks installed or cached" {
  FAKE_BUILD_FAILS=1 run fill_cache
  [ "$status" -ne 0 ]
  [[ "$output" == *'make of Open MPI 4.1.8 failed: '*'error: no compiler'* ]]
  run ! grep -q '^PUT' "$s3/requests.log"
  run restore_or_build
  [ "$status" -eq 0 ]
  [ "$(built)" -eq 1 ]
}

@test "a build that takes too long is ended" {
  FAKE_BUILD_SECONDS=30 FSXBENCH_BUILD_SECONDS=1 run restore_or_build
  [ "$status" -ne 0 ]
  [[ "$output" == *'make of Open MPI 4.1.8 failed'* ]]
}

# bats test_tags=all
@test "a cache that cannot be read is a warning: the client builds for itself" {
  echo 403 >"$s3/refuse"
  run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *'the build cache cannot be read: s3: GET'*'answered 403'* ]]
  [ "$("$bin/ior")" = 'ior of ior 3.3.0' ]
}

# bats test_tags=all
@test "what was restored but does not run here is refused" {
  "$client/bin/fill-cache"
  # As if built for another processor: mpirun cannot be executed.
  local key
  key="$(basename "$(dirname "$(cached entry)")")"
  printf 'not a program' >"$FSXBENCH_TOOLS/$key/bin/mpirun"
  tar -czf "$BATS_TEST_TMPDIR/new.tar.gz" -C "$FSXBENCH_TOOLS" "$key"
  local sum
  sum="$(sha256sum "$BATS_TEST_TMPDIR/new.tar.gz" | cut -d ' ' -f 1)"
  object "bucket/build-cache/CompressionBench/$key/$sum.tar.gz" <"$BATS_TEST_TMPDIR/new.tar.gz"
  printf '%s\n%s\n%s\n' "$(head -n 1 "$(cached entry)")" "$sum" "$sum.tar.gz" >"$BATS_TEST_TMPDIR/entry"
  cp "$BATS_TEST_TMPDIR/entry" "$(cached entry)"
  other_client
  run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *'does not run here: refused'* ]]
  [ "$("$bin/mpirun")" = 'mpirun of openmpi 4.1.8' ]
}

# The archive of an installer that puts libfabric where AWS's does.
make_efa() {
  local source="$BATS_TEST_TMPDIR/source/aws-efa-installer" file="$mirror/aws-efa-installer-1.47.0.tar.gz"
  mkdir -p "$source"
  cat >"$source/efa_installer.sh" <<'BODY'
#!/bin/bash
printf '%s\n' "$*" >>"$BATS_TEST_TMPDIR/efa.words"
test -z "${EFA_FAILS:-}" || { echo 'no such repository' >&2; exit 1; }
test -z "${EFA_LEAVES_NOTHING:-}" || exit 0
mkdir -p "$FSXBENCH_ROOT/opt/amazon/efa/include/rdma" && touch "$FSXBENCH_ROOT/opt/amazon/efa/include/rdma/fabric.h"
BODY
  chmod +x "$source/efa_installer.sh"
  tar -C "$BATS_TEST_TMPDIR/source" -caf "$file" aws-efa-installer
  printf 'efa-installer\t1.47.0\t%s\tfile://%s\n' "$(sha256sum "$file" | cut -d ' ' -f 1)" "$file" >>"$FSXBENCH_TOOLS_FILE"
  export BATS_TEST_TMPDIR FSXBENCH_MPI_EFA=true
}

# bats test_tags=all
@test "for MPI over EFA, Open MPI is built with AWS's libfabric, and is another build than the one for TCP" {
  fill_cache
  make_efa
  fill_cache
  [ "$(built)" -eq 2 ]
  [ "$(cat "$BATS_TEST_TMPDIR/efa.words")" = '-y --skip-kmod --skip-limit-conf --no-verify' ]
  run restore_or_build
  [ "$status" -eq 0 ]
  [[ "$output" == *'restored Open MPI and IOR'* ]]
  grep -q -- "--with-ofi=$FSXBENCH_ROOT/opt/amazon/efa" "$FSXBENCH_TOOLS"/*/openmpi.words
}

# bats test_tags=all
@test "a node whose image has libfabric installs none" {
  make_efa
  mkdir -p "$FSXBENCH_ROOT/opt/amazon/efa/include/rdma"
  touch "$FSXBENCH_ROOT/opt/amazon/efa/include/rdma/fabric.h"
  restore_or_build
  [ ! -e "$BATS_TEST_TMPDIR/efa.words" ]
}

# bats test_tags=all
@test "an Open MPI that would take TCP in place of EFA is no build" {
  make_efa
  FAKE_WITHOUT_OFI=1 run fill_cache
  [ "$status" -ne 0 ]
  [[ "$output" == *'Open MPI 4.1.8 was built without libfabric, so that it would take TCP'* ]]
}

# bats test_tags=all
@test "an installer of EFA that fails says why" {
  make_efa
  EFA_FAILS=1 run fill_cache
  [ "$status" -ne 0 ]
  [[ "$output" == *'the installer of EFA 1.47.0 failed: no such repository'* ]]
}

# bats test_tags=all
@test "an installer of EFA that leaves no libfabric is no success" {
  make_efa
  EFA_LEAVES_NOTHING=1 run fill_cache
  [ "$status" -ne 0 ]
  [[ "$output" == *"the installer of EFA 1.47.0 left no libfabric in $FSXBENCH_ROOT/opt/amazon/efa"* ]]
}
