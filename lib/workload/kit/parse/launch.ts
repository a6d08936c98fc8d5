import type { CommandFile } from './command';
import type { Lines } from './lines';
import { slurmLines, slurmProblems } from './slurm';

const ERRNO: readonly (readonly [string, string])[] = [
  ['No space left on device', 'no_space'],
  ['Permission denied', 'permission_denied'],
  ['No such file or directory', 'no_such_file'],
  ['Invalid argument', 'invalid_argument'],
];

/** The code for an errno message; `io_error` if there is no specific one. */
export function codeOfErrno(message: string): string {
  return ERRNO.find(([text]) => message.includes(text))?.[1] ?? 'io_error';
}

export const ERRNO_CODES: readonly string[] = ERRNO.map(([, code]) => code);

/** A message about wrong options; IOR 3.3.0 appends a stale errno, which must be ignored. */
export const USAGE_ERROR =
  /[Ee]rror invalid argument|^Invalid options|ERROR: .*(?:must be |only sensible when splitting|invalid option|not a multiple)/;

/** One of these is in each line of USAGE_ERROR. */
const USAGE_SIGNS = ['ERROR: ', ' invalid argument', 'Invalid options'];

/** Lines that report a failure: errno texts count only in these, since job logs are full of harmless ones. */
const FAILURE = /ERROR|WARNING|FAILED|errno|failed|error/;

/** Tool-independent codes: exit status, signals, MPI_ABORT, what Slurm says, wrong options and errno texts. */
export function launchProblems(output: Lines, cmd: CommandFile): Set<string> {
  const problems = new Set<string>();
  const slurm = new Set<string>();
  if (cmd.exitStatus !== null && cmd.exitStatus !== 0) problems.add(`exit_status_${cmd.exitStatus}`);
  for (const part of output.parts()) {
    addProblems(part, problems);
    for (const line of slurmLines(part.text)) slurm.add(line);
  }
  for (const code of slurmProblems([...slurm].join('\n'))) problems.add(code);
  return problems;
}

function addProblems({ text, lines, tail }: Lines, problems: Set<string>): void {
  // `; echo exit=$?` of a job script, and script(1)'s last line.
  if (text.includes('exit=') || text.includes('COMMAND_EXIT_CODE')) {
    for (const match of text.matchAll(/(?:^|\n)exit=(-?\d{1,6})\r?(?=\n)|\[COMMAND_EXIT_CODE="(\d{1,6})"\]/g)) {
      const status = Number(match[1] ?? match[2]);
      if (status !== 0) problems.add(`exit_status_${status}`);
    }
  }
  if (text.includes('exited on signal ')) {
    for (const match of text.matchAll(/exited on signal (\d{1,3})\b/g)) problems.add(`rank_signal_${match[1]}`);
  }
  if (text.includes('MPI_ABORT was invoked') || text.includes('help message help-mpi-api.txt / mpi-abort')) {
    problems.add('mpi_abort');
  }
  const errnos = ERRNO.filter(([message]) => text.includes(message));
  if (errnos.length === 0 && !USAGE_SIGNS.some((sign) => text.includes(sign))) return;
  for (const line of [...lines, tail]) {
    if (USAGE_ERROR.test(line)) {
      problems.add('usage_error');
      continue;
    }
    for (const [message, code] of errnos) if (line.includes(message) && FAILURE.test(line)) problems.add(code);
  }
}
