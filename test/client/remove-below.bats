#!/usr/bin/env bats
# remove-below: what others plant where we remove costs nobody anything. Where root runs this, the owner and the other are users without rights.

load lib/helper

setup() {
  make_machine
  unset FSXBENCH_ROOT
  # Not in the folder of the tests, which no other user may enter.
  place="$(TMPDIR=/tmp mktemp -d)"
  chmod 755 "$place"
  install -m 755 "$client/bin/remove-below" "$place/remove-below"
  owner=() other=()
  if ((EUID == 0)); then
    # Programs as everybody has them: the folder of those that tests may call can lie where root alone may look, such as /root.
    PATH="$FAKES:/usr/sbin:/usr/bin:/sbin:/bin"
    owner=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    other=(setpriv --reuid=65533 --regid=65533 --clear-groups)
  fi
  # A shared file system, and the results of one of its users.
  mkdir -m 1777 "$place/shared" "$place/home"
  "${owner[@]}" mkdir -p "$place/home/runs/RUN"
  "${owner[@]}" touch "$place/home/runs/RUN/samples.jsonl"
}

teardown() {
  if [[ -n "${mounted:-}" ]]; then umount "$mounted"; fi
  rm -rf --one-file-system "$place"
  end_machine
}

remove() { "${owner[@]}" "$place/remove-below" "$@"; }

# data PATH…: of the owner, in folders
data() {
  local path
  for path in "$@"; do
    "${owner[@]}" mkdir -p "$place/shared/$path/r1/.hidden"
    "${owner[@]}" touch "$place/shared/$path/r1/.hidden/data" "$place/shared/$path/-rf" "$place/shared/$path/ with
line break"
  done
}

# as_it_happens PROGRAM [WORD] <BODY: runs BODY when remove-below first calls PROGRAM, before the program itself; or after its first call with WORD as the last.
as_it_happens() {
  local body
  body="$(cat)"
  fake "$1" <<BODY
if [[ -n "${2:-}" && "\${!#}" != "${2:-}" ]]; then PATH="${PATH#*:}" exec $1 "\$@"; fi
if [[ -n "${2:-}" ]]; then PATH="${PATH#*:}" $1 "\$@"; fi
if [[ ! -e "$place/happened" ]]; then
  touch "$place/happened"
  ($body)
fi
if [[ -n "${2:-}" ]]; then exit; fi
PATH="${PATH#*:}" exec $1 "\$@"
BODY
  chmod -R a+rwX "$BATS_TEST_TMPDIR"
  chmod a+x "$BATS_TEST_TMPDIR/.." "$BATS_TEST_TMPDIR/../.."
  chmod a+w "$place"
}

results_are_there() { [ -f "$place/home/runs/RUN/samples.jsonl" ]; }

@test "removes a folder with everything in it, and nothing beside it" {
  data fsxbench/RUN fsxbench/RUN2 fsxbench/RUN3
  run remove "$place/shared" fsxbench/RUN fsxbench/RUN3
  [ "$status" -eq 0 ]
  [ "$(ls "$place/shared/fsxbench")" = RUN2 ]
  [ -f "$place/shared/fsxbench/RUN2/r1/.hidden/data" ]
  # Again: nothing is there, and nothing is wrong.
  run remove "$place/shared" fsxbench/RUN fsxbench/nothing/at/all
  [ "$status" -eq 0 ]
}

@test "another file system that no mount shows, as a subvolume of Btrfs, stays" {
  data fsxbench/RUN
  fake stat <<<'if [[ "$1 ${!#}" == "--format=%d:%i RUN" ]]; then echo 9:9; else exec /usr/bin/stat "$@"; fi'
  chmod -R a+rX "$BATS_TEST_TMPDIR"
  chmod a+x "$BATS_TEST_TMPDIR/.." "$BATS_TEST_TMPDIR/../.."
  run remove "$place/shared" fsxbench/RUN
  [ "$status" -eq 1 ]
  [[ "$output" == *"'$place/shared/fsxbench/RUN' is on another file system than '$place/shared'" ]]
  [ -f "$place/shared/fsxbench/RUN/r1/.hidden/data" ]
}

@test "removes behind a root that is a link, which the caller chose" {
  data fsxbench/RUN
  ln -s "$place/shared" "$place/link"
  run remove "$place/link" fsxbench/RUN
  [ "$status" -eq 0 ]
  [ ! -e "$place/shared/fsxbench/RUN" ]
}

@test "a link that another user planted on the way leads to no removal" {
  "${other[@]}" ln -s "$place/home/runs" "$place/shared/fsxbench"
  run remove "$place/shared" fsxbench/RUN
  [ "$status" -eq 1 ]
  [[ "$output" == *"'$place/shared/fsxbench' leads to '$place/home/runs' by a link"* ]]
  results_are_there
}

@test "a link at the end of the path leads to no removal, and stays" {
  "${other[@]}" mkdir -m 755 "$place/shared/fsxbench"
  "${other[@]}" ln -s "$place/home/runs/RUN" "$place/shared/fsxbench/RUN"
  run remove "$place/shared" fsxbench/RUN
  [ "$status" -eq 1 ]
  [[ "$output" == *"'$place/shared/fsxbench/RUN' is a link"* ]]
  results_are_there
}

@test "links in what is removed go, and what they lead to stays" {
  data fsxbench/RUN
  "${owner[@]}" ln -s "$place/home/runs" "$place/shared/fsxbench/RUN/out"
  run remove "$place/shared" fsxbench/RUN
  [ "$status" -eq 0 ]
  results_are_there
}

