# shellcheck shell=bash
# Puts the substitute for lfs, lctl and lsattr on PATH (see lfs next to this file), with its state in $LUSTRE_SUBSTITUTE.

# use_lustre MOUNT_POINT [NAME]
use_lustre() {
  export LUSTRE_SUBSTITUTE="$BATS_TEST_TMPDIR/lustre"
  mkdir -p "$LUSTRE_SUBSTITUTE"/{layouts,released,unknown,refused}
  echo "$1" >"$LUSTRE_SUBSTITUTE/mount"
  echo "${2:-lz4}" >"$LUSTRE_SUBSTITUTE/name"
  # Fakes of a test come first.
  PATH="${FAKES:+$FAKES:}$(readlink -f "$(dirname "${BASH_SOURCE[0]}")"):$PATH"
}

lustre_state() { echo "$1" >"$LUSTRE_SUBSTITUTE/state"; }

# lustre_layout PATH COMPONENT…: such as 'EOF 2 262144 raid0 0,1'
lustre_layout() { printf '%s\n' "${@:2}" >"$LUSTRE_SUBSTITUTE/layouts/$(stat --format %i "$1")"; }

# lustre_mark PATH released|unknown
lustre_mark() { : >"$LUSTRE_SUBSTITUTE/$2/$(stat --format %i "$1")"; }

# lustre_refuse PATH immutable|append-only|running|open
lustre_refuse() { echo "$2" >"$LUSTRE_SUBSTITUTE/refused/$(stat --format %i "$1")"; }

# lustre_close gate|swapped: migrations wait there until lustre_open.
lustre_close() { : >"$LUSTRE_SUBSTITUTE/$1.closed"; }
lustre_open() { rm -f "$LUSTRE_SUBSTITUTE/$1.closed"; }
