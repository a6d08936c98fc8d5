#!/usr/bin/env bats
# client-load: two readings show the work of a client in between, and users who were busy while nothing was measured.

load lib/helper

@test "prints one line of JSON, with counters of this computer" {
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
  # On a metadata server its own clients stand between.
  local own='osc.fsxvol-OST0000-osc-MDT0000.stats=\nopen 7 samples [usecs] 1 1 7\n'
  fake lctl <<<"replay llite-stats; printf '$own'; replay osc-stats; replay mdc-stats"
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
  [ "$(counter nfs_read_rtt_seconds)" = 0.606 ]
  [ "$(counter nfs_read_execute_seconds)" = 0.607 ]
  [ "$(counter nfs_write_rtt_seconds)" = 0.706 ]
  [ "$(counter nfs_requests)" = 23100 ]
  [ "$(counter nfs_all_rtt_seconds)" = 23.226 ]
  [ "$(counter nfs_all_execute_seconds)" = 23.247 ]
  # In version 3 an operation is for files alone or for directories alone, and nothing is opened.
  [ "$(roles)" = 'file_create=1900 dir_create=900 file_remove=1200 dir_remove=1300 file_stat=100' ]
}

@test "of two mounts on one point the later, which hides the other, is counted" {
  nfs_mount nfs4 mountstats-4.1
  sed "s|{point}|$BATS_TEST_TMPDIR|" "$recorded/../nfs/mountstats-3.out" >>"$FSXBENCH_ROOT/proc/self/mountstats"
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR" 0
  [ "$(counter nfs_reads)" = 600 ]
}

