#!/usr/bin/env bats
# Packages and logs of a client, and its description for the driver.

load lib/helper
load lib/lustre

setup() {
  make_machine
  fake sleep <<<''
  # Only what `rpm -q` knows is installed; dnf installs.
  export FAKE_RPMS="$BATS_TEST_TMPDIR/rpms"
  : >"$FAKE_RPMS"
  fake rpm <<<'grep -qx -- "${@: -1}" "$FAKE_RPMS"'
  fake dnf <<<'if [[ "$1" == install ]]; then printf "%s\n" "$@" >>"$FAKE_RPMS"; fi'
}

@test "installs what is missing, and the second time nothing" {
  run "$client/bin/install-packages"
  [ "$status" -eq 0 ]
  grep -q '^dnf install -y --quiet lustre-client gcc .* fio .* python3.11 amazon-cloudwatch-agent$' "$calls"
  : >"$calls"
  run "$client/bin/install-packages"
  [ "$status" -eq 0 ]
  [ "$(count '^dnf')" -eq 0 ]
}

# older_node VERSION: what `node` is until `alternatives` makes it another.
older_node() {
  node_says "$1"
  fake alternatives <<'BODY'
[[ "$1 $2" == '--set node' ]] && node_says "${3##*-}.1.0"
BODY
}
node_says() { fake node <<<"[[ \"\$1\" == -p ]] && echo ${1%%.*} || echo v$1"; }
export -f node_says fake

@test "an older Node.js stays installed, and a supported one becomes node" {
  older_node 20.18.0
  run "$client/bin/install-packages"
  [ "$status" -eq 0 ]
  grep -qx 'dnf install -y --quiet nodejs22' "$calls"
  grep -qx 'alternatives --set node /usr/bin/node-22' "$calls"
  : >"$calls"
  run "$client/bin/install-packages"
  [ "$(count '^(dnf|alternatives)')" -eq 0 ]
}

@test "an older Node.js that comes first on PATH ends the boot, and is named" {
  older_node 20.18.0
  fake alternatives <<<''
  run "$client/bin/install-packages"
  [ "$status" -eq 1 ]
  [[ "$output" == *"'node' must be Node.js 22 or newer, got v20.18.0 at $FAKES/node"* ]]
}

@test "where the repositories have no Node.js 22 any more, 24 is taken; where none, the boot ends with those it looked for" {
  older_node 20.18.0
  fake dnf <<<'if [[ "$1" == list ]]; then [[ "${@: -1}" == "$offered" ]]; fi'
  offered=nodejs24 run "$client/bin/install-packages"
  [ "$status" -eq 0 ]
  grep -qx 'dnf install -y --quiet nodejs24' "$calls"
  grep -qx 'alternatives --set node /usr/bin/node-24' "$calls"
  older_node 20.18.0
  offered=none run "$client/bin/install-packages"
  [ "$status" -eq 1 ]
  [[ "$output" == *'no Node.js in the repositories: looked for nodejs22 nodejs24' ]]
}

@test "each kind of storage, the role and Spack decide what is installed" {
  FSXBENCH_ARMS='[{"name":"a","kind":"efs","mountPoint":"/fsx/a"},{"name":"b","kind":"mountpoint-s3","mountPoint":"/fsx/b"}]' FSXBENCH_ROLE=mount run "$client/bin/install-packages"
  [ "$status" -eq 0 ]
  [ "$(grep '^dnf install' "$calls")" = 'dnf install -y --quiet amazon-efs-utils mount-s3 util-linux amazon-cloudwatch-agent' ]
  : >"$calls"
  FSXBENCH_INSTALL=spack FSXBENCH_ARMS='' run "$client/bin/install-packages"
  [ "$(grep '^dnf install' "$calls")" = 'dnf install -y --quiet gcc gcc-c++ make autoconf automake libtool bzip2 tar gzip fio lz4 zstd openssh-clients sudo python3.11 git patch xz unzip' ]
}

@test "the oldest Node.js of clients is that of the project" {
  grep -qx "readonly node_floor=$(node -p 'parseInt(require(process.argv[1]).engines.node.slice(2))' "$client/../../package.json")" "$client/bin/install-packages"
}

@test "a repository that fails is tried again; then the deployment learns what is missing and what it needs" {
  fake dnf <<<'exit 1'
  run "$client/bin/install-packages"
  [ "$status" -eq 1 ]
  [ "$(count '^dnf install')" -eq 4 ]
  [[ "$output" == *'dnf could not install lustre-client gcc'*"the subnet needs a way to Amazon Linux's repositories"* ]]
}

@test "a dnf that hangs is ended" {
  fake dnf <<<'exec /usr/bin/env -i /bin/sleep 60'
  FSXBENCH_PACKAGE_SECONDS=1 run "$client/bin/install-packages"
  [ "$status" -eq 1 ]
  [[ "$output" == *'failed with status 124'* ]]
}

