#!/usr/bin/env bats
# drop-caches: a read after it comes from the servers, or the caller learns that it doesn't.

load lib/helper

setup() {
  make_machine
  fake sync <<<'echo flushed >>"$calls"'
  fake lctl <<<''
}

drop() { "$client/bin/drop-caches"; }

@test "writes out, clears Lustre's locks, then drops the page cache" {
  cat "$recorded/mount-proc.out" >"$FSXBENCH_ROOT/proc/mounts"
  run drop
  [ "$status" -eq 0 ]
  [ "$(<"$calls")" = 'sync 
flushed
lctl set_param -n ldlm.namespaces.*.lru_size=clear' ]
  [ "$(<"$FSXBENCH_ROOT/proc/sys/vm/drop_caches")" = 3 ]
}

@test "finds the storages of a package, too, in which there is no link to them" {
  local package="$BATS_TEST_TMPDIR/package"
  mkdir -p "$package"
  cp -r "$client" "$package/client"
  cp -r "$client/storage/." "$package/storage"
  rm -r "$package/client/storage"
  cat "$recorded/mount-proc.out" >"$FSXBENCH_ROOT/proc/mounts"
  unset FSXBENCH_HOME
  run "$package/client/bin/drop-caches"
  [ "$status" -eq 0 ]
  [ "$(count '^lctl set_param')" -eq 1 ]
}

@test "asks nothing of Lustre where none is mounted" {
  run drop
  [ "$status" -eq 0 ]
  [ "$(count '^lctl')" -eq 0 ]
}

@test "a machine that does not let it is status 3, said aloud" {
  rm "$FSXBENCH_ROOT/proc/sys/vm/drop_caches"
  mkdir "$FSXBENCH_ROOT/proc/sys/vm/drop_caches"
  run drop
  [ "$status" -eq 3 ]
  [[ "$output" == *"drop_caches is not writable, so reads may come from this computer's memory: run as root"* ]]
}

@test "a flush that does not end is given up, with status 1" {
  fake sync <<<'sleep 60'
  FSXBENCH_FLUSH_SECONDS=1 run drop
  [ "$status" -eq 1 ]
  [[ "$output" == *'writing out dirty data took more than 1s'* ]]
  [ ! -s "$FSXBENCH_ROOT/proc/sys/vm/drop_caches" ]
}

@test "a flush that fails is no flush, and drops nothing" {
  fake sync <<<'exit 1'
  run drop
  [ "$status" -eq 1 ]
  [[ "$output" == *'sync failed with status 1' ]]
  [ ! -s "$FSXBENCH_ROOT/proc/sys/vm/drop_caches" ]
}

@test "locks that cannot be cleared fail it" {
  cat "$recorded/mount-proc.out" >"$FSXBENCH_ROOT/proc/mounts"
  fake lctl <<<'exit 2'
  run drop
  [ "$status" -eq 1 ]
  [[ "$output" == *'could not clear the Lustre locks'* ]]
}

@test "a user without root, on a cluster of somebody else, is status 3 before Lustre refuses" {
  cat "$recorded/mount-proc.out" >"$FSXBENCH_ROOT/proc/mounts"
  rm "$FSXBENCH_ROOT/proc/sys/vm/drop_caches"
  fake lctl <<<'exit 2'
  run drop
  [ "$status" -eq 3 ]
  [[ "$output" == *'drop_caches is not writable'* ]]
  [ "$(count '^lctl')" -eq 0 ]
}
