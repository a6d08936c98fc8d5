import { bytes, counted, plain } from '../../common/format/units';
import { keyOf } from '../../common/keyOf';
import { workloadOrNone } from '../../workload/lookup';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import { plannedAction, plannedClients } from './fleet';
import { cannotTell, inapplicable, judged, place, type RuleFinding, some, type ValidityRule } from './rule';

/** Share by which amounts may differ, since tools round what they print. */
const TOLERANCE = 0.05;

/** Marks a phase that was bounded by time, not by an amount. */
const TIME_WAS_UP = 'its time';

const DATA = /^(write|read)$/;

/** Bytes moved in a phase by its tool's output, against those planned. */
interface Amount {
  readonly task: MeasuredTask;
  readonly moved: number;
  readonly wanted: number;
  readonly of: string;
}

/** All processes may be there and still do half of the work, which is another experiment. */
export const missingBytes: ValidityRule = {
  id: 'missing-bytes',
  checks: 'every phase moved all of its bytes, unless it ran out of time first',
  check(subject) {
    const done = subject.measured.filter(({ operation, failed }) => !failed && DATA.test(operation));
    if (done.length === 0) return inapplicable('neither writes nor reads');
    const amounts = done.map((task) => amountOf(subject, task));
    const known = amounts.flatMap((one) => (typeof one === 'string' ? [] : [one]));
    const silent = amounts.flatMap((one) => (typeof one === 'string' ? [one] : []));
    const short = known.filter(({ moved, wanted }) => moved < wanted * (1 - TOLERANCE));
    const findings = [
      ...Map.groupBy(short, ({ task }) => keyOf(task.arm, task.name, task.compressibility)).values(),
    ].map(findingOf);
    const left = silent.length === 0 ? '' : `; ${[...new Set(silent)].join('; ')}`;
    if (findings.length === 0 && silent.length > 0)
      return cannotTell(`${silent.length} of ${counted(done.length, 'phase')}: ${[...new Set(silent)].join('; ')}`);
    const timed = known.filter(({ of }) => of === TIME_WAS_UP).length;
    return judged(
      findings,
      `more than ${TOLERANCE * 100} % less than was to be moved in any of ${counted(known.length - timed, 'phase')}, and less than its own rate and time in ${timed} that ended with their time${left}`,
    );
  },
};

/** The amount of a phase, or why it cannot be compared. */
function amountOf(subject: Subject, task: MeasuredTask): Amount | string {
  const { tool, seconds, iterations } = task;
  const reported = workloadOrNone(tool)?.reports.bytes ?? true;
  if (task.bytes === null || seconds === null)
    return `${tool ?? 'the tool'} printed no bytes or no time${reported === true ? '' : ` (${reported.silent})`}`;
  const moved = task.bytes;
  const { ratedBytes: rated } = task;
  if (rated !== null && moved < rated * (1 - TOLERANCE))
    return { task, moved, wanted: rated, of: 'its rate and its time' };
  const action = plannedAction(subject, task);
  const asked = action && (workloadOrNone(tool)?.data?.asked(action.command) ?? null);
  if (!asked) return `what ${tool ?? 'the tool'} was to move is not known`;
  // A phase whose time was up has done what it could: its amount is its rate.
  if (asked.seconds !== null && seconds >= asked.seconds * iterations * (1 - TOLERANCE))
    return { task, moved, wanted: moved, of: TIME_WAS_UP };
  const clients = plannedClients(subject, task);
  const inAll =
    asked.bytesPerProcess === null || clients === null
      ? null
      : asked.bytesPerProcess * action.ranksPerClient * clients * iterations;
  const written = task.operation === 'read' ? writtenBefore(subject, task) : null;
  const ends = [inAll, written === null ? null : written * iterations].filter((end) => end !== null);
  if (ends.length === 0) return `what ${task.step} was to move is not known`;
  return { task, moved, wanted: Math.min(...ends), of: written === null ? 'the plan' : 'what was written' };
}

/** Returns the bytes that the same repeat wrote on the arm; `null` if unknown. */
function writtenBefore(
  { measured }: Subject,
  { arm, repeat, compressibility, fileBytes, threads, plannedNodes }: MeasuredTask,
): number | null {
  const own = measured.find(
    (one) =>
      one.operation === 'write' &&
      keyOf(one.arm, one.repeat, one.compressibility, one.fileBytes, one.threads, one.plannedNodes) ===
        keyOf(arm, repeat, compressibility, fileBytes, threads, plannedNodes),
  );
  return own?.bytes == null ? null : own.bytes / own.iterations;
}

function findingOf(own: readonly Amount[]): RuleFinding {
  const worst = own.reduce((a, b) => (a.moved / a.wanted < b.moved / b.wanted ? a : b));
  const { arm, name, compressibility, ranks } = worst.task;
  return {
    severity: 'error',
    message: `${place(arm, name, compressibility)}: ${counted(own.length, 'phase')} moved ${plain((100 * worst.moved) / worst.wanted)} % of the bytes or less than they were to move${ranks === null ? '' : `, though ${counted(ranks, 'process', 'processes')} took part`}.`,
    expected: `${bytes(worst.wanted)} by ${worst.of}, within ${TOLERANCE * 100} %`,
    actual: bytes(worst.moved),
    suggestion:
      'look into the raw output for processes that ended early, and for files that were cut; repeat these phases',
    where: some(own.map(({ task }) => task.step)),
  };
}
