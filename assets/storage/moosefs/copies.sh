# shellcheck shell=bash
# How many copies a MooseFS keeps, whatever its release. Sourced, never run.

# `MFS version: 3.0.117-1 ; build: 1341`
has_goals() { [[ "$(mfsmount -V 2>&1)" == *'MFS version: 3.'* ]]; }

# keep_copies COPIES FOLDER [COMMAND…]: of all that is written below a folder, through COMMAND… where that is given. MooseFS 3 takes a number of copies, which
# it calls a goal; 4 a class of storage, which has to be made first, by whoever comes first.
keep_copies() {
  local copies="$1" folder="$2" class="copies$1"
  shift 2
  if has_goals; then
    "$@" mfssetgoal "$copies" "$folder" >/dev/null
  else
    "$@" mfscreatesclass -M "$folder" -K "$copies*" "$class" >/dev/null 2>&1 || true
    "$@" mfssetsclass "$class" "$folder" >/dev/null
  fi
}

# copies_kept FOLDER [COMMAND…]: how many that are, as MooseFS says.
copies_kept() {
  local folder="$1" ask=mfsgetsclass
  shift
  if has_goals; then ask=mfsgetgoal; fi
  # Such as `/fsx/a: 1` or `/fsx/a: 'copies1'`.
  "$@" "$ask" "$folder" | awk '{ gsub("\047|copies", "", $NF); print $NF; exit }'
}
