# shellcheck shell=bash
# Which archives clients build from. Sourced after lib/common.sh, never run.
#
# Environment:
#   FSXBENCH_TOOLS_FILE   table of archives (default tools.tsv of the bundle; only tests set it)
#   FSXBENCH_BUILD_SECONDS  how long each step may take (default 1500)
#   FSXBENCH_MPI_EFA      true where MPI goes over the Elastic Fabric Adapter (default false)

tools_file="${FSXBENCH_TOOLS_FILE:-${home:?}/tools.tsv}"

# tool_source NAME VERSION: prints SHA-256 and address; refuses a version without a pinned sum.
tool_source() {
  local found
  found="$(awk -F '\t' -v name="$1" -v version="$2" '$1 == name && $2 == version { print $3, $4 }' "$tools_file")"
  if [[ -z "$found" ]]; then
    die "version of $1 must be one of $(tool_versions "$1"), got '$2': to build another, add its address and SHA-256 to tools.tsv"
  fi
  printf '%s\n' "$found"
}

tool_versions() { awk -F '\t' -v name="$1" '$1 == name { printf "%s%s", comma, $2; comma = ", " }' "$tools_file"; }

# step NAME OUTPUT COMMAND…: bounded, its output kept, its last words in the reason.
step() {
  local name="$1" output="$2"
  shift 2
  within "${FSXBENCH_BUILD_SECONDS:-1500}" "$@" >>"$output" 2>&1 || die "$name failed: $(tail -n 5 "$output" | tr '\n' ' ')"
}

# AWS's installer puts libfabric here, as in ParallelCluster's images.
efa_home="${root-}/opt/amazon/efa"

over_efa() { [[ "${FSXBENCH_MPI_EFA:-false}" == true ]]; }

# mpi_options VERSION: how Open MPI is configured. No Fortran and no OpenSHMEM, which nothing here uses; EFA needs libfabric,
# or MPI takes TCP without a word. 5.x brings its own PMIx and PRRTE: an older PMIx of the system fails its configure.
mpi_options() {
  if over_efa; then printf '%s ' "--with-ofi=$efa_home"; fi
  case "$1" in
  4.*) echo '--disable-mpi-fortran --disable-oshmem --enable-orterun-prefix-by-default' ;;
  *)
    echo '--disable-mpi-fortran --disable-oshmem --enable-prte-prefix-by-default' \
      '--with-pmix=internal --with-prrte=internal --with-hwloc=internal --with-libevent=internal'
    ;;
  esac
}
