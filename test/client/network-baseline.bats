#!/usr/bin/env bats
# The network below a file system: whose address, which commands, and LNet's self-test as it was recorded.

load lib/helper

setup() {
  make_machine
  export_replay
  printf '172.31.8.15@tcp:/off /fsx/off lustre rw 0 0\nmfs\\043198.18.0.1:9421 /fsx/moose fuse.mfs rw 0 0\n/dev/sda1 / ext4 rw 0 0\n' >"$FSXBENCH_ROOT/proc/mounts"
  fake iperf3 <<<''
  fake fi_pingpong <<<''
  fake modprobe <<<''
  fake lctl <<<'echo 10.0.0.7@tcp'
  fake lst <<<'if [[ "$1" == stat ]]; then replay lst-brw-write; fi'
}

baseline() { run -"${status:-0}" --separate-stderr bash "$client/bin/network-baseline" "$@"; }

@test "asks the server of the mount that the directory is on" {
  baseline iperf3 /fsx/off/data send 10 8
  grep -qx 'iperf3 --client 172.31.8.15 --time 10 --parallel 8 --json' "$calls"
  baseline iperf3 /fsx/moose receive 10 1
  grep -qx 'iperf3 --client 198.18.0.1 --time 10 --parallel 1 --json --reverse' "$calls"
  baseline fi_pingpong /fsx/off efa
  grep -qx 'fi_pingpong -p efa -e rdm 172.31.8.15' "$calls"
}

@test "a directory without a server, and options that are none, are refused by name" {
  status=1 baseline iperf3 /home send 10 8
  [[ "$stderr" == *'what /home is on has no server with an address: /dev/sda1' ]]
  status=1 baseline iperf3 /fsx/off up 10 8
  [[ "$stderr" == *"'WAY' must match send|receive, got 'up'" ]]
  status=1 baseline iperf3 /fsx/off send 10 129
  [[ "$stderr" == *"'STREAMS' must match "*", got '129'" ]]
  status=1 baseline netperf /fsx/off
  [[ "$stderr" == *"'TOOL' must match iperf3|fi_pingpong|lst, got 'netperf'" ]]
}

@test "LNet self-test takes the manual's steps, and ends its session also where the test failed" {
  baseline lst /fsx/off write 6 16
  [[ "$output" == *'[LNet Bandwidth of clients]'* ]]
  [ "$(grep '^lst' "$calls" | cut -d ' ' -f 2 | xargs)" = 'new_session add_group add_group add_batch add_test run stat show_error stop end_session' ]
  grep -qx 'lst add_group servers 172.31.8.15@tcp' "$calls"
  grep -qx 'lst add_test --batch bulk --concurrency 16 --from clients --to servers brw write check=none size=1M' "$calls"
  : >"$calls"
  fake lst <<<'if [[ "$1" == stat ]]; then replay lst-no-session; fi'
  status=255 baseline lst /fsx/off read 6 16
  [ "$(count '^lst end_session')" -eq 1 ]
}
