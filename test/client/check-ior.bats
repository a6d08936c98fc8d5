#!/usr/bin/env bats
# check-ior: the last gate. IOR wrote and read on each arm, or the deployment fails with IOR's own words.

load lib/helper

setup() {
  make_machine
  export_replay
  fake_user
  mkdir -p "$FSXBENCH_ROOT"/fsx/{none,lz4}
}

check() { "$client/bin/check-ior"; }

@test "passes when IOR wrote and read on each arm, and leaves nothing there" {
  fake mpirun <<<'replay ior-fpp; : >"${@: -1}.00000000"'
  run check
  [ "$status" -eq 0 ]
  [ "$(count '^mpirun')" -eq 2 ]
  grep -q "^mpirun --host localhost:2 -np 2 ior -a POSIX -w -r -F -t 64k -b 256k -o $FSXBENCH_ROOT/fsx/lz4/" "$calls"
  [ -z "$(ls -A "$FSXBENCH_ROOT/fsx/none" "$FSXBENCH_ROOT/fsx/lz4" | grep fsxbench)" ]
}

@test "fails with IOR's words when it cannot write" {
  fake mpirun <<<'replay ior-not-writable'
  run check
  [ "$status" -eq 1 ]
  [[ "$output" == *"arm none: IOR does not run (status 255): ior ERROR: open64(\"/fsx/nosuchdir/f\", 66, 0664) failed, errno 2, No such file or directory"* ]]
}

@test "an exit status of 0 is not enough: IOR 3.3.0 prints its help and exits with 0" {
  fake mpirun <<<'echo "Synopsis ior"; echo "Flags"'
  run check
  [ "$status" -eq 1 ]
  [[ "$output" == *'arm none: IOR does not run (status 0): Synopsis ior Flags'* ]]
}

@test "an IOR that hangs is given up" {
  fake mpirun <<<'sleep 60'
  FSXBENCH_CHECK_SECONDS=1 run check
  [ "$status" -eq 1 ]
  [[ "$output" == *'arm none: IOR did not end within 1s'* ]]
}

@test "the real thing passes, where mpirun and IOR are here" {
  local ior
  ior="$(command -v ior || echo "${FSXBENCH_TEST_IOR:-}")"
  [[ -n "$ior" ]] && command -v mpirun >/dev/null || skip 'no ior or no mpirun on PATH'
  ln -s "$ior" "$FAKES/ior"
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  run check
  [ "$status" -eq 0 ]
  [[ "$output" == *'arm none: IOR runs'*'arm lz4: IOR runs'* ]]
}
