#!/usr/bin/env bats
# IOR, mdtest and fio in a directory that machines share, built by whoever may install nothing: from small archives in the shape of theirs.

load lib/helper
load lib/mirror

setup() {
  make_machine
  make_mirror
  archive fio 3.37 tar.gz fio
  # fio is made, and not installed.
  printf 'fio:\n\tsleep $${FAKE_BUILD_SECONDS:-0}\n\techo made >>$(builds)\n\tprintf "#!/bin/bash\\necho fio-3.37\\n" >fio\n' >>"$BATS_FILE_TMPDIR/source/fio-3.37/Makefile"
  tar -C "$BATS_FILE_TMPDIR/source" -caf "$mirror/fio-3.37.tar.gz" fio-3.37
  tabled fio 3.37 "file://$mirror/fio-3.37.tar.gz"
  shared="$BATS_TEST_TMPDIR/their home"
  mkdir "$shared" "$BATS_TEST_TMPDIR/tmp"
  export TMPDIR="$BATS_TEST_TMPDIR/tmp"
  unset FSXBENCH_IOR_VERSION FSXBENCH_CACHE_URL
  fake sleep <<<''
  fake mpirun <<<'echo "mpirun (Open MPI) 4.1.4"'
  fake mpicc <<<'echo "mpicc: Open MPI 4.1.4 (Language: C)"'
  fake_all autoconf automake
}

# tabled NAME VERSION ADDRESS: its line in the table of archives.
tabled() {
  local file="$mirror/$1-$2.tar.gz"
  sed -i "/^$1\t/d" "$FSXBENCH_TOOLS_FILE"
  printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$(sha256sum "$file" | cut -d ' ' -f 1)" "$3" >>"$FSXBENCH_TOOLS_FILE"
}

build_tools() { "$client/bin/build-tools" "$@" 2>"$BATS_TEST_TMPDIR/said"; }
said() { cat "$BATS_TEST_TMPDIR/said"; }

@test "they are built once, found the second time, and nothing else is left" {
  run build_tools --found "$shared"
  [ "$status" -eq 4 ]
  [ -z "$output$(said)" ]
  run build_tools "$shared"
  [ "$status" -eq 0 ]
  local place="$output"
  [[ "$place" == "$shared"/fsxbench-tools-* ]]
  [ "$("$place/bin/ior"; "$place/bin/mdtest"; "$place/bin/fio")" = $'ior of ior 3.3.0\nmdtest of ior 3.3.0\nfio-3.37' ]
  [ "$(find "$shared" -mindepth 1 -maxdepth 1)" = "$place" ]
  [ -z "$(ls -A "$TMPDIR")" ]
  [ "$(stat -c %a "$place")" = 755 ]
  run build_tools "$shared"
  [ "$output" = "$place" ]
  run build_tools --found "$shared"
  [ "$status" -eq 0 ]
  [ "$output" = "$place" ]
  [ "$(wc -l <"$builds")" -eq 2 ]
}

# bats test_tags=all
@test "another MPI, or none, is another build; without one fio alone is built, and says why" {
  run build_tools "$shared"
  local first="$output"
  fake mpirun <<<'echo "mpirun (Open MPI) 5.0.6"'
  fake mpicc <<<'echo "mpicc: Open MPI 5.0.6 (Language: C)"'
  run build_tools "$shared"
  [ "$status" -eq 0 ]
  [ "$output" != "$first" ]
  fake mpirun <<<'echo "Intel(R) MPI Library for Linux* OS, Version 2021.9"'
  run build_tools "$shared"
  [ "$status" -eq 0 ]
  [ "$(ls "$output/bin")" = fio ]
  [[ "$(said)" == *"no Open MPI is on the PATH (mpirun: $FAKES/mpirun), and IOR and mdtest need one: fio alone is built"* ]]
}

