#!/usr/bin/env bats
# IOR by Spack: a pinned release of it, an environment file with the Open MPI of the client, and a failure that says why.

load lib/helper

setup() {
  make_machine
  export FSXBENCH_PREFIX="$FSXBENCH_TOOLS/prefix" FSXBENCH_BUILD_FOLDER="$BATS_TEST_TMPDIR/build"
  mkdir -p "$FSXBENCH_PREFIX/bin" "$FSXBENCH_BUILD_FOLDER"
  # The fetched archive has a Spack that installs a program which prints its name.
  fake git <<<'
case "$*" in
*checkout*)
  mkdir -p "$2/bin" && cp "$FAKES/a-spack" "$2/bin/spack"
  ;;
init*) mkdir -p "${@: -1}" ;;
*fetch*) [[ -z "${NO_INTERNET:-}" ]] ;;
esac'
  fake a-spack <<<'
installed="$FSXBENCH_PREFIX/spack/ior"
case "$*" in
*concretize*) echo "{}" >"$FSXBENCH_BUILD_FOLDER/environment/spack.lock" ;;
*install\ *)
  sleep "${SPACK_SECONDS:-0}"
  [[ -z "${SPACK_FAILS:-}" ]] || { echo "Error: no compiler" >&2; exit 1; }
  mkdir -p "$installed/bin" && for program in ior mdtest; do echo "echo $program" >"$installed/bin/$program"; done
  chmod +x "$installed"/bin/*
  ;;
*location*) echo "$installed" ;;
esac'
  fake python3.11 <<<'mkdir -p "$3/bin"; printf "#!/bin/bash\necho \"pip \$*\" >>\"\$calls\"\n" >"$3/bin/python"; chmod +x "$3/bin/python"'
}

build() { "$client/bin/build-ior-with-spack"; }

@test "Spack is fetched at its pinned commit, and its solver with its checksums" {
  build
  [ "$(count '^git -C .*/spack fetch --quiet --depth 1 https://github.com/spack/spack.git 5fe93fee1eec46a0750bd340198bffcb92ff9eec$')" -eq 1 ]
  [ "$(count '^pip -m pip install .*--require-hashes --requirement .*/spack/requirements.txt$')" -eq 1 ]
}

@test "IOR of the asked version is built with the Open MPI that is there, and found beside it" {
  FSXBENCH_IOR_VERSION=4.0.0 build
  local file="$FSXBENCH_BUILD_FOLDER/environment/spack.yaml"
  grep -qF -- "- ior@=4.0.0 ~hdf5 ~lustre ~ncmpi target=$(uname -m) ^openmpi@=4.1.8" "$file"
  grep -qF "prefix: \"$FSXBENCH_PREFIX\"" "$file"
  grep -qF "root: \"$FSXBENCH_PREFIX/spack\"" "$file"
  # The comment in front may name braces.
  run ! grep -q '[{}]' <(sed 1,/^spack:/d "$file")
  [ "$("$FSXBENCH_PREFIX/bin/ior")" = ior ]
  [ "$("$FSXBENCH_PREFIX/bin/mdtest")" = mdtest ]
  [ -f "$FSXBENCH_PREFIX/spack.lock" ]
}

@test "a build that fails, or takes too long, ends with its last words" {
  SPACK_FAILS=1 run build
  [ "$status" -ne 0 ]
  [[ "$output" == *'the build with Spack failed: '*'Error: no compiler'* ]]
  rm -rf "$FSXBENCH_BUILD_FOLDER/spack"
  SPACK_SECONDS=30 FSXBENCH_BUILD_SECONDS=1 run build
  [ "$status" -ne 0 ]
  [[ "$output" == *'the build with Spack failed'* ]]
}

@test "without a way to the internet it says what Spack needs" {
  fake sleep <<<''
  NO_INTERNET=1 run build
  [ "$status" -ne 0 ]
  [[ "$output" == *'cannot fetch Spack from https://github.com/spack/spack.git: it needs a way to the internet'* ]]
}

@test "a client takes Spack where it is told to, has its own key in the cache, and refuses any other word" {
  source "$client/lib/common.sh"
  source "$client/lib/tools.sh"
  source "$client/lib/build-cache.sh"
  [ "$(ior_builder)" = build-ior ]
  local by_source
  by_source="$(identity_text 3.3.0 4.1.8)"
  export FSXBENCH_INSTALL=spack
  [ "$(ior_builder)" = build-ior-with-spack ]
  [ "$(identity_text 3.3.0 4.1.8)" != "$by_source" ]
  FSXBENCH_INSTALL=conda run choose_build
  [ "$status" -ne 0 ]
  [[ "$output" == *"'FSXBENCH_INSTALL' must be source or spack, got 'conda'"* ]]
}
