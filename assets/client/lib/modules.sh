# shellcheck shell=bash
# Environment modules, as Environment Modules and Lmod have them. Sourced, never run.
#
# Environment:
#   FSXBENCH_ROOT   put before every path of the operating system (default nothing; only tests set it)

# has_modules: true if the command `module` exists. Shells without a login lack the function: each module system exports its path (MODULESHOME,
# LMOD_PKG: the manuals of both), and its package has a file for login shells.
has_modules() {
  local file
  if declare -F module >/dev/null; then return 0; fi
  for file in "${LMOD_PKG:+$LMOD_PKG/init/bash}" "${MODULESHOME:+$MODULESHOME/init/bash}" \
    "${FSXBENCH_ROOT:-}"/etc/profile.d/{modules,lmod,z00_lmod,00-modulepath}.sh; do
    if [[ -z "$file" || ! -r "$file" ]]; then continue; fi
    set +o errexit +o nounset +o pipefail
    # shellcheck disable=SC1090 # of this machine
    source "$file" >/dev/null 2>&1
    set -o errexit -o nounset -o pipefail
    if declare -F module >/dev/null; then return 0; fi
  done
  return 1
}
