import { keyOf } from '../../common/collections';
import { listed } from '../../common/format/text';
import { bytes, counted, duration, percent, plain } from '../../common/format/units';
import { type ClientLoad, SHARE_OF_OTHERS } from '../../schema/environment';
import { armNamed, type WorkloadAction } from '../../schema/plan';
import type { Sample } from '../../schema/sample';
import { compresses } from '../arm';
import { labelOf } from '../figures/operationKind';
import { spaceAt } from '../figures/space';
import type { Stragglers } from '../stragglers';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import {
  inapplicable,
  inconclusive,
  judged,
  perWork,
  place,
  type RuleFinding,
  some,
  unchecked,
  type ValidityRule,
} from './rule';

/** Time in which everybody waited for memory, or the hypervisor worked for others. */
const STALLED = 0.05;
/** A device may move so much more than the tool did: metadata, journals, read-ahead. */
const BESIDE = { share: 0.25, bytes: 64 * 2 ** 20 };
/** A device that was read less than this share of what the tool read was not asked for the rest. */
const FROM_DEVICE = 0.9;
/** The highest ratio assumed for data whose ratio is not known. */
const MOST_RATIO = 10;

const NOT_SAMPLED = 'not every client’s load was sampled: its scripts are too old, or it did not answer';

interface Loaded {
  readonly task: MeasuredTask;
  readonly load: ClientLoad;
}

function strains({ load }: Loaded): string[] {
  const who = load.names.slice(0, 3).join(', ');
  const { memoryStall, steal, others } = load;
  const stalled = memoryStall ?? 0;
  return [
    others >= SHARE_OF_OTHERS &&
      `just before or after, others took ${percent(others)} of its CPU time${who === '' ? '' : ` (${who})`}`,
    stalled >= STALLED && `all processes waited for memory ${percent(stalled)} of the time`,
    steal >= STALLED && `the hypervisor took ${percent(steal)} of its CPU time for others`,
  ].filter((one) => one !== false);
}

/** The rate of a client that works for somebody else is not that of the storage. */
export const busyClient: ValidityRule = {
  id: 'busy-client',
  checks: 'clients that ran nothing else and had enough memory',
  check(subject) {
    const done = subject.measured.filter(({ failed }) => !failed);
    if (done.length === 0) return inapplicable('nothing was measured');
    const loads = done.flatMap((task) => task.load.map((load) => ({ task, load })));
    // The client that did not answer may be the busy one.
    const without = done.filter(({ load, clients }) => load.length < Math.max(1, clients)).length;
    if (loads.length === 0) return inconclusive(NOT_SAMPLED);
    const couldFind = `other programs with ${percent(SHARE_OF_OTHERS)} of a client’s CPU time just before or after any of ${counted(done.length - without, 'phase')}, and waits for memory during ${percent(STALLED)} of one`;
    const strained = loads.filter((one) => strains(one).length > 0);
    const [worst] = strained.toSorted((a, b) => b.load.others - a.load.others);
    if (worst === undefined && without > 0)
      return inconclusive(`${without} of ${counted(done.length, 'phase')}: ${NOT_SAMPLED}`);
    if (worst === undefined) return judged([], couldFind);
    // A busy client seldom concerns one arm alone: one finding covers all.
    const arms = [...new Set(strained.map(({ task }) => task.arm))];
    const steps = [...new Set(strained.map(({ task }) => task.step))];
    const { client, busy, tool, loadAverage, cpuStall, processors } = worst.load;
    const waited = cpuStall === null ? '' : `, processes waited for a CPU ${percent(cpuStall)} of the time`;
    const finding: RuleFinding = {
      severity: 'warning',
      message: `${arms.join(', ')}: ${client ?? 'the client'} ran other work during ${counted(steps.length, 'measured phase')}, so ${arms.length === 1 ? 'its' : 'their'} rates may be too low: ${strains(worst).join('; ')}.`,
      expected: `less than ${percent(SHARE_OF_OTHERS)} of the CPU time for others, and less than ${percent(STALLED)} of the time waiting for memory`,
      actual: `load average ${plain(loadAverage)} on ${counted(processors, 'CPU')}, ${percent(busy)} busy, ${percent(tool)} with the tool${waited}`,
      suggestion: 'stop all other work on the clients, and repeat these phases',
      where: some(steps),
    };
    return judged(finding, couldFind);
  },
};

/** Phases of one client on its own device: the device's bytes next to the tool's, as far as they are known. */
const devicesOf = ({ measured }: Subject) =>
  measured.flatMap((task) => {
    const { failed, bytes: moved, operation, load } = task;
    const device = load.length === 1 ? load[0]?.device : null;
    if (failed || moved === null || !device || !/^(write|read)$/.test(operation)) return [];
    return { task, moved, ...device };
  });

