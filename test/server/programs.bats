#!/usr/bin/env bats
# Requests of clients to a server, and its published metrics.

load helper

setup() {
  make_server
  fake_targets
}

@test "remote runs the programs of its list, and no other, whatever the words" {
  cp "$recorded/proc-stat.out" "$FSXBENCH_ROOT/proc/stat"
  run -0 --separate-stderr env SSH_ORIGINAL_COMMAND=cpu bash "$server/remote"
  [[ "$output" == '{"schema":"fsxbench.cpu/1"'* ]]
  local wrong
  for wrong in '' 'sh -c id' 'cpu; id' 'cpu $(id)' '../bin/boot' 'reset-pools --yes' 'rung raw write 1 1 | sh'; do
    run -1 --separate-stderr env SSH_ORIGINAL_COMMAND="$wrong" bash "$server/remote"
    [[ "$stderr" == *'the program must be one of cpu offloaded rung, with plain words behind it, got '* ]]
  done
}

@test "cpu adds up all but idle time, of all processors, in seconds" {
  head -n 3 "$recorded/proc-stat.out" >"$FSXBENCH_ROOT/proc/stat"
  run -0 --separate-stderr bash "$server/cpu"
  # cpu  6463 0 14708 25126 1582 0 377 0 138 0
  [ "$output" = '{"schema":"fsxbench.cpu/1","seconds":{"user":64.63,"nice":0.00,"system":147.08,"irq":0.00,"softirq":3.77,"steal":0.00}}' ]
  : >"$FSXBENCH_ROOT/proc/stat"
  run -1 --separate-stderr bash "$server/cpu"
}

@test "offloaded says why nothing counts, rather than 0" {
  run -1 --separate-stderr bash "$server/offloaded"
  [[ "$stderr" == *'nothing offloads here: FSXBENCH_OFFLOAD is none' ]]
  export FSXBENCH_OFFLOAD=qat
  # As on a real server without QAT: the table is not there.
  run -1 --separate-stderr bash "$server/offloaded"
  [[ "$stderr" == *'ZFS has no table of QAT: it was built without it, or found no device' ]]
  mkdir -p "$FSXBENCH_ROOT"/{proc/spl/kstat/zfs,sys/module/zfs/parameters}
  printf '1 1 0x01 13 3536 1 2\nname type data\ncomp_requests 4 17\n' >"$FSXBENCH_ROOT/proc/spl/kstat/zfs/qat"
  echo 1 >"$FSXBENCH_ROOT/sys/module/zfs/parameters/zfs_qat_compress_disable"
  run -1 --separate-stderr bash "$server/offloaded"
  [[ "$stderr" == *'zfs_qat_compress_disable must be 0, but is 1' ]]
  echo 0 >"$FSXBENCH_ROOT/sys/module/zfs/parameters/zfs_qat_compress_disable"
  run -0 --separate-stderr bash "$server/offloaded"
  [ "$output" = '{"schema":"fsxbench.offloaded/1","requests":17}' ]
}

@test "offloaded asks an own build for its counter, and believes no other answer than a number" {
  mkdir -p "$FSXBENCH_ROOT/opt/fsxbench-build"
  printf '#!/bin/bash\necho 42\n' >"$FSXBENCH_ROOT/opt/fsxbench-build/counters"
  chmod +x "$FSXBENCH_ROOT/opt/fsxbench-build/counters"
  FSXBENCH_OFFLOAD=own-build run -0 --separate-stderr bash "$server/offloaded"
  [ "$output" = '{"schema":"fsxbench.offloaded/1","requests":42}' ]
  printf '#!/bin/bash\necho lots\n' >"$FSXBENCH_ROOT/opt/fsxbench-build/counters"
  FSXBENCH_OFFLOAD=own-build run -1 --separate-stderr bash "$server/offloaded"
  [[ "$stderr" == *"the counters must print one whole number, got 'lots'" ]]
}

