import { constants } from 'node:os';

/** What each code of a document means, in a few words for people; a code with a number stands under its prefix. */
const MEANINGS: Readonly<Record<string, string>> = {
  // The output lacks a part.
  no_output: 'the tool printed nothing',
  no_run_header: 'no run began',
  no_result_rows: 'a run gave no result',
  no_summary: "a run's summary is missing",
  no_finish_line: "a run's last line is missing",
  missing_iterations: 'not every repetition gave a result',
  truncated: 'the output ends before its end',
  csv_without_data: 'IOR 3.3.0 writes no results as CSV: use JSON or text',
  json_invalid: 'the JSON is not valid; the figures were read all the same',
  nan_in_summary: "the tool's own summary is not a number: repetitions were skipped",
  nonsense_rates: 'rates are negative or not numbers',
  // The run failed.
  exit_status: 'the command failed',
  rank_signal: 'a rank was killed by this signal',
  mpi_abort: 'a rank aborted the job',
  interrupted: 'the tool was told to stop',
  io_error: 'a request failed',
  job_error: 'a job ended with this errno',
  no_space: 'no space left',
  permission_denied: 'permission denied',
  no_such_file: 'a file or directory was not there',
  invalid_argument: 'the system refused an argument',
  usage_error: 'the options are wrong',
  data_errors: 'the data read is not the data written',
  operations_failed: 'operations failed and were counted all the same',
  threads_missing: 'not every thread gave its result: the figures are of the others',
  // Nothing was measured.
  dummy_api: 'the DUMMY interface moves no data',
  dry_run: 'nothing was run',
  // Cautions.
  stonewall_hit: 'the time limit ended a phase: ranks moved different amounts',
  size_mismatch: 'the files are not as large as the options say',
  existing_file_overwritten: 'files were there before',
  buffered_write_no_fsync: 'writes ended in memory: neither O_DIRECT nor fsync',
  phases_not_run: 'some phases were not run',
  fdatasync_on_dev_null: 'dd could not sync /dev/null; its reads are good',
  too_short: 'the tool calls the run too short for its rates to mean anything',
  few_files_measured: 'the first thread was done before enough of the files were: rates are of a few threads',
  fictitious_bytes: 'fio counts 4096 bytes for each metadata operation: its bytes and throughput mean nothing',
};

/** `ENOSPC` for 28: numbers of this system, which are Linux's on every machine that runs fio here. */
const ERRNO_NAMES = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]));

/** The meaning of a code, `undefined` for one that no parser gives. */
export function meaningOf(code: string): string | undefined {
  const errno = ERRNO_NAMES.get(Number(/^job_error_(\d+)$/.exec(code)?.[1]));
  if (errno !== undefined) return `${MEANINGS.job_error}: ${errno}`;
  return MEANINGS[code] ?? MEANINGS[code.replace(/_-?\d+$/, '')];
}
