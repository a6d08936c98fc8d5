#!/usr/bin/env bats
# describe-node: the provenance of numbers, as one JSON object, whatever is missing or hangs.

load lib/helper
load ../support/lustre/substitute

setup() {
  servers=()
  make_machine
  export_replay
  mkdir -p "$FSXBENCH_ROOT/etc/fsxbench" "$FSXBENCH_ROOT/var/lib/fsxbench"
}

# field EXPRESSION: of the object `it` that describe-node printed, as JSON.
field() { node -e 'const it = JSON.parse(process.argv[1]); console.log(JSON.stringify(eval(process.argv[2])))' "$document" "$1"; }

describe() { document="$("$client/bin/describe-node" "$@" 2>"$BATS_TEST_TMPDIR/err")"; }

lustre_client() {
  cat "$recorded/mount-proc.out" >"$FSXBENCH_ROOT/proc/mounts"
  echo '{"arms":{"none":{"mountPoint":"/fsx"}},"tools":{"ior":"3.3.0"}}' >"$FSXBENCH_ROOT/etc/fsxbench/client.json"
  fake lfs <<'BODY'
case "$*" in
  --version) replay lfs-version ;;
  'getstripe -d /fsx') replay getstripe-dir-pfl ;;
  'check servers') replay ost-inactive-check ;;
  *) exit 9 ;;
esac
BODY
  fake lctl <<'BODY'
case "$*" in
  --version) replay lctl-version ;;
  get_param*) replay get_param-osc-max_dirty_mb; replay get_param-llite-max_cached_mb; replay get_param-not-mounted ;;
esac
BODY
}

@test "says what a Lustre client is, from what a real one printed" {
  lustre_client
  echo '{"schema":"fsxbench.tuning/1","warnings":["w"]}' >"$FSXBENCH_ROOT/var/lib/fsxbench/tuning.json"
  describe
  [ "$(field it.schema)" = '"fsxbench.environment/1"' ]
  [ "$(field it.lustre)" = '{"lfs":"lfs 2.15.8_dirty","lctl":"lctl 2.15.8_dirty"}' ]
  [ "$(field 'it.arms.none.source')" = '"172.31.8.15@tcp:/fsxvol"' ]
  [ "$(field 'it.arms.none.type')" = '"lustre"' ]
  [[ "$(field 'it.arms.none.layout')" == *'lcme_extent.e_end:   104857600'* ]]
  [ "$(field 'it.parameters["osc.fsxvol-OST0002-osc-ffff8cdbe50e0000.max_dirty_mb"]')" = '"743"' ]
  [[ "$(field 'it.parameters["llite.fsxvol-ffff8cdbe50e0000.max_cached_mb"]')" == *'max_cached_mb: 2968; used_mb: 0'* ]]
  [ "$(field it.tuning.warnings)" = '["w"]' ]
  [ "$(field it.tools.ior)" = '"3.3.0"' ]
  [ "$(field it.os)" = '{"id":"amzn","version":"2023","name":"Amazon Linux 2023"}' ]
}

@test "names an inactive target although lfs exits with 0, also where only a folder of the file system is mounted" {
  lustre_client
  sed -i 's|:/fsxvol |:/fsxvol/projects/a |' "$FSXBENCH_ROOT/proc/mounts"
  describe
  [ "$(field it.arms.none.inactive)" = "[\"lfs check: error: check 'fsxvol-OST0003-osc-ffff8cdbeaee2000': Cannot send after transport endpoint shutdown (108)\"]" ]
}

@test "describes the arms that a run names, in place of those of client.json, with the targets of their Lustre" {
  make_machine
  use_lustre /mnt/lz4
  mkdir -p "$FSXBENCH_ROOT/mnt/lz4/data" "$FSXBENCH_ROOT/etc/fsxbench"
  ln -s "$FSXBENCH_ROOT/mnt/lz4/data" "$FSXBENCH_ROOT/a=link"
  echo '{"arms":{"old":{"mountPoint":"/fsx"}}}' >"$FSXBENCH_ROOT/etc/fsxbench/client.json"
  mkdir -p "$FSXBENCH_ROOT/proc"
  echo '10.0.2.15@tcp:/lz4 /mnt/lz4 lustre rw,noatime,flock 0 0' >"$FSXBENCH_ROOT/proc/mounts"
  lustre_state inactive
  describe --arm slow=/a=link bash
  [ "$(field 'Object.keys(it.arms)')" = '["slow"]' ]
  [ "$(field '[it.arms.slow.source, it.arms.slow.options]')" = '["10.0.2.15@tcp:/lz4","rw,noatime,flock"]' ]
  [ "$(field '[it.arms.slow.objectTargets, it.arms.slow.metadataTargets]')" = '[2,2]' ]
  [[ "$(field it.arms.slow.inactive)" == *lz4-OST0001* ]]
  [ "$(field 'Object.keys(it.programs)')" = '["bash"]' ]
}

@test "does without Lustre, without metadata service, without client.json" {
  describe
  [ "$(field it.lustre)" = null ]
  [ "$(field it.instance)" = null ]
  [ "$(field it.arms)" = '{}' ]
  [ "$(field it.tuning)" = null ]
  [[ "$(field it.notices)" == *'metadata service is switched off'* ]]
  [ "$(field 'it.cpus > 0 && it.memoryBytes > 0')" = true ]
}

