import { meanOf } from '../../common/statistics';
import { type ClientLoad, type Counter, OPERATION_ROLES } from '../../schema/environment';
import { armNamed } from '../../schema/plan';
import { bindingOf } from '../../storage/common/limits';
import { OWN_PROGRAM } from '../../workload/registry';
import { documentedOf, substitute } from '../metadata/subject';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import { limitsOf } from './known';
import { REACHED } from './limitedBy';

export interface Waiting {
  /** Share of the time of all processes, or of the nodes; 0 to 1. A file system without any delay saves no more of the program's time. */
  readonly share: number;
  /** `calls`: processes in calls, by the file system's own counters; `stall`, `iowait`: the nodes, by the kernel's. */
  readonly by: 'calls' | 'stall' | 'iowait';
  /** True where the kernel may not count all of it: the file system is on none of the nodes' own devices. */
  readonly atLeast: boolean;
}

/** Shares of a program's time in calls from which storage limits it, and below which it does not. A convention of fsxbench. */
const WAITS = { much: 0.5, little: 0.1 };
/** Utilisation of the processors from which a program has no time left to wait. */
const BUSY = 0.9;

/** Is a user's own program limited by storage? */
export type ProgramLimit = ReturnType<typeof limitOf>;

/** Judges each arm on which a user's own program ran with readings of its clients. */
export function programLimits(subject: Subject): ProgramLimit[] {
  const own = subject.measured.filter(
    ({ tool, failed, load }) => !failed && load.length > 0 && tool === OWN_PROGRAM.tool,
  );
  return [...Map.groupBy(own, ({ arm }) => arm).values()].map((tasks) => limitOf(subject, tasks));
}

function limitOf(subject: Subject, tasks: readonly MeasuredTask[]) {
  const { arm } = tasks[0] as MeasuredTask;
  const loads = tasks.flatMap(({ load }) => load);
  const nodes = [...Map.groupBy(loads, ({ client }) => client).values()].map(nodeOf);
  const busy = meanOf(loads.flatMap((load) => (load.sameAs === undefined ? load.busy : []))) ?? 0;
  const waiting = waitingOf(subject, tasks, busy);
  const { reason: limitsReason } = limitsOf(subject, armNamed(subject.arms, arm), tasks, 'write');
  const [wrote, read] = [rateOf(subject, tasks, 'write'), rateOf(subject, tasks, 'read')];
  const cell = subject.cells.find((one) => one.arm === arm && one.operation === 'run' && one.metric === 'seconds');
  const seconds = cell?.median ?? null;
  const operations = operationsOf(subject, tasks);
  const limited = verdictOf([wrote.limit?.share, read.limit?.share, operations?.share], waiting, busy);
  return { arm, seconds, nodes, busy, waiting, wrote, read, operations, limitsReason, limited };
}

function nodeOf(own: readonly ClientLoad[]) {
  const mean = (of: (load: ClientLoad) => number | null | undefined): number | null =>
    meanOf(own.flatMap((load) => of(load) ?? []));
  const without = own.find(({ counters }) => counters == null);
  const [first] = own as [ClientLoad];
  return {
    client: first.client,
    /** An earlier node on the same machine, which counts for both. */
    sameAs: first.sameAs,
    busy: mean(({ busy }) => busy) ?? 0,
    ioWait: mean(({ ioWait }) => ioWait),
    ioStall: mean(({ ioStall }) => ioStall),
    counters:
      without === undefined
        ? (first.counters ?? []).map((one) => ({
            ...one,
            value: mean(({ counters }) => counters?.find(({ name }) => name === one.name)?.value) ?? 0,
          }))
        : null,
    reason:
      without === undefined
        ? (first.countersReason ?? null)
        : (without.countersReason ?? 'this client’s scripts are too old'),
  };
}

