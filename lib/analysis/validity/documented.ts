import { keyOf } from '../../common/collections';
import { listed } from '../../common/format/text';
import { bytes, counted, plain } from '../../common/format/units';
import { armNamed } from '../../schema/plan';
import { bindingOf, type Limit } from '../../storage/common/limits';
import { describeLimit } from '../../storage/limitNames';
import { isSameWork } from '../figures/operationKind';
import { type LimitResult, MOST_OF_BURST, modeOf } from '../limits/limitedBy';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import { inapplicable, judged, place, type RuleFinding, unchecked, type ValidityRule } from './rule';

/** Rates above the clients' network cards are `faster-than-network`'s business, except for links held by a scale model. */
const OF_THE_CLIENTS = 'client_nic';

/** In a whole phase, no write beats the disks and no read the network. A faster repeat in the scale model shows that its throttle was lost. */
export const fasterThanDocumented: ValidityRule = {
  id: 'faster-than-documented',
  checks: 'no rate far above the documented burst',
  check(subject) {
    const unknown = subject.elsewhere?.limits ?? null;
    if (unknown !== null) return unchecked(unknown);
    const lost = lostCreates(subject);
    if (lost.length > 0) return judged(lost, `creates above ${MOST_OF_HELD * 100} % of the model’s limit`);
    if (subject.limits.length === 0) return inapplicable('neither writes nor reads');
    const bound = subject.limits.flatMap((result) => boundOf(subject, result));
    if (bound.length === 0) {
      const { reason } = subject.limits.find(({ limits }) => limits.length === 0) ?? {};
      return reason == null ? inapplicable('no rate of writes or reads') : unchecked(reason);
    }
    const isModel = subject.place === 'model';
    const beyond = bound.filter(
      (one) => one.rate > one.burst.burstMBps * MOST_OF_BURST && (isModel || !isBeyondTheClients(one)),
    );
    const worst = [...Map.groupBy(beyond, ({ arm, operation }) => keyOf(arm, operation)).values()].map((group) =>
      group.reduce((a, b) => (shareOf(a) > shareOf(b) ? a : b)),
    );
    const left = subject.limits.length - bound.length;
    return judged(
      worst.map((one) =>
        isModel ? { severity: 'error', ...lostLimit(one) } : { severity: 'warning', ...somethingElse(one) },
      ),
      `a rate above ${plain(MOST_OF_BURST * 100)} % of the documented burst in any of ${counted(bound.length, 'combination')} of arm, operation and compressibility${left === 0 ? '' : `; ${left} more have no limit or no rate`}`,
    );
  },
};

interface Bound extends LimitResult {
  readonly rate: number;
  readonly burst: Limit;
}

/** The limit that a combination's rate cannot exceed; none without limits or a rate. Of a scale model it is the rate of the fastest repeat. */
function boundOf(subject: Subject, result: LimitResult): Bound[] {
  const isModel = subject.place === 'model';
  const limits = result.limits.filter(
    ({ name }) => (isModel || name !== OF_THE_CLIENTS) && (modeOf(result) === 'write' || !name.startsWith('disk')),
  );
  const burst = bindingOf(limits)?.burst;
  if (burst === undefined) return [];
  const rate = isModel ? fastestRepeat(subject, result, burst.burstMBps) : result.measuredMBps;
  return rate === null ? [] : [{ ...result, rate, burst }];
}

const isBeyondTheClients = ({ rate, limits }: Bound): boolean =>
  limits.some(({ name, burstMBps }) => name === OF_THE_CLIENTS && rate > burstMBps);

const shareOf = ({ rate, burst }: Bound): number => rate / burst.burstMBps;

const actualOf = (bound: Bound): string => `${plain(bound.rate)} MB/s, ${Math.round(100 * shareOf(bound))} % of it`;

function lostLimit(bound: Bound): Omit<RuleFinding, 'severity'> {
  const { arm, operation, compressibility, burst } = bound;
  return {
    message: `${place(arm, operation, compressibility)}: a repeat was far faster than ${describeLimit(burst.name)} of the scale model, so the throttle was no longer active.`,
    expected: `at most ${plain(burst.burstMBps)} MB/s in each repeat`,
    actual: actualOf(bound),
    suggestion: AGAIN,
    where: arm,
  };
}

function somethingElse(bound: Bound): Omit<RuleFinding, 'severity'> {
  const { arm, operation, compressibility, burst } = bound;
  return {
    message: `${place(arm, operation, compressibility)}: faster than the documented burst of ${describeLimit(burst.name)}, so something else may have been measured.`,
    expected: `at most ${plain(burst.burstMBps)} MB/s in a burst (${burst.source})`,
    actual: actualOf(bound),
    suggestion:
      'check whether data stayed in the clients’ memory (end each phase with fsync, write more than fits), whether they compress better than was read back, and whether the arm is the planned file system',
    where: arm,
  };
}

/** Creations are throttled to within 5 %: a rate so far above was not throttled. */
const MOST_OF_HELD = 1.25;

/** Arms that created files far faster in a repeat than their metadata server's disk was to let them. */
function lostCreates({ cells, arms }: Subject): RuleFinding[] {
  return arms.flatMap(({ name, deployed }): RuleFinding | [] => {
    const held = deployed?.model?.metadata?.setCreatesPerSecond;
    const rates = cells.filter(
      ({ arm, kind, metric }) => arm === name && kind.id === 'file_create' && metric === 'rate',
    );
    const fastest = Math.max(...rates.map(({ max }) => max ?? 0), 0);
    if (held === undefined || fastest <= held * MOST_OF_HELD) return [];
    return {
      severity: 'error',
      message: `${name}: a repeat created files far faster than the scale model allows, so the throttle was no longer active.`,
      expected: `at most ${plain(held)} op/s in each repeat`,
      actual: `${plain(fastest)} op/s, ${Math.round((100 * fastest) / held)} % of it`,
      suggestion: AGAIN,
      where: name,
    };
  });
}

