import { keyOf } from '../../common/collections';
import { bytes, counted, duration, percent, plain } from '../../common/format/units';
import { SECONDS_FOR_METRICS } from '../../schema/metrics';
import { workloadOrNone } from '../../workload/lookup';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import { plannedAction, plannedClients } from './clients';
import { inapplicable, inconclusive, judged, perWork, place, some, unchecked, type ValidityRule } from './rule';

/** Largest share of a measured time that one step of the tool's clock may be. A convention of fsxbench. */
const MOST = 0.05;

const inMs = (seconds: number): string => `${plain(seconds * 1000)} ms`;

/** A rate over a time of few steps is one of few possible rates: it is off, and repeats look more alike than they are. */
export const coarseClock: ValidityRule = {
  id: 'coarse-clock',
  checks: 'measurements much longer than a step of their tool’s clock',
  check({ measured }) {
    const timed = measured.flatMap((task) => {
      const { failed, tool, seconds, iterations } = task;
      // Seconds between two times that the tool can print.
      const step = tool === null ? undefined : workloadOrNone(tool)?.clockStep;
      return failed || seconds === null || step === undefined ? [] : { task, seconds: seconds / iterations, step };
    });
    if (timed.length === 0) return inapplicable('no tool printed times in coarse steps');
    const findings = perWork(
      timed.filter(({ seconds, step }) => step > seconds * MOST),
      ({ seconds, step }) => -seconds / step,
      ({ task, seconds, step }) => ({
        severity: 'warning',
        message: `${place(task.arm, task.name, task.compressibility)}: too short for the tool’s clock, so rates may be off by ${percent(step / seconds)}, and vary more than they show.`,
        expected: `at least ${inMs(step / MOST)} for a clock that counts in steps of ${inMs(step)}`,
        actual: `${inMs(seconds)} in ${task.step}`,
        suggestion: 'more files for each process, or longer phases',
      }),
    );
    return judged(
      findings,
      `a step of the clock above ${percent(MOST)} of the time in any of ${counted(timed.length, 'phase')}`,
    );
  },
};

/** A stonewall may end a phase a little early. */
const SLACK = 0.95;

/** FSx publishes a point a minute: five whole ones are wanted (IO500 asks for 300 s for the same reason). */
export const phaseTooShort: ValidityRule = {
  id: 'phase-too-short',
  checks: `phases of ${SECONDS_FOR_METRICS} s, which the service’s one-minute metrics can confirm`,
  check({ arms, elsewhere, measured }) {
    if (elsewhere !== null) return unchecked(elsewhere.service ?? elsewhere.claims);
    const wanted = SECONDS_FOR_METRICS * SLACK;
    // Metrics are those of an id: an arm that a user called by the name of a service's storage may be on a disk.
    const uncounted = arms.filter(
      ({ storage, deployed }) =>
        deployed?.fileSystemId === null || (storage !== null && storage.monitoring?.metrics === undefined),
    );
    const without = new Set(uncounted.map(({ name }) => name));
    const done = measured.filter(({ failed }) => !failed);
    if (done.length === 0) return inapplicable('nothing was measured');
    const seen = done.filter(({ arm }) => !without.has(arm));
    if (seen.length === 0) return inapplicable('no service publishes metrics of these arms');
    const short = seen.filter(({ from, to }) => (to - from) / 1000 < wanted);
    const shortest = short.reduce((min, { from, to }) => Math.min(min, (to - from) / 1000), wanted);
    return judged(
      short.length > 0 && {
        severity: 'warning',
        message: `${short.length} of ${seen.length} measured phases were too short for one-minute metrics to confirm them.`,
        expected: `at least ${SECONDS_FOR_METRICS} s`,
        actual: `${duration(shortest)} in the shortest`,
        suggestion: 'raise seconds, and maxMiBPerArm if the amount of data ended the phase',
        where: some(short.map(({ step }) => step)),
      },
      `a phase of less than ${duration(wanted)} among ${counted(seen.length, 'phase')}`,
    );
  },
};

/** Processes may end this share of the time limit later, and this many seconds, before a finding says so. */
const WEAR_OUT = { share: 0.2, seconds: 10 };

