# shellcheck shell=bash
# The driver as a Slurm job: its allocation is the run's clients, and each task is a step in it. Sourced by start-run after common.sh.

launches_by_slurm() { [[ -r "$client_config" ]] && grep -q '"launch": *"slurm"' "$client_config"; }

# job_state JOB: prints it while the job waits or runs, nothing afterwards; fails, in squeue's words, where Slurm does not answer.
job_state() {
  local said status=0
  said="$(within 60 squeue --noheader --jobs "$1" --format %T 2>&1)" || status=$?
  # Forgotten some minutes after its end (slurm.conf(5), MinJobAge).
  if [[ "$said" == *'Invalid job id'* ]]; then return 0; fi
  if ((status != 0)); then printf '%s\n' "$said"; else grep -xE '[A-Z_]+' <<<"$said" || true; fi
  return "$status"
}

# job_waits_or_runs FOLDER: true from the submission of the run's job to its end, and between a requeue and the next start. A Slurm whose configuration
# is gone has no jobs; squeue would wait a minute for the file. A controller that restarts answers again after some seconds; one that does not answer
# may well have a job that measures: nothing is done on a guess.
job_waits_or_runs() {
  local folder="$1" job found
  job="$(<"$folder/driver.job")"
  if [[ -n "${SLURM_CONF:-}" && ! -e "$SLURM_CONF" ]]; then return 1; fi
  found="$(retry 3 5 job_state "$job")" ||
    die "Slurm must say whether job $job, the driver of ${folder##*/}, has ended, but squeue says '${found##*$'\n'}':" \
      "try again once 'scontrol ping' finds its controller up; if this Slurm is gone, remove $folder/driver.job"
  [[ -n "$found" ]]
}

# of_client EXPRESSION: of what this client knows about itself, in `it`
of_client() { node -p "const it = JSON.parse(require('fs').readFileSync(process.argv[1])); $1" "$client_config"; }

# as_job_user FOLDER COMMAND…: as the user of the benchmarks, if the client has one: what that user writes to is made its own.
as_job_user() {
  local folder="$1" user point
  shift
  user="$(of_client 'it.user ?? ""')"
  if [[ -z "$user" ]]; then
    "$@"
    return
  fi
  while read -r point; do
    install --directory --owner "$user" "$point/fsxbench" || return 1
  done < <(of_client 'Object.values(it.arms).map(({ mountPoint }) => mountPoint).join("\n")')
  chown -R "$user:" "$folder"
  "${as_user[@]}" "$@"
}

# start_in_slurm FOLDER ADDRESS COMMAND…: allocates all nodes of the plan for the whole run: tasks wait for no nodes, and all use the same ones. If a
# node fails, Slurm requeues the job, and the driver continues.
start_in_slurm() {
  local folder="$1" address="$2" nodes job
  shift 2
  nodes="$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).fleet.clients' "$folder/plan.json")"
  local options=(--parsable --job-name "fsxbench-${folder##*/}" --nodes "$nodes" --exclusive --requeue --chdir "$folder"
    --open-mode append --output "$folder/driver.log")
  local partition="${FSXBENCH_PARTITION:-}"
  if [[ -n "$partition" ]]; then
    [[ "$partition" =~ ^[A-Za-z0-9_][A-Za-z0-9_.,-]*$ ]] ||
      die "'FSXBENCH_PARTITION' must be names of letters, digits, '_', '.' and '-' with commas between, got '$partition'"
    options+=(--partition "$partition")
  fi
  rm -f "$folder/driver.pid" "$folder/queue.json"
  job="$(as_job_user "$folder" sbatch "${options[@]}" "$home/bin/drive-in-slurm" "$@")" ||
    die "Slurm refuses a job of $nodes nodes: does the partition have as many? ('sinfo' lists them)"
  printf '%s\n' "${job%%;*}" >"$folder/driver.job"
  # Reports the job's state while no node runs the driver, which could report it.
  setsid node "$home/lib/watch-queue.mjs" "${job%%;*}" "$folder" "$address" </dev/null >>"$folder/queue.log" 2>&1 9>&- &
}