/** Returns the compression ratio of a task's data on its arm; `null` if it was not measured and neither the data nor the arm keep it at 1. */
function ratioOf({ arms, space }: Pick<Subject, 'arms' | 'space'>, task: MeasuredTask): number | null {
  const known = spaceAt(space, task)?.median ?? null;
  const own = armNamed(arms, task.arm);
  return known ?? (task.compressibility === 1 || (own.configuration && !compresses(own)) ? 1 : null);
}

const NO_DEVICE = 'no arm is on a client’s own device whose bytes the kernel counts';

/** A disk that serves others serves the tool more slowly. */
export const otherWriters: ValidityRule = {
  id: 'other-writers',
  checks: 'nobody else used the devices under the arms',
  check(subject) {
    const devices = devicesOf(subject);
    if (devices.length === 0) return inapplicable(NO_DEVICE);
    const beside = devices.flatMap((one) => {
      const { task, moved, read, written } = one;
      const [same, other] = task.operation === 'write' ? [written, read] : [read, written];
      const more = Math.max(0, same - moved) + other;
      return more > moved * BESIDE.share + BESIDE.bytes ? [{ ...one, more }] : [];
    });
    const findings = perWork(
      beside,
      ({ more }) => more,
      ({ task, moved, read, written, more }) => ({
        severity: 'warning',
        message: `${place(task.arm, task.name, task.compressibility)}: the underlying device moved ${bytes(more)} more than the tool, so others may have used it.`,
        expected: `${bytes(moved)} by the tool, and at most ${percent(BESIDE.share)} and ${bytes(BESIDE.bytes)} more`,
        actual: `${bytes(read)} read and ${bytes(written)} written in ${task.step}`,
        suggestion: 'find out who else uses the device, stop that work, and repeat these phases',
      }),
    );
    // Compression hides this share of what others write from the device.
    const saved = Math.max(0, ...devices.map(({ task }) => 1 - 1 / (ratioOf(subject, task) ?? MOST_RATIO)));
    const hidden = saved > 0 ? `, of which compression hides up to ${percent(saved)}` : '';
    return judged(
      findings,
      `more than ${percent(BESIDE.share + saved)} and ${bytes(BESIDE.bytes)} in addition to the tool’s bytes in any of ${counted(devices.length, 'phase')}${hidden}`,
    );
  },
};

/** Bytes that the tool read but the device did not deliver came from memory. */
export const readFromCache: ValidityRule = {
  id: 'read-from-cache',
  checks: 'reads served by the devices under the arms, not by a cache',
  check(subject) {
    const devices = devicesOf(subject).filter(({ task }) => task.operation === 'read');
    if (devices.length === 0) return inapplicable(NO_DEVICE);
    const judgedReads = devices.map((one) => {
      const ratio = ratioOf(subject, one.task);
      return { ...one, ratio, min: (one.moved / (ratio ?? MOST_RATIO)) * FROM_DEVICE };
    });
    const findings = perWork(
      judgedReads.filter(({ read, min }) => read < min),
      ({ read, min }) => -read / min,
      ({ task, moved, read, min }) => ({
        severity: 'warning',
        message: `${place(task.arm, task.name, task.compressibility)}: the underlying device delivered far less than the tool read, so the rest came from memory.`,
        expected: `at least ${bytes(min)} read from the device`,
        actual: `${bytes(read)} in ${task.step}, in which the tool read ${bytes(moved)}`,
        suggestion: 'drop the caches before each read, or read more data than fit in memory',
      }),
    );
    const open = [...new Set(judgedReads.filter(({ ratio }) => ratio === null).map(({ task }) => task.arm))];
    if (findings.length === 0 && open.length > 0)
      return inconclusive(
        `the compression ratio of ${listed(open)} was not measured, so reads from a cache would look like compression`,
      );
    const weakest = Math.min(...judgedReads.map(({ min, moved }) => min / moved));
    return judged(
      findings,
      `reads of which memory served more than ${percent(1 - weakest)} in any of ${counted(devices.length, 'phase')}`,
    );
  },
};

/** Waiting for the last one is reported from this share of the phase and this many seconds on, like the wear-out. */
const WAIT = { share: 0.2, seconds: 10 };
/** Ratio of the bytes of two processes from which they are not alike. A convention of fsxbench. */
const AMOUNT = 2;

type Reading = Stragglers['readings'][number];

const waitOf = ({ firstSeconds, lastSeconds }: Reading): number =>
  firstSeconds === null || lastSeconds === null ? 0 : lastSeconds - firstSeconds;
