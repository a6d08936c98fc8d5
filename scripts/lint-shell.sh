#!/usr/bin/env bash
# Runs shellcheck and shfmt over every shell script of the project, or those of the files named; both come with the lab's Python environment.
set -o errexit -o nounset -o pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
tools=.lab/venv/bin

# Scripts are known by their first line: those that clients call have no ending.
(($# > 0)) || set -- assets examples scripts .ci test/client test/server test/storage
scripts=()
while IFS= read -r -d '' file; do
  read -r first <"$file" || true
  [[ "$first" =~ ^#!.*(bash|sh)$ ]] && scripts+=("$file")
done < <(git ls-files -z --cached --others --exclude-standard -- "$@" ':!test/fixtures' ':!assets/client/storage' ':!assets/client/server' ':!assets/client/lib/dask')

if ((${#scripts[@]} == 0)); then exit 0; fi
"$tools/shellcheck" --external-sources -o check-unassigned-uppercase "${scripts[@]}"
"$tools/shfmt" --diff --indent 2 --case-indent=false "${scripts[@]}"
echo "${#scripts[@]} scripts are clean"
