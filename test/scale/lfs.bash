#!/bin/bash
# Stands for lfs: lists files, and gives a file back with 8 KiB of its blocks, as if the rest had been compressed away.
# REFUSED: end of the name of a file that it refuses · GATE: file that each one waits for · MIGRATED: file that gets the names
if [[ "$1" == find ]]; then exec find "$2" -type f -print0; fi
if [[ "$1" == getstripe ]]; then exit 0; fi
file="${*: -1}"
until [[ -z "${GATE:-}" || -e "$GATE" ]]; do sleep 0.05; done
if [[ "$file" == *"${REFUSED:-none}" ]]; then
  echo "error: lfs migrate: $file: busy" >&2
  exit 16
fi
truncate -s 0 "$file"
truncate -s 65536 "$file"
echo "$file" >>"${MIGRATED:-/dev/null}"
head -c 8192 /dev/zero | dd of="$file" conv=notrunc status=none