/** Sum over a task's machines of the counters with a role; `null` if a machine lacks the counter. */
function countedIn({ load }: MeasuredTask, role: Counter['role']): number | null {
  const machines = load.filter(({ sameAs }) => sameAs === undefined);
  const values = machines.map(({ counters }) => counters?.find((one) => one.role === role)?.value);
  return values.some((value) => value === undefined)
    ? null
    : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

function waitingOf({ plan }: Subject, tasks: readonly MeasuredTask[], busy: number): Waiting | null {
  const ranks = plan?.parameters.ranksPerClient;
  const calls = tasks.map((task) => ({ seconds: countedIn(task, 'calls'), task }));
  if (typeof ranks === 'number' && calls.every(({ seconds }) => seconds !== null)) {
    const shares = calls.map(({ seconds, task }) => (seconds ?? 0) / (ranks * secondsOf(task)));
    return { share: Math.min(1, meanOf(shares) ?? 0), by: 'calls', atLeast: false };
  }
  const loads = tasks.flatMap(({ load }) => load);
  const atLeast = loads.some(({ device }) => device === null);
  // Faster storage does not save the time in which CPUs were busy.
  const kernel = (by: Waiting['by'], shares: readonly number[]): Waiting => ({
    // Processor time is counted in ticks: a busy process may have a little more of it than the time that passed.
    share: Math.min(1, Math.max(0, 1 - busy), meanOf(shares) ?? 0),
    by,
    atLeast,
  });
  const stalls = loads.flatMap(({ ioStall }) => ioStall ?? []);
  if (stalls.length > 0) return kernel('stall', stalls);
  const waits = loads.flatMap(({ ioWait, processors }) => (ioWait === undefined ? [] : [ioWait * processors]));
  return waits.length > 0 ? kernel('iowait', waits) : null;
}

const secondsOf = ({ load }: MeasuredTask): number => load.reduce((sum, { seconds }) => sum + seconds, 0);

const lengthOf = (task: MeasuredTask): number => secondsOf(task) / task.load.length;

/** Rates of operations on files and directories, on all nodes together, as the file system's own clients count them; `undefined` where they do not. */
function operationsOf({ arms, lab }: Subject, tasks: readonly MeasuredTask[]) {
  const rates = OPERATION_ROLES.flatMap((role) => {
    const counts = tasks.map((task) => ({ task, count: countedIn(task, role) }));
    if (counts.some(({ count }) => count === null)) return [];
    return [{ role, perSecond: meanOf(counts.map(({ task, count }) => (count ?? 0) / lengthOf(task))) ?? 0 }];
  });
  if (rates.length === 0) return undefined;
  const arm = armNamed(arms, (tasks[0] as MeasuredTask).arm);
  const documented = substitute(arm, lab) === null ? (documentedOf(arm)?.rates ?? null) : null;
  // An operation's share of the IOPS is its rate ÷ the documented rate, so shares of different operations add up.
  const shares = rates.flatMap(({ role, perSecond }) => {
    const max = documented?.[role];
    return max === undefined ? [] : [perSecond / max];
  });
  const made = rates.flatMap(({ role, perSecond }) => (perSecond > 0 ? [[role, perSecond]] : []));
  return {
    perSecond: Object.fromEntries(made) as Readonly<Partial<Record<(typeof OPERATION_ROLES)[number], number>>>,
    /** Share of the metadata IOPS that all operations together took, by the documented rates; `null` if no rates are documented. */
    share: shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0),
  };
}

/** Bytes that a program moved in one direction, on all nodes together. */
function rateOf(subject: Subject, tasks: readonly MeasuredTask[], mode: 'write' | 'read') {
  const rates = tasks.map((task) => {
    const moved = countedIn(task, mode === 'write' ? 'written' : 'read');
    return moved === null ? null : moved / lengthOf(task) / 1e6;
  });
  if (rates.some((rate) => rate === null)) return { MBps: null, limit: null };
  const MBps = meanOf(rates.flatMap((rate) => rate ?? [])) ?? 0;
  const [first] = tasks as [MeasuredTask];
  const lowest = bindingOf(limitsOf(subject, armNamed(subject.arms, first.arm), tasks, mode).limits)?.baseline;
  return { MBps, limit: lowest === undefined ? null : { name: lowest.name, share: MBps / lowest.baselineMBps } };
}

function verdictOf(
  shares: readonly (number | null | undefined)[],
  waiting: Waiting | null,
  busy: number,
): 'yes' | 'partly' | 'no' | null {
  if (shares.some((share) => (share ?? 0) >= REACHED)) return 'yes';
  if (waiting === null) return null;
  if (waiting.share >= WAITS.much) return 'yes';
  if (waiting.share >= WAITS.little) return 'partly';
  return waiting.atLeast && busy < BUSY ? null : 'no';
}