@test "the logs of boot and drivers go to the stack's log group, and an agent that fails is a warning" {
  local agent="$FSXBENCH_ROOT/opt/aws/amazon-cloudwatch-agent"
  mkdir -p "$agent/bin"
  printf '#!/bin/bash\necho "agent $*" >>"$calls"\nif [[ "$2" == status ]]; then echo %s; fi\n' "'\"status\": \"running\"'" \
    >"$agent/bin/amazon-cloudwatch-agent-ctl"
  chmod +x "$agent/bin/amazon-cloudwatch-agent-ctl"
  run "$client/bin/setup-logs"
  [ "$status" -eq 0 ]
  node -e '
    const { logs } = JSON.parse(require("fs").readFileSync(process.argv[1]));
    const list = logs.logs_collected.files.collect_list;
    process.exit(list.length === 2 && list.every((one) => one.log_group_name === "/fsxbench/CompressionBench") ? 0 : 1);
  ' "$agent/etc/fsxbench.json"
  grep -qx "agent -a append-config -m ec2 -s -c file:$agent/etc/fsxbench.json" "$calls"
  : >"$calls"
  run "$client/bin/setup-logs"
  [ "$(count 'append-config')" -eq 0 ]
  rm "$agent/etc/fsxbench.json"
  printf '#!/bin/bash\nexit 1\n' >"$agent/bin/amazon-cloudwatch-agent-ctl"
  run "$client/bin/setup-logs"
  [ "$status" -eq 0 ]
  [[ "$output" == *'warning: the CloudWatch agent does not start'* ]]
}

@test "a configuration that the agent has already, as on a node of a ParallelCluster, stays" {
  local agent="$FSXBENCH_ROOT/opt/aws/amazon-cloudwatch-agent"
  export configurations="$agent/etc/amazon-cloudwatch-agent.d"
  mkdir -p "$agent/bin" "$configurations"
  echo theirs >"$configurations/file_amazon-cloudwatch-agent.json"
  # As the agent's own program: fetch-config replaces all configurations, append-config adds one, by the name of its file.
  cat >"$agent/bin/amazon-cloudwatch-agent-ctl" <<'CTL'
#!/bin/bash
config="${!#}"
case "$2" in
fetch-config) rm -f "$configurations"/* ;&
append-config) cp "${config#file:}" "$configurations/file_$(basename "$config")" ;;
*) exit 1 ;;
esac
CTL
  chmod +x "$agent/bin/amazon-cloudwatch-agent-ctl"
  run "$client/bin/setup-logs"
  [ "$status" -eq 0 ]
  run "$client/bin/setup-logs"
  [ "$(ls "$configurations" | xargs)" = 'file_amazon-cloudwatch-agent.json file_fsxbench.json' ]
}

@test "client.json tells the driver how to start processes and where the arms are" {
  sed 's| /fsx lustre| /fsx/none lustre|' "$recorded/mount-proc.out" >"$FSXBENCH_ROOT/proc/mounts"
  sed 's|:/fsxvol /fsx lustre|:/lz4vol /fsx/lz4 lustre|' "$recorded/mount-proc.out" >>"$FSXBENCH_ROOT/proc/mounts"
  fake fio <<<'echo fio-3.32'
  fake mdtest <<<''
  run "$client/bin/write-client-config"
  [ "$status" -eq 0 ]
  [ "$(node -p 'JSON.stringify(JSON.parse(require("fs").readFileSync(process.argv[1])))' "$FSXBENCH_ROOT/etc/fsxbench/client.json")" = \
    "{\"schema\":\"fsxbench.client/1\",\"launch\":\"ssh\",\"user\":\"fsxbench\",\"home\":\"$client\",\"networkCidr\":\"10.0.0.0/16\",\"arms\":{\"none\":{\"mountPoint\":\"/fsx/none\",\"filesystem\":\"lustre\",\"mountedAt\":{\"mountPoint\":\"/fsx/none\",\"type\":\"lustre\",\"device\":\"172.31.8.15@tcp:/fsxvol\"},\"actually\":\"Lustre, 172.31.8.15@tcp:/fsxvol\",\"kind\":\"lustre\"},\"lz4\":{\"mountPoint\":\"/fsx/lz4\",\"filesystem\":\"lustre\",\"mountedAt\":{\"mountPoint\":\"/fsx/lz4\",\"type\":\"lustre\",\"device\":\"172.31.8.15@tcp:/lz4vol\"},\"actually\":\"Lustre, 172.31.8.15@tcp:/lz4vol\",\"kind\":\"lustre\"}},\"tools\":{\"ior\":\"3.3.0\",\"openmpi\":\"4.1.8\",\"mdtest\":\"3.3.0\",\"fio\":\"3.32\"}}" ]
}

@test "an arm that is not mounted makes no client.json" {
  fake fio <<<'echo fio-3.32'
  run "$client/bin/write-client-config"
  [ "$status" -eq 1 ]
  [[ "$output" == *'arm none is not mounted at /fsx/none'* ]]
  [ ! -e "$FSXBENCH_ROOT/etc/fsxbench/client.json" ]
}
