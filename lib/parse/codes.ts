import { constants } from 'node:os';
import { ownValue } from '../common/collections';

/** Short explanations of a document's codes; a code with a number is listed under its prefix. */
const MEANINGS: Readonly<Record<string, string>> = {
  // The output lacks a part.
  no_output: 'the tool printed nothing',
  no_run_header: 'no run began',
  no_result_rows: 'a run gave no result',
  rows_not_read:
    'some results have a form that fsxbench does not read: use JSON output, or another release of the tool',
  no_summary: "a run's summary is missing",
  no_finish_line: "a run's last line is missing",
  missing_iterations: 'some repetitions have no result',
  truncated: 'the output is truncated',
  missing_rows: 'some operations of a run have no result',
  mixed_formats: 'IOR printed text and JSON into one file: only the JSON is read',
  nul_bytes: 'NUL bytes in place of a lost part of the output',
  figures_disagree: 'figures that the tool prints twice differ: the output is damaged',
  csv_without_data: 'IOR 3.3.0 writes no results as CSV: use JSON or text',
  json_invalid: 'the JSON is invalid; the figures were read anyway',
  nan_in_summary: "the tool's own summary is not a number: repetitions were skipped",
  nonsense_rates: 'figures are negative, impossibly large or not numbers',
  // The run failed.
  exit_status: 'the command failed',
  rank_signal: 'a rank was killed by this signal',
  mpi_abort: 'a rank aborted the job',
  step_refused: 'Slurm did not start the step',
  step_cancelled: 'the step was cancelled',
  node_failure: 'a node of the cluster failed',
  time_limit: 'the job reached its time limit',
  out_of_memory: 'a rank was killed because memory ran out',
  interrupted: 'the tool was stopped',
  io_error: 'a request failed',
  job_error: 'a job ended with this errno',
  no_space: 'no space left',
  quota_exceeded: 'the quota of the user, group or project is used up',
  read_only: 'the file system is read-only',
  permission_denied: 'permission denied',
  no_such_file: 'no such file or directory',
  invalid_argument: 'the system rejected an argument',
  usage_error: 'the options are wrong',
  data_errors: 'the data read differ from the data written',
  operations_failed: 'failed operations were counted anyway',
  threads_missing: 'some threads gave no result: the figures cover the others',
  // Nothing was measured.
  dummy_api: 'the DUMMY interface moves no data',
  dry_run: 'nothing was run',
  // Cautions.
  stonewall_hit: 'the time limit ended a phase: ranks moved different amounts',
  size_mismatch: 'the file sizes differ from the options',
  existing_file_overwritten: 'files existed before',
  buffered_write_no_fsync: 'writes went to memory: neither O_DIRECT nor fsync',
  phases_not_run: 'some phases were not run',
  files_released: 'files are still in the bucket after the phase',
  files_loaded_before: 'files were on the file system before the first read: the rate is too high',
  files_released_before: 'files were still in the bucket before the second read: the rate is too low',
  files_not_read: 'the workers read less than the files hold: part of the data was not analysed',
  fdatasync_on_dev_null: 'dd could not sync /dev/null; its reads are valid',
  unit_assumed:
    'nothing says in which unit du printed: KiB, as without options, or bytes where it listed both sizes of each file',
  too_short: 'the tool considers the run too short for meaningful rates',
  few_files_measured: 'the first thread finished too early: the rates cover only a few threads',
  services_in_log:
    'services of elbencho printed their own results between those of the client: keep the log of the client alone',
  single_processes:
    'fio ran without group_reporting: each figure of a job is of one process; what all did together is under its group',
  fictitious_bytes: 'fio counts 4096 bytes for each metadata operation: its bytes and throughput are meaningless',
};

/** `ENOSPC` for 28, from this system's table, since fio runs on Linux. */
const ERRNO_NAMES = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]));

/** A code with its meaning, if that is known: `usage_error: the options are wrong`. */
export function explained(code: string, separator = ': '): string {
  const meaning = meaningOf(code);
  return meaning === undefined ? code : `${code}${separator}${meaning}`;
}

/** The meaning of a code, `undefined` for an unknown one. */
export function meaningOf(code: string): string | undefined {
  const errno = ERRNO_NAMES.get(Number(/^job_error_(\d+)$/.exec(code)?.[1]));
  if (errno !== undefined) return `${MEANINGS.job_error}: ${errno}`;
  return ownValue(MEANINGS, code) ?? ownValue(MEANINGS, code.replace(/_-?\d+$/, ''));
}
