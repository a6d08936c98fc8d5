# shellcheck shell=bash
# Which processes run, and for how long. Sourced, never run. A zombie has ended: it waits for whoever started it to notice, for ever in a container whose process 1
# waits for nobody, and `kill -0` takes it for alive. Fields of /proc/PID/stat: proc_pid_stat(5).

# stat_of PID: sets `stat` to its fields behind the command's name, which may hold anything, from the state on; fails once the process has ended.
stat_of() {
  local text=''
  { IFS= read -r -d '' text <"/proc/$1/stat"; } 2>/dev/null || [[ -n "$text" ]] || return 1
  read -r -a stat <<<"${text##*) }"
  [[ "${stat[0]}" != [ZX] ]]
}

# is_running PID
is_running() {
  local -a stat
  stat_of "$1"
}

# group_is_running GROUP: true while one process of the group runs.
group_is_running() {
  local folder
  local -a stat
  for folder in /proc/[0-9]*; do
    if stat_of "${folder#/proc/}" && ((stat[2] == $1)); then return 0; fi
  done
  return 1
}

# within SECONDS COMMAND…: runs a program and returns its status, or 124 when time is up. That is also logged by the `log` of the sourcing script,
# since nothing else distinguishes it from a failure.
within() {
  local status=0 deadline=$((SECONDS + $1))
  # Leaves out bash's message about a killed program.
  { timeout --kill-after=10 "$@" 2>&3 3>&-; } 3>&2 2>/dev/null || status=$?
  if ((status == 124 || status == 137 && SECONDS >= deadline)); then
    status=124
    log "gave up after ${1}s: ${*:2}"
  fi
  return "$status"
}
