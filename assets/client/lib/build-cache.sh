# shellcheck shell=bash
# Open MPI and IOR as clients have them: how they are built, and how a build is put into the cache in S3 and taken out of
# it. Sourced after lib/common.sh and lib/tools.sh, never run.
#
# The cache holds, below a key made of everything that the result depends on:
#   entry           three lines: the identity that it was built for, SHA-256 and name of the archive
#   <sum>.tar.gz    the installed tree
# What is in it is run as root by every client of the benchmark, so only the builder of the stack may write there: clients
# read it (docs/decisions/one-builder.md). An entry for something else, or an archive with another sum, is refused.
#
# Environment: that of lib/s3.mjs, bin/build-openmpi and bin/build-ior, and
#   FSXBENCH_INSTALL     what builds IOR: source, by bin/build-ior (the default), or spack
#   FSXBENCH_MPI_EFA     see lib/tools.sh
#   FSXBENCH_CACHE_URL   s3:// prefix of the benchmark's cache; empty: no cache

not_found=4

# The program that builds IOR.
ior_builder() {
  case "${FSXBENCH_INSTALL:-source}" in
  source) echo build-ior ;;
  spack) echo build-ior-with-spack ;;
  *) die "'FSXBENCH_INSTALL' must be source or spack, got '$FSXBENCH_INSTALL'" ;;
  esac
}

# choose_build: sets identity, prefix and cache from the versions that are asked for.
choose_build() {
  local key
  ior_builder >/dev/null
  identity="$(identity_text "${FSXBENCH_IOR_VERSION:?}" "${FSXBENCH_OPENMPI_VERSION:?}")"
  key="openmpi-$FSXBENCH_OPENMPI_VERSION-ior-$FSXBENCH_IOR_VERSION-$(printf '%s' "$identity" | sha256sum | cut -c 1-12)"
  prefix="${tools:?}/$key"
  cache="${FSXBENCH_CACHE_URL:+$FSXBENCH_CACHE_URL/$key}"
}

# Everything that the result depends on, in one line.
identity_text() {
  local os ior openmpi builder recipe efa=''
  os="$(awk -F = '$1 == "ID" || $1 == "VERSION_ID" { gsub(/"/, "", $2); printf "%s ", $2 }' "${root-}/etc/os-release")"
  ior="$(tool_source ior "$1")"
  openmpi="$(tool_source openmpi "$2")"
  builder="$(ior_builder)"
  recipe="$(cat "${home:?}/bin/build-openmpi" "$home/bin/$builder" "$home/lib/tools.sh" "$home"/spack/* | sha256sum | cut -c 1-16)"
  if over_efa; then efa=" efa=$(tool_versions efa-installer)"; fi
  printf 'os=%s arch=%s ior=%s:%s openmpi=%s:%s%s recipe=%s prefix=%s\n' \
    "${os% }" "$(uname -m)" "$1" "${ior%% *}" "$2" "${openmpi%% *}" "$efa" "$recipe" "$tools"
}

is_installed() { [[ -f "$prefix/identity" && "$(<"$prefix/identity")" == "$identity" ]]; }

runs_here() { "$prefix/bin/mpirun" --version >/dev/null 2>&1 && [[ -x "$prefix/bin/ior" && -x "$prefix/bin/mdtest" ]]; }

# build FOLDER: from the pinned sources.
build() {
  local folder="$1"
  rm -rf "$prefix"
  export FSXBENCH_PREFIX="$prefix" FSXBENCH_BUILD_FOLDER="$folder"
  "$home/bin/build-openmpi"
  "$home/bin/$(ior_builder)"
  runs_here || die 'what was built does not run'
  printf '%s\n' "$identity" >"$prefix/identity"
  log "built Open MPI and IOR in $prefix"
}

# restore FOLDER: takes the build out of the cache; fails when it is not there, or not what it should be.
restore() {
  local folder="$1" found sum archive status=0
  "$home/bin/s3" get "$cache/entry" "$folder/entry" >/dev/null 2>"$folder/why" || status=$?
  if ((status == not_found)); then return 1; fi
  if ((status != 0)); then
    warn "the build cache cannot be read: $(<"$folder/why")"
    return 1
  fi
  { read -r found && read -r sum && read -r archive; } <"$folder/entry" || true
  if [[ "$found" != "$identity" || ! "${sum:-}" =~ ^[0-9a-f]{64}$ || "${archive:-}" != "$sum.tar.gz" ]]; then
    warn "the build cache holds something else at $cache/entry ($found): refused"
    return 1
  fi
  if ! "$home/bin/s3" get "$cache/$archive" "$folder/archive" >/dev/null; then
    warn "the build cache has an entry but no archive $archive"
    return 1
  fi
  if [[ "$(sha256sum "$folder/archive" | cut -d ' ' -f 1)" != "$sum" ]]; then
    warn "SHA-256 of $cache/$archive is not $sum: refused"
    return 1
  fi
  rm -rf "$prefix"
  mkdir -p "$tools"
  tar -xzf "$folder/archive" -C "$tools" "${prefix##*/}"
  if ! runs_here; then
    warn "what came from the build cache does not run here: refused"
    rm -rf "$prefix"
    return 1
  fi
  printf '%s\n' "$identity" >"$prefix/identity"
  log "restored Open MPI and IOR from $cache"
}

# store FOLDER: puts the build into the cache.
store() {
  local folder="$1" sum
  tar -czf "$folder/archive" -C "$tools" --exclude identity "${prefix##*/}" || return 1
  sum="$(sha256sum "$folder/archive" | cut -d ' ' -f 1)"
  # The archive first: an entry never names what is not there yet.
  "$home/bin/s3" put "$folder/archive" "$cache/$sum.tar.gz" >/dev/null || return 1
  printf '%s\n%s\n%s\n' "$identity" "$sum" "$sum.tar.gz" >"$folder/entry"
  "$home/bin/s3" put "$folder/entry" "$cache/entry" >/dev/null
}
