#!/usr/bin/env bats
# Lustre over EFA, against answers of lnetctl written after its documentation: no machine here has the adapter.

load ../../client/lib/helper

setup() {
  make_machine
  efa="$client/storage/lustre/efa"
  export FSXBENCH_HOME="$client"
  fake_all modprobe systemctl
  # A second card has a separate route, which comes second.
  fake ip <<<'printf "default via 10.0.0.1 dev %s proto dhcp src 10.0.1.7 metric %s\n" ens5 512 ens6 1024'
  lnetctl_says 'net:
    - net type: lo' ''
  device rdmap0s6 efa
}

# device NAME DRIVER
device() {
  mkdir -p "$FSXBENCH_ROOT/drivers/$2" "$FSXBENCH_ROOT/sys/class/infiniband/$1/device"
  ln -sfn "$FSXBENCH_ROOT/drivers/$2" "$FSXBENCH_ROOT/sys/class/infiniband/$1/device/driver"
}

# lnetctl_says NETS RULES
lnetctl_says() {
  printf '%s\n' "$1" >"$BATS_TEST_TMPDIR/nets"
  printf '%s\n' "$2" >"$BATS_TEST_TMPDIR/rules"
  fake lnetctl <<'BODY'
case "$1 $2" in
  'net show') cat "$BATS_TEST_TMPDIR/nets" ;;
  'udsp show') cat "$BATS_TEST_TMPDIR/rules" ;;
esac
BODY
}

nets_with_sends() {
  printf 'net:
    - net type: efa
      local NI(s):
        - nid: 10.0.1.7@efa
          status: up
          interfaces:
              0: rdmap0s6
          statistics:
              send_count: %s
              recv_count: 7
              drop_count: 0
' "$1"
}

