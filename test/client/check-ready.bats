#!/usr/bin/env bats
# check-ready: an instance in service may not be a ready client yet.

load lib/helper

setup() {
  make_machine
  mkdir -p "$FSXBENCH_ROOT"/{etc/fsxbench,var/lib/fsxbench,fsx/none,fsx/lz4}
  echo '{"arms":{"none":{"kind":"lustre","mountPoint":"/fsx/none"},"lz4":{"kind":"lustre","mountPoint":"/fsx/lz4"}}}' >"$FSXBENCH_ROOT/etc/fsxbench/client.json"
  date >"$FSXBENCH_ROOT/var/lib/fsxbench/booted"
  sed 's|:/fsxvol /fsx |:/fsxvol /fsx/none |' "$recorded/mount-proc.out" >"$FSXBENCH_ROOT/proc/mounts"
  sed 's|:/fsxvol /fsx |:/lz4vol /fsx/lz4 |' "$recorded/mount-proc.out" >>"$FSXBENCH_ROOT/proc/mounts"
}

check_ready() { "$client/bin/check-ready"; }

@test "a client that has booted and has its arms mounted is ready" {
  run check_ready
  [ "$status" -eq 0 ]
}

@test "one that boots is not, and says so" {
  rm "$FSXBENCH_ROOT/var/lib/fsxbench/booted"
  run check_ready
  [ "$status" -eq 1 ]
  [[ "$output" == *'its first boot has not come to its end'* ]]
}

@test "one that lost an arm is not" {
  sed -i '/lz4/d' "$FSXBENCH_ROOT/proc/mounts"
  run check_ready
  [ "$status" -eq 1 ]
  [[ "$output" == *'no Lustre is mounted at /fsx/lz4'* ]]
}

@test "one whose arm does not answer is not, whichever it is" {
  local arm
  for arm in none lz4; do
    fake stat <<<"[[ \"\$*\" != *$arm* ]]"
    run check_ready
    [ "$status" -eq 1 ]
    [[ "$output" == *"error: /fsx/$arm does not answer within 60s" ]]
  done
}

@test "one without client.json is not" {
  rm "$FSXBENCH_ROOT/etc/fsxbench/client.json"
  run check_ready
  [ "$status" -eq 1 ]
  [[ "$output" == *'cannot read the arms from'* ]]
}

@test "one whose EFA could not be proven at boot never is, and says why" {
  mkdir -p "$FSXBENCH_ROOT/var/lib/fsxbench/unproven"
  printf '64 MiB were written to /fsx/lz4, and LNet sent no request over EFA' >"$FSXBENCH_ROOT/var/lib/fsxbench/unproven/lz4"
  run check_ready
  [ "$status" -eq 3 ]
  [[ "$output" == *'error: arm lz4: 64 MiB were written to /fsx/lz4, and LNet sent no request over EFA' ]]
}
