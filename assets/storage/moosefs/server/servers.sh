# shellcheck shell=bash
# Sets up MooseFS servers on any machine: folders, configuration, start. Sourced, never run. The sourcing script decides where servers listen, who may
# mount, and the rest of their configuration.
#
# Environment:
#   MOOSEFS_USER   user of the servers (default root)

# file_lines FILE LINE…
file_lines() {
  local file="$1"
  shift
  printf '%s\n' "$@" >"$file"
}

# takes_folder FOLDER: fails, naming it, if MooseFS would end the value within the path (3.0.117: "exports manager failed").
takes_folder() {
  local LC_ALL=C
  if [[ "$1" != *[![:print:]]* ]]; then return 0; fi
  printf "MooseFS takes only ASCII in a path, got '%s'\n" "$1" >&2
  return 1
}

# write_master FOLDER EXPORT LINE…: what a master in the folder needs: metadata of a new file system unless there are some, who may
# mount, as a line of mfsexports.cfg, and further lines of mfsmaster.cfg.
write_master() {
  local folder="$1" export="$2" user="${MOOSEFS_USER:-root}"
  shift 2
  takes_folder "$folder" || return 1
  mkdir -p "$folder/master"
  # A running master keeps its metadata in memory, and in metadata.mfs.back until it stops.
  if ! compgen -G "$folder/master/metadata.mfs*" >/dev/null; then printf 'MFSM NEW' >"$folder/master/metadata.mfs"; fi
  file_lines "$folder/exports.cfg" "$export"
  : >"$folder/topology.cfg"
  file_lines "$folder/master.cfg" "WORKING_USER = $user" "WORKING_GROUP = $user" "DATA_PATH = $folder/master" \
    "EXPORTS_FILENAME = $folder/exports.cfg" "TOPOLOGY_FILENAME = $folder/topology.cfg" "$@"
  chown -R "$user:" "$folder/master"
}

# write_chunkserver FOLDER MASTER_ADDRESS DISKS LINE…: DISKS as lines of mfshdd.cfg, and further lines of mfschunkserver.cfg.
write_chunkserver() {
  local folder="$1" master="$2" disks="$3" user="${MOOSEFS_USER:-root}"
  shift 3
  takes_folder "$folder" || return 1
  mkdir -p "$folder/chunks"
  file_lines "$folder/disks.cfg" "$disks"
  file_lines "$folder/chunkserver.cfg" "WORKING_USER = $user" "WORKING_GROUP = $user" "DATA_PATH = $folder/chunks" \
    "MASTER_HOST = $master" "HDD_CONF_FILENAME = $folder/disks.cfg" 'MASTER_RECONNECTION_DELAY = 1' "$@"
  chown -R "$user:" "$folder/chunks"
}

# start_server PROGRAM CONFIGURATION [COMMAND…]: starts mfsmaster or mfschunkserver, through COMMAND… if given, which goes into the background by itself; fails with
# its last words, which are all in PROGRAM.log next to the configuration.
start_server() {
  local program="$1" configuration="$2" log
  shift 2
  log="${configuration%/*}/$program.log"
  if ! "$@" "$program" -c "$configuration" start >"$log" 2>&1; then
    printf '%s: %s\n' "$program" "$(tail -n 1 "$log")" >&2
    return 1
  fi
}