/** A stonewall's wear-out lowers the rate, which ends with the slowest process: the others wait. */
export const stonewallWearOut: ValidityRule = {
  id: 'stonewall-wear-out',
  checks: 'processes end together with the time limit',
  check({ plan, measured }) {
    const limit = plan?.parameters.seconds;
    if (typeof limit !== 'number') return unchecked('the plan bounds its phases by something other than time');
    const timed = measured.filter(({ operation, seconds }) => /^(write|read)$/.test(operation) && seconds !== null);
    const max = limit + Math.max(WEAR_OUT.share * limit, WEAR_OUT.seconds);
    const late = timed.filter(({ seconds }) => (seconds ?? 0) > max);
    if (timed.length === 0) return inapplicable('no phase was timed by a tool');
    const last = late.reduce((longest, { seconds }) => Math.max(longest, seconds ?? 0), 0);
    return judged(
      late.length > 0 && {
        severity: 'warning',
        message: `In ${late.length} of ${timed.length} phases, some processes ran long past the time limit. The rate is based on the time of the slowest.`,
        expected: `an end at ${duration(limit)}, at most ${duration(max)}`,
        actual: `${duration(last)} in the longest`,
        suggestion: 'look for a slow client or server in the raw output; in longer phases it matters less',
        where: some(late.map(({ step, arm }) => `${step} on ${arm}`)),
      },
      `an end more than ${duration(max - limit)} after the time limit in any of ${counted(timed.length, 'phase')}`,
    );
  },
};

/** Share by which amounts may differ, since tools round what they print. */
const TOLERANCE = 0.05;

/** Marks a phase that was bounded by time, not by an amount. */
const TIME_WAS_UP = 'its time';

const DATA = /^(write|read)$/;

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
    const known = amounts.filter((one) => typeof one !== 'string');
    const silent = amounts.filter((one) => typeof one === 'string');
    const short = known.filter(({ moved, wanted }) => moved < wanted * (1 - TOLERANCE));
    const findings = perWork(
      short,
      ({ moved, wanted }) => -moved / wanted,
      ({ task, moved, wanted, of }, { length }) => ({
        severity: 'error',
        message: `${place(task.arm, task.name, task.compressibility)}: ${counted(length, 'phase')} moved at most ${plain((100 * moved) / wanted)} % of the planned bytes${task.ranks === null ? '' : `, though ${counted(task.ranks, 'process', 'processes')} took part`}.`,
        expected: `${bytes(wanted)} by ${of}, within ${TOLERANCE * 100} %`,
        actual: bytes(moved),
        suggestion:
          'look in the raw output for processes that ended early and for truncated files; repeat these phases',
      }),
      ({ task }) => keyOf(task.arm, task.name, task.compressibility),
    );
    const left = silent.length === 0 ? '' : `; ${[...new Set(silent)].join('; ')}`;
    if (findings.length === 0 && silent.length > 0)
      return inconclusive(`${silent.length} of ${counted(done.length, 'phase')}: ${[...new Set(silent)].join('; ')}`);
    const timed = known.filter(({ of }) => of === TIME_WAS_UP).length;
    const could = [
      ...(known.length > timed ? [`than planned in any of ${counted(known.length - timed, 'phase')}`] : []),
      ...(timed > 0 ? [`than rate × time in any of ${counted(timed, 'phase')} that reached their time limit`] : []),
    ];
    return judged(findings, `more than ${TOLERANCE * 100} % fewer bytes ${could.join(', or ')}${left}`);
  },
};

/** The amount of a phase, or why it cannot be compared. */
function amountOf(subject: Subject, task: MeasuredTask): Amount | string {
  const { tool, seconds, iterations } = task;
  if (task.bytes === null || seconds === null) return `${tool ?? 'the tool'} printed no bytes or no time`;
  const { bytes: moved, ratedBytes: rated } = task;
  if (rated !== null && moved < rated * (1 - TOLERANCE))
    return { task, moved, wanted: rated, of: 'its rate and its time' };
  const action = plannedAction(subject, task);
  const asked = action && (workloadOrNone(tool)?.data?.asked(action.command) ?? null);
  if (!asked) return `the planned bytes of ${tool ?? 'the tool'} are not known`;
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
  if (ends.length === 0) return `the planned bytes of ${task.step} are not known`;
  return { task, moved, wanted: Math.min(...ends), of: written === null ? 'the plan' : 'what was written' };
}

function writtenBefore({ measured }: Subject, task: MeasuredTask): number | null {
  const dataOf = ({ arm, repeat, compressibility, fileBytes, threads, plannedNodes }: MeasuredTask): string =>
    keyOf(arm, repeat, compressibility, fileBytes, threads, plannedNodes);
  const own = measured.find((one) => one.operation === 'write' && dataOf(one) === dataOf(task));
  return own?.bytes == null ? null : own.bytes / own.iterations;
}
