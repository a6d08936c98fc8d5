import { constants } from 'node:os';
import type { CommandFile } from './command';
import type { Lines } from './lines';

/** The end of the first task that failed: `srun: error: n2: task 1: Killed`. With --kill-on-bad-exit, the others only follow it. */
const FIRST_END = /^srun: error: \S+: tasks? [\d,-]+: (.+)$/m;

/** Signals that end a rank, by their names in strsignal(3). */
const SIGNALS: Readonly<Record<string, keyof typeof constants.signals>> = {
  Aborted: 'SIGABRT',
  'Bus error': 'SIGBUS',
  'Floating point exception': 'SIGFPE',
  'Illegal instruction': 'SIGILL',
  Killed: 'SIGKILL',
  'Segmentation fault': 'SIGSEGV',
  Terminated: 'SIGTERM',
};

/** Causes from outside that ended a step, in the words of srun and slurmstepd. */
const FROM_WITHOUT: readonly (readonly [RegExp, string])[] = [
  [/^srun: error: (?:Unable to (?:allocate resources|create step)|Only allocated \d+ nodes)/m, 'step_refused'],
  [/^srun: error: Node failure on |CANCELLED AT \S+ DUE TO NODE/m, 'node_failure'],
  [/CANCELLED AT \S+ DUE TO TIME LIMIT/, 'time_limit'],
  [/^slurmstepd\S*: error: .*oom[_-]kill/m, 'out_of_memory'],
];

/** A step that somebody cancelled; srun cancels one itself when a rank fails. */
const CANCELLED = /^slurmstepd\S*: error: \*\*\* (?:STEP|JOB) .* CANCELLED AT /m;

const SAID = /^(?:(?:srun|slurmstepd\S*): error: |.*CANCELLED AT \S).*/gm;

/** The lines from which {@link slurmProblems} derives codes. */
const slurmLines = (text: string): readonly string[] =>
  text.includes('srun: ') || text.includes('slurmstepd') || text.includes('CANCELLED AT ')
    ? (text.match(SAID) ?? [])
    : [];

/** The codes of what srun says about a step that failed; none for other output. */
export function slurmProblems(text: string): string[] {
  if (!/^(?:srun|slurmstepd\S*): error: /m.test(text)) return [];
  const without = FROM_WITHOUT.flatMap(([pattern, code]) => (pattern.test(text) ? [code] : []));
  const [, end = ''] = FIRST_END.exec(text) ?? [];
  const status = /^Exited with exit code (\d{1,3})$/.exec(end)?.[1];
  const signal = SIGNALS[end.replace(/ \(core dumped\)$/, '')];
  const cancelled = CANCELLED.test(text) && without.length === 0 && (end === '' || signal === 'SIGTERM');
  if (cancelled) return ['step_cancelled'];
  // srun ends the ranks of a step by SIGTERM, whatever the cause.
  const ended = signal === undefined || (signal === 'SIGTERM' && without.length > 0) ? [] : [constants.signals[signal]];
  return [
    ...without,
    ...(status === undefined ? [] : [`exit_status_${status}`]),
    ...ended.map((number) => `rank_signal_${number}`),
  ];
}

const ERRNO: readonly (readonly [string, string])[] = [
  ['No space left on device', 'no_space'],
  ['Disk quota exceeded', 'quota_exceeded'],
  ['Read-only file system', 'read_only'],
  ['Permission denied', 'permission_denied'],
  ['No such file or directory', 'no_such_file'],
  ['Invalid argument', 'invalid_argument'],
];

/** The code for an errno message; `io_error` if there is no specific one. */
export const codeOfErrno = (message: string): string =>
  ERRNO.find(([text]) => message.includes(text))?.[1] ?? 'io_error';

export const ERRNO_CODES: readonly string[] = ERRNO.map(([, code]) => code);

/** A message about wrong options; IOR 3.3.0 appends a stale errno, which must be ignored. */
export const USAGE_ERROR =
  /[Ee]rror invalid argument|^Invalid options|ERROR: .*(?:must be |only sensible when splitting|invalid option|not a multiple)/;

/** One of these is in each line of USAGE_ERROR. */
const USAGE_SIGNS = ['ERROR: ', ' invalid argument', 'Invalid options'];

/** MPI_Abort as printed by Open MPI, by its summary of such messages, and by MPICH. */
const ABORTS = ['MPI_ABORT was invoked', 'help message help-mpi-api.txt / mpi-abort', 'application called MPI_Abort('];

/** Lines that report a failure: errno texts count only in these, since job logs are full of harmless ones. */
const FAILURE = /ERROR|WARNING|FAILED|errno|failed|error/;

/** Tool-independent codes: exit status, signals, MPI_ABORT, what Slurm says, wrong options and errno texts. Takes an output part by part. */
export class LaunchProblems {
  private readonly problems = new Set<string>();
  private readonly slurm = new Set<string>();

  constructor({ exitStatus }: CommandFile) {
    if (exitStatus !== null && exitStatus !== 0) this.problems.add(`exit_status_${exitStatus}`);
  }

  read(part: Lines): void {
    addProblems(part, this.problems);
    for (const line of slurmLines(part.text)) this.slurm.add(line);
  }

  get codes(): Set<string> {
    return new Set([...this.problems, ...slurmProblems([...this.slurm].join('\n'))]);
  }
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
  // MPICH's launcher and Intel's, which is made of it.
  if (text.includes('TERMINATED WITH THE EXIT STRING: ') || text.includes('KILLED BY SIGNAL: ')) {
    for (const match of text.matchAll(
      / THE EXIT STRING: [^\n(]*\(signal (\d{1,3})\)|^= +KILLED BY SIGNAL: (\d{1,3})\b/gm,
    ))
      problems.add(`rank_signal_${match[1] ?? match[2]}`);
  }
  if (ABORTS.some((words) => text.includes(words))) problems.add('mpi_abort');
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
