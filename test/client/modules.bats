#!/usr/bin/env bats
# Environment modules, by a stand-in for Environment Modules and Lmod; where Environment Modules is installed, by itself too (test/lab/clusterTools.test.ts).

load lib/helper

setup() {
  make_machine
  unset MODULESHOME LMOD_PKG MODULEPATH LOADEDMODULES
  unset -f module
  export MODULESHOME="$BATS_TEST_TMPDIR/modules"
  mkdir -p "$MODULESHOME/init"
}

# As the init files of both: a function that calls a program and evaluates what it prints.
has_modules() {
  cat >"$MODULESHOME/init/bash" <<'INIT'
module() {
  case "$*" in
  '-t avail') printf '%s\n' '/opt/modules:' 'apps/ior/4.0.0' 'gcc/12.2' 'ior-tools/1' 'mpi/openmpi-x86_64' 'openmpi/' 'openmpi/4.1.6(default)' 'openmpi5/5.0.6 <L>' 'prior/1' >&2 ;;
  'load openmpi/4.1.6') export MPI_HOME=/opt/openmpi PATH="/opt/openmpi/bin:$PATH" ;;
  'load old') echo "ModuleCmd_Load.c(213):ERROR:105: Unable to locate a modulefile for 'old'" >&2 ;;
  'load unset') echo "$NO_SUCH_VARIABLE" ;;
  *) printf 'ERROR: Unable to locate a modulefile for '"'$2'"'\n' >&2; return 1 ;;
  esac
}
INIT
}

with_modules() { "$client/bin/with-modules" "$@"; }

@test "a command has what its modules set" {
  has_modules
  run with_modules openmpi/4.1.6 unset -- bash -c 'echo "$MPI_HOME ${PATH%%:*}"'
  [ "$status" -eq 0 ]
  [ "$output" = '/opt/openmpi /opt/openmpi/bin' ]
}

@test "a module that cannot be loaded is named in the module system's own words, whatever its exit status" {
  has_modules
  run with_modules openmpi/4.1.6 nope -- touch "$BATS_TEST_TMPDIR/ran"
  [ "$status" -eq 1 ]
  [[ "$output" == "module load nope failed: ERROR: Unable to locate a modulefile for 'nope'"* ]]
  run with_modules old -- touch "$BATS_TEST_TMPDIR/ran"
  [ "$status" -eq 1 ]
  [[ "$output" == 'module load old failed: '*'ERROR:105'* ]]
  [ ! -e "$BATS_TEST_TMPDIR/ran" ]
}

@test "a machine without modules says so" {
  run with_modules openmpi -- true
  [ "$status" -eq 1 ]
  [[ "$output" == "there is no command 'module' on $(uname -n): it has neither Environment Modules nor Lmod" ]]
}

@test "the modules of login shells are found where nobody logged in" {
  has_modules
  mkdir -p "$FSXBENCH_ROOT/etc/profile.d"
  mv "$MODULESHOME/init/bash" "$FSXBENCH_ROOT/etc/profile.d/z00_lmod.sh"
  unset MODULESHOME
  run with_modules openmpi/4.1.6 -- bash -c 'echo "$MPI_HOME"'
  [ "$output" = /opt/openmpi ]
}

@test "modules and packages of Spack that have a tool are listed by the name to load them by" {
  has_modules
  fake spack <<'BODY'
printf 'gcc@12.2.0\nior@4.0.0\nior@3.3.0\nior@3.3.0\nxior@1.0\n'
BODY
  run --separate-stderr "$client/bin/list-offers" ior openmpi fio
  [ "$status" -eq 0 ]
  [ "$output" = $'module\tapps/ior/4.0.0\nmodule\tior-tools/1\nmodule\tmpi/openmpi-x86_64\nmodule\topenmpi/4.1.6\nmodule\topenmpi5/5.0.6\nspack\tior@3.3.0\nspack\tior@4.0.0' ]
  grep -qx 'spack find --format {name}@{version}' "$calls"
}

@test "a machine that has neither offers nothing, and a module system that hangs is left alone" {
  run "$client/bin/list-offers" ior
  [ "$status" -eq 0 ]
  [ -z "$output" ]
  echo 'module() { /bin/sleep 1000; }' >"$MODULESHOME/init/bash"
  FSXBENCH_OFFER_SECONDS=1 run --separate-stderr "$client/bin/list-offers" ior
  [ "$status" -eq 0 ]
  [ -z "$output" ]
}