@test "rung measures no disk of a pool, no other data set, and nothing without a time" {
  disks_are "$(nvme 1 9)" 'disks.update({name: {**member, "name": name, "model": "Amazon EC2 NVMe Instance Storage"} for name in names.split()})'
  run -1 --separate-stderr bash "$server/rung" raw write 10 4
  [[ "$stderr" == *'no disk is empty and in no pool: raw disks can be measured on types with more disks than the pools take' ]]
  local wrong
  for wrong in lz4 of gzip66; do
    run -1 --separate-stderr bash "$server/rung" "$wrong" write 10 4
    [[ "$stderr" == *"'RUNG' must be raw, raidz1 or a file system of this server (off:off:1024 gzip6:gzip-6:128), got '$wrong'" ]]
  done
  for wrong in 'raw write' 'raw trim 10 4' 'raw write 0 4' '/dev/sda write 10 4'; do
    # shellcheck disable=SC2086
    run -1 --separate-stderr bash "$server/rung" $wrong
    [[ "$stderr" == *"usage: rung raw|raidz1|NAME write|read SECONDS JOBS, got '$wrong'" ]]
  done
}

# bats test_tags=all
@test "rung writes to no disk that carries what udev has not seen" {
  echo '/dev/loop2 0x1ffffc00 zfs_member' >"$BATS_TEST_TMPDIR/signatures-nvme1n1"
  fake fio <<<''
  run -1 --separate-stderr bash "$server/rung" raw write 10 4
  [[ "$stderr" == *'refusing to take /dev/nvme1n1: it carries zfs_member' ]]
  [ "$(count '^fio')" -eq 0 ]
}

# bats test_tags=all
@test "each job of rung has a part of a disk or files of its own, and only what is to be written is written" {
  fake fio <<<'exit 1'
  fake timeout <<<'shift 2; exec "$@"'
  local common='--bs=1m --ioengine=psync --thread --numjobs=4 --runtime=10 --group_reporting --output-format=json'
  local written='--buffer_compress_percentage=30 --refill_buffers --end_fsync=1 --fallocate=none'
  local disk="--filename=$FSXBENCH_ROOT/dev/nvme1n1 --direct=1 --size=256 --offset_increment=256" place="$FSXBENCH_ROOT/srv/rung/raidz1"
  mkdir -p "$place"
  printf 'x' | tee "$place"/rung.{0,1,2,3}.0 >/dev/null
  local rung operation words
  while IFS='|' read -r rung operation words; do
    : >"$calls"
    FSXBENCH_RUNG_BYTES=1024 run -1 --separate-stderr bash "$server/rung" "$rung" "$operation" 10 4
    [ "$(grep '^fio' "$calls" | sed 's| --output=[^ ]*$||')" = "fio --name=rung --rw=$operation $common $words" ]
    grep -q '^timeout --kill-after=10 310 fio ' "$calls"
  done <<WORDS
raw|read|$disk --readonly
raw|write|$written $disk
raidz1|read|--directory=$place
raidz1|write|$written --directory=$place --size=256
WORDS
}

@test "rung writes to a disk that is in no pool, and measures how compressible the data are" {
  command -v fio >/dev/null || skip 'fio is not installed'
  # A file in the place of the twelfth disk: the first that is empty.
  disks_are nvme12n1
  truncate -s 64M "$FSXBENCH_ROOT/dev/nvme12n1"
  # No file system of a test takes O_DIRECT for certain.
  fake fio <<<'exec /usr/bin/fio "${@/--direct=1/--direct=0}"'
  FSXBENCH_RUNG_BYTES=33554432 run -0 --separate-stderr bash "$server/rung" raw write 20 2
  [[ "$output" == '{"schema": "fsxbench.rung/1", "rung": "raw", "operation": "write", '*'"error": 0, "bytes": 33554432, '* ]]
  # 0.71: gzip's share of fio's buffers of 30 % zeros, which is the study's 30 %.
  python3 -c 'import json, sys; share = json.loads(sys.argv[1])["gzipShare"]; assert 0.69 < share < 0.73, share' "$output"
}

@test "rung takes for compressible only what its slowest job has certainly written" {
  local sample="$BATS_TEST_TMPDIR/sample" fio
  # Two jobs wrote 16 MiB together; of this one's 8 MiB the last half was not reached.
  head -c 4M /dev/urandom >"$sample"
  truncate -s 8M "$sample"
  fio='{"fio version": "fio-3.33", "jobs": [{"error": 0, "write": {"io_bytes": 16777216, "runtime": 1500, "clat_ns": {"percentile": {"50.000000": 2000000, "99.000000": 5000000, "99.900000": 9000000}}}}]}'
  run -0 python3 "$server/../lib/rung.py" raw write 2 "$sample" <<<"$fio"
  python3 -c 'import json, sys; found = json.loads(sys.argv[1]); share = found["gzipShare"]; assert share > 0.99, share
assert (found["seconds"], found["latencySeconds"]) == (1.5, {"p50": 0.002, "p99": 0.005, "p99.9": 0.009}), found' "$output"
}

