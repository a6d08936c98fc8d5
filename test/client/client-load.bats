#!/usr/bin/env bats
# client-load: two answers tell what a client did in between, and one who was busy when nobody measured.

load lib/helper

@test "prints one line of JSON, with counters of this machine" {
  run --separate-stderr "$BATS_TEST_DIRNAME/../../assets/client/bin/client-load" "$BATS_TEST_TMPDIR"
  [ "$status" -eq 0 ]
  [ "${#lines[@]}" -eq 1 ]
  run node -e '
    const { schema, processors, busySeconds, uptime } = JSON.parse(process.argv[1]);
    if (schema !== "fsxbench.load/1" || !(processors >= 1) || !(busySeconds > 0) || !(uptime > 0)) process.exit(1);
  ' "${lines[0]}"
  [ "$status" -eq 0 ]
}

@test "a directory that does not exist is an error that names it" {
  run "$BATS_TEST_DIRNAME/../../assets/client/bin/client-load" "$BATS_TEST_TMPDIR/nowhere"
  [ "$status" -ne 0 ]
  [[ "$output" == *"$BATS_TEST_TMPDIR/nowhere"* ]]
}

# lustre_mount: a made-up machine with the mount of a recorded Lustre, whose statistics `lctl` prints.
lustre_mount() {
  make_machine
  export_replay
  mkdir -p "$FSXBENCH_ROOT/proc/self"
  cp /proc/stat /proc/uptime /proc/loadavg "$FSXBENCH_ROOT/proc/"
  printf '40 24 0:35 / %s rw,relatime shared:9 - lustre 172.31.8.15@tcp:/fsxvol rw,flock\n' "$BATS_TEST_TMPDIR" >"$FSXBENCH_ROOT/proc/self/mountinfo"
}

# roles: those of the operations on files in the last answer, with their counts.
roles() { node -e 'const { counters } = JSON.parse(process.argv[1]); console.log(counters.filter(({ role }) => /_/.test(role)).map(({ role, value }) => `${role}=${value}`).join(" "))' "$output"; }

# counter NAME: its value in the last answer.
counter() { node -e 'const { counters } = JSON.parse(process.argv[1]); console.log(counters.find(({ name }) => name === process.argv[2])?.value)' "$output" "$1"; }

@test "a Lustre mount counts itself what processes and servers were asked for, as a real client printed it" {
  lustre_mount
  fake lctl <<<'replay llite-stats; replay osc-stats; replay mdc-stats'
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR" 0
  [ "$status" -eq 0 ]
  [ "$(count "^lctl get_param llite.fsxvol-\*.stats osc.fsxvol-\*.stats mdc.fsxvol-\*.stats$")" -eq 1 ]
  [ "$(counter lustre_bytes_read)" = 33554432 ]
  [ "$(counter lustre_bytes_written)" = 33554543 ]
  [ "$(counter lustre_writes)" = 72 ]
  [ "$(counter lustre_opens)" = 45 ]
  [ "$(counter lustre_creates)" = 41 ]
  [ "$(counter lustre_getattrs)" = 57 ]
  [ "$(counter lustre_renames)" = 0 ]
  [ "$(roles)" = 'file_open=45 file_create=41 file_remove=40 file_stat=57 dir_create=2 dir_remove=1' ]
  [[ "$output" == *'"mount":"0:35"'* ]]
  [ "$(counter lustre_server_bytes_written)" = 8388608 ]
  [ "$(counter lustre_object_requests)" = 18 ]
  [ "$(counter lustre_metadata_requests)" = 185 ]
  # All lines of llite with [usecs] but openclosetime, added by hand.
  [ "$(counter lustre_call_seconds)" = 0.749286 ]
}

@test "clients before 2.13 count calls without their time, which then is not known" {
  lustre_mount
  fake lctl <<<'replay llite-stats | sed "s/usecs. .*/regs]/"'
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR" 0
  [ "$(counter lustre_opens)" = 45 ]
  [ "$(counter lustre_call_seconds)" = undefined ]
}

@test "statistics that lctl does not find are null, with its words" {
  lustre_mount
  fake lctl <<<'cat "$recorded/user-get_param-max_cached_mb.out" >&2; exit 2'
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR" 0
  [ "$status" -eq 0 ]
  [[ "$output" == *'"counters":null,"countersReason":"lctl shows no statistics of fsxvol (error: get_param: '*'No such file or directory)'* ]]
}

@test "a file system without counters of its own says so" {
  lustre_mount
  sed -i 's/ lustre / nfs4 /' "$FSXBENCH_ROOT/proc/self/mountinfo"
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR" 0
  [[ "$output" == *'"counters":null,"countersReason":"no counters are known of nfs4 on 172.31.8.15@tcp:/fsxvol"'* ]]
}