@test "another folder than the one that was decided on stays" {
  data fsxbench/RUN
  run remove --is 1:2 "$place/shared" fsxbench/RUN
  [ "$status" -eq 1 ]
  [[ "$output" == *"must be 1:2 (device:inode), as it was when its removal was decided, got "* ]]
  [ -f "$place/shared/fsxbench/RUN/r1/.hidden/data" ]
  run remove --is "$(stat --format=%d:%i "$place/shared/fsxbench/RUN")" "$place/shared" fsxbench/RUN
  [ "$status" -eq 0 ]
  [ ! -e "$place/shared/fsxbench/RUN" ]
}

@test "a link that takes the folder's place after it was looked at leads to no removal" {
  data fsxbench/RUN
  chmod 777 "$place/shared/fsxbench"
  # It was a folder a moment ago: next, its identity is checked.
  as_it_happens stat <<BODY
mv "$place/shared/fsxbench" "$place/away"; ln -s "$place/home/runs" "$place/shared/fsxbench"
cd "$place/away"; mv RUN moved; ln -s "$place/home/runs/RUN" RUN
BODY
  run remove "$place/shared" fsxbench/RUN
  [ -e "$place/happened" ]
  [ "$status" -eq 1 ]
  results_are_there
}

@test "a folder that replaces the one that was examined is left as it is" {
  data fsxbench/RUN fsxbench/RUN2
  as_it_happens stat RUN <<BODY
cd "$place/shared/fsxbench"; mv RUN moved; mv RUN2 RUN
BODY
  run remove "$place/shared" fsxbench/RUN
  [ -e "$place/happened" ]
  [ "$status" -eq 1 ]
  [[ "$output" == *"'$place/shared/fsxbench/RUN' was replaced meanwhile, and leads to '$place/shared/fsxbench/RUN'" ]]
  [ -f "$place/shared/fsxbench/RUN/r1/.hidden/data" ] && [ -f "$place/shared/fsxbench/moved/r1/.hidden/data" ]
}

@test "a folder that was moved away, with a link to it in its place, is left as it is" {
  data fsxbench/RUN
  as_it_happens stat RUN <<BODY
cd "$place/shared/fsxbench"; mv RUN "$place/away"; ln -s "$place/away" RUN
BODY
  run remove "$place/shared" fsxbench/RUN
  [ -e "$place/happened" ]
  [ "$status" -eq 1 ]
  [[ "$output" == *"'$place/shared/fsxbench/RUN' was replaced meanwhile, and leads to '$place/away'" ]]
  [ -f "$place/away/r1/.hidden/data" ]
}

@test "a folder that takes the place of the one that was entered is not emptied" {
  data fsxbench/RUN fsxbench/RUN2
  as_it_happens find <<BODY
cd "$place/shared/fsxbench"; mv RUN moved; mv RUN2 RUN
BODY
  run remove "$place/shared" fsxbench/RUN
  [ -e "$place/happened" ]
  [ "$status" -eq 1 ]
  [[ "$output" == *"'$place/shared/fsxbench/RUN' does not stay empty"* ]]
  [ -f "$place/shared/fsxbench/RUN/r1/.hidden/data" ]
  [ -z "$(ls -A "$place/shared/fsxbench/moved")" ]
}

@test "nothing goes where anything is mounted" {
  if ! { ((EUID == 0)) && mkdir "$place/disk" && mount -t tmpfs none "$place/disk" 2>/dev/null; }; then skip 'only root mounts'; fi
  umount "$place/disk"
  owner=()
  local at
  for at in fsxbench "fsxbench/RUN" "fsxbench/RUN/r1/a mount"; do
    data fsxbench/RUN
    mkdir -p "$place/shared/$at"
    mounted="$place/shared/$at"
    mount -t tmpfs none "$mounted"
    mkdir -p "$place/shared/fsxbench/RUN"
    touch "$mounted/precious"
    run remove "$place/shared" fsxbench/RUN
    [ "$status" -eq 1 ]
    [ -e "$mounted/precious" ]
    umount "$mounted"
    # The same file system again, with the same device number.
    mkdir -p "$place/shared/$at"
    mount --bind "$place/home/runs" "$mounted"
    run remove "$place/shared" fsxbench/RUN
    [ "$status" -eq 1 ]
    results_are_there
    umount "$mounted"
    mounted=''
  done
}

@test "what cannot be removed is said, with status 1" {
  data fsxbench/RUN
  "${owner[@]}" chmod 555 "$place/shared/fsxbench/RUN/r1"
  if ((EUID != 0)) || "${owner[@]}" test ! -w "$place/shared/fsxbench/RUN/r1"; then
    run remove "$place/shared" fsxbench/RUN
    [ "$status" -eq 1 ]
    [[ "$output" == *"Permission denied"* ]]
  fi
  chmod 755 "$place/shared/fsxbench/RUN/r1"
}

@test "paths that leave the root, and calls without one, are wrong usage" {
  local path
  for path in ../home home/../../home /etc . '' a//b a/; do
    run remove "$place/shared" "$path"
    [ "$status" -eq 2 ]
  done
  run remove "$place/shared"
  [ "$status" -eq 2 ]
  run remove '' home
  [ "$status" -eq 2 ]
  run remove --is 12 "$place/shared" home
  [ "$status" -eq 2 ]
  # One identity is of one path.
  run remove --is "$(stat --format=%d:%i "$place/home/runs")" "$place/home" runs other
  [ "$status" -eq 2 ]
  results_are_there
}