@test "rung makes a dataset as the file system has it, and says what ZFS made of the data" {
  command -v fio >/dev/null || skip 'fio is not installed'
  export FSXBENCH_RUNG_BYTES=8388608
  echo 8388608 >"$zfs_state/properties/fsxbench_ost-rung-gzip6.logicalused"
  echo 6000000 >"$zfs_state/properties/fsxbench_ost-rung-gzip6.used"
  run -0 --separate-stderr bash "$server/rung" gzip6 write 20 2
  [[ "$output" == '{"schema": "fsxbench.rung/1", "rung": "gzip6", "operation": "write", '*'"error": 0, "bytes": 8388608, '*'"logicalBytes": 8388608, "usedBytes": 6000000}' ]]
  grep -qx "zfs create -o canmount=on -o mountpoint=$FSXBENCH_ROOT/srv/rung/gzip6 fsxbench_ost/rung-gzip6" "$calls"
  grep -qx 'zfs set compression=gzip-6 fsxbench_ost/rung-gzip6' "$calls"
  grep -qx 'zfs set recordsize=128K fsxbench_ost/rung-gzip6' "$calls"
  # A read is of what the write left.
  run -0 --separate-stderr bash "$server/rung" gzip6 read 20 2
  [[ "$output" == *'"operation": "read", '*'"error": 0, "bytes": 8388608, '*'"gzipShare": null, "logicalBytes": 8388608, "usedBytes": 6000000}' ]]
  [ "$(count '^zfs create')" -eq 1 ]
}

# bats test_tags=all
@test "rung says what is missing before fio does, where fewer jobs wrote than are to read" {
  run -1 --separate-stderr bash "$server/rung" raidz1 read 20 2
  [[ "$stderr" == *"there is nothing to read for 2 jobs of raidz1 in $FSXBENCH_ROOT/srv/rung/raidz1: first run 'rung raidz1 write SECONDS 2'" ]]
  mkdir -p "$FSXBENCH_ROOT/srv/rung/raidz1"
  echo data >"$FSXBENCH_ROOT/srv/rung/raidz1/rung.0.0"
  run -1 --separate-stderr bash "$server/rung" raidz1 read 20 2
  [[ "$stderr" == *'there is nothing to read for 2 jobs'* ]]
  [ "$(count '^fio')" -eq 0 ]
}

@test "pools of others are not waited for: one that is suspended is no matter" {
  fake zpool <<<'case "$1" in list) [[ "$4 $5" == *fsxbench_ost ]] && echo fsxbench_ost ;; sync) if [[ $# -eq 1 || "$*" == *theirs* ]]; then exit 1; fi ;; esac'
  head -n 3 "$recorded/proc-stat.out" >"$FSXBENCH_ROOT/proc/stat"
  run -0 --separate-stderr bash "$server/cpu"
  [[ "$stderr" != *warning* ]]
  grep -qx 'zpool sync fsxbench_ost' "$calls"
  [ "$(count '^zpool sync$')" -eq 0 ]
}

# bats test_tags=all
@test "rung says nothing of a fio that failed, or of a dataset that could not be made" {
  fake fio <<<'said="${!#}"; echo "No space left on device" >"${said#--output=}"; exit 1'
  run -1 --separate-stderr bash "$server/rung" raidz1 write 20 2
  [[ "$stderr" == *'fio failed: No space left on device' && -z "$output" ]]
  sed -i '/^create)/a exit 1' "$FAKES/zfs"
  run -1 --separate-stderr bash "$server/rung" off write 20 2
  [[ "$stderr" == *'zfs create fsxbench_ost/rung-off failed' && -z "$output" ]]
}

