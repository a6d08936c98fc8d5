#!/usr/bin/env bats
# measure-command: what a user's own program took, as the last line; its output, its arguments and its status are its own.

load lib/helper

setup() {
  make_machine
  unset FSXBENCH_ROOT
}

measure() { "$client/bin/measure-command" "$@"; }
field() { tail -n 1 <<<"$output" | sed -E "s/.*\"$1\":([^,}]*).*/\1/"; }

@test "a program that sleeps takes wall time and no other" {
  run measure sleep 0.3
  [ "$status" -eq 0 ]
  [ "$(field exit_status)" = 0 ]
  [[ "$(field wall_s)" == 0.3* || "$(field wall_s)" == 0.[4-9]* ]]
  [[ "$(field user_s)" == 0.0* ]]
}

@test "bytes are those that read and write moved" {
  run measure dd if=/dev/zero "of=$BATS_TEST_TMPDIR/data" bs=1M count=5
  [ "$status" -eq 0 ]
  (($(field written_bytes) >= 5 * 1024 * 1024 && $(field written_bytes) < 5 * 1024 * 1024 + 4096))
  (($(field read_bytes) >= 5 * 1024 * 1024 && $(field read_bytes) < 5 * 1024 * 1024 + 65536))
}

@test "arguments reach the program as they are: no shell looks at them" {
  run measure printf '%s|' 'a  b' '$HOME' '*' ';'
  [ "$status" -eq 0 ]
  [ "${lines[0]}" = 'a  b|$HOME|*|;|' ]
}

@test "output that ends without a line end does not join the measurement" {
  run measure printf 'no end'
  [ "${lines[0]}" = 'no end' ]
  [ "$(field exit_status)" = 0 ]
}

@test "a failure is measured, and its status is the program's" {
  run measure sh -c 'exit 7'
  [ "$status" -eq 7 ]
  [ "$(field exit_status)" = 7 ]
}

@test "a program that is not there is status 127, and says so" {
  run -127 measure there-is-no-such-program
  [ "$status" -eq 127 ]
  [[ "$output" == *'command not found'* ]]
}

@test "bytes are null if the kernel does not report them" {
  export FSXBENCH_ROOT="$BATS_TEST_TMPDIR/root"
  run measure true
  [ "$status" -eq 0 ]
  [ "$(field read_bytes)" = null ]
  [ "$(field written_bytes)" = null ]
}

@test "nothing of its own is in the program's environment" {
  run measure env
  [[ "$output" != *TIMEFORMAT* && "$output" != *bytes_moved* ]]
}

@test "a program that fills the folder of temporary files is measured" {
  ((EUID == 0)) || skip 'only root may mount'
  local full="$BATS_TEST_TMPDIR/full"
  mkdir "$full"
  mount -t tmpfs -o size=64k,nr_inodes=16 tmpfs "$full" 2>/dev/null || skip 'nothing can be mounted here'
  TMPDIR="$full" run measure bash -c "cat /dev/zero >$full/data; for ((i = 0; i < 16; i++)); do : >$full/\$i; done; exit 0"
  umount "$full"
  [ "$status" -eq 0 ]
  [ "$(field exit_status)" = 0 ]
  [[ "$(field user_s)" =~ ^[0-9]+\.[0-9]{3}$ && "$(field system_s)" =~ ^[0-9]+\.[0-9]{3}$ ]]
}

@test "bash before 5.0 has no clock of microseconds: times are measured all the same" {
  echo 'unset EPOCHREALTIME SRANDOM' >"$BATS_TEST_TMPDIR/older"
  BASH_ENV="$BATS_TEST_TMPDIR/older" run measure sleep 0.3
  [ "$status" -eq 0 ]
  [[ "$(field wall_s)" =~ ^0\.[3-9][0-9]{2}$ && "$(field user_s)" == 0.0* ]]
}

@test "the times of a program that a signal ended are its own" {
  run measure bash -c 'for ((i = 0; i < 100000; i++)); do :; done; kill -KILL $$'
  [ "$status" -eq 137 ]
  [[ "$(field user_s)" =~ ^[0-9]+\.[0-9]{3}$ && "$(field user_s)" != 0.000 ]]
}

@test "launchers are told on a node, too, that lacks the folder of temporary files of a login node" {
  TMPDIR="$BATS_TEST_TMPDIR/only/there" run measure --ranks 1 --nodes n1 sh -c 'cat "$OMPI_MCA_orte_default_hostfile"; echo "$TMPDIR"'
  [ "$status" -eq 0 ]
  [ "${lines[0]}" = 'n1 slots=1' ]
  [ "${lines[1]}" = "$BATS_TEST_TMPDIR/only/there" ]
}

@test "without a program it says how it is used, with status 2" {
  run measure
  [ "$status" -eq 2 ]
  [[ "$output" == *usage* ]]
}

@test "Open MPI 5, which refuses more ranks than processors, is told to bind none, and a user's own word stands" {
  bound() { env "${@:2}" "$client/bin/measure-command" --ranks "$1" --nodes n1 sh -c 'echo "${PRTE_MCA_hwloc_default_binding_policy:-its own}"' | head -n 1; }
  fake nproc <<<'echo 4'
  [ "$(bound 4)" = 'its own' ]
  [ "$(bound 5)" = none ]
  [ "$(bound 5 PRTE_MCA_hwloc_default_binding_policy=core:overload-allowed)" = core:overload-allowed ]
}

@test "launchers of MPI are told where to start how many ranks, and nothing is told without" {
  run measure --ranks 36 --nodes n1,n2 sh -c 'env | grep -E "^(SLURM_(NTASKS|NNODES|NTASKS_PER_NODE|NODELIST|TASKS_PER_NODE))=" | sort; cat "$OMPI_MCA_orte_default_hostfile"'
  [ "$status" -eq 0 ]
  [ "${lines[0]}" = SLURM_NNODES=2 ]
  [ "${lines[1]}" = SLURM_NODELIST=n1,n2 ]
  [ "${lines[2]}" = SLURM_NTASKS=72 ]
  [ "${lines[3]}" = SLURM_NTASKS_PER_NODE=36 ]
  [ "${lines[4]}" = 'SLURM_TASKS_PER_NODE=36(x2)' ]
  [ "${lines[5]}" = 'n1 slots=36' ]
  [ "${lines[6]}" = 'n2 slots=36' ]
  run measure sh -c 'env | grep -cE "^(SLURM|OMPI|PRTE)_"'
  [ "${lines[0]}" = 0 ]
}

@test "seconds keep the zeros behind the point" {
  # The clock of the shell, which the program sets.
  run bash -c 'source "$1"; unset EPOCHREALTIME; EPOCHREALTIME=100.990000; later() { EPOCHREALTIME="$now"; }; now="$2" main later' - \
    "$client/bin/measure-command" 106.040000
  [ "$(field wall_s)" = 5.050000 ]
  run bash -c 'source "$1"; unset EPOCHREALTIME; EPOCHREALTIME=100.990000; later() { EPOCHREALTIME="$now"; }; now="$2" main later' - \
    "$client/bin/measure-command" 100,990007
  [ "$(field wall_s)" = 0.000007 ]
}
