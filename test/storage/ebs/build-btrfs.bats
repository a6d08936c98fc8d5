#!/usr/bin/env bats
# Builds Btrfs from fake archives: their configure and Makefiles only check their arguments.

load ../../client/lib/helper.bash

setup() {
  make_machine
  export FSXBENCH_SOURCES="$BATS_TEST_TMPDIR/sources" FSXBENCH_TOOLS_FILE="$BATS_TEST_TMPDIR/tools.tsv"
  mkdir "$FSXBENCH_SOURCES"
  archive btrfs-progs 6.2 progs.archive configure '[ -e ready ] && echo "$*" >"$FSXBENCH_ROOT/configured"' libbtrfs/ctree.h '' kernel-lib/list.h '' \
    autogen.sh 'touch ready' Makefile $'mkfs.btrfs: ready\n\tcp autogen.sh $@'
  archive compsize 1.5 compsize.archive Makefile $'compsize:\n\tcp $(CPPFLAGS:-I%=%)/btrfs/ctree.h $(CPPFLAGS:-I%=%)/btrfs/list.h .\n\ttouch compsize'
}

# archive NAME VERSION COPY [FILE TEXT]…: pinned in the table, with these files as programs.
archive() {
  local folder="$BATS_TEST_TMPDIR/$1-$2" copy="$FSXBENCH_SOURCES/$3" pin="$1"$'\t'"$2"
  shift 3
  while (($# > 0)); do
    mkdir -p "$(dirname "$folder/$1")"
    case "$1" in autogen.sh | configure) printf '#!/bin/sh\n%s\n' "$2" ;; *) printf '%s\n' "$2" ;; esac >"$folder/$1"
    chmod +x "$folder/$1"
    shift 2
  done
  tar -czf "$copy" -C "$BATS_TEST_TMPDIR" "${folder##*/}"
  printf '%s\t%s\thttps://example.org/%s\n' "$pin" "$(sha256sum "$copy" | cut -d ' ' -f 1)" "${folder##*/}.tar.gz" >>"$FSXBENCH_TOOLS_FILE"
}

# With any Btrfs that this computer has.
build() { run -"${1:-0}" --separate-stderr bash -c 'source "$client/../storage/ebs/build-btrfs"; make_scratch; build'; }
nothing_is_installed() { [ ! -e "$FSXBENCH_ROOT/usr/local/bin" ]; }

@test "mkfs.btrfs and compsize, which takes the headers of the other, are built and installed as programs" {
  build
  [ "$(stat -c '%a %n' "$FSXBENCH_ROOT"/usr/local/bin/* | sed 's|/.*/||' | xargs)" = '755 compsize 755 mkfs.btrfs' ]
  [[ "$(<"$FSXBENCH_ROOT/configured")" == *--disable-zstd* ]]
}

@test "an archive that is not the pinned one is not built, whichever it is" {
  local copy
  for copy in compsize progs; do
    echo more >>"$FSXBENCH_SOURCES/$copy.archive"
    build 1
    [[ "$stderr" == *"SHA-256 of $FSXBENCH_SOURCES/$copy.archive must be "* ]]
    [ ! -e "$FSXBENCH_ROOT/configured" ]
  done
}

@test "a step that fails, or takes too long, is named with its last words, and leaves nothing installed" {
  fake make <<<'echo "no rule"; exit 2'
  build 1
  [[ "$stderr" == *'building the tools of Btrfs: make failed: '*'no rule' ]]
  nothing_is_installed
  fake make <<<"$times_up"
  build 1
  [[ "$stderr" == *'building the tools of Btrfs: make failed: '*'gave up after 600s: make '* ]]
  nothing_is_installed
}

@test "where both are there nothing is fetched" {
  fake_all mkfs.btrfs compsize
  rm "$FSXBENCH_TOOLS_FILE"
  run -0 --separate-stderr bash "$client/../storage/ebs/build-btrfs"
  [ -z "$output$stderr" ]
}