const isLate = (one: Reading): boolean =>
  waitOf(one) > Math.max(WAIT.seconds, WAIT.share * (one.lastSeconds ?? 0)) && one.firstSeconds !== null;
const isUneven = ({ leastBytes, mostBytes }: Reading): boolean =>
  leastBytes !== null && mostBytes !== null && mostBytes > AMOUNT * leastBytes;

/** The rate of all is over the time of the last one: one slow client or target lowers the figure of an arm. */
export const stragglers: ValidityRule = {
  id: 'stragglers',
  checks: 'processes that start together finish together',
  check({ stragglers }) {
    if (stragglers.length === 0) return inapplicable('nothing was measured');
    const known = stragglers.filter(({ readings }) => readings.length > 0);
    if (known.length === 0)
      return inapplicable([...new Set(stragglers.flatMap(({ reason }) => reason ?? []))].join('; '));
    const silent = stragglers.length - known.length;
    const measurements = known.reduce((sum, { readings }) => sum + readings.length, 0);
    return judged(
      known.flatMap((one) => [late(one), uneven(one)].flat()),
      `a process that finished ${plain(WAIT.share * 100)} % of its time and ${duration(WAIT.seconds)} after the first, or moved ${AMOUNT} times the bytes of another, in any of ${counted(measurements, 'measurement')}${silent === 0 ? '' : `; for ${counted(silent, 'combination')} of arm and operation the tool reports neither`}`,
    );
  },
};

function late({ arm, work, compressibility, of, readings }: Stragglers): RuleFinding | [] {
  const found = readings.filter(isLate);
  const [worst] = [...found].sort((a, b) => waitOf(b) - waitOf(a));
  if (worst === undefined) return [];
  return {
    severity: 'warning',
    message: `${place(arm, work, compressibility)}: in ${found.length} of ${readings.length} measurements, the first of the ${of} finished long before the last. The rate is based on the time of the last.`,
    expected: `the last at most ${WAIT.share * 100} % of its time, or ${duration(WAIT.seconds)}, after the first`,
    actual: `the first after ${duration(worst.firstSeconds)}, the last after ${duration(worst.lastSeconds)}`,
    suggestion: 'look for a slow client or server: compare the clients in the raw output, and the metrics by server',
    where: some(found.map(({ step }) => `${step} on ${arm}`)),
  };
}

function uneven({ arm, work, compressibility, of, readings }: Stragglers): RuleFinding | [] {
  const found = readings.filter(isUneven);
  const share = ({ leastBytes, mostBytes }: Reading): number => (leastBytes ?? 0) / (mostBytes ?? 1);
  const [worst] = [...found].sort((a, b) => share(a) - share(b));
  if (worst === undefined) return [];
  return {
    severity: 'warning',
    message: `${place(arm, work, compressibility)}: in ${found.length} of ${readings.length} measurements, one of the ${of} had moved less than half the bytes of another at the time limit.`,
    expected: `at most ${plain(AMOUNT)} times as much by the fastest as by the slowest`,
    actual: `${bytes(worst.mostBytes)} and ${bytes(worst.leastBytes)}`,
    suggestion: 'look for a slow client, or for targets with the data of more processes than others',
    where: some(found.map(({ step }) => `${step} on ${arm}`)),
  };
}

/** Clients that the plan gives to a task: so many, all of them, or an equal part. */
export function plannedClients({ plan }: Subject, { group, plannedNodes }: MeasuredTask): number | null {
  if (plan === null || plannedNodes !== null) return plannedNodes;
  return group === 'all' ? plan.fleet.clients : Math.max(1, Math.floor(plan.fleet.clients / plan.arms.length));
}

export function plannedAction({ plan }: Subject, task: MeasuredTask): WorkloadAction | null {
  const own = plan?.steps.find(({ id }) => id === task.step)?.tasks.find(({ arm }) => arm === task.arm);
  return own?.action.kind === 'workload' ? own.action : null;
}

