import { listed } from '../../common/format/strings';
import { bytes, counted, percent, plain } from '../../common/format/units';
import { keyOf } from '../../common/keyOf';
import { type ClientLoad, SHARE_OF_OTHERS } from '../../schema/load';
import { armNamed } from '../../schema/plan';
import { compresses } from '../arm';
import { spaceAt } from '../figures/space';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import { cannotTell, inapplicable, judged, place, type RuleFinding, some, type ValidityRule } from './rule';

/** Time in which everybody waited for memory, or the hypervisor worked for others. */
const STALLED = 0.05;
/** A device may move so much more than the tool did: metadata, journals, read-ahead. */
const BESIDE = { share: 0.25, bytes: 64 * 2 ** 20 };
/** A device that was read less than this share of what the tool read was not asked for the rest. */
const FROM_DEVICE = 0.9;
/** The highest ratio assumed for data whose ratio is not known. */
const MOST_RATIO = 10;

const NOT_SAMPLED =
  'the load of all clients was not sampled: their scripts are older than this check, or did not answer';

interface Loaded {
  readonly task: MeasuredTask;
  readonly load: ClientLoad;
}

/** Returns the problems of a client, worst first; empty if there are none. */
function strains({ load }: Loaded): string[] {
  const who = load.names.slice(0, 3).join(', ');
  const { memoryStall, steal, others } = load;
  return [
    ...(others >= SHARE_OF_OTHERS
      ? [`just before or after, others took ${percent(others)} of its processors${who === '' ? '' : ` (${who})`}`]
      : []),
    ...((memoryStall ?? 0) >= STALLED
      ? [`all processes waited for memory ${percent(memoryStall ?? 0)} of the time`]
      : []),
    ...(steal >= STALLED ? [`the hypervisor took ${percent(steal)} of its processors for others`] : []),
  ];
}

const loadsOf = ({ measured }: Subject): Loaded[] =>
  measured.flatMap((task) => (task.failed ? [] : task.load.map((load) => ({ task, load }))));

/** The rate of a client that works for somebody else is not that of the storage. */
export const busyClient: ValidityRule = {
  id: 'busy-client',
  checks: 'clients that ran nothing else and had enough memory',
  check(subject) {
    const done = subject.measured.filter(({ failed }) => !failed);
    if (done.length === 0) return inapplicable('nothing was measured');
    const loads = loadsOf(subject);
    // The client that did not answer may be the busy one.
    const without = done.filter(({ load, clients }) => load.length < Math.max(1, clients)).length;
    if (loads.length === 0) return cannotTell(NOT_SAMPLED);
    const strained = loads.filter((one) => strains(one).length > 0);
    // A busy client seldom concerns one arm alone: one finding covers all.
    const findings = (strained.length === 0 ? [] : [strained]).map((own): RuleFinding => {
      const arms = [...new Set(own.map(({ task }) => task.arm))];
      const worst = own.reduce((a, b) => (a.load.others >= b.load.others ? a : b));
      const { client, busy, tool, loadAverage, cpuStall, processors } = worst.load;
      const waited = cpuStall === null ? '' : `, processes waited for a processor ${percent(cpuStall)} of the time`;
      return {
        severity: 'warning',
        message: `${arms.join(', ')}: ${client ?? 'the client'} was busy with something else in ${counted(new Set(own.map(({ task }) => task.step)).size, 'measured phase')}, so that ${arms.length === 1 ? 'its' : 'their'} rates may be too low: ${strains(worst).join('; ')}.`,
        expected: `less than ${percent(SHARE_OF_OTHERS)} of the processors for others, and ${percent(STALLED)} of the time without memory`,
        actual: `load average ${plain(loadAverage)} on ${counted(processors, 'processor')}, ${percent(busy)} busy, ${percent(tool)} with the tool${waited}`,
        suggestion: 'end what else runs on the clients, and repeat these phases',
        where: some(own.map(({ task }) => task.step)),
      };
    });
    if (findings.length === 0 && without > 0)
      return cannotTell(`${without} of ${counted(done.length, 'phase')}: ${NOT_SAMPLED}`);
    return judged(
      findings,
      `others that took ${percent(SHARE_OF_OTHERS)} of a client’s processors just before or after any of ${counted(done.length - without, 'phase')}, and ${percent(STALLED)} of the time without memory`,
    );
  },
};

/** One client's own device: its bytes next to the tool's. */
interface Device {
  readonly task: MeasuredTask;
  readonly moved: number;
  readonly read: number;
  readonly written: number;
}

/** Phases of one client on its own device, as far as its bytes are known. */
const devicesOf = ({ measured }: Subject): Device[] =>
  measured.flatMap((task) => {
    const { failed, bytes: moved, operation, load } = task;
    const device = load.length === 1 ? load[0]?.device : null;
    return failed || moved === null || !device || !/^(write|read)$/.test(operation) ? [] : [{ task, moved, ...device }];
  });

