import awsCompression from '../../claims/aws-compression-blog.json';
import awsMetadata from '../../claims/aws-metadata-blog.json';
import cloudPipeline from '../../claims/cloud-pipeline-comparison.json';
import field from '../../claims/field-measurements.json';
import lanl from '../../claims/lanl-offload-slides.json';
import dask from '../../claims/parallelcluster-dask-blog.json';
import type { Range } from '../common/collections';
import { SECONDS, SIZES } from '../common/quantity';
import type { Validity } from '../schema/issue';
import { type Difference, differencePhrase, differences } from './comparable';
import { type Claim, type ConditionName, type Study, studySchema } from './schema';

export { normalStorage } from './comparable';
export type { Claim, Study } from './schema';

let loaded: readonly Study[] | undefined;

/** All published studies, read once. */
export function studies(): readonly Study[] {
  loaded ??= [awsCompression, awsMetadata, cloudPipeline, lanl, dask, field].map(readStudy);
  return loaded;
}

/** The published figures of the study that a benchmark definition names, or of all studies without a name. */
export const claimsOf = (study?: string): readonly Claim[] =>
  studies()
    .filter((each) => study === undefined || each.study === study)
    .flatMap(({ claims }) => claims);

/** One published figure by its id. @throws if the id is unknown */
export function claimById(id: string): Claim {
  const claim = claimsOf().find((each) => each.id === id);
  if (!claim) throw new Error(`'id' must be the id of a claim in claims/, got '${id}'`);
  return claim;
}

/** Checks the content of a file of `claims/` and expands each claim's conditions. @throws with all problems if it is invalid */
export function readStudy(content: unknown): Study {
  const { study, title, publisher, remarks, conditions, claims } = studySchema.parse(content);
  const ids = new Set<string>();
  const expanded = claims.map(({ conditions: { use, ...own }, ...claim }) => {
    if (ids.has(claim.id)) throw new Error(`'id' must be unique in a study, got '${claim.id}' twice`);
    ids.add(claim.id);
    const shared = use === undefined ? {} : conditions[use];
    if (!shared) throw new Error(`'use' of ${claim.id} must name conditions of the study, got '${use}'`);
    return { ...claim, study, source: { title, publisher }, conditions: { ...shared, ...own } };
  });
  return { study, title, publisher, remarks, claims: expanded };
}

/** Figures that are not comparable for the same reason. */
interface Incomparable {
  readonly judgements: readonly Judgement[];
  readonly studies: readonly string[];
  readonly because: string;
}

const INFORMATIVE: readonly ConditionName[] = [
  ...(['storage', 'network', 'operation', 'dataSet', 'pattern', 'tool', 'deploymentType', 'compression'] as const),
  ...(['capacityGiB', 'perUnitMBps', 'metadataIops', 'instanceType', 'clients', 'ranks', 'window'] as const),
];
/** The most conditions to list; the verdict has all. */
const MOST_LISTED = 3;

function byInformation(differences: readonly Difference[]): Difference[] {
  const rank = ({ condition }: Difference): number => {
    const at = INFORMATIVE.indexOf(condition);
    return at < 0 ? INFORMATIVE.length : at;
  };
  return [...differences].sort((a, b) => rank(a) - rank(b));
}

/** Groups incomparable figures by reason: those with the same differing conditions share a group, with the three most informative. Largest first. */
export function incomparableByReason(judgements: readonly Judgement[]): Incomparable[] {
  const incomparable = judgements.filter(({ verdict }) => verdict === 'not comparable');
  const groups = Map.groupBy(incomparable, ({ differences, because, claim }) => {
    // A reason that is not a difference, such as the lab, applies to the figures of all studies.
    const listed = byInformation(differences).slice(0, MOST_LISTED);
    return JSON.stringify(
      listed.length === 0 ? because : [claim.study, ...listed.map(({ condition, run }) => [condition, run])],
    );
  });
  const found = [...groups.values()].map((own) => ({
    judgements: own,
    studies: [...new Set(own.map(({ claim }) => claim.study))],
    because: reasonOf(own),
  }));
  return found.sort((a, b) => b.judgements.length - a.judgements.length);
}

function reasonOf(own: readonly Judgement[]): string {
  const [first] = own;
  if (first === undefined || first.differences.length === 0) return first?.because ?? '';
  const each = own.map(({ differences }) => byInformation(differences));
  const phrases = (each[0] ?? []).slice(0, MOST_LISTED).map((difference, index) =>
    differencePhrase(
      difference,
      each.map((differences) => differences[index]?.study ?? ''),
    ),
  );
  const max = Math.max(...each.map(({ length }) => length)) - MOST_LISTED;
  return [...phrases, ...(max > 0 ? [`and more (${max})`] : [])].join('; ');
}