@test "an lfs that hangs is given up in time, and said so" {
  lustre_client
  fake lfs <<<'if [[ "$1" == --version ]]; then replay lfs-version; else setsid sleep 3600 & echo $! >>"$BATS_TEST_TMPDIR/left"; sleep 3600; fi'
  FSXBENCH_DESCRIBE_SECONDS=1 describe
  [ "$(field it.arms.none.layout)" = null ]
  [[ "$(field it.notices)" == *'lfs check servers: no answer within 1 s, given up'* ]]
  # Nobody waited for what it left behind.
  run ! ended "$(head -n 1 "$BATS_TEST_TMPDIR/left")"
  xargs kill -KILL <"$BATS_TEST_TMPDIR/left"
}

@test "tells the instance from the metadata service, version 2" {
  local imds="$BATS_TEST_TMPDIR/imds"
  mkdir -p "$imds/latest/meta-data/placement"
  printf i-0123 >"$imds/latest/meta-data/instance-id"
  printf c5n.9xlarge >"$imds/latest/meta-data/instance-type"
  printf us-east-1a >"$imds/latest/meta-data/placement/availability-zone"
  start_server "$lib/fake-imds.mjs" "$imds" "$imds/port"
  unset AWS_EC2_METADATA_DISABLED
  AWS_EC2_METADATA_SERVICE_ENDPOINT="http://127.0.0.1:$(<"$imds/port")"
  export AWS_EC2_METADATA_SERVICE_ENDPOINT
  describe
  [ "$(field it.instance)" = '{"id":"i-0123","type":"c5n.9xlarge","image":null,"availabilityZone":"us-east-1a","privateIp":null,"lifeCycle":null}' ]
}

@test "an arm that is a local directory lies on the file system below it, the last that was mounted there" {
  echo '{"arms":{"none":{"mountPoint":"/data/mnt/none"}},"tools":{}}' >"$FSXBENCH_ROOT/etc/fsxbench/client.json"
  printf '/dev/root / ext4 rw 0 0\n/dev/beneath /data/mnt/none ext4 ro 0 0\n/dev/loop0 /data/mnt/none btrfs rw,compress-force=lzo 0 0\n/dev/x /data/mnt/nonesuch xfs rw 0 0\n' \
    >"$FSXBENCH_ROOT/proc/mounts"
  describe
  [ "$(field it.arms.none)" = '{"mountPoint":"/data/mnt/none","source":"/dev/loop0","type":"btrfs","options":"rw,compress-force=lzo","layout":null,"inactive":null}' ]
}

@test "what lctl does not find as an ordinary user is a notice, not a parameter that is silently absent" {
  lustre_client
  fake lctl <<'BODY'
case "$*" in
  --version) replay lctl-version ;;
  get_param*) replay get_param-osc-max_dirty_mb; cat "$recorded/user-get_param-max_cached_mb.out" >&2; exit 2 ;;
esac
BODY
  describe
  [ "$(field 'Object.keys(it.parameters).filter((name) => name.includes("max_cached_mb")).length')" -eq 0 ]
  [ "$(field 'it.parameters["osc.fsxvol-OST0002-osc-ffff8cdbe50e0000.max_dirty_mb"]')" = '"743"' ]
  [[ "$(field it.notices)" == *"error: get_param: param_path 'llite/*/max_cached_mb': No such file or directory"* ]]
}

@test "a storage whose script fails is a notice, and none at all is fine" {
  local copy="$BATS_TEST_TMPDIR/copy"
  mkdir -p "$copy/storage/broken"
  cp -r "$client/bin" "$client/lib" "$copy/"
  echo 'export const describe = () => { throw new Error("no such luck") };' >"$copy/storage/broken/describe.mjs"
  document="$(FSXBENCH_HOME="$copy" "$copy/bin/describe-node")"
  [[ "$(field it.notices)" == *'"broken: no such luck"'* ]]
  rm -r "$copy/storage"
  document="$(FSXBENCH_HOME="$copy" "$copy/bin/describe-node")"
  [ "$(field it.arms)" = '{}' ]
}

@test "says where each program lies that was asked for, and which is not on the PATH" {
  fake ior <<<'exit 9'
  describe ior mdtest
  [ "$(field 'it.programs.ior.endsWith("/ior")')" = true ]
  [ "$(field it.programs.mdtest)" = null ]
}

@test "tells the instance type from firmware tables where the metadata service does not answer" {
  mkdir -p "$FSXBENCH_ROOT/sys/devices/virtual/dmi/id"
  echo 'Amazon EC2' >"$FSXBENCH_ROOT/sys/devices/virtual/dmi/id/sys_vendor"
  echo c5n.18xlarge >"$FSXBENCH_ROOT/sys/devices/virtual/dmi/id/product_name"
  describe
  [ "$(field it.instance.type)" = '"c5n.18xlarge"' ]
}

@test "says what to do where there is no Node.js" {
  local program bare="$BATS_TEST_TMPDIR/bare"
  mkdir "$bare"
  for program in bash date dirname readlink; do ln -s "$(command -v "$program")" "$bare/$program"; done
  run env -i PATH="$bare" FSXBENCH_BIN="$bare" bash "$client/bin/describe-node"
  [ "$status" -eq 1 ]
  [[ "$output" == *'there is no Node.js on the PATH here: load its module'* ]]
}
