import type { Comparison } from '../../analysis/compare/comparisons';
import { findingOf, inflationsOf } from '../../analysis/compare/pairs';
import { type ConvergedWork, confidenceIn } from '../../analysis/converged';
import type { RunSummary } from '../../analysis/summary';
import { keyOf, omitUndefined } from '../../common/collections';
import { compressibilityLabel } from '../../common/format/text';
import { counted, detectable, NO_VALUE, plain, ratio, ratioRange } from '../../common/format/units';
import { FEWEST_FOR_AUTOCORRELATION, FEWEST_FOR_INTERIM } from '../../common/statistics';
import { precisionIn, smallestDifferenceIn } from '../../schema/plan';
import { systematicErrorOf } from '../../store/platform';
import { describeOperation } from '../../workload/lookup';
import { armColumn, type Block, column, joined, line, method, number, tableOf, text } from '../blocks';
import { dataAxes, FINDINGS } from '../title';
import type { Section } from './section';

/** Each arm against the baseline, repeat by repeat. */
export const pairs: Section = {
  id: 'pairs',
  title: 'Paired differences',
  isResult: true,
  blocks(run) {
    const { comparisons } = run;
    if (!comparisons.some(({ count }) => count > 0)) return [];
    const works = Map.groupBy(comparisons, ({ operation, metric }) => keyOf(operation, metric));
    const groups = [...works.values()].filter((own) => own.some(({ count }) => count > 0));
    const baseline = { arm: comparisons[0]?.baseline ?? '' };
    const what = comparisons.some(({ better }) => better === 'lower') ? 'figure' : 'rate';
    return [
      text(
        line`Each ratio divides an arm’s ${what} by that of ${baseline} in the same repeat, on the same data. Influences on both arms, such as a slow hour, cancel out.${inTurns(run) && ' Here the arms took turns within a repeat.'}`,
      ),
      stopping(run),
      ofIntervals(run),
      ...groups.map(pairTable),
    ];
  },
};

function describeDifference(comparison: Comparison): string {
  const finding = findingOf(comparison);
  if (finding === null) return comparison.count === 0 ? 'no pair' : 'one pair is too few';
  return finding === 'real' ? finding : FINDINGS[finding];
}

function describeCalling(run: RunSummary): string {
  const smallest = smallestDifferenceIn(run.record.plan);
  const systematic = systematicErrorOf(run);
  const negligible =
    smallest === null
      ? ''
      : ` A difference is not meaningful if, by the whole interval, neither arm is ${plain(smallest * 100)} % slower than the other (smallestDifferencePercent of the plan).`;
  const beyond =
    systematic === 0 ? '' : ` by more than ${plain(systematic * 100)} %, by which two scale models may differ`;
  return `A difference is real if its interval excludes 1${beyond}.${negligible}`;
}

/** Explains the joint confidence of several intervals of a run. */
const describeFamily = (intervals: number): string =>
  intervals > 1
    ? ` Each interval contains the true ratio in at least 95 % of runs. The ${intervals} intervals are widened together (Holm’s method), so at least 95 % of runs report no false difference.`
    : '';

/** The independence that the intervals of a run take for granted, or the dependence that they allow for. */
function describeIndependence(comparisons: readonly Comparison[]): string {
  const inflations = comparisons.flatMap(inflationsOf);
  if (inflations.length === 0)
    return ` With fewer than ${FEWEST_FOR_AUTOCORRELATION} repeats, the intervals assume independent repeats; with more, this is checked.`;
  const [min, max] = [Math.min(...inflations), Math.max(...inflations)].map((inflation) => plain(inflation));
  return ` The intervals allow for autocorrelation between repeats, as far as the repeats do not rule it out (variance inflation ${min === max ? max : `${min} to ${max}`}).`;
}

const PROMISE = 'The interval shows how far the ratio may be off by chance.';

/** The level that allows for the interim analyses of a run that may stop early. */
const describeLook = ({ record: { plan } }: RunSummary): string =>
  precisionIn(plan) === null
    ? ''
    : ` After every repeat from ${FEWEST_FOR_INTERIM} on, an interim analysis stopped work whose intervals were narrow enough. Each interval therefore has ${plain(confidenceIn(plan) * 100)} % confidence (Pocock’s boundary): the intervals of all analyses miss the true ratio in at most 5 % of runs.`;

/** Explains the method behind the intervals: a number without its method cannot be checked. */
function ofIntervals(run: RunSummary): Block | null {
  const { comparisons } = run;
  const intervals = comparisons.flatMap(({ interval }) => interval ?? []);
  if (intervals.length === 0) return null;
  const methods = [...new Set(intervals.map((interval) => interval.method))].join('; ');
  const together = describeFamily(intervals.length) + describeLook(run);
  return method(
    `${PROMISE} The ratio of a row is the geometric mean of its pairs; its interval is computed from the logarithms of the pairs’ ratios (method: ${methods}).${together}${describeIndependence(comparisons)} ${describeCalling(run)} “Smallest detectable” is the difference that as many pairs with the same variance would detect in 80 % of runs.`,
  );
}

function stopping({ arms, record, converged = [] }: RunSummary): Block | null {
  const limits = precisionIn(record.plan);
  if (limits === null) return null;
  const { precision, repeats } = limits;
  const works = converged.filter(({ arm }) => arm !== arms[0]?.name);
  const own = works.map(
    (work) => line`${{ arm: work.arm }} on ${describeWork(work)} after ${counted(work.repeats, 'repeat')}`,
  );
  const rest = `The plan asks for ± ${plain(precision * 100)} % in at most ${repeats} repeats.`;
  return text(
    own.length === 0
      ? `${rest} No work reached that precision earlier.`
      : line`${rest} Work stopped once all of its intervals were that narrow: ${joined(own)}. Other work got all repeats.`,
  );
}

const describeWork = ({ compressibility, fileBytes, threads, plannedNodes }: ConvergedWork): string =>
  [
    compressibility === null ? 'all data' : compressibilityLabel(compressibility),
    dataAxes({ id: '', ...omitUndefined({ fileBytes, threads, nodes: plannedNodes }) }),
  ]
    .filter((part) => part !== '')
    .join(' ');

/** True if no step has two arms: the two values of a pair were then measured one after the other. */
function inTurns({ record }: RunSummary): boolean {
  const steps = Map.groupBy(
    record.samples.filter(({ phase }) => phase === 'measure'),
    ({ step }) => step,
  );
  return [...steps.values()].every((samples) => new Set(samples.map(({ arm }) => arm)).size < 2);
}

const pairTable = (group: readonly Comparison[]): Block =>
  tableOf(
    group,
    {
      caption: `${describeOperation(group[0]?.operation ?? '')}: ratios by repeat${group[0]?.better === 'lower' ? ' (lower is better)' : ''}`,
    },
    [
      column('Data', ({ compressibility }) => compressibilityLabel(compressibility)),
      armColumn(),
      number('Ratio', ({ estimate }) => estimate, ratio),
      number('Interval', ({ interval }) => (interval === null ? NO_VALUE : ratioRange(interval))),
      column('Difference', (one) => [
        describeDifference(one),
        one.outliers.map(({ repeat }) => ({ below: `repeat ${repeat} is an outlier, and is counted` })),
      ]),
      number('Smallest detectable', ({ minimumDetectable }) => minimumDetectable, detectable),
      column('Repeats, in order', ({ pairs: all }) =>
        joined(
          all.map(({ ratio: value, reason }) => (value === null ? `${NO_VALUE} (${reason})` : ratio(value))),
          ' · ',
        ),
      ),
    ],
  );