@test "a kernel without such statistics is null, with the reason" {
  local none="\"counters\":null,\"countersReason\":\"/proc/self/mountstats has no statistics of server:/fs on $BATS_TEST_TMPDIR\""
  nfs_mount nfs4 mountstats-4.1
  sed -i '/bytes:/d' "$FSXBENCH_ROOT/proc/self/mountstats"
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR" 0
  [[ "$output" == *"$none"* ]]
  rm "$FSXBENCH_ROOT/proc/self/mountstats"
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR" 0
  [ "$status" -eq 0 ]
  [[ "$output" == *"$none"* ]]
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

# process PID NAME PARENT FLAGS USER SYSTEM START: one of the made-up machine, with its times in hundredths of a second. Those of its children are another's.
process() {
  mkdir -p "$FSXBENCH_ROOT/proc/$1"
  printf '%s (%s) S %s 1 1 0 -1 %s 10 20 30 40 %s %s 5000 6000 20 0 1 0 %s 1000 100\n' "$@" >"$FSXBENCH_ROOT/proc/$1/stat"
}

# counting_machine SOURCE NUMBER TYPE: a fake machine of two CPUs with distinct counters, with a mount on $BATS_TEST_TMPDIR/arm; other mounts are
# above, below and next to it.
counting_machine() {
  make_machine
  local proc="$FSXBENCH_ROOT/proc" arm="$BATS_TEST_TMPDIR/arm"
  mkdir -p "$arm" "$proc"/{self,pressure,sys/kernel/random}
  # Time for guests is part of that for users.
  printf '%s\n' 'cpu  1000 200 300 90000 400 50 60 7 800 90' 'cpu0 1 1 1 1 1 1 1 1 1 1' 'cpu1 1 1 1 1 1 1 1 1 1 1' 'ctxt 12345' >"$proc/stat"
  echo '100.25 150.00' >"$proc/uptime"
  echo '0.75 0.50 0.25 1/100 4321' >"$proc/loadavg"
  printf '%s\n' 'some avg10=1.00 avg60=2.00 avg300=3.00 total=1500000' 'full avg10=0.00 avg60=0.00 avg300=0.00 total=250000' >"$proc/pressure/cpu"
  printf '%s\n' 'some avg10=1.00 avg60=2.00 avg300=3.00 total=3500000' 'full avg10=0.00 avg60=0.00 avg300=0.00 total=750000' >"$proc/pressure/memory"
  printf '%s\n' 'some avg10=1.00 avg60=2.00 avg300=3.00 total=9500000' 'full avg10=0.00 avg60=0.00 avg300=0.00 total=4250000' >"$proc/pressure/io"
  printf '%s\n' '   3     259 ram3 1 1 1 1 1 1 1 1 0 1 1' ' 259       3 nvme1n1 1000 7 16000 9 2000 8 48000 11 0 12 13 14 0 15 16' \
    ' 259       4 nvme2n1 100 7 1600 9 200 8 4800 11 0 12 13' ' 259       0 nvme0n1 5 5 5 5 5 5 5 5 5 5 5' >"$proc/diskstats"
  printf '%s\n' '20 1 259:0 / / rw shared:1 - ext4 /dev/nvme0n1 rw' "38 20 259:9 / $arm rw shared:8 - xfs /dev/hidden rw" \
    "40 20 $2 / $arm rw shared:9 master:3 - $3 $1 rw" "41 40 0:50 / $arm/below rw - tmpfs tmpfs rw" "42 20 0:51 / $arm/da rw - tmpfs tmpfs rw" \
    "43 20 0:52 / $BATS_TEST_TMPDIR rw - tmpfs tmpfs rw" >"$proc/self/mountinfo"
}

# told EXPRESSION: its value, where `load` is the last reading.
told() { node -p 'const load = JSON.parse(process.argv[1]); JSON.stringify(eval(process.argv[2]))' "$output" "$1"; }

@test "times are seconds, and a disk is known by its number, whatever its name, through a link and beneath what hides another" {
  counting_machine /dev/sdf 259:3 xfs
  ln -s "$BATS_TEST_TMPDIR/arm" "$BATS_TEST_TMPDIR/link"
  mkdir "$BATS_TEST_TMPDIR/arm/data"
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR/link/data" 0
  [ "$status" -eq 0 ]
  [ "$(told '[load.mount, load.uptime, load.loadAverage, load.processors]')" = '["259:3",100.25,0.75,2]' ]
  [ "$(told '[load.busySeconds, load.ioWaitSeconds, load.stealSeconds].map((one) => Math.round(one * 100) / 100)')" = '[16.1,4,0.07]' ]
  [ "$(told '[load.cpuStallSeconds, load.memoryStallSeconds, load.ioStallSeconds]')" = '[1.5,0.75,9.5]' ]
  # Sectors of 512 bytes.
  [ "$(told load.device)" = '{"read":8192000,"written":24576000}' ]
  [ "$(told 'load.counters.map(({ name, unit, value, role }) => [name, unit, value, role].join(" ").trim())')" = \
    '["device_bytes_read B 8192000 read","device_bytes_written B 24576000 written","device_reads 1 1000","device_writes 1 2000"]' ]
  run --separate-stderr "$client/bin/client-load" "$(dirname "$BATS_TEST_TMPDIR")" 0
  [ "$(told load.mount)" = '"259:0"' ]
  # Nobody watched.
  [ "$(told '[load.others, load.othersProcessors, load.serviceProcessors]')" = '[[],null,null]' ]
}

@test "a kernel without pressure figures, and an arm without a disk here, say null" {
  counting_machine 10.0.0.9:/fs 0:35 nfs4
  rm -r "$FSXBENCH_ROOT/proc/pressure"
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR/arm" 0
  [ "$(told '[load.device, load.cpuStallSeconds, load.memoryStallSeconds, load.ioStallSeconds]')" = '[null,null,null,null]' ]
}

# btrfs_devices NAME=NUMBER…: the disks of the fake machine's Btrfs, next to another with a separate disk.
btrfs_devices() {
  local sys="$FSXBENCH_ROOT/sys" one
  mkdir -p "$sys/fs/btrfs"/{features,11111111-2222-3333-4444-555555555555/devices/nvme0n1,aaaaaaaa-2222-3333-4444-555555555555/devices} "$sys/class/block/nvme0n1"
  echo 259:0 >"$sys/class/block/nvme0n1/dev"
  for one in "$@"; do
    mkdir -p "$sys/fs/btrfs/aaaaaaaa-2222-3333-4444-555555555555/devices/${one%=*}" "$sys/class/block/${one%=*}"
    echo "${one#*=}" >"$sys/class/block/${one%=*}/dev"
  done
}

@test "Btrfs, whose mounts have numbers of no disk, counts all of its own disks and those alone, or says nothing where one is not counted" {
  counting_machine /dev/nvme1n1 0:45 btrfs
  btrfs_devices nvme1n1=259:3 nvme2n1=259:4
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR/arm" 0
  [ "$(told load.device)" = '{"read":9011200,"written":27033600}' ]
  [ "$(told 'load.counters.map(({ value }) => value)')" = '[9011200,27033600,1100,2200]' ]
  btrfs_devices nvme7n1=259:7
  run --separate-stderr "$client/bin/client-load" "$BATS_TEST_TMPDIR/arm" 0
  [ "$(told '[load.device, load.counters, load.countersReason]')" = '[null,null,"no counters are known of btrfs on /dev/nvme1n1"]' ]
}

# watched CHANGE: the answer of client-load that watches for four seconds of a made-up clock, between whose two looks at the processes CHANGE runs: reading the
# clock, it says how far it is. $asker is a file with its own process, whom 900 started.
watched() {
  local proc="$FSXBENCH_ROOT/proc"
  asker="$BATS_TEST_TMPDIR/asker"
  rm "$proc/uptime"
  mkfifo "$proc/uptime" "$proc/from"
  echo '104.00 0' >"$proc/to"
  {
    { mv "$proc/from" "$proc/uptime"; echo '99.00 0'; } >"$proc/uptime"
    { "$1"; mv "$proc/to" "$proc/uptime"; echo '100.00 0'; } >"$proc/uptime"
  } 3>&- &
  servers+=("$!")
  run --separate-stderr timeout "$hang_seconds" bash -c "$(declare -f process)"'
    echo "$$" >"$1"; process "$$" node 900 4194304 400 100 800; exec "$2" "$3" 1' asker "$asker" "$client/bin/client-load" "$BATS_TEST_TMPDIR/arm"
  [ "$status" -eq 0 ]
}

@test "who works meanwhile is named with all that is of its name, whoever has taken a number over, without the kernel and without who asks" {
  counting_machine /dev/sdf 259:3 xfs
  process 1 init 0 4194560 3 1 1
  process 2 kthreadd 0 2129984 300 200 1
  process 3 kswapd0 2 2129984 50 25 1
  process 900 sshd 1 4194560 700 100 700
  process 10 sh 1 4194304 450 50 5000
  process 11 'tar (of a)' 1 4194304 100 0 5100
  process 12 'tar (of a)' 1 4194304 30 70 5200
  process 13 idle 1 4194304 70 10 5300
  process 14 short 1 4194304 2 2 5400
  meanwhile() {
    process "$(<"$asker")" node 900 4194304 800 100 800
    process 2 kthreadd 0 2129984 600 300 1
    process 900 sshd 1 4194560 900 100 700
    # Another process, which has worked less than that before it.
    process 10 sh 1 4194304 100 60 9900
    process 11 'tar (of a)' 1 4194304 200 100 5100
    process 12 'tar (of a)' 1 4194304 80 120 5200
    # So many others that not all are named.
    process 20 a 1 4194304 4 0 9901
    process 21 b 1 4194304 8 0 9902
    process 22 c 1 4194304 12 0 9903
    process 23 d 1 4194304 16 0 9904
  }
  watched meanwhile
  # As many seconds as they worked, of four.
  [ "$(told 'load.others.map(({ name, processors }) => `${name} ${processors}`)')" = '["tar__of_a_ 0.75","sh 0.4","d 0.04","c 0.03","b 0.02"]' ]
  [ "$(told '[Math.round(load.othersProcessors * 1000), load.serviceProcessors]')" = '[1250,0]' ]
  # The counts since boot at the first reading.
  [ "$(told load.kernelSeconds)" = 5.75 ]
  [ "$(told load.processSeconds)" = '{"10 5000 sh":5,"11 5100 tar__of_a_":1,"12 5200 tar__of_a_":1,"13 5300 idle":0.8}' ]
}

@test "the program that serves a mount in user space is part of the storage, as long as the arm is one" {
  counting_machine mfsmaster 0:40 fuse.moosefs
  process 30 mfsmount 1 4194560 100 0 500
  mkdir "$FSXBENCH_ROOT/proc/30/fd"
  ln -s /dev/null "$FSXBENCH_ROOT/proc/30/fd/0"
  ln -s /dev/fuse "$FSXBENCH_ROOT/proc/30/fd/5"
  process 31 sh 1 4194304 100 0 600
  mkdir "$FSXBENCH_ROOT/proc/31/fd"
  ln -s /dev/null "$FSXBENCH_ROOT/proc/31/fd/0"
  serving() {
    process 30 mfsmount 1 4194560 500 0 500
    process 31 sh 1 4194304 200 0 600
  }
  watched serving
  [ "$(told load.others)" = '[{"name":"sh","processors":0.25}]' ]
  process 30 mfsmount 1 4194560 100 0 500
  process 31 sh 1 4194304 100 0 600
  counting_machine /dev/sdf 259:3 xfs
  watched serving
  [ "$(told load.others)" = '[{"name":"mfsmount","processors":1},{"name":"sh","processors":0.25}]' ]
}