@test "the clients' key opens remote and nothing else, from their network, and sudo takes no other program" {
  ssh-keygen -q -t ed25519 -N '' -C '' -f "$BATS_TEST_TMPDIR/key"
  export FAKE_KEY="$BATS_TEST_TMPDIR/key"
  fake aws <<<'[[ "$*" == "ssm get-parameter "*" --name /ec2/keypair/key-0123 --with-decryption "* ]] && cat "$FAKE_KEY"'
  fake_all chown id
  run -0 bash "$server/allow-clients"
  local folder="$FSXBENCH_ROOT/home/fsxbench/.ssh" sudoers="$FSXBENCH_ROOT/etc/sudoers.d/fsxbench"
  [ "$(<"$folder/authorized_keys")" = "restrict,from=\"10.0.0.0/16\",command=\"exec sudo --preserve-env=SSH_ORIGINAL_COMMAND $server/remote\" $(cut -d ' ' -f 1,2 "$FAKE_KEY.pub") fsxbench" ]
  [ "$(<"$sudoers")" = "fsxbench ALL=(root) NOPASSWD:SETENV: $server/remote" ]
  [ "$(stat -c %a "$folder" "$folder/authorized_keys" "$sudoers" | xargs)" = '700 600 440' ]
  # With any unreadable input, no server remains that nobody can use.
  fake_all sleep aws
  run -1 --separate-stderr bash "$server/allow-clients"
  [[ "$stderr" == *"cannot read the clients' key from /ec2/keypair/key-0123: may the instance role read it?" ]]
}

@test "counters become metrics of each file system once two readings are there" {
  head -n 3 "$recorded/proc-stat.out" >"$FSXBENCH_ROOT/proc/stat"
  export FSXBENCH_METRICS_NAMESPACE=fsxbench/LustreZfs FSXBENCH_METRICS_ID=i-0abc FSXBENCH_FILE_SYSTEMS='lz4:lz4:1024 none:off:1024'
  export md_stats="$BATS_TEST_TMPDIR/md_stats"
  cp "$recorded/mdt-md_stats.out" "$md_stats"
  printf 'obdfilter.lz4-OST0000.stats=\nwrite_bytes               72 samples [bytes] 2 1048576 33554543 35184372089147\n' >>"$md_stats"
  # Of several targets the sum counts; this one rests.
  printf 'obdfilter.lz4-OST0001.stats=\nwrite_bytes               5 samples [bytes] 2 1048576 1000 1000\n' >>"$md_stats"
  fake lctl <<<'cat "$md_stats"'
  fake aws <<<''
  fake zfs <<<'if [[ "${@: -1}" == */lz4-ost0 ]]; then printf "%s\t%s\n" logicalused 300 used 100 available 900; else exit 1; fi'
  bash "$server/publish-counters"
  [ "$(count '^aws')" -eq 0 ]
  # A rename is counted by its way, too.
  sed -i 's/^mknod  *8 samples.*/rename 1 samples [usecs] 1 1 1 1\nsamedir_rename 1 samples [usecs] 1 1 1 1\n&/' "$md_stats"
  sed -i 's/^open  *12 samples/open 20 samples/; s/33554543/34554543/; s/72 samples/75 samples/' "$md_stats"
  # 30 ticks busy, 20 idle and 10 waiting; the first number includes guests' ticks.
  sed -i 's/^cpu  6463 0 14708 25126 1582 0 377 0 138 0/cpu  6493 0 14708 25146 1592 0 377 0 158 0/' "$FSXBENCH_ROOT/proc/stat"
  bash "$server/publish-counters"
  local sent
  sent="$(grep '^aws cloudwatch put-metric-data' "$calls")"
  for metric in '"FileOpens","Unit":"Count","Value":8' '"MetadataOperations","Unit":"Count","Value":9' '"BytesWritten","Unit":"Bytes","Value":1000000' '"WriteOperations","Unit":"Count","Value":3' '"ServerCpu","Unit":"Percent","Value":50'; do
    [[ "$sent" == *"$metric,"*'"Dimensions":[{"Name":"FileSystem","Value":"i-0abc.lz4"}]'* ]]
  done
  [[ "$sent" == *'"ServerCpu"'*'i-0abc.none'* ]]
  [[ "$sent" == *'put-metric-data --region us-east-1 --namespace fsxbench/LustreZfs --metric-data '* ]]
  for metric in LogicalBytes,300 UsedBytes,100 FreeBytes,900; do
    [[ "$sent" == *"{\"MetricName\":\"${metric%,*}\",\"Unit\":\"Bytes\",\"Value\":${metric#*,},"* ]]
  done
  [[ "${sent##*LogicalBytes}" != *i-0abc.none* ]]
  # Targets that were mounted anew count from 0.
  : >"$calls"
  sed -i 's/^open  *20 samples/open 2 samples/' "$md_stats"
  bash "$server/publish-counters"
  [ "$(grep -o '"FileOpens"[^}]*' "$calls" | grep -o 'i-0abc.*')" = 'i-0abc.none"' ]
}
