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
  fake_lst
}

# fake_lst: as 2.15.8 answered. It takes nothing without a session, nor a check that it does not know; refuse=STEP has it refuse that step.
fake_lst() {
  fake lst <<'FAKE'
session="$BATS_TEST_TMPDIR/session"
case "$1" in
new_session) touch "$session" && echo 'SESSION: fsxbench FEATURES: 1 TIMEOUT: 60 FORCE: Yes' ;;
*) [[ -e "$session" && -n "${LST_SESSION:-}" ]] || { replay lst-no-session; exit; } ;;
esac
if [[ "$1" == "${refuse:-}" || ("$1" == add_test && "$*" =~ check= && ! "$*" =~ check=(full|simple)) ]]; then
  replay lst-add_test-check-none
  exit
fi
case "$1" in
stat) replay lst-brw-write && if [[ -n "${hang:-}" ]]; then sleep 60; fi ;;
end_session) rm "$session" && echo 'session is ended' ;;
esac
FAKE
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

@test "asks the server of the mount on top, where one hides another" {
  printf '10.0.0.1@tcp:/old /fsx lustre rw 0 0\n10.0.0.2@tcp:/new /fsx lustre rw 0 0\n10.0.0.3@tcp:/off /fsx2 lustre rw 0 0\n' >"$FSXBENCH_ROOT/proc/mounts"
  baseline iperf3 /fsx/data send 10 8
  grep -q '^iperf3 --client 10.0.0.2 ' "$calls"
  # Of several servers the first, and none of what a folder's name may look like.
  printf 'nfs\\\\04010.0.0.4,10.0.0.5:/10.1.1.1 /nfs nfs4 rw 0 0\n' >>"$FSXBENCH_ROOT/proc/mounts"
  baseline fi_pingpong /nfs sockets
  grep -qx 'fi_pingpong -p sockets -e rdm 10.0.0.4' "$calls"
  # A name that begins alike is on neither.
  status=1 baseline iperf3 /fsx-data send 10 8
}

@test "takes the first server and its network from a source of any form" {
  printf '172.31.8.15@o2ib2,10.0.0.15@tcp:172.31.8.16@o2ib2:/off/a:/b /fsx/off lustre rw 0 0\n2001:db8::15@tcp:/six /fsx/six lustre rw 0 0\n' >"$FSXBENCH_ROOT/proc/mounts"
  baseline lst /fsx/off write 6 16
  grep -qx 'lst add_group servers 172.31.8.15@o2ib2' "$calls"
  baseline iperf3 /fsx/off send 10 8
  grep -q '^iperf3 --client 172.31.8.15 ' "$calls"
  baseline iperf3 /fsx/six send 10 8
  grep -q '^iperf3 --client 2001:db8::15 ' "$calls"
  FSXBENCH_BASELINE_SERVER=10.0.0.9 baseline lst /fsx/off write 6 16
  grep -qx 'lst add_group servers 10.0.0.9@tcp' "$calls"
}

@test "a directory without a server, and options that are none, are refused by name" {
  status=1 baseline iperf3 /home send 10 8
  [[ "$stderr" == *'what /home is on has no server with an address: /dev/sda1' ]]
  status=1 baseline iperf3 /fsx/off up 10 8
  [[ "$stderr" == *"'WAY' must match send|receive, got 'up'" ]]
  status=1 baseline iperf3 /fsx/off send 10 129
  [[ "$stderr" == *"'STREAMS' must match "*", got '129'" ]]
  status=1 baseline lst /fsx/off write 6 1000
  [[ "$stderr" == *"'CONCURRENCY' must match "*", got '1000'" ]]
  status=1 baseline netperf /fsx/off
  [[ "$stderr" == *"'TOOL' must match iperf3|fi_pingpong|lst, got 'netperf'" ]]
}

@test "LNet self-test takes the manual's steps, and ends its session" {
  baseline lst /fsx/off write 6 16
  [[ "$output" == *'[LNet Bandwidth of clients]'*'session is ended' ]]
  [ "$(grep '^lst' "$calls" | cut -d ' ' -f 2 | xargs)" = 'new_session add_group add_group add_batch add_test run stat show_error stop end_session' ]
  grep -qx 'lst add_group servers 172.31.8.15@tcp' "$calls"
  grep -qx 'lst add_group clients 10.0.0.7@tcp' "$calls"
  # Each two seconds, until the time is over.
  grep -qx 'lst stat --delay 2 --count 3 clients servers' "$calls"
  baseline lst /fsx/off read 1 1
  grep -qx 'lst stat --delay 2 --count 2 clients servers' "$calls"
  # Errors of this session alone: without --session, RPCs count that failed since the module was loaded.
  grep -qx 'lst show_error --session clients servers' "$calls"
  grep -qx 'lst add_test --batch bulk --concurrency 16 --from clients --to servers brw write size=1M' "$calls"
}

@test "LNet self-test ends its session whichever step is refused, with the status and the words of the refusal" {
  export refuse
  for refuse in new_session add_group add_test run stat show_error; do
    status=255 baseline lst /fsx/off read 6 16
    [[ "$stderr" == *'Failed to add test (brw)'* ]]
    [[ "$output" != *'session is ended'* || "$refuse" == stat || "$refuse" == show_error ]]
    [ ! -e "$BATS_TEST_TMPDIR/session" ]
  done
}

@test "LNet self-test ends its session when it is itself ended" {
  hang=1 bash "$client/bin/network-baseline" lst /fsx/off write 600 16 >/dev/null 2>&1 3>&- &
  await 'the test to run' grep -q '^lst stat' "$calls"
  kill "$!"
  await 'its end' ended "$!"
  [ ! -e "$BATS_TEST_TMPDIR/session" ]
}
