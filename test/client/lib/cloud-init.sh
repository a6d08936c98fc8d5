#!/bin/bash
# Checks a file of user data with cloud-init itself: `cloud-init schema`. If cloud-init is not installed, it is fetched from the distribution into a
# folder of the project, next to a Python environment with its imports; the system stays unchanged.
#
# usage: cloud-init.sh schema FILE      status 0 accepted · 1 refused · 75 cloud-init cannot be had here (reason on stderr)
#        cloud-init.sh content FILE     prints the content of the first file that the user data writes, as cloud-init reads it
#
# Environment:
#   FSXBENCH_CLOUD_INIT   where it is kept (default .lab/tools/cloud-init)
set -o errexit -o nounset -o pipefail

project="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)"
folder="${FSXBENCH_CLOUD_INIT:-$project/.lab/tools/cloud-init}"
modules="$folder/root/usr/lib/python3/dist-packages"
# Imports of cloud-init 22.4 to 25.x; the distribution's jsonschema, since later ones lack functions that 22.4 calls.
packages=(PyYAML==6.0.2 Jinja2==3.1.6 jsonschema==4.10.3 jsonpatch==1.33 configobj==5.0.9 requests==2.32.3 oauthlib==3.2.2
  pyserial==3.5)

cannot() {
  echo "cloud-init cannot be had here: $*" >&2
  exit 75
}

fetch() {
  local draft
  if [[ -x "$folder/venv/bin/python" && -d "$modules/cloudinit" ]]; then return 0; fi
  local program
  for program in apt-get dpkg python3; do command -v "$program" >/dev/null || cannot "no $program"; done
  rm -rf "$folder"
  mkdir -p "$folder"
  draft="$(mktemp -d)"
  # shellcheck disable=SC2064 # the folder of now
  trap "rm -rf '$draft'" EXIT
  # apt works as a separate user, which must be able to write there.
  chmod 0755 "$draft"
  if ! (cd "$draft" && timeout 120 apt-get download --quiet cloud-init >"$draft/log" 2>&1); then
    cannot "apt-get download cloud-init failed: $(tail -n 1 "$draft/log") (apt-get update may be due)"
  fi
  dpkg -x "$draft"/cloud-init_*.deb "$folder/root" || cannot 'dpkg cannot unpack it'
  python3 -m venv "$folder/venv" >"$draft/log" 2>&1 || cannot "python3 -m venv failed: $(tail -n 1 "$draft/log")"
  timeout 300 "$folder/venv/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" >"$draft/log" 2>&1 ||
    { rm -rf "$folder" && cannot "pip failed: $(tail -n 1 "$draft/log")"; }
}

python() { PYTHONPATH="$modules" PYTHONWARNINGS=ignore "$folder/venv/bin/python" "$@"; }

main() {
  local action="${1:-}" file="${2:?usage: cloud-init.sh schema FILE | cloud-init.sh content FILE}"
  fetch
  case "$action" in
  schema) python -m cloudinit.cmd.main schema --config-file "$file" ;;
  content)
    # Since 24.1 it is util that reads YAML.
    python -c 'import sys
try: from cloudinit.util import load_yaml as load
except ImportError: from cloudinit.safeyaml import load
sys.stdout.write(load(open(sys.argv[1]).read())["write_files"][0]["content"])' "$file"
    ;;
  *) cannot "there is no action '$action'" ;;
  esac
}

if [[ "${BASH_SOURCE[0]}" == "$0" ]]; then main "$@"; fi
