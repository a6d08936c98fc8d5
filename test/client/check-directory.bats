#!/usr/bin/env bats
# check-directory: a machine that has something else mounted, or nothing, is found before it measures its own disk.

load lib/helper

setup() {
  make_machine
  fsx="$BATS_TEST_TMPDIR/fsx"
  mkdir -p "$fsx/fsxbench/seen"
  touch "$fsx/fsxbench/seen/here"
}

check() { "$client/bin/check-directory" "$fsx" fsxbench/seen/here; }

@test "the directory in which the driver left its file is the one, and nothing is left in it" {
  run check
  [ "$status" -eq 0 ]
  [ "$(find "$fsx" -type f)" = "$fsx/fsxbench/seen/here" ]
}

@test "a directory without that file is another one, and what is mounted there is said" {
  rm "$fsx/fsxbench/seen/here"
  export fsx
  # As findmnt(8): a heading unless it is told otherwise, columns with spaces between them, and one line for each that is mounted there.
  fake findmnt <<<'
    [[ " $* " == *" --noheadings "* ]] || echo "SOURCE  FSTYPE"
    [[ "$*" == *"--output SOURCE,FSTYPE --target $fsx" ]] && printf "/dev/nvme1n1   ext4\n/dev/old   xfs\n"'
  run check
  [ "$status" -eq 1 ]
  [[ "$output" == *"$fsx is another directory here (/dev/nvme1n1 ext4): mount the same file system as where the run was started" ]]
}

@test "what is no path from the top, or no plain file below it, is asked of no file system" {
  cd "$BATS_TEST_TMPDIR"
  local words
  for words in 'fsx fsxbench/seen/here' "$fsx fsxbench/seen/*" "$fsx"; do
    set -o noglob && run "$client/bin/check-directory" $words
    [ "$status" -eq 1 ]
    [[ "$output" == *'usage: check-directory DIRECTORY FILE'* ]]
  done
}

@test "no directory at all is said" {
  rm -r "$fsx"
  run check
  [ "$status" -eq 1 ]
  [[ "$output" == *"there is no directory $fsx here: mount its file system" ]]
}

@test "one that does not answer is given up" {
  fake test <<<'exec /bin/sleep 60'
  FSXBENCH_CHECK_SECONDS=1 run check
  [ "$status" -eq 1 ]
  [[ "$output" == *"$fsx does not answer here: is its file system hung?" ]]
}

@test "a file that does not answer, such as on a hung Lustre target, is no other directory" {
  fake test <<<'case "$1" in -e) exec /bin/sleep 60 ;; esac'
  FSXBENCH_CHECK_SECONDS=1 run check
  [ "$status" -eq 1 ]
  [[ "$output" == *"$fsx does not answer here: is its file system hung?" ]]
  [[ "$output" != *'another directory'* ]]
}

@test "a node without the folder of temporary files that a login node has judges as others do, and leaves nothing elsewhere" {
  TMPDIR="$BATS_TEST_TMPDIR/only/there" run check
  [ "$status" -eq 0 ]
  [ -z "$output" ]
  rm "$fsx/fsxbench/seen/here"
  TMPDIR="$BATS_TEST_TMPDIR/only/there" run check
  [[ "$output" == *"$fsx is another directory here"* ]]
  [[ ! -e /out && ! -e /err ]]
}

@test "one that cannot be written to is said with the user" {
  fake touch <<<'exit 1'
  run check
  [ "$status" -eq 1 ]
  [[ "$output" == *"$(id -un) cannot write to $fsx here" ]]
}

@test "one that answers and stores nothing is given up" {
  fake touch <<<'exec /bin/sleep 60'
  FSXBENCH_CHECK_SECONDS=1 run check
  [ "$status" -eq 1 ]
  [[ "$output" == *"$fsx stores nothing here: is its file system hung?" ]]
}

@test "the reason is the kernel's, in the same words on each machine" {
  ((EUID == 0)) || skip 'only root may mount'
  mount -t tmpfs -o size=64k,nr_inodes=4 tmpfs "$fsx" 2>/dev/null || skip 'nothing can be mounted here'
  mkdir -p "$fsx/fsxbench/seen"
  touch "$fsx/fsxbench/seen/here"
  run check
  umount "$fsx"
  [ "$status" -eq 1 ]
  [[ "$output" == *"$(id -un) cannot write to $fsx here (No space left on device)" ]]
}
