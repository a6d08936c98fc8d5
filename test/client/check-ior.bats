#!/usr/bin/env bats
# check-ior: the last gate. IOR wrote and read on each arm, and mdtest made files there, or the deployment fails with their
# own words.

load lib/helper

setup() {
  make_machine
  export_replay
  fake_user
  mkdir -p "$FSXBENCH_ROOT"/fsx/{none,lz4}
}

check() { "$client/bin/check-ior"; }

# fake_mpirun IOR MDTEST: what each of them does under it.
fake_mpirun() {
  fake mpirun <<BODY
case " \$* " in
*' ior '*) $1 ;;
*' mdtest '*) $2 ;;
esac
BODY
}

ior_runs='replay ior-fpp; : >"${@: -1}.00000000"'

@test "passes when IOR wrote and read, and mdtest made files, on each arm, and leaves nothing there" {
  fake_mpirun "$ior_runs" mdtest_says
  run check
  [ "$status" -eq 0 ]
  [ "$(count '^mpirun')" -eq 4 ]
  grep -q "^mpirun --host localhost:2 -np 2 mdtest -F -C -T -u -n 10 -d $FSXBENCH_ROOT/fsx/lz4/" "$calls"
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

@test "an mdtest that fails is the end, in its own words" {
  fake_mpirun "$ior_runs" 'echo "11/21/2026 11:37:13: Process 0: FAILED in mdtest_run, Unable to create test directory path /nosuch"; exit 1'
  run check
  [ "$status" -eq 1 ]
  [[ "$output" == *'arm none: mdtest does not run (status 1): 11/21/2026 11:37:13: Process 0: FAILED in mdtest_run, Unable to create'* ]]
}

@test "an mdtest that exits with 0 and made no files, did not end, or is another version does not pass" {
  local words
  for words in 'mdtest_says 3.3.0 0.000' 'mdtest_says 3.3.0 20258.4 cut' 'mdtest_says 4.0.0'; do
    fake_mpirun "$ior_runs" "$words"
    run check
    [ "$status" -eq 1 ]
    [[ "$output" == *'arm none: mdtest does not run (status 0)'* ]]
  done
}

@test "an mdtest that hangs is given up" {
  fake_mpirun "$ior_runs" 'sleep 60'
  FSXBENCH_CHECK_SECONDS=1 run check
  [ "$status" -eq 1 ]
  [[ "$output" == *'arm none: mdtest did not end within 1s'* ]]
}

@test "the real thing passes, where mpirun, IOR and mdtest are here" {
  local ior
  ior="$(command -v ior || echo "${FSXBENCH_TEST_IOR:-}")"
  [[ -n "$ior" && -x "${ior%/*}/mdtest" ]] && command -v mpirun >/dev/null || skip 'no ior, mdtest or mpirun on PATH'
  ln -s "$ior" "$FAKES/ior"
  ln -s "${ior%/*}/mdtest" "$FAKES/mdtest"
  FSXBENCH_IOR_VERSION="$(cd "$BATS_TEST_TMPDIR" && mdtest -n 1 -d version | sed -n 's/^mdtest-\([^ ]*\) was launched.*/\1/p')"
  export FSXBENCH_IOR_VERSION
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  run check
  [ "$status" -eq 0 ]
  [[ "$output" == *'arm none: IOR and mdtest run'*'arm lz4: IOR and mdtest run'* ]]
}
