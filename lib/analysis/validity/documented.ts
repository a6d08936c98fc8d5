import { counted, plain } from '../../kit/format/units';
import { keyOf } from '../../kit/keyOf';
import { bindingOf } from '../../storage/kit/binding';
import { limitWords } from '../../storage/limitNames';
import { isSameWork } from '../figures/operationKind';
import { type LimitResult, MOST_OF_BURST, modeOf } from '../limits/limitedBy';
import type { Subject } from '../subject';
import { inapplicable, judged, place, type RuleFinding, unchecked, type ValidityRule } from './rule';

/** Rates above the clients' network cards are `faster-than-network`'s business, except for links held by a scale model. */
const OF_THE_CLIENTS = 'client_nic';

/**
 * Nothing writes faster than the disks for as long as a phase takes, or reads faster than the servers' network, whatever their caches
 * hold. Reads may well be faster than the disks. What the scale model holds it holds in each repeat: one that is beyond it shows that a
 * limit was lost, and spoils the comparison.
 */
export const fasterThanDocumented: ValidityRule = {
  id: 'faster-than-documented',
  checks: 'no rate far above what AWS documents for the file system at its best',
  check(subject) {
    const unknown = subject.elsewhere?.limits ?? null;
    if (unknown !== null) return unchecked(unknown);
    const lost = lostCreations(subject);
    if (lost.length > 0) return judged(lost, `creations above ${MOST_OF_HELD * 100} % of what the model holds`);
    const results = subject.limits;
    if (results.length === 0) return inapplicable('neither writes nor reads');
    const held = subject.place === 'model';
    const compared = results.flatMap((result) => {
      const limits = result.limits.filter(
        ({ name }) => (held || name !== OF_THE_CLIENTS) && (modeOf(result) === 'write' || !name.startsWith('disk')),
      );
      const lowest = bindingOf(limits)?.burst;
      const rate = held ? fastestRepeat(subject, result, lowest?.burstMBps ?? 0) : result.measuredMBps;
      return lowest === undefined || rate === null ? [] : [{ ...result, lowest, rate }];
    });
    const without = results.find(({ limits }) => limits.length === 0);
    if (compared.length === 0)
      return without?.reason == null ? inapplicable('no rate of writes or reads') : unchecked(without.reason);
    const beyond = compared.filter(
      ({ rate, lowest, limits }) =>
        rate > lowest.burstMBps * MOST_OF_BURST &&
        (held || !limits.some(({ name, burstMBps }) => name === OF_THE_CLIENTS && rate > burstMBps)),
    );
    const groups = Map.groupBy(beyond, ({ arm, operation }) => keyOf(arm, operation));
    const left = results.length - compared.length;
    const couldFind = `a rate above ${plain(MOST_OF_BURST * 100)} % of the documented burst in any of ${counted(compared.length, 'combination')} of arm, operation and target${left === 0 ? '' : `; ${left} more have no limit or no rate`}`;
    const findings = [...groups.values()].map((own): RuleFinding => {
      const worst = own.reduce((a, b) => (a.rate / a.lowest.burstMBps > b.rate / b.lowest.burstMBps ? a : b));
      const { arm, operation, target, rate, lowest } = worst;
      const share = `${plain(rate)} MB/s, ${Math.round((100 * rate) / lowest.burstMBps)} % of it`;
      if (held)
        return {
          severity: 'error',
          message: `${place(arm, operation, target)}: far faster in a repeat than ${limitWords(lowest.name)}, which the scale model enforces: the limit was no longer in force.`,
          expected: `at most ${plain(lowest.burstMBps)} MB/s in each repeat`,
          actual: share,
          suggestion: AGAIN,
          where: arm,
        };
      return {
        severity: 'warning',
        message: `${place(arm, operation, target)}: faster than ${limitWords(lowest.name)} at their documented best, so that something else may have been measured.`,
        expected: `at most ${plain(lowest.burstMBps)} MB/s in a burst (${lowest.source})`,
        actual: share,
        suggestion:
          'see whether data stayed in the clients (end each phase with fsync, write more than their memory), whether it compresses better than was read back, and whether the arm is the file system that the plan names',
        where: arm,
      };
    });
    return judged(findings, couldFind);
  },
};

/** Creations are throttled to within 5 %: a rate so far above was not throttled. */
const MOST_OF_HELD = 1.25;

/** Arms that created files far faster in a repeat than their metadata server's disk was to let them. */
function lostCreations({ cells, arms }: Subject): RuleFinding[] {
  return arms.flatMap(({ name, deployed }): RuleFinding[] => {
    const held = deployed?.model?.metadata?.setCreatesPerSecond;
    const rates = cells.filter(
      ({ arm, kind, metric }) => arm === name && kind.id === 'file_create' && metric === 'rate',
    );
    const fastest = Math.max(...rates.map(({ max }) => max ?? 0), 0);
    if (held === undefined || fastest <= held * MOST_OF_HELD) return [];
    return [
      {
        severity: 'error',
        message: `${name}: files were created far faster in a repeat than the scale model allows: the limit was no longer in force.`,
        expected: `at most ${plain(held)} op/s in each repeat`,
        actual: `${plain(fastest)} op/s, ${Math.round((100 * fastest) / held)} % of it`,
        suggestion: AGAIN,
        where: name,
      },
    ];
  });
}

const AGAIN =
  'run it again; if it happens again, see whether something else on this machine changes limits of block devices';

/** A limit of the kernel lets the data of a slice through before it holds (block/blk-throttle.c): a phase of less than a second shows it. */
const SLICE_SECONDS = 0.1;

/** The fastest repeat, without the slice that no limit holds. */
function fastestRepeat({ cells, tasks }: Subject, result: LimitResult, heldMBps: number): number | null {
  const cell = cells.find((one) => one.metric === 'throughput' && isSameWork(one, result));
  if (cell?.max == null) return null;
  const seconds = tasks.flatMap(({ arm, name: operation, target, seconds: taken }) =>
    isSameWork({ arm, operation, target }, result) ? (taken ?? []) : [],
  );
  return seconds.length === 0 ? cell.max : cell.max - (heldMBps * SLICE_SECONDS) / Math.min(...seconds);
}