@test "LNet gets TCP, then every EFA device, and a rule that prefers EFA, before Lustre is loaded" {
  device rdmap1s6 efa
  device mlx5_0 mlx5_core
  run "$efa" configure
  [ "$status" -eq 0 ]
  [ "$(grep -E '^(modprobe|lnetctl (lnet|net add|set|udsp add))' "$calls")" = 'modprobe lnet
modprobe kefalnd ipif_name=ens5
modprobe ksocklnd
lnetctl lnet configure
lnetctl net add --net tcp --if ens5
lnetctl net add --net efa --if rdmap0s6 --peer-credits 32
lnetctl net add --net efa --if rdmap1s6 --peer-credits 32
lnetctl set discovery 1
lnetctl udsp add --src efa --priority 0
modprobe lustre' ]
  [[ "$(<"$calls")" != *ens6* ]]
}

@test "after a reboot systemd gives LNet its interfaces again, before anything is mounted, and accepts the unit" {
  run "$efa" configure
  local unit="$FSXBENCH_ROOT/etc/systemd/system/fsxbench-lnet-efa.service"
  grep -qx 'Before=remote-fs-pre.target' "$unit"
  grep -qx 'WantedBy=multi-user.target remote-fs-pre.target' "$unit"
  [ "$(grep '^systemctl' "$calls")" = 'systemctl daemon-reload
systemctl enable --quiet fsxbench-lnet-efa.service' ]
  : >"$calls"
  # Its command with its environment, as systemd would run it.
  run env -u FSXBENCH_HOME "$(sed -n 's/^Environment=//p' "$unit")" sh -c "$(sed -n 's/^ExecStart=//p' "$unit")"
  [ "$status" -eq 0 ]
  [ "$(count '^lnetctl net add --net efa')" -eq 1 ]
  command -v systemd-analyze >/dev/null || skip 'systemd-analyze is not here'
  run systemd-analyze verify --man=no "$unit"
  [ -z "$output" ]
}

@test "without systemd nothing is enabled" {
  rmdir "$FSXBENCH_ROOT/run/systemd/system"
  run "$efa" configure
  [ "$status" -eq 0 ]
  [ "$(count '^systemctl')" -eq 0 ]
}

@test "a device is added beside one whose name begins alike" {
  lnetctl_says "net:
$(nets_with_sends 3 | sed 's/rdmap0s6/rdmap0s60/')" ''
  run "$efa" configure
  [ "$(grep '^lnetctl net add --net efa' "$calls")" = 'lnetctl net add --net efa --if rdmap0s6 --peer-credits 32' ]
}

@test "a client without a default route fails before LNet is touched" {
  fake ip <<<''
  run "$efa" configure
  [ "$status" -eq 1 ]
  [[ "$output" == *'this client has no default route'* ]]
  [ "$(count '^(lnetctl|modprobe)')" -eq 0 ]
}

@test "a step of LNet that fails ends it, and nothing is kept for the next boot" {
  fake lnetctl <<<'[[ "$1 $2" != "net add" ]]'
  run "$efa" configure
  [ "$status" -ne 0 ]
  [ ! -e "$FSXBENCH_ROOT/etc/systemd/system/fsxbench-lnet-efa.service" ]
}

@test "an lnetctl that hangs proves nothing" {
  fake lnetctl <<<"$times_up"
  run "$efa" prove /fsx
  [ "$status" -ne 0 ]
  [[ "$output" == *'gave up after 60s: lnetctl net show'* ]]
}

@test "anything but configure and prove is refused" {
  run "$efa" proof
  [ "$status" -eq 1 ]
  [[ "$output" == *"usage: efa configure | prove MOUNT_POINT, got 'proof'"* ]]
}

@test "what LNet has already is not added again" {
  lnetctl_says "net:
    - net type: tcp
$(nets_with_sends 3)" 'udsp:
    - idx: 0
      src: efa'
  run "$efa" configure
  [ "$status" -eq 0 ]
  [ "$(count '^lnetctl net add')" -eq 0 ]
  [ "$(count '^lnetctl udsp add')" -eq 0 ]
}

@test "a client without an EFA device fails before LNet is touched" {
  rm -r "$FSXBENCH_ROOT/sys/class/infiniband"
  run "$efa" configure
  [ "$status" -eq 1 ]
  [[ "$output" == *'this client has no EFA device'* ]]
  [ "$(count '^lnetctl')" -eq 0 ]
}

@test "a Lustre client without the module for EFA is named" {
  fake modprobe <<<'[[ "$1" != kefalnd ]]'
  run "$efa" configure
  [ "$status" -eq 1 ]
  [[ "$output" == *'has no module kefalnd'* ]]
}

# counted BEFORE AFTER: what LNet counts on EFA before and after something was written with dd.
counted() {
  nets_with_sends "$1" >"$BATS_TEST_TMPDIR/nets"
  nets_with_sends "$2" >"$BATS_TEST_TMPDIR/nets-after"
  # Other networks are not asked about: what went over TCP proves nothing.
  fake lnetctl <<<'if [[ "$*" == "net show --net efa --verbose" ]]; then cat "$BATS_TEST_TMPDIR/nets"; else echo "unexpected: $*" >&2; exit 1; fi'
  fake dd <<<'mv "$BATS_TEST_TMPDIR/nets-after" "$BATS_TEST_TMPDIR/nets"'
}

@test "bulk data that LNet counts on EFA proves it, and nothing else does: not requests of before" {
  counted 1234 1298
  run "$efa" prove /fsx
  [ "$status" -eq 0 ]
  [ "$output" = '64 requests for 64 MiB over EFA by 1 interfaces' ]
  [ "$(grep '^dd' "$calls")" = "dd if=/dev/zero of=$FSXBENCH_ROOT/fsx/.fsxbench-efa-$(uname -n) bs=4M count=16 oflag=direct status=none" ]
  # As of a client that has just booted.
  counted 0 64
  run "$efa" prove /fsx
  [ "$status" -eq 0 ]
  counted 1234 1234
  run "$efa" prove /fsx
  [ "$status" -eq 1 ]
  [[ "$output" == *'64 MiB were written to /fsx, and LNet sent no request over EFA (10.0.1.7@efa 1234): they went over TCP'* ]]
  : >"$BATS_TEST_TMPDIR/nets"
  run "$efa" prove /fsx
  [ "$status" -eq 1 ]
  [[ "$output" == *'LNet has no EFA interface'* ]]
}

@test "what it wrote is gone" {
  counted 0 64
  fake dd <<<'for word; do if [[ "$word" == of=* ]]; then echo x >"${word#of=}"; fi; done; mv "$BATS_TEST_TMPDIR/nets-after" "$BATS_TEST_TMPDIR/nets"'
  run "$efa" prove /fsx
  [ "$status" -eq 0 ]
  [ -z "$(ls -A "$FSXBENCH_ROOT/fsx")" ]
}
