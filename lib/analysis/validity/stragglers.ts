import { bytes, counted, duration, plain } from '../../common/format/units';
import type { Stragglers } from '../stragglers';
import { inapplicable, judged, place, type RuleFinding, some, type ValidityRule } from './rule';

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
    return judged(
      known.flatMap((one): RuleFinding[] => [...late(one), ...uneven(one)]),
      `a last one more than ${plain(WAIT.share * 100)} % of its time and ${duration(WAIT.seconds)} after the first, or ${AMOUNT} times as much moved by one as by another, in any of ${counted(
        known.reduce((sum, { readings }) => sum + readings.length, 0),
        'measurement',
      )}${silent === 0 ? '' : `; of ${counted(silent, 'combination')} of arm and operation the tool tells neither`}`,
    );
  },
};

function late({ arm, operation, compressibility, of, readings }: Stragglers): RuleFinding[] {
  const found = readings.filter(isLate);
  const [worst] = [...found].sort((a, b) => waitOf(b) - waitOf(a));
  if (worst === undefined) return [];
  return [
    {
      severity: 'warning',
      message: `${place(arm, operation, compressibility)}: in ${found.length} of ${readings.length} measurements the first of the ${of} was done long before the last, and the rate is over the time of the last.`,
      expected: `the last at most ${WAIT.share * 100} % of its time, or ${duration(WAIT.seconds)}, after the first`,
      actual: `the first after ${duration(worst.firstSeconds)}, the last after ${duration(worst.lastSeconds)}`,
      suggestion: 'look for a slow client or server: compare the clients in the raw output, and the metrics by server',
      where: some(found.map(({ step }) => `${step} on ${arm}`)),
    },
  ];
}

function uneven({ arm, operation, compressibility, of, readings }: Stragglers): RuleFinding[] {
  const found = readings.filter(isUneven);
  const share = ({ leastBytes, mostBytes }: Reading): number => (leastBytes ?? 0) / (mostBytes ?? 1);
  const [worst] = [...found].sort((a, b) => share(a) - share(b));
  if (worst === undefined) return [];
  return [
    {
      severity: 'warning',
      message: `${place(arm, operation, compressibility)}: in ${found.length} of ${readings.length} measurements one of the ${of} had moved less than half of what another had when the time was up.`,
      expected: `at most ${plain(AMOUNT)} times as much by the fastest as by the slowest`,
      actual: `${bytes(worst.mostBytes)} and ${bytes(worst.leastBytes)}`,
      suggestion: 'look for a slow client, or for targets that hold the data of more processes than others',
      where: some(found.map(({ step }) => `${step} on ${arm}`)),
    },
  ];
}
