import { constants } from 'node:os';
import { holds } from './holds';

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

/** A line that tells of a step's end. */
const SAID = /^(?:(?:srun|slurmstepd\S*): error: |.*CANCELLED AT \S).*/gm;

/** The lines of which {@link slurmProblems} makes codes. */
export const slurmLines = (text: string): readonly string[] =>
  holds(text, 'srun: ') || holds(text, 'slurmstepd') || holds(text, 'CANCELLED AT ') ? (text.match(SAID) ?? []) : [];

/** The codes of what srun says about a step that failed; none for other output. */
export function slurmProblems(text: string): string[] {
  if (!/^(?:srun|slurmstepd\S*): error: /m.test(text)) return [];
  const without = FROM_WITHOUT.flatMap(([pattern, code]) => (pattern.test(text) ? [code] : []));
  const [, end = ''] = FIRST_END.exec(text) ?? [];
  const status = /^Exited with exit code (\d{1,3})$/.exec(end)?.[1];
  const signal = SIGNALS[end.replace(/ \(core dumped\)$/, '')];
  const cancelled = CANCELLED.test(text) && without.length === 0 && (end === '' || signal === 'SIGTERM');
  if (cancelled) return ['step_cancelled'];
  // Whatever ended the step ends its ranks by SIGTERM.
  const ended = signal === undefined || (signal === 'SIGTERM' && without.length > 0) ? [] : [constants.signals[signal]];
  return [
    ...without,
    ...(status === undefined ? [] : [`exit_status_${status}`]),
    ...ended.map((number) => `rank_signal_${number}`),
  ];
}
