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

# As somebody who is not root, in a namespace that maps nobody: the files are still this user's own.
as_user() { unshare --user -- "$@"; }

@test "a user who may not enter debugfs gets the requests that everybody may read, and the line that opens the rest" {
  as_user true 2>/dev/null || skip 'this kernel gives this user no namespace'
  lustre_mount
  # lctl's words for what it does not find, as a user's were recorded.
  fake lctl <<<'if [[ "$*" == *rpc_stats ]]; then replay user-rpc_stats; replay user-rpc_stats; else cat "$recorded/user-get_param-max_cached_mb.out" >&2; exit 2; fi'
  run --separate-stderr as_user "$client/bin/client-load" "$BATS_TEST_TMPDIR" 0
  [ "$status" -eq 0 ]
  [ "$(counter lustre_read_requests)" = 1024 ]
  [ "$(counter lustre_write_requests)" = 207686 ]
  # (4 + 511 × 8) and (52489 + 36540 × 2 + 14030 × 4 + 784 × 8) pages of 4096 bytes, twice.
  [ "$(counter lustre_server_bytes_read_at_most)" = $((2 * 4092 * $(getconf PAGESIZE))) ]
  [ "$(counter lustre_server_bytes_written_at_most)" = $((2 * 187961 * $(getconf PAGESIZE))) ]
  [[ "$output" == *"so that only requests to object servers are known (osc.*.rpc_stats); Lustre 2.12 to 2.16 keep them in debugfs"*'mount -o remount,gid=GROUP,mode=0750 /sys/kernel/debug'* ]]
}

@test "a file system without counters of its own says so" {
  lustre_mount
  sed -i 's/ lustre / ceph /' "$FSXBENCH_ROOT/proc/self/mountinfo"
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR" 0
  [[ "$output" == *'"counters":null,"countersReason":"no counters are known of ceph on 172.31.8.15@tcp:/fsxvol"'* ]]
}

# nfs_mount TYPE RECORDED [DIRECTORY]: a made-up machine with the recorded statistics of a mount on a directory.
nfs_mount() {
  local directory="${3:-$BATS_TEST_TMPDIR}" point
  make_machine
  mkdir -p "$FSXBENCH_ROOT/proc/self"
  cp /proc/stat /proc/uptime /proc/loadavg "$FSXBENCH_ROOT/proc/"
  point="${directory// /\\\\040}"
  printf '40 24 0:35 / %s rw shared:9 - %s server:/fs rw\n' "${point//\\\\/\\}" "$1" >"$FSXBENCH_ROOT/proc/self/mountinfo"
  sed "s|{point}|$point|" "$recorded/../nfs/$2.out" >"$FSXBENCH_ROOT/proc/self/mountstats"
}

@test "a mount of NFS 4 counts bytes, requests and their times itself, as a real client printed them" {
  nfs_mount nfs4 mountstats-4.1
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR" 0
  [ "$status" -eq 0 ]
  [ "$(counter nfs_bytes_read)" = 2021340783 ]
  [ "$(counter nfs_bytes_written)" = 39056395530 ]
  [ "$(counter nfs_direct_bytes_read)" = 0 ]
  [ "$(counter nfs_server_bytes_read)" = 1788561151 ]
  [ "$(counter nfs_server_bytes_written)" = 39087991255 ]
  [ "$(counter nfs_reads)" = 34096 ]
  [ "$(counter nfs_writes)" = 322308 ]
  [ "$(counter nfs_opens)" = 111378 ]
  [ "$(counter nfs_creates)" = 77 ]
  [ "$(counter nfs_getattrs)" = 52480 ]
  [ "$(counter nfs_locks)" = 43759 ]
  [ "$(counter nfs_read_rtt_seconds)" = 464.84 ]
  [ "$(counter nfs_write_execute_seconds)" = 411864.389 ]
  [ "$(counter nfs_all_queued_seconds)" = 401733.82 ]
  [ "$(counter nfs_sent_again)" = 0 ]
  [ "$(node -p 'JSON.parse(process.argv[1]).counters.filter(({ role }) => role).map(({ name, role }) => `${name} ${role}`).join()' "$output")" = 'nfs_server_bytes_read read,nfs_server_bytes_written written,nfs_opens file_open,nfs_getattrs file_stat' ]
}

@test "one of NFS 3, whose directory has a space in its name, does so with the operations that it has" {
  local directory="$BATS_TEST_TMPDIR/my data"
  mkdir "$directory"
  nfs_mount nfs mountstats-3 "$directory"
  run --separate-stderr "$client/bin/client-load" "$directory" 0
  [ "$(counter nfs_server_bytes_read)" = 1134399088816 ]
  [ "$(counter nfs_direct_bytes_written)" = 296174954496 ]
  [ "$(counter nfs_reads)" = 600 ]
  # CREATE and MKNOD, READDIR and READDIRPLUS.
  [ "$(counter nfs_creates)" = 1900 ]
  [ "$(counter nfs_removes)" = 1200 ]
  [ "$(counter nfs_rmdirs)" = 1300 ]
  [ "$(counter nfs_readdirs)" = 3300 ]
  [ "$(counter nfs_closes)" = 0 ]
  # Of each of 21 operations one was sent again.
  [ "$(counter nfs_sent_again)" = 21 ]
}

@test "of two mounts on one point the later, which hides the other, is counted" {
  nfs_mount nfs4 mountstats-4.1
  sed "s|{point}|$BATS_TEST_TMPDIR|" "$recorded/../nfs/mountstats-3.out" >>"$FSXBENCH_ROOT/proc/self/mountstats"
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR" 0
  [ "$(counter nfs_reads)" = 600 ]
}

@test "a kernel without such statistics is null, with the reason" {
  nfs_mount nfs4 mountstats-4.1
  rm "$FSXBENCH_ROOT/proc/self/mountstats"
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR" 0
  [ "$status" -eq 0 ]
  [[ "$output" == *"\"counters\":null,\"countersReason\":\"/proc/self/mountstats has no statistics of server:/fs on $BATS_TEST_TMPDIR\""* ]]
}

@test "in a package, which has no link to the storages' folder, their counters are found beside that of the clients" {
  lustre_mount
  fake lctl <<<'replay llite-stats; replay osc-stats; replay mdc-stats'
  mkdir "$BATS_TEST_TMPDIR/package"
  cp -r "$client" "$BATS_TEST_TMPDIR/package/client"
  cp -r "$client/../storage" "$BATS_TEST_TMPDIR/package/storage"
  rm "$BATS_TEST_TMPDIR/package/client/storage"
  FSXBENCH_HOME="$BATS_TEST_TMPDIR/package/client" run --separate-stderr "$BATS_TEST_TMPDIR/package/client/bin/client-load" "$BATS_TEST_TMPDIR" 0
  [ "$(counter lustre_opens)" = 45 ]
}
