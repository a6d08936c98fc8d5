import type { Validity } from '../schema/issue';
import { type Difference, differencePhrase, differences } from './comparable';
import type { Claim, ConditionName } from './schema';
import { conversion } from './units';

export type ClaimVerdict = 'reproduced' | 'not reproduced' | 'not comparable';

/** What a run found about a claim's quantity. */
export interface Observation {
  readonly value: number;
  readonly unit: string;
  /** Of the value over the repeats; `null` where there were too few. */
  readonly interval: { readonly low: number; readonly high: number; readonly confidence: number } | null;
  /** Further figures of the same row, by their quantity and in the same unit. */
  readonly figures?: Readonly<Record<string, number>>;
  /** It was not measured, but follows from what AWS documents today. @default false */
  readonly documented?: boolean;
}

/** What is known of the run: its conditions as far as they are known, and what makes it comparable at all. */
export type RunConditions = Readonly<Partial<Record<ConditionName, unknown>>> & {
  /** Why no figure can be compared with a run that took place there: in the lab, on directories. `null` for one on AWS. */
  readonly elsewhere: string | null;
  readonly validity?: Validity;
};

/** A claim against a run. */
export interface Judgement {
  readonly claim: Claim;
  readonly verdict: ClaimVerdict;
  /** One sentence. */
  readonly because: string;
  /** The conditions that are not alike, where that is why it is not comparable. */
  readonly differences: readonly Difference[];
  /** Held against what AWS documents today, not against a measurement. */
  readonly documented: boolean;
  /** In the claim's unit; `null` when nothing was measured or the units do not go together. */
  readonly measured: number | null;
  readonly interval: Observation['interval'];
  /** measured ÷ claim − 1; `null` where there is nothing to divide. */
  readonly deviation: number | null;
  /** What the study got wrong: told beside the verdict, which is about the figure as it was published. */
  readonly errata: readonly string[];
  /** The verdict about the figure as it would be without its erratum. */
  readonly corrected: {
    readonly value: number;
    readonly unit: string;
    readonly verdict: ClaimVerdict;
    readonly because: string;
  } | null;
}

/** How far beyond its interval a run may miss a figure: MLPerf Storage takes results as replicated within 5 %. */
export const TOLERANCE = 0.05;

/** Savings of 73 and 75 % are alike as ratios of 3.7 and 4 are: it is what remains, 27 and 25 %, that is paid for. */
const remains = (claim: { readonly quantity: string }): boolean => claim.quantity === 'space savings';

/** How far a value of this quantity may be off. */
function slackOf(quantity: { readonly quantity: string }, tolerance: number): Slack {
  return remains(quantity)
    ? { of: (value) => tolerance * Math.abs(100 - value), words: `${number(tolerance * 100)} % of what remains` }
    : { of: (value) => tolerance * Math.abs(value), words: `${number(tolerance * 100)} %` };
}

interface Slack {
  /** In the unit of the value: percent for savings. */
  of(value: number): number;
  readonly words: string;
}

/**
 * Does a run reproduce a published figure?
 *
 * - *not comparable* when any condition of the figure differs or is not known of the run, when the run is the lab's or INVALID, when the
 *   study gave no number, or when nothing was measured;
 * - *reproduced* when the figure, with what its rounding leaves open, meets the run's interval widened by the tolerance at both ends (a
 *   single value stands for its interval when there is none);
 * - *not reproduced* otherwise.
 *
 * @param observation `null` when the run measured no such quantity
 * @param tolerance relative: 0.05 is 5 %
 */