@test "what a machine lacks to build is named, all at once" {
  rm "$FAKES/mpicc" "$FAKES/automake"
  local program
  mkdir "$BATS_TEST_TMPDIR/bare"
  for program in bash dirname readlink awk uname sed head sha256sum cut cat date env mktemp rm mkdir grep basename cc; do
    ln -s "$(command -v "$program")" "$BATS_TEST_TMPDIR/bare/"
  done
  PATH="$FAKES:$BATS_TEST_TMPDIR/bare" FSXBENCH_ROOT="$FSXBENCH_ROOT" run build_tools "$shared"
  [ "$status" -eq 1 ]
  [[ "$(said)" == *"error: nothing can be built on $(uname -n) without make mpicc automake: load the modules that have them (--module NAME)"* ]]
}

# bats test_tags=all
@test "a compiler of another MPI is refused: ranks would not find one another" {
  fake mpicc <<<'echo "mpicc: Open MPI 5.0.6 (Language: C)"'
  run build_tools "$shared"
  [ "$status" -eq 1 ]
  [[ "$(said)" == *"'mpicc' must be of the Open MPI of 'mpirun', 4.1.4, got 5.0.6 in $FAKES/mpicc: load one of them"* ]]
}

# bats test_tags=all
@test "without a way to the internet the archives are taken from the directory; the error names which to copy there" {
  tabled ior 3.3.0 http://127.0.0.1:9/3.3.0.tar.gz
  tabled fio 3.37 http://127.0.0.1:9/fio-3.37.tar.gz
  run build_tools "$shared"
  [ "$status" -eq 1 ]
  [[ "$(said)" == *"cannot fetch http://127.0.0.1:9/3.3.0.tar.gz: without a way to the internet, download it elsewhere, and copy it to $shared/ior-3.3.0.tar.gz"* ]]
  [[ "$(said)" == *"copy it to $shared/fio-3.37.tar.gz"* ]]
  [ -z "$(ls -A "$shared")" ]
  cp "$mirror/fio-3.37.tar.gz" "$shared/"
  echo other >"$shared/ior-3.3.0.tar.gz"
  run build_tools "$shared"
  [ "$status" -eq 1 ]
  [[ "$(said)" == *"SHA-256 of $shared/ior-3.3.0.tar.gz must be "*": replace it by http://127.0.0.1:9/3.3.0.tar.gz, or remove it"* ]]
  cp "$mirror/ior-3.3.0.tar.gz" "$shared/"
  run build_tools "$shared"
  [ "$status" -eq 0 ]
  [ "$("$output/bin/ior")" = 'ior of ior 3.3.0' ]
}

# bats test_tags=all
@test "a build that fails says why in its last line, and leaves nothing" {
  FAKE_BUILD_FAILS=1 run build_tools "$shared"
  [ "$status" -eq 1 ]
  [[ "$(said | tail -n 1)" == *'error: make of IOR failed: '*'error: no compiler'* ]]
  [ -z "$(ls -A "$shared" "$TMPDIR" | grep -v :)" ]
}

# bats test_tags=all
@test "one that is interrupted ends what it started, in whatever process group" {
  rm "$FAKES/sleep"
  FAKE_BUILD_SECONDS=1234 "$client/bin/build-tools" "$shared" 3>&- &
  local builder=$!
  await 'make' pgrep -f '^sleep 1234$'
  kill -TERM "$builder"
  await 'its end' ended "$builder"
  run ! pgrep -f '^sleep 1234$'
  [ -z "$(ls -A "$shared" "$TMPDIR" | grep -v :)" ]
}

@test "the user's own programs come before those that a boot has built" {
  mkdir -p "$FSXBENCH_ROOT/usr/local/bin"
  printf '#!/bin/bash\necho "mpirun (Open MPI) 9.9.9"\n' >"$FSXBENCH_ROOT/usr/local/bin/mpirun"
  chmod +x "$FSXBENCH_ROOT/usr/local/bin/mpirun"
  run build_tools "$shared"
  [ "$status" -eq 0 ]
  grep -q " mpi=$FAKES/mpirun:4.1.4 " "$output/identity"
}
