import type { Range } from '../../common/collections';
import { counted, detectable, plain, ratio } from '../../common/format/units';
import { FEWEST_FOR_OUTLIERS } from '../../common/statistics';
import { armNamed } from '../../schema/plan';
import type { Sample } from '../../schema/sample';
import { systematicErrorOf } from '../../store/platform';
import { workloadOrNone } from '../../workload/lookup';
import { compresses, ofArm } from '../arm';
import { findingOf } from '../compare/pairs';
import { mainRates } from '../figures/operationKind';
import { inapplicable, inconclusive, judged, place, type RuleFinding, unchecked, type ValidityRule } from './rule';

/** Allowed deviation of a ratio from its target: estimates of LZ4 are accurate to a tenth (facts-tools, section 10). */
const RATIO_TOLERANCE = 0.1;

/** The measured ratio must be the requested one, in some record size: it depends on that size, which Amazon does not publish. */
export const compressibilityOffTarget: ValidityRule = {
  id: 'compressibility-off-target',
  checks: 'data compress as intended',
  check({ arms, elsewhere, samples, space }) {
    const read = space.filter(({ compressibility, median }) => compressibility !== null && median !== null);
    if (read.length === 0) return inapplicable('the space that data took was not measured');
    // Nobody knows what an arm should do that nothing describes.
    const known = read.filter(({ arm }) => armNamed(arms, arm).configuration !== null);
    if (known.length === 0) return unchecked('it is not known which arms compress');
    const findings = known.flatMap(({ arm, compressibility, median }): RuleFinding | [] => {
      const compressed = compresses(armNamed(arms, arm));
      const wanted = compressed ? reachable(samples, arm, compressibility as number) : { low: 1, high: 1 };
      const reached = median as number;
      if (reached >= wanted.low * (1 - RATIO_TOLERANCE) && reached <= wanted.high * (1 + RATIO_TOLERANCE)) return [];
      const expected = [...new Set([wanted.low, wanted.high].map((end) => `${ratio(end)}:1`))].join(' to ');
      return {
        // Another file system with another compressor stands in there.
        severity: elsewhere === null ? 'warning' : 'note',
        message: `${place(arm, 'space', compressibility)}: data compressed ${ratio(reached)}:1${compressed ? '' : ' on an arm that does not compress'}.`,
        expected: `${expected}, within ${RATIO_TOLERANCE * 100} %`,
        actual: `${ratio(reached)}:1`,
        suggestion: 'use the ratio that was read back',
        where: arm,
      };
    });
    const left = read.length - known.length;
    return judged(
      findings,
      `a ratio more than ${RATIO_TOLERANCE * 100} % off in any of ${counted(known.length, 'combination')} of arm and compressibility${left === 0 ? '' : `; for ${left} more it is not known whether the arm compresses`}`,
    );
  },
};

/** Expected ratio by the patterns that were written; by the target itself if one of them was never measured. */
function reachable(samples: readonly Sample[], arm: string, target: number): Range<number> {
  const written = ofArm(samples, arm).filter(
    (sample) => sample.compressibility === target && sample.operation === 'write' && sample.phase !== 'warm-up',
  );
  const ends = written.flatMap(({ pattern, tool, toolVersion }) => {
    const known = pattern === null ? null : workloadOrNone(tool)?.data?.knownPattern(pattern, toolVersion);
    return known ? [known.expectedRatio, known.ratioOn1MiB] : [];
  });
  const extreme = (of: (...ends: number[]) => number): number => ends.reduce((far, end) => of(far, end), target);
  return { low: extreme(Math.min), high: extreme(Math.max) };
}

/** A difference that a buyer would care about: what a run cannot find it cannot exclude either. */
const SMALLEST_OF_INTEREST = 0.1;

export const spreadHidesDifference: ValidityRule = {
  id: 'spread-hides-difference',
  checks: `repeats similar enough to detect a difference of ${SMALLEST_OF_INTEREST * 100} %`,
  check(subject) {
    const { comparisons } = subject;
    // More repeats do not average a systematic error away: of their spread is asked what it hides beyond that.
    const systematic = systematicErrorOf(subject);
    const max = (1 + SMALLEST_OF_INTEREST) / (1 - systematic) - 1;
    const interest = `${SMALLEST_OF_INTEREST * 100} %${systematic === 0 ? '' : ` beyond the ${systematic * 100} % by which scale models may differ`}`;
    const tested = comparisons.filter(({ minimumDetectable }) => minimumDetectable !== null);
    if (tested.length === 0) return inapplicable('no arm was compared in two pairs or more');
    const open = tested.filter((one) => findingOf(one) === 'inconclusive' && (one.minimumDetectable ?? 0) > max);
    const left = comparisons.length - tested.length;
    const couldFind = `too much variance to show ${interest} in any of ${counted(tested.length, 'comparison')}${left === 0 ? '' : `; ${left} more have fewer than two pairs`}`;
    const [worst] = open.toSorted((a, b) => (b.minimumDetectable ?? 0) - (a.minimumDetectable ?? 0));
    if (worst === undefined) return judged([], couldFind);
    const { arm, operation, compressibility, count, spread, minimumDetectable } = worst;
    const finding: RuleFinding = {
      severity: 'warning',
      message: `${open.length} of ${tested.length} comparisons ${open.length === 1 ? 'is' : 'are'} inconclusive: the smallest detectable difference in ${place(arm, operation.replaceAll('_', ' '), compressibility)} is ${detectable(minimumDetectable)}.`,
      expected: `a variance at which ${count} pairs detect ${interest}`,
      actual: `ratios that vary by ${plain((spread ?? 0) * 100)} % from pair to pair`,
      suggestion: 'more repeats, or longer phases',
      where: open.map((one) => place(one.arm, one.operation, one.compressibility)).join('; '),
    };
    return judged(finding, couldFind);
  },
};

/** Outliers are named; they stay in every figure. */
export const outlyingRepeats: ValidityRule = {
  id: 'outliers',
  checks: 'no outlier among samples of the same kind',
  check({ cells, comparisons }) {
    const groups = [
      ...mainRates(cells).map((cell) => ({ ...cell, pairs: false })),
      ...comparisons.map((one) => ({ ...one, pairs: true })),
    ];
    if (groups.length === 0) return inapplicable('there are no rates');
    const large = groups.filter(({ count }) => count >= FEWEST_FOR_OUTLIERS);
    if (large.length === 0) {
      const most = groups.reduce((max, { count }) => Math.max(max, count), 0);
      return inconclusive(`at most ${counted(most, 'value')} of one kind, and ${FEWEST_FOR_OUTLIERS} are needed`);
    }
    const found = large.filter(({ outliers }) => outliers.length > 0);
    const findings = found.map(
      ({ arm, operation, compressibility, outliers, pairs }): RuleFinding => ({
        severity: 'note',
        message: `${place(arm, operation, compressibility)}: ${counted(outliers.length, pairs ? 'outlying ratio' : 'outlier')}, included in all statistics.`,
        expected: 'values of one kind',
        actual: outliers
          .slice(0, 5)
          .map((one) => `${plain('value' in one ? one.value : one.ratio)} in repeat ${one.repeat}`)
          .join(', '),
        suggestion:
          'look in the raw output of these repeats for what differed; with more repeats, outliers matter less',
        where: arm,
      }),
    );
    return judged(
      findings,
      `values far from the others of their kind in any of ${counted(large.length, 'group')} of ${FEWEST_FOR_OUTLIERS} or more${large.length === groups.length ? '' : `; ${groups.length - large.length} have fewer`}`,
    );
  },
};
