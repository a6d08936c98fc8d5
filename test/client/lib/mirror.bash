# shellcheck shell=bash
# A mirror with small archives in the shape of Open MPI's and IOR's: really unpacked, configured and made by the scripts.

# make_mirror [SAYS]: archives in $mirror, the same for all tests of a file, and a separate table with their sums in FSXBENCH_TOOLS_FILE. Open MPI
# programs print more than their name by SAYS, commands that end with a semicolon.
make_mirror() {
  export mirror="$BATS_FILE_TMPDIR/mirror" builds="$BATS_TEST_TMPDIR/builds.log" FSXBENCH_TOOLS_FILE="$BATS_TEST_TMPDIR/tools.tsv"
  : >"$builds"
  if [[ ! -e "$mirror" ]]; then
    mkdir "$mirror"
    archive openmpi 4.1.8 tar.bz2 'mpirun mpicc ompi_info' "${1:-}"
    archive ior 3.3.0 tar.gz 'ior mdtest'
    local file
    for file in openmpi-4.1.8.tar.bz2 ior-3.3.0.tar.gz; do
      printf '%s\t%s\t%s\tfile://%s\n' "${file%%-*}" "$(sed -E 's/.*-([0-9.]+)\.tar.*/\1/' <<<"$file")" \
        "$(sha256sum "$mirror/$file" | cut -d ' ' -f 1)" "$mirror/$file"
    done >"$mirror/tools.tsv"
  fi
  cp "$mirror/tools.tsv" "$FSXBENCH_TOOLS_FILE"
}

# archive NAME VERSION ENDING PROGRAMS [SAYS]: its configure notes --prefix, its make installs programs that print their name; ompi_info lists much behind what
# it says of EFA, more than a pipe holds.
archive() {
  local name="$1" version="$2" ending="$3" programs="$4" says="${5:-}"
  local source="$BATS_FILE_TMPDIR/source/$name-$version"
  mkdir -p "$source"
  cat >"$source/configure" <<'BODY'
#!/bin/bash
for word; do if [[ "$word" == --prefix=* ]]; then echo "prefix = ${word#*=}" >config.mk; fi; done
printf '%s\n' "$*" >configure.words
BODY
  # What IOR's source archives come with in place of a configure.
  printf '#!/bin/bash\nexit 0\n' >"$source/bootstrap"
  cat >"$source/Makefile" <<BODY
include config.mk
install:
	mktemp -p "\$\${TMPDIR:-.}" ccXXXXXX.s >/dev/null
	sleep \$\${FAKE_BUILD_SECONDS:-0}
	test -z "\$\$FAKE_BUILD_FAILS" || { echo "error: no compiler" >&2; exit 1; }
	mkdir -p \$(prefix)/bin
	for program in $programs; do printf '#!/bin/bash\n${says}echo %s of $name $version\n' \$\$program >\$(prefix)/bin/\$\$program; chmod +x \$(prefix)/bin/\$\$program; done
	if grep -q -- --with-ofi configure.words && test -z "\$\$FAKE_WITHOUT_OFI"; then echo 'echo MCA mtl: ofi; seq 50000' >>\$(prefix)/bin/ompi_info; fi
	cp configure.words \$(prefix)/$name.words
	echo "$name \$\$\$\$" >>\$(builds)
BODY
  chmod +x "$source/configure" "$source/bootstrap"
  tar -C "$BATS_FILE_TMPDIR/source" -caf "$mirror/$name-$version.$ending" "$name-$version"
}