/** A rate of other clients or processes than planned is the rate of another experiment. The tool itself reports how many took part. */
export const missingRanks: ValidityRule = {
  id: 'missing-ranks',
  checks: 'exactly the planned clients and processes took part',
  check(subject) {
    if (subject.plan === null) return unchecked('the plan cannot be read');
    if (subject.measured.length === 0) return inapplicable('nothing was measured');
    const differing = subject.measured.flatMap((task) => {
      const clients = plannedClients(subject, task);
      const action = plannedAction(subject, task);
      const ranks = clients === null || action === null ? null : action.ranksPerClient * clients;
      const differ = (counted: number | null, planned: number | null): boolean =>
        counted !== null && planned !== null && counted !== planned;
      // On one computer, several clients may share its name.
      const nodes = subject.elsewhere !== null ? null : task.nodes;
      const found =
        (clients !== null && task.clients < clients) || differ(task.ranks, ranks) || differ(nodes, task.clients);
      return found ? { task, clients, ranks } : [];
    });
    const findings = [...Map.groupBy(differing, ({ task }) => task.arm).values()].map((own): RuleFinding => {
      const { task, clients, ranks } = own[0] as (typeof differing)[number];
      const processesOf = (number: number): string => counted(number, 'process', 'processes');
      const machines = task.nodes === null ? '' : ` on ${counted(task.nodes, 'node')}`;
      const processes = task.ranks === null ? 'an unknown number of processes' : processesOf(task.ranks);
      return {
        severity: 'error',
        message: `${task.arm}: other clients or processes than planned in ${counted(own.length, 'measured phase')}.`,
        expected: `${clients === null ? 'any number of clients' : counted(clients, 'client')}, ${ranks === null ? 'any number of processes' : processesOf(ranks)}, as the plan says`,
        actual: `${counted(task.clients, 'client')}; ${task.tool ?? 'the tool'} counted ${processes}${machines} in ${task.step}`,
        suggestion: 'look for clients that did not start or were lost; resume or repeat the run with all clients',
        where: some(own.map((one) => one.task.step)),
      };
    });
    const done = subject.measured.filter(({ failed }) => !failed);
    const silent = done.filter(({ ranks }) => ranks === null);
    if (findings.length === 0 && silent.length > 0) {
      const why = silent.map(({ tool }) => `${tool ?? 'the tool'} printed no number of processes`);
      return inconclusive(
        `${[...new Set(why)].join('; ')}: ${silent.length} of ${counted(done.length, 'measured phase')}`,
      );
    }
    const hosts = subject.elsewhere !== null ? 0 : done.filter(({ nodes }) => nodes !== null).length;
    return judged(
      findings,
      `a missing or extra process in any of ${counted(done.length, 'measured phase')}; nodes were counted in ${hosts === 0 ? 'none' : hosts} of them`,
    );
  },
};

/** The newest image is found when a client is launched: one that was replaced later may have booted another. */
export const mixedImages: ValidityRule = {
  id: 'mixed-images',
  checks: 'all clients booted the same image',
  check({ manifest }) {
    const images = (manifest?.fleet.clients ?? []).flatMap(({ image }) => image ?? []);
    if (images.length === 0) return inapplicable('no client of the run has a recorded image');
    const silent = (manifest?.fleet.clients ?? []).length - images.length;
    const groups = [...Map.groupBy(images, (image) => image)].sort(([, one], [, other]) => other.length - one.length);
    return judged(
      groups.length > 1 && {
        severity: 'warning',
        message: 'The clients booted different images, so kernels and Lustre clients may differ.',
        expected: 'one image',
        actual: groups.map(([image, own]) => `${own.length} × ${image}`).join(', '),
        suggestion: "deploy the stack again with 'image' set: all clients then boot the same one",
      },
      `another image on any of ${counted(images.length, 'client')}${silent === 0 ? '' : `; of ${silent} more none is recorded`}`,
    );
  },
};

export const mixedToolVersions: ValidityRule = {
  id: 'mixed-tool-versions',
  checks: 'one tool, one version and one data pattern on both sides of a comparison',
  check({ samples: all, measured }) {
    if (new Set(measured.map(({ arm }) => arm)).size < 2)
      return inapplicable('a single arm has nothing to be compared with');
    const samples = all.filter(
      ({ phase, source, value }) => phase === 'measure' && source === 'client' && value !== null,
    );
    const groups = Map.groupBy(samples, (sample) => keyOf(labelOf(sample), sample.compressibility));
    const silent = samples.filter(({ toolVersion }) => toolVersion === null).length;
    const findings = [...groups.values()].flatMap((own): RuleFinding | [] => {
      const { operation, compressibility } = own[0] as Sample;
      const tools = [...new Set(own.map(({ tool, toolVersion, pattern }) => [tool, toolVersion, pattern].join(' ')))];
      if (tools.length < 2) return [];
      return {
        severity: 'error',
        message: `${place('all arms', operation, compressibility)}: measured with different tools, versions or patterns.`,
        expected: 'one of each',
        actual: tools.map((tool) => tool.trim()).join('; '),
        suggestion: 'give every client the same version, and repeat the run',
      };
    });
    if (samples.length === 0) return inapplicable('no sample has a value');
    return judged(
      findings,
      `another tool, version or pattern in any of ${counted(samples.length, 'sample')}${silent === 0 ? '' : `; ${silent} name no version`}`,
    );
  },
};