export function judge(
  claim: Claim,
  observation: Observation | null,
  run: RunConditions,
  tolerance: number = TOLERANCE,
): Judgement {
  if (!(tolerance >= 0 && tolerance < 1)) throw new Error(`'tolerance' must be from 0 to below 1, got ${tolerance}`);
  const { obstacle, different } = obstacleOf(claim, observation, run);
  const factor = observation === null ? null : conversion(observation.unit, claim.unit);
  const scaled = observation && factor !== null ? scale(observation, factor) : null;
  const base = {
    claim,
    measured: scaled?.value ?? null,
    interval: scaled?.interval ?? null,
    deviation: scaled && claim.value !== null && claim.value !== 0 ? scaled.value / claim.value - 1 : null,
    errata: claim.errata,
    differences: different,
    documented: observation?.documented ?? false,
  };
  const no = (because: string): Judgement => ({ ...base, verdict: 'not comparable', because, corrected: null });
  if (obstacle !== null) return no(obstacle);
  const target = claim.range ?? (claim.value === null ? null : { low: claim.value, high: claim.value });
  if (target === null) return no(`the study gives no number: ${claim.reason ?? 'none'}`);
  const { corrected } = claim;
  const correctedFactor = observation && corrected ? conversion(observation.unit, corrected.unit) : null;
  const second =
    observation && corrected && correctedFactor !== null
      ? {
          ...{ value: corrected.value, unit: corrected.unit },
          ...decide(
            { low: corrected.value, high: corrected.value },
            'equal',
            scale(observation, correctedFactor),
            corrected.unit,
            slackOf(claim, tolerance),
          ),
        }
      : null;
  if (scaled === null)
    return {
      ...no(`the run has it in ${observation?.unit}, the study in ${claim.unit ?? 'no unit'}`),
      corrected: second,
    };
  const main = decide(target, claim.relation, scaled, claim.unit ?? '', slackOf(claim, tolerance));
  return { ...base, ...withFigures(main, claim, scaled, tolerance), corrected: second };
}

/** Further figures of a row have to be met, too, where the run has them. */
function withFigures(
  main: ReturnType<typeof decide>,
  { figures, unit }: Claim,
  { figures: found = {}, documented }: Observation,
  tolerance: number,
): ReturnType<typeof decide> {
  return figures.reduce((soFar, figure) => {
    const value = found[figure.quantity];
    if (value === undefined || figure.unit !== unit) return soFar;
    const own = { value, unit: figure.unit, interval: null, documented };
    const next = decide(
      { low: figure.value, high: figure.value },
      'equal',
      own,
      figure.unit,
      slackOf(figure, tolerance),
    );
    return {
      verdict: soFar.verdict === 'reproduced' ? next.verdict : soFar.verdict,
      because: `${soFar.because}; ${figure.quantity}: ${next.because}`,
    };
  }, main);
}

function obstacleOf(
  claim: Claim,
  observation: Observation | null,
  run: RunConditions,
): { readonly obstacle: string | null; readonly different: readonly Difference[] } {
  const only = (obstacle: string | null) => ({ obstacle, different: [] });
  if (claim.value === null && claim.range === undefined)
    return only(`the study gives no number: ${claim.reason ?? 'none was published'}`);
  if (claim.kind === 'price') return only('it is a price, and a run measures none (fsxbench cost has those of today)');
  if (run.elsewhere != null) return only(run.elsewhere);
  if (run.validity === 'INVALID') return only('the run is INVALID');
  const different = differences(claim.conditions, run);
  if (different.length > 0)
    return { obstacle: different.map((one) => differencePhrase(one, [one.study])).join('; '), different };
  if (observation === null) return only('the run did not measure it');
  if (!Number.isFinite(observation.value)) return only('the run has no number for it');
  return only(null);
}

function scale({ value, unit, interval, figures = {}, documented = false }: Observation, factor: number): Observation {
  return {
    value: value * factor,
    unit,
    figures: Object.fromEntries(Object.entries(figures).map(([name, each]) => [name, each * factor])),
    documented,
    interval: interval && { ...interval, low: interval.low * factor, high: interval.high * factor },
  };
}

function decide(
  target: { readonly low: number; readonly high: number },
  relation: Claim['relation'],
  { value, interval, documented = false }: Observation,
  unit: string,
  slack: Slack,
): { verdict: ClaimVerdict; because: string } {
  const { low, high } = interval ?? { low: value, high: value };
  const [least, most] = [low - slack.of(low), high + slack.of(high)];
  // "Up to" and "more than" are bounds of one side: who comes further has come so far.
  const met = relation === 'equal' ? target.low <= most && target.high >= least : most >= target.low;
  const published = target.low === target.high ? number(target.low) : `${number(target.low)} to ${number(target.high)}`;
  const measured = interval
    ? `the interval ${number(low)} to ${number(high)} ${unit} (${Math.round(interval.confidence * 100)} %)`
    : documented
      ? `what AWS documents today, ${number(value)} ${unit},`
      : `the only value, ${number(value)} ${unit},`;
  const spread = `widened by ${slack.words}`;
  const words = { equal: '', 'up to': 'up to ', 'more than': 'more than ' }[relation];
  return {
    verdict: met ? 'reproduced' : 'not reproduced',
    because:
      `${measured} ${spread} ${met ? 'meets' : 'does not meet'} the published ${words}${published} ${unit}`.trim(),
  };
}

const number = (value: number): string => String(Number(value.toPrecision(5)));