type ClaimVerdict = 'reproduced' | 'not reproduced' | 'not comparable';

/** A run's measurement of a claim's quantity. */
export interface Observation {
  readonly value: number;
  readonly unit: string;
  /** Confidence interval over the repeats; `null` if there were too few. */
  readonly interval: (Range<number> & { readonly confidence: number }) | null;
  /** Further figures of the same row, by their quantity and in the same unit. */
  readonly figures?: Readonly<Record<string, number>>;
  /** The run's value for the corrected figure, in the same unit, if a study's calculation was wrong. @default - the value itself */
  readonly withoutErratum?: number;
  /** True if it was not measured but follows from AWS's current documentation. @default false */
  readonly documented?: boolean;
}

/** The run: its known conditions, and what makes it comparable at all. */
export type RunConditions = Readonly<Partial<Record<ConditionName, unknown>>> & {
  /** Why no figure is comparable with a run there: in the lab, on directories. `null` for a run on AWS. */
  readonly elsewhere: string | null;
  readonly validity?: Validity;
};

/** Tolerance beyond a run's interval: MLPerf Storage accepts results within 5 % as replicated. */
export const TOLERANCE = 0.05;

/** An interval that reaches so many times a figure, or only that part of it, is too wide to judge the figure. A convention of fsxbench. */
const VAGUE = 2;

/** Savings of 73 and 75 % compare like ratios of 3.7 and 4, so the tolerance applies to the remainder, 27 and 25 %, which is what is billed. */
const remains = (claim: { readonly quantity: string }): boolean => claim.quantity === 'space savings';

const slackOf = (quantity: { readonly quantity: string }, tolerance: number): Slack =>
  remains(quantity)
    ? { of: (value) => tolerance * Math.abs(100 - value), words: `${number(tolerance * 100)} % of what remains` }
    : { of: (value) => tolerance * Math.abs(value), words: `${number(tolerance * 100)} %` };

interface Slack {
  /** Tolerance in the value's unit: percent for savings. */
  of(value: number): number;
  readonly words: string;
}

export type Judgement = ReturnType<typeof judge>;

/**
 * Decides whether a run reproduces a published figure.
 *
 * - *not comparable* if any condition of the figure differs or is unknown for the run, if the run is from the lab or INVALID, if the
 *   study gave no number, if nothing was measured, or repeats scatter so much that their interval would meet almost any figure;
 * - *reproduced* if the figure's rounding interval overlaps the run's interval, widened by the tolerance at both ends (a
 *   single value is its own interval);
 * - *not reproduced* otherwise.
 *
 * @param observation `null` if the run did not measure this quantity
 * @param tolerance relative: 0.05 is 5 %
 */
export function judge(
  claim: Claim,
  observation: Observation | null,
  run: RunConditions,
  tolerance: number = TOLERANCE,
) {
  if (!(tolerance >= 0 && tolerance < 1)) throw new Error(`'tolerance' must be from 0 to below 1, got ${tolerance}`);
  const { obstacle, different } = reasonNotTestable(claim, observation, run);
  const factor = observation === null ? null : conversion(observation.unit, claim.unit);
  const scaled = observation && factor !== null ? scale(observation, factor) : null;
  const base = {
    claim,
    /** Value in the claim's unit; `null` if nothing was measured or the units are incompatible. */
    measured: scaled?.value ?? null,
    interval: scaled?.interval ?? null,
    /** measured ÷ claim − 1; `null` if either is missing. */
    deviation: scaled && claim.value !== null && claim.value !== 0 ? scaled.value / claim.value - 1 : null,
    /** Erratum of the study, shown next to the verdict, which is about the figure as published. */
    errata: claim.errata,
    /** The conditions that differ, if that is why it is not comparable. */
    differences: different,
    /** True if compared with AWS's current documentation, not with a measurement. */
    documented: observation?.documented ?? false,
  };
  const no = (because: string) => ({ ...base, verdict: 'not comparable' as const, because, corrected: null });
  if (obstacle !== null) return no(obstacle);
  // Without an obstacle it has a range or a number.
  const target = claim.range ?? exactly(claim.value as number);
  const { corrected } = claim;
  // The verdict on the corrected figure.
  const correctedFactor = observation && corrected ? conversion(observation.unit, corrected.unit) : null;
  const second = (() => {
    if (!observation || !corrected || correctedFactor === null) return null;
    const { value, unit } = corrected;
    const own = scale({ ...observation, ...ofCorrected(observation) }, correctedFactor);
    return { value, unit, ...decide(exactly(value), 'equal', own, unit, slackOf(claim, tolerance)) };
  })();
  if (scaled === null)
    return {
      ...no(`the run has it in ${observation?.unit}, the study in ${claim.unit ?? 'no unit'}`),
      corrected: second,
    };
  const main = decide(target, claim.relation, scaled, claim.unit ?? '', slackOf(claim, tolerance));
  return { ...base, ...withFigures(main, claim, scaled, tolerance), corrected: second };
}

