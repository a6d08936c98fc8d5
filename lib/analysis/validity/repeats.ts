import { byReason } from '../../common/format/text';
import { counted, moment, percent, plain } from '../../common/format/units';
import { autocorrelationOf, dependenceOf, FEWEST_FOR_AUTOCORRELATION, residualsOf } from '../../common/statistics';
import { bindingOf } from '../../storage/common/limits';
import { describeLimit } from '../../storage/limitNames';
import { type Comparison, seriesOf } from '../compare/comparisons';
import { inflationsOf, usable } from '../compare/pairs';
import { type Level, SMALLEST_FALL } from '../limits/levels';
import type { Subject } from '../subject';
import {
  type Answer,
  inapplicable,
  inconclusive,
  judged,
  place,
  type RuleFinding,
  some,
  type ValidityRule,
} from './rule';

const size = (change: number): string => percent(Math.abs(change));
const of = ({ arm, operation, compressibility }: Pick<Level, 'arm' | 'operation' | 'compressibility'>): string =>
  place(arm, operation, compressibility);

/** True if a step or a drift has its own finding. */
const hasShape = ({ changes, drift }: Level): boolean => drift !== null || (changes ?? []).length > 0;

/** True if a fall that a reader would care about could not have been missed. */
const hasPower = ({ ends }: Level): boolean => ends !== null && ends.detectable <= SMALLEST_FALL;

/** Burst credits end: what is measured before and after are two different things. */
export const burstCredits: ValidityRule = {
  id: 'burst-credits',
  checks: 'one level of throughput from beginning to end',
  check: (subject) =>
    judgeLevels(
      subject,
      (level) => [...steps(level), ...(hasShape(level) || !level.ends?.changed ? [] : [differingEnds(level)])],
      (level) => tooWeak(level) ?? creditReason(subject, level),
    ),
};

/** Slowly slower, or faster: pairs take out what both arms share of it, and nothing else does. */
export const throughputDrift: ValidityRule = {
  id: 'throughput-drift',
  checks: 'throughput without a drift from beginning to end',
  check: (subject) =>
    judgeLevels(subject, drifts, (level) => {
      const weak = tooWeak(level);
      if (weak !== null || hasShape(level) || !level.ends?.changed) return weak;
      return `${counted(level.values, 'value')} cannot separate a step from a drift`;
    }),
};

/** @param open why a level without a finding has not passed, without its name; `null` if it has */
function judgeLevels(
  { levels }: Subject,
  findingsOf: (level: Level) => readonly RuleFinding[],
  open: (level: Level) => string | null,
): Answer {
  if (levels.length === 0) return inapplicable('no throughput was measured');
  const findings = levels.flatMap(findingsOf);
  const reasons = byReason(
    levels.flatMap((level) => {
      const why = findingsOf(level).length > 0 ? null : open(level);
      return why === null ? [] : { of: `${level.operation} on ${level.arm}`, why };
    }),
  );
  if (findings.length === 0 && reasons !== '') return inconclusive(reasons);
  const weakest = levels.reduce((max, { ends }) => Math.max(max, ends?.detectable ?? 0), 0);
  const others = reasons === '' ? '' : `; inconclusive: ${reasons}`;
  return judged(
    findings,
    `a fall of ${percent(weakest)} or more from the first third of the values to the last${others}`,
  );
}

/** Why too few values, or too different ones, cannot show a fall, with the number that would be enough. */
function tooWeak(level: Level): string | null {
  if (hasPower(level) || hasShape(level)) return null;
  const { ends, values, valuesNeeded } = level;
  const least = ends === null || ends.detectable > 0.95 ? null : percent(ends.detectable);
  const can = least === null ? 'cannot show a fall' : `can only show a fall of ${least} or more`;
  const wanted =
    valuesNeeded === null
      ? 'more repeats would not help, longer phases might'
      : `${Math.max(valuesNeeded, values + 1)} would show one of ${percent(SMALLEST_FALL)}`;
  return `${counted(values, 'value')} ${can}; ${wanted}`;
}

/** Reason why a steady level proves nothing: a rate above the documented baseline lasts only as long as the credits. */
function creditReason(subject: Subject, level: Level): string | null {
  if (hasShape(level)) return null;
  const result = subject.limits.find(
    ({ arm, operation, compressibility, aboveBaseline }) =>
      aboveBaseline &&
      arm === level.arm &&
      operation === level.operation &&
      (level.compressibility === null || compressibility === level.compressibility),
  );
  const lowest = result && bindingOf(result.limits)?.baseline;
  if (lowest === undefined || lowest.burstMBps <= lowest.baselineMBps) return null;
  return `${plain(result?.measuredMBps ?? null)} MB/s to the end, above the ${plain(lowest.baselineMBps)} MB/s that ${describeLimit(lowest.name)} are documented to sustain; run longer, until the rate falls to that`;
}

function steps({ arm, operation, compressibility, unit, changes }: Level): RuleFinding[] {
  return (changes ?? []).map((change): RuleFinding => {
    const fell = change.relative < 0;
    const shift = `${fell ? 'fell' : 'rose'} by ${size(change.relative)}`;
    return {
      severity: 'warning',
      message: `${place(arm, operation, compressibility)}: throughput ${shift} at ${moment(change.at)} and stayed there${fell ? ', as it does when burst credits are spent' : ''}.`,
      expected: 'one level, or burst and baseline measured separately',
      actual: `${plain(change.before)}, then ${plain(change.after)} ${unit === 'x' ? 'times the usual rate' : unit}`,
      suggestion: 'use separate figures from before and after the change',
      where: arm,
    };
  });
}