const AGAIN = 'run it again; if it happens again, look for other limits on block devices';

/** A limit of the kernel lets the data of a slice through before it holds (block/blk-throttle.c): a phase of less than a second shows it. */
const SLICE_SECONDS = 0.1;

/** The fastest repeat, without the slice that no limit holds. */
function fastestRepeat({ cells, tasks }: Subject, result: LimitResult, heldMBps: number): number | null {
  const cell = cells.find((one) => one.metric === 'throughput' && isSameWork(one, result));
  if (cell?.max == null) return null;
  const seconds = tasks.flatMap(({ arm, name: operation, compressibility, seconds: taken }) =>
    isSameWork({ arm, operation, compressibility }, result) ? (taken ?? []) : [],
  );
  return seconds.length === 0 ? cell.max : cell.max - (heldMBps * SLICE_SECONDS) / Math.min(...seconds);
}

export const dataFitInMemory: ValidityRule = {
  id: 'data-fit-in-memory',
  checks: 'data larger than the memory of clients and servers together',
  check({ arms, clients, elsewhere, measured }) {
    const unable = elsewhere?.memory ?? null;
    if (unable !== null) return unchecked(unable);
    const { memoryBytes } = clients;
    if (memoryBytes === null) return unchecked('the memory of the clients is not known');
    const written = measured.filter(({ operation, bytes: moved }) => operation === 'write' && moved !== null);
    if (written.length === 0) return inapplicable('no write of a known amount');
    if (!measured.some(({ operation }) => operation === 'read')) return inapplicable('nothing was read back');
    const groups = [...Map.groupBy(written, ({ arm, compressibility }) => keyOf(arm, compressibility)).values()];
    // In the lab one computer is client and server.
    const serversOf = (arm: string): number | null => {
      const { configuration, storage } = armNamed(arms, arm);
      return elsewhere !== null || configuration === null
        ? 0
        : (storage?.documented.serverMemoryBytes?.(configuration) ?? null);
    };
    const unknown = [...new Set(written.map(({ arm }) => arm))].filter((arm) => serversOf(arm) === null);
    const servers =
      unknown.length === 0 ? '' : `; how much memory the servers of ${listed(unknown)} have is not documented`;
    const small = groups.flatMap((tasks) => {
      const first = tasks[0] as MeasuredTask;
      const memory = first.clients * memoryBytes + (serversOf(first.arm) ?? 0);
      const min = Math.min(...tasks.map((task) => task.bytes ?? memory));
      return min > memory ? [] : { ...first, least: min, memory };
    });
    const worst = small.toSorted((a, b) => b.least / b.memory - a.least / a.memory).at(-1);
    return judged(
      worst !== undefined && {
        severity: 'warning',
        message: `${small.length === groups.length ? 'All data' : `The data of ${small.length} of ${groups.length} combinations of arm and compressibility`} fit into memory, so reads may not have reached the disks.`,
        expected: `more than ${bytes(worst.memory)} (${counted(worst.clients, 'client')}${elsewhere === null && !unknown.includes(worst.arm) ? ' and the servers' : ''})`,
        actual: `${bytes(worst.least)} in ${place(worst.arm, 'write', worst.compressibility)}`,
        suggestion: 'raise --set seconds and --set maxMiBPerArm',
        where: small.map(({ arm, compressibility }) => place(arm, 'write', compressibility)).join('; '),
      },
      `data that fit into memory in any of ${counted(groups.length, 'combination')} of arm and compressibility${servers}`,
    );
  },
};

/** Data that arrive faster than the network allows were already cached on the clients. */
export const fasterThanNetwork: ValidityRule = {
  id: 'faster-than-network',
  checks: 'no rate above what the clients’ network can carry',
  check({ clients, elsewhere, measured }) {
    if (elsewhere !== null) return unchecked(elsewhere.claims);
    const { networkBurstMbps } = clients;
    if (networkBurstMbps === null) return unchecked('the network of the clients is not known');
    const rates = measured.flatMap((task) => {
      if (task.rateMBps === null || !/^(write|read)$/.test(task.operation)) return [];
      return { task, rate: task.rateMBps, max: (task.clients * networkBurstMbps) / 8 };
    });
    if (rates.length === 0) return inapplicable('neither writes nor reads');
    const lowest = rates.reduce((min, one) => Math.min(min, one.max), Number.POSITIVE_INFINITY);
    const groups = Map.groupBy(
      rates.filter(({ rate, max }) => rate > max),
      ({ task }) => keyOf(task.arm, task.operation, task.compressibility),
    );
    const findings = [...groups.values()].map((own): RuleFinding => {
      const worst = own.reduce((a, b) => (a.rate > b.rate ? a : b));
      const { arm, operation, compressibility } = worst.task;
      return {
        severity: 'error',
        message: `${place(arm, operation, compressibility)}: faster than the clients’ network, so the data came from a cache.`,
        expected: `at most ${plain(worst.max)} MB/s (${worst.task.clients} × ${plain(networkBurstMbps / 8)} MB/s)`,
        actual: `${plain(worst.rate)} MB/s`,
        suggestion: 'drop the clients’ caches, or read on other clients than those that wrote',
        where: arm,
      };
    });
    return judged(
      findings,
      `a rate above ${plain(lowest)} MB/s in any of ${counted(rates.length, 'phase')}; a cache that is slower than that looks like the network`,
    );
  },
};
