# shellcheck shell=bash
# The drivers of runs on this machine. Sourced after common.sh and slurm.sh.

# driver_running FOLDER: the process is alive and is this run's driver, since a number may have been given to another process. Ends the script where
# nobody knows.
driver_running() {
  local folder="$1" pid
  if [[ -s "$folder/driver.job" ]]; then
    job_waits_or_runs "$folder"
    return
  fi
  [[ -s "$folder/driver.pid" ]] || return 1
  read -r pid <"$folder/driver.pid"
  [[ -r "/proc/$pid/cmdline" ]] && tr '\0' '\n' <"/proc/$pid/cmdline" | grep -qxF "$folder/driver.js"
}

# driver_of FOLDER: for people
driver_of() {
  if [[ -s "$1/driver.job" ]]; then echo "job $(<"$1/driver.job")"; else echo "process $(<"$1/driver.pid")"; fi
}