/** Returns the compression ratio of a task's data on its arm; `null` if it was not measured and neither the data nor the arm keep it at 1. */
function ratioOf({ arms, space }: Pick<Subject, 'arms' | 'space'>, task: MeasuredTask): number | null {
  const known = spaceAt(space, task)?.median ?? null;
  const own = armNamed(arms, task.arm);
  return known ?? (task.compressibility === 1 || (own.configuration && !compresses(own)) ? 1 : null);
}

const NO_DEVICE = 'the arms are on no device of one client whose bytes the kernel counts';

/** A disk that serves others serves the tool more slowly. */
export const otherWriters: ValidityRule = {
  id: 'other-writers',
  checks: 'nobody else read or wrote the devices below the arms',
  check(subject) {
    const devices = devicesOf(subject);
    if (devices.length === 0) return inapplicable(NO_DEVICE);
    const beside = devices.flatMap((one) => {
      const { task, moved, read, written } = one;
      const [same, other] = task.operation === 'write' ? [written, read] : [read, written];
      const more = Math.max(0, same - moved) + other;
      return more > moved * BESIDE.share + BESIDE.bytes ? [{ ...one, more }] : [];
    });
    const findings = [...Map.groupBy(beside, ({ task }) => keyOf(task.arm, task.name)).values()].map(
      (own): RuleFinding => {
        const worst = own.reduce((a, b) => (a.more > b.more ? a : b));
        const { arm, name, compressibility, step } = worst.task;
        return {
          severity: 'warning',
          message: `${place(arm, name, compressibility)}: the device below moved ${bytes(worst.more)} beside what the tool did, so that others may have used it.`,
          expected: `${bytes(worst.moved)} by the tool, and at most ${percent(BESIDE.share)} and ${bytes(BESIDE.bytes)} more`,
          actual: `${bytes(worst.read)} read and ${bytes(worst.written)} written in ${step}`,
          suggestion: 'find out who else uses the device, and repeat these phases without',
          where: some(own.map(({ task }) => task.step)),
        };
      },
    );
    // Compression hides this share of what others write from the device.
    const saved = Math.max(0, ...devices.map(({ task }) => 1 - 1 / (ratioOf(subject, task) ?? MOST_RATIO)));
    const hidden = saved > 0 ? `, of which compression hides up to ${percent(saved)}` : '';
    return judged(
      findings,
      `more than ${percent(BESIDE.share + saved)} and ${bytes(BESIDE.bytes)} beside the tool’s bytes in any of ${counted(devices.length, 'phase')}${hidden}`,
    );
  },
};

/** Bytes that the tool read but the device did not deliver came from memory. */
export const readFromCache: ValidityRule = {
  id: 'read-from-cache',
  checks: 'reads that the devices below the arms have served',
  check(subject) {
    const devices = devicesOf(subject).filter(({ task }) => task.operation === 'read');
    if (devices.length === 0) return inapplicable(NO_DEVICE);
    const judgedReads = devices.map((one) => {
      const ratio = ratioOf(subject, one.task);
      return { ...one, ratio, least: (one.moved / (ratio ?? MOST_RATIO)) * FROM_DEVICE };
    });
    const cached = judgedReads.filter(({ read, least }) => read < least);
    const findings = [...Map.groupBy(cached, ({ task }) => keyOf(task.arm, task.name)).values()].map(
      (own): RuleFinding => {
        const worst = own.reduce((a, b) => (a.read / a.least < b.read / b.least ? a : b));
        const { arm, name, compressibility, step } = worst.task;
        return {
          severity: 'warning',
          message: `${place(arm, name, compressibility)}: the device below was read far less than the tool was given: the rest came from memory.`,
          expected: `at least ${bytes(worst.least)} read from the device`,
          actual: `${bytes(worst.read)} in ${step}, in which the tool read ${bytes(worst.moved)}`,
          suggestion: 'drop the caches before each read, or read more than memory holds',
          where: some(own.map(({ task }) => task.step)),
        };
      },
    );
    const open = [...new Set(judgedReads.filter(({ ratio }) => ratio === null).map(({ task }) => task.arm))];
    if (findings.length === 0 && open.length > 0)
      return cannotTell(
        `how far the data of ${listed(open)} compress was not measured, so that a cache that answered half of the reads looks like compression`,
      );
    const weakest = Math.min(...judgedReads.map(({ least, moved }) => least / moved));
    return judged(
      findings,
      `reads of which memory answered more than ${percent(1 - weakest)} in any of ${counted(devices.length, 'phase')}`,
    );
  },
};