function differingEnds(level: Level): RuleFinding {
  const relative = level.ends?.relative ?? 0;
  const fell = relative < 0;
  return {
    severity: 'warning',
    message: `${of(level)}: throughput ${fell ? 'fell' : 'rose'} by ${size(relative)} from the first third of ${level.values} values to the last${fell ? ', as it does when burst credits are spent' : ''}.`,
    expected: 'one level from beginning to end',
    actual: `a last third at ${plain((1 + relative) * 100)} % of the first`,
    suggestion: 'use neither as the sustained rate; to see when it changed, use longer phases or more repeats',
    where: level.arm,
  };
}

function drifts(level: Level): RuleFinding[] {
  const { arm, unit, source, drift } = level;
  if (drift === null) return [];
  const { from, to, relative } = drift;
  return [
    {
      severity: 'warning',
      message: `${of(level)}: throughput ${relative < 0 ? 'fell' : 'rose'} slowly, by ${size(relative)} over the ${source === 'repeats' ? 'repeats' : 'phase'}.`,
      expected: 'one level from beginning to end',
      actual: `from ${plain(from)} to ${plain(to)} ${unit === 'x' ? 'times the usual rate' : unit}`,
      suggestion:
        'compare the arms by their pairs, in which a drift of both cancels out; look for a file system that fills up or a fleet that warms up',
      where: arm,
    },
  ];
}

/** Probability from which autocorrelation is reported. */
const SURE = 0.95;
/** Standard deviations beyond which an autocorrelation is found, at that probability, nineteen times in twenty. */
const FOUND_FROM = 3.3;
const MOST = 0.9;

/** Slow noise in one arm makes repeats resemble those before: their number then says more than they do. */
export const dependentRepeats: ValidityRule = {
  id: 'dependent-repeats',
  checks: 'independent repeats',
  check({ comparisons }) {
    const compared = comparisons.filter(({ interval }) => interval !== null);
    if (compared.length === 0) return inapplicable('no arm was compared in two repeats or more');
    const series = compared.map(seriesOf);
    const found = autocorrelationOf(series);
    if (found === null) {
      const max = Math.max(...series.map(({ length }) => length));
      return inconclusive(
        `${counted(max, 'repeat')} of each comparison, and ${FEWEST_FOR_AUTOCORRELATION} are needed; the intervals assume independent repeats`,
      );
    }
    const { lag1, uncertainty, positive } = found;
    if (positive >= SURE) return judged(findingOf(compared, lag1), `a lag-1 autocorrelation of ${plain(lag1)} or more`);
    const arms = dependentArms(compared);
    const min = FOUND_FROM * uncertainty;
    if (arms.length === 0 && min > MOST)
      return inconclusive(
        `so few repeats cannot rule out a lag-1 autocorrelation of ${plain(lag1 + uncertainty)}; the intervals allow for it`,
      );
    return judged(arms, `a lag-1 autocorrelation of ${plain(min)} or more`);
  },
};

/** Arms whose repeats depend on earlier ones. Noise of the other arm hides that in the ratios, so their intervals are too narrow. */
function dependentArms(compared: readonly Comparison[]): RuleFinding[] {
  const sides = compared.flatMap(({ arm, baseline, pairs }) => {
    const own = usable(pairs);
    const [first, second] = [own.map((pair) => Math.log(pair.baseline)), own.map(({ value }) => Math.log(value))];
    return [
      { arm: baseline, series: residualsOf(first, second) },
      { arm, series: residualsOf(second, first) },
    ];
  });
  const byArm = [...Map.groupBy(sides, ({ arm }) => arm)];
  return byArm.flatMap(([arm, own]) => {
    const found = dependenceOf(own.map(({ series }) => series));
    if (found === null || found.p > (1 - SURE) / byArm.length) return [];
    return {
      severity: 'warning',
      message: `Repeats of ${arm} depend on the ones before, more than the ratios show, so the intervals are too narrow.`,
      expected: 'independent repeats',
      actual: `a lag-1 autocorrelation of ${plain(found.lag1)} in ${arm}`,
      suggestion: SUGGESTION,
      where: arm,
    };
  });
}

const SUGGESTION = 'leave more time between the repeats, or measure in several sessions';

function findingOf(compared: readonly Comparison[], lag1: number): RuleFinding {
  const inflation = (one: Comparison): number => Math.max(0, ...inflationsOf(one));
  const worst = compared.reduce((a, b) => (inflation(b) > inflation(a) ? b : a));
  const { arm, operation, compressibility } = worst;
  return {
    severity: 'note',
    message: `Repeats depend on the ones before; the intervals allow for it, by a variance inflation of up to ${plain(inflation(worst))}, in ${place(arm, operation, compressibility)}.`,
    expected: 'independent repeats',
    actual: `a lag-1 autocorrelation of ${plain(lag1)}`,
    suggestion: SUGGESTION,
    where: some(compared.map(({ arm: name }) => name)),
  };
}