const exactly = (value: number): Range<number> => ({ low: value, high: value });

const ofCorrected = ({ withoutErratum }: Observation): Partial<Observation> =>
  withoutErratum === undefined ? {} : { value: withoutErratum, interval: null };

/** Also checks the further figures of a row if the run has them. */
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
    const next = decide(exactly(figure.value), 'equal', own, figure.unit, slackOf(figure, tolerance));
    return {
      verdict: soFar.verdict === 'reproduced' ? next.verdict : soFar.verdict,
      because: `${soFar.because}; ${figure.quantity}: ${next.because}`,
    };
  }, main);
}

function reasonNotTestable(
  claim: Claim,
  observation: Observation | null,
  run: RunConditions,
): { readonly obstacle: string | null; readonly different: readonly Difference[] } {
  const only = (obstacle: string | null) => ({ obstacle, different: [] });
  if (claim.value === null && claim.range === undefined)
    return only(`the study gives no number (${claim.reason ?? 'none was published'})`);
  if (claim.kind === 'price') return only('a run does not measure prices (fsxbench cost has today’s)');
  if (run.elsewhere != null) return only(run.elsewhere);
  if (run.validity === 'INVALID') return only('the run is INVALID');
  const different = differences(claim.conditions, run);
  if (different.length > 0)
    return { obstacle: different.map((one) => differencePhrase(one, [one.study])).join('; '), different };
  if (observation === null) return only(claim.reason ?? 'the run did not measure it');
  if (!Number.isFinite(observation.value)) return only('the run has no number for it');
  return only(null);
}

const scale = (
  { value, unit, interval, figures = {}, documented = false }: Observation,
  factor: number,
): Observation => ({
  value: value * factor,
  unit,
  figures: Object.fromEntries(Object.entries(figures).map(([name, each]) => [name, each * factor])),
  documented,
  interval: interval && { ...interval, low: interval.low * factor, high: interval.high * factor },
});

function decide(
  target: Range<number>,
  relation: Claim['relation'],
  { value, interval, documented = false }: Observation,
  unit: string,
  slack: Slack,
): { verdict: ClaimVerdict; because: string } {
  const { low, high } = interval ?? { low: value, high: value };
  // "Up to" and "more than" are one-sided bounds.
  const meets = (from: number, to: number): boolean =>
    target.low <= to + slack.of(to) && (relation !== 'equal' || target.high >= from - slack.of(from));
  const met = meets(low, high);
  const published = target.low === target.high ? number(target.low) : `${number(target.low)} to ${number(target.high)}`;
  const measured = interval
    ? `the interval ${number(low)} to ${number(high)} ${unit} (${Math.round(interval.confidence * 100)} %)`
    : documented
      ? `today’s documented ${number(value)} ${unit}`
      : `the single value ${number(value)} ${unit}`;
  const spread = `widened by ${slack.words}`;
  const words = { equal: '', 'up to': 'up to ', 'more than': 'more than ' }[relation];
  // Such an interval meets figures that the run's own value is far from.
  if (met && !meets(value, value) && (low < target.low / VAGUE || high > target.high * VAGUE))
    return {
      verdict: 'not comparable',
      because:
        `${measured} is too wide: it meets the published ${words}${published} ${unit}, and would also meet half or twice as much`.trim(),
    };
  return {
    verdict: met ? 'reproduced' : 'not reproduced',
    because:
      `${measured}, ${spread}, ${met ? 'meets' : 'does not meet'} the published ${words}${published} ${unit}`.trim(),
  };
}

const number = (value: number): string => String(Number(value.toPrecision(5)));

/** Units that stand for one another, with their factor to the first. */
const DIMENSIONS: readonly Readonly<Record<string, number>>[] = [
  Object.fromEntries(Object.entries(SIZES).map(([unit, bytes]) => [`${unit}/s`, bytes])),
  ...[SIZES, SECONDS],
  // Ratios: `n:1` for sizes, `x` for anything.
  { 'n:1': 1, x: 1 },
];

/** The conversion factor between two units; `null` if their dimensions differ. */
export function conversion(from: string, to: string | null): number | null {
  if (from === to) return 1;
  const dimension = DIMENSIONS.find((units) => from in units && to !== null && to in units);
  return dimension ? (dimension[from] as number) / (dimension[to as string] as number) : null;
}
