import { counted, plain } from '../../common/format/units';
import { autocorrelationOf, dependenceOf, FEWEST_FOR_AUTOCORRELATION, residualsOf } from '../../common/statistics';
import { type Comparison, seriesOf } from '../compare/comparisons';
import { inflationsOf } from '../compare/inference';
import { usable } from '../compare/pairs';
import { cannotTell, inapplicable, judged, place, type RuleFinding, some, type ValidityRule } from './rule';

/** Probability from which autocorrelation is reported. */
const SURE = 0.95;
/** Standard deviations beyond which an autocorrelation is found, at that probability, nineteen times in twenty. */
const FOUND_FROM = 3.3;
/** Highest lag-1 autocorrelation considered. */
const MOST = 0.9;

/** Slow noise in one arm makes repeats resemble those before: their number then says more than they do. */
export const dependentRepeats: ValidityRule = {
  id: 'dependent-repeats',
  checks: 'repeats that do not depend on the ones before',
  check({ comparisons }) {
    const compared = comparisons.filter(({ interval }) => interval !== null);
    if (compared.length === 0) return inapplicable('no arm was compared in two repeats or more');
    const series = compared.flatMap((one) => seriesOf(one));
    const found = autocorrelationOf(series);
    if (found === null) {
      const most = Math.max(...series.map(({ length }) => length));
      return cannotTell(
        `${counted(most, 'repeat')} of each comparison: the intervals hold if repeats are independent of one another, which ${FEWEST_FOR_AUTOCORRELATION} or more would show`,
      );
    }
    const { lag1, uncertainty, positive } = found;
    if (positive >= SURE)
      return judged([findingOf(compared, lag1)], `a lag-1 autocorrelation of ${plain(lag1)} or more`);
    const arms = dependentArms(compared);
    const least = FOUND_FROM * uncertainty;
    if (arms.length > 0) return judged(arms, `a lag-1 autocorrelation of ${plain(least)} or more`);
    if (least > MOST)
      return cannotTell(
        `so few repeats do not tell a lag-1 autocorrelation of ${plain(lag1 + uncertainty)} from none; the intervals allow for it`,
      );
    return judged([], `a lag-1 autocorrelation of ${plain(least)} or more`);
  },
};

/**
 * Arms whose own repeats depend on the ones before. Independent noise of the other arm hides that in the ratios, whose intervals are then too narrow:
 * up to a fifth of such runs call a difference real where there is none.
 */
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
      message: `Repeats of ${arm} depend on the ones before, more than the ratios show: the intervals are too narrow.`,
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
