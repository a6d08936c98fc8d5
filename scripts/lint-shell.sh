#!/usr/bin/env bash
# Runs shellcheck and shfmt over every shell script of the project, or those of the files named; both come with the lab's Python environment.
set -o errexit -o nounset -o pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
tools=.lab/venv/bin

# Following values through a script takes half of the time: over all scripts that is left to `npm test -- --all`.
extended=true
if (($# == 0)) && [[ -z "${FSXBENCH_ALL:-}" ]]; then extended=false; fi
# Scripts are known by their first line: those that clients call have no ending.
(($# > 0)) || set -- assets examples scripts .ci test/client test/server test/storage
scripts=() tests=()
while IFS= read -r -d '' file; do
  read -r first <"$file" || true
  if [[ "$first" =~ ^#!.*(bash|sh)$ ]]; then scripts+=("$file"); elif [[ "$first" =~ ^#!.*bats$ ]]; then tests+=("$file"); fi
done < <(git ls-files -z --cached --others --exclude-standard -- "$@" ':!test/fixtures' ':!assets/client/storage' ':!assets/client/server' ':!assets/client/lib/dask')

# A negated command fails no test unless it is the last: `run !` does.
if ((${#tests[@]} > 0)); then "$tools/shellcheck" --shell=bats --extended-analysis=false --include=SC2314,SC2315 "${tests[@]}"; fi
if ((${#scripts[@]} == 0)); then exit 0; fi
"$tools/shellcheck" --external-sources --extended-analysis="$extended" -o check-unassigned-uppercase "${scripts[@]}"
"$tools/shfmt" --diff --indent 2 --case-indent=false "${scripts[@]}"
echo "${#scripts[@]} scripts are clean"
