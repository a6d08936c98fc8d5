#!/usr/bin/env bats
# A client of Lustre on ZFS: mounted like any Lustre, with a key to its server.

load ../../client/lib/helper
load ../../client/lib/lustre

setup() {
  make_machine
  rmdir "$FSXBENCH_ROOT/run/systemd/system"
  fake_lustre
  fake_user
  export FSXBENCH_ARM_NAME=off FSXBENCH_ARM_DNS_NAME=172.31.8.15 FSXBENCH_ARM_MOUNT_NAME=off FSXBENCH_ARM_MOUNT_POINT=/fsx/off
  export FSXBENCH_ARM_MOUNT_OPTIONS=noatime,flock FSXBENCH_ARM_STRIPE_COUNT=0 FSXBENCH_ARM_KEY_PARAMETER=/ec2/keypair/key-0abc
  # The recorded devices are of a file system with another name.
  fake lctl <<<'sed "s/fsxvol/off/" "$recorded/lctl-dl.out"'
  fake lfs <<<'if [[ "$1 $2" == "getstripe -c" ]]; then grep -c "osc off-OST" <(lctl dl); fi'
  fake aws <<<'echo PRIVATE'
}

@test "is mounted by the scripts of FSx for Lustre, and the user gets the server's key, which appears nowhere else" {
  run -0 --separate-stderr bash "$client/storage/lustre-zfs/mount"
  grep -q '^172.31.8.15@tcp:/off /fsx/off lustre ' "$FSXBENCH_ROOT/proc/mounts"
  [ "$(<"$FSXBENCH_ROOT/home/fsxbench/.ssh/id_server_172.31.8.15")" = PRIVATE ]
  [ "$(stat -c %a "$FSXBENCH_ROOT/home/fsxbench/.ssh/id_server_172.31.8.15")" = 600 ]
  grep -qx "chown fsxbench:fsxbench $FSXBENCH_ROOT/home/fsxbench/.ssh/id_server_172.31.8.15" "$calls"
  [[ "$output$stderr$(<"$calls")" != *PRIVATE* ]]
}

@test "a key that cannot be read ends it, naming the parameter" {
  fake aws <<<'exit 255'
  fake sleep <<<''
  run -1 --separate-stderr bash "$client/storage/lustre-zfs/mount"
  [[ "$stderr" == *'cannot read the key of the server 172.31.8.15 from /ec2/keypair/key-0abc: may the instance role read it?' ]]
}

@test "the driver learns how to run programs on the server, as JSON" {
  run -0 --separate-stderr bash "$client/storage/lustre-zfs/servers"
  python3 - "$output" <<'PYTHON'
import json, sys
servers = json.loads(sys.argv[1])
assert servers["command"][0] == "ssh" and servers["command"][-2:] == ["fsxbench@172.31.8.15", "--"], servers
assert servers["fileSystem"] == "off", servers
assert servers["cpu"].startswith("the server of the arm, all processors"), servers
assert "others" not in servers, servers
PYTHON
  FSXBENCH_ARM_OTHER_SERVERS='172.31.8.16 172.31.8.17' run -0 --separate-stderr bash "$client/storage/lustre-zfs/servers"
  python3 - "$output" <<'PYTHON'
import json, sys
servers = json.loads(sys.argv[1])
assert [one[-2] for one in servers["others"]] == ["fsxbench@172.31.8.16", "fsxbench@172.31.8.17"], servers
assert all(one[:3] == servers["command"][:3] for one in servers["others"]), servers
assert servers["cpu"].startswith("the 3 servers of the arm"), servers
PYTHON
  FSXBENCH_ARM_OTHER_SERVERS='172.31.8.16 $(id)' run -1 --separate-stderr bash "$client/storage/lustre-zfs/servers"
  FSXBENCH_ARM_MOUNT_NAME='off"' run -1 --separate-stderr bash "$client/storage/lustre-zfs/servers"
  FSXBENCH_ARM_DNS_NAME='x; id' run -1 --separate-stderr bash "$client/storage/lustre-zfs/servers"
}
