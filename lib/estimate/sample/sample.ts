import { chunks } from '../../common/collections';
import { DIFFERENCE_RANGE } from '../measure/further';
import { blocksOf, type FileLayout } from '../measure/geometry';
import type { Pool } from '../measure/pool';
import { addToTally, dataOf, emptyTally, type RatioInterval, type Tally } from '../result';
import type { Found, Survey } from '../source/survey';
import { type Mean, stratifiedMean } from './mean';
import { planSample, type RecordDraw, type RecordDrawing } from './plan';
import { pointerBytes, rawBlockBytes, Strata, type Stratum, weightOf } from './strata';

const BATCH = 8;
/** Values lie between 0 and the raw size. */
const VALUE_RANGE = 1;

/** Resources of a scan, full or sampled. */
export interface Scan {
  readonly pool: Pool;
  /** Figures by record size, the smallest first. */
  readonly allocators: readonly FileLayout[];
  readonly survey: Survey;
  readonly signal: AbortSignal | undefined;
}

/** The result of a scan. Of a sample the tallies are estimates, but their numbers of files and logical bytes are exact. */
export interface Sampled {
  readonly total: Tally;
  readonly byType: ReadonlyMap<string, Tally>;
  readonly bySize: ReadonlyMap<string, Tally>;
  /** Types of which too little was drawn for figures. */
  readonly unsampledTypes: number;
  /** Statistics of the ratio, and the share of the bytes that was measured, for each allocator. */
  readonly intervals: readonly RatioInterval[];
  readonly shares: readonly number[];
}

/** A draw and its measurement as a share of the raw size, for each allocator that measured it. */
interface Answer {
  readonly draw: RecordDraw;
  readonly shares: readonly number[];
}

/** Reads a sample and extrapolates it. @returns `null` if reading everything costs little more */
export async function scanSample(
  found: AsyncIterable<readonly Found[]>,
  scan: Scan,
  { share, random }: { readonly share: number; readonly random: () => number },
): Promise<Sampled | null> {
  const { allocators, survey, signal } = scan;
  const strata = new Strata(allocators, random);
  for await (const files of found) {
    if (signal?.aborted) break;
    survey.filesListed += files.length;
    for (const file of files) {
      survey.bytesListed += file.bytes;
      strata.add(file);
    }
  }
  const all = strata.all;
  const bytes = all.reduce((sum, stratum) => sum + dataOf(stratum), 0);
  // Stopped while listing: the files and their sizes are known, but not their content.
  if (signal?.aborted) return extrapolate(all, bytes, allocators, [], []);
  const plan = planSample(all, allocators, share, random);
  if (plan === null) return null;
  survey.bytesListed = plan.bytes;
  survey.listed = true;
  // Interleave both kinds: a sample that is stopped early has some of each.
  const [single, compared] = await Promise.all([
    measureDraws(plan.single, { ...scan, allocators: allocators.slice(0, 1) }),
    measureDraws(plan.compared, scan),
  ]);
  return extrapolate(all, bytes, allocators, partsOf(plan.single, single), partsOf(plan.compared, compared));
}

async function measureDraws(drawing: RecordDrawing, { pool, allocators, survey, signal }: Scan): Promise<Answer[]> {
  const answers: Answer[] = [];
  const batches = chunks(drawing.draws, BATCH).values();
  const measure = async (): Promise<void> => {
    for (const batch of batches) {
      if (signal?.aborted) return;
      const outcomes = await pool.measure(batch.map(({ piece }) => piece));
      batch.forEach((draw, index) => {
        const outcome = outcomes[index] ?? 'was not measured';
        survey.bytesDone += draw.piece.length;
        if (typeof outcome === 'string') survey.unreadableOnce(draw.piece.path, outcome);
        else answers.push({ draw, shares: sharesOf(draw, outcome, allocators) });
      });
    }
  };
  await Promise.all(Array.from({ length: pool.slots }, measure));
  return answers;
}

/** A draw's allocation ÷ its uncompressed allocation on the smallest records, by which it was weighted. */
function sharesOf(
  { piece }: RecordDraw,
  outcome: readonly { allocatedBytes: number; pointers: number }[],
  allocators: readonly FileLayout[],
): number[] {
  const smallest = allocators[0] as FileLayout;
  const { blockBytes } = blocksOf(piece.fileBytes, smallest.geometry);
  const raw = Math.ceil(piece.length / blockBytes) * rawBlockBytes(smallest, piece.fileBytes);
  return outcome.map(({ allocatedBytes, pointers }, index) => {
    const allocator = allocators[index] as FileLayout;
    return (allocatedBytes + pointers * pointerBytes(allocator, piece.fileBytes)) / raw;
  });
}

interface Answered {
  readonly strata: readonly Stratum[];
  readonly answers: readonly Answer[];
}

type Value = (answer: Answer) => number;

const first: Value = ({ shares }) => shares[0] as number;

/** Growth of the share from the smallest records to those of another size. */
const difference =
  (index: number): Value =>
  ({ shares }) =>
    (shares[index] as number) - (shares[0] as number);

const NO_DIFFERENCE: Mean = { mean: 0, margin: 0 };

/** Parts with their measurements; parts with too few, because reading failed or was stopped, are merged. */
function partsOf(drawing: RecordDrawing, answers: readonly Answer[]): Answered[] {
  const parts = drawing.parts.map((strata, part) => ({
    strata,
    answers: answers.filter(({ draw }) => draw.part === part),
  }));
  const enough = parts.filter((part) => part.answers.length >= 3);
  const few = parts.filter((part) => part.answers.length < 3);
  if (few.length === 0) return enough;
  const merged = [...enough.slice(0, 1), ...few];
  const one = { strata: merged.flatMap(({ strata }) => strata), answers: merged.flatMap((part) => part.answers) };
  return [one, ...enough.slice(1)];
}

const fixedBytesOf = (strata: readonly Stratum[]): number =>
  strata.reduce((sum, { fixedBytes }) => sum + fixedBytes, 0);

function extrapolate(
  strata: readonly Stratum[],
  dataBytes: number,
  allocators: readonly FileLayout[],
  single: readonly Answered[],
  compared: readonly Answered[],
): Sampled {
  const [raw, fixed] = [weightOf(strata), fixedBytesOf(strata)];
  const differing = weightOf(strata.filter(({ differs }) => differs));
  const base = meanOf(single, first, VALUE_RANGE);
  const intervals = allocators.map((_, index): RatioInterval => {
    const same = index === 0 || differing === 0;
    const more = same ? NO_DIFFERENCE : meanOf(compared, difference(index), DIFFERENCE_RANGE);
    if (base === null || more === null) return { low: null, high: null, confidence: 0.95 };
    const middle = fixed + raw * base.mean + differing * more.mean;
    const half = Math.hypot(raw * base.margin, differing * more.margin);
    return { low: dataBytes / (middle + half), high: dataBytes / Math.max(fixed, middle - half), confidence: 0.95 };
  });

  const ofStratum = (stratum: Stratum): number[] =>
    allocators.map((_, index) => {
      const own = shareIn(single, stratum, first);
      const more = index === 0 || !stratum.differs ? 0 : shareIn(compared, stratum, difference(index));
      return stratum.fixedBytes + stratum.reservoir.total * Math.max(0, own + more);
    });
  const total = emptyTally(allocators.length);
  for (const stratum of strata) addToTally(total, { ...stratum, allocatedBytes: ofStratum(stratum) });
  const tallies = (groups: ReadonlyMap<string, readonly Stratum[]>): Map<string, Tally> =>
    new Map(
      [...groups].flatMap(([name, own]) => {
        const tally = groupTally(own, allocators, single, compared);
        return tally === null ? [] : [[name, tally]];
      }),
    );
  const types = Map.groupBy(strata, ({ type }) => type);
  const byType = tallies(types);
  const bySize = tallies(Map.groupBy(strata, ({ sizeClass }) => sizeClass));
  const bytesOf = (parts: readonly Answered[]): number =>
    parts.reduce((sum, { answers }) => answers.reduce((bytes, { draw }) => bytes + draw.piece.length, sum), 0);
  const further = bytesOf(compared);
  const shares = allocators.map((_, index) => (further + (index === 0 ? bytesOf(single) : 0)) / Math.max(1, dataBytes));
  return { total, byType, bySize, unsampledTypes: types.size - byType.size, intervals, shares };
}

/** Draws from a part that are enough for the mean of a type or a size class. */
const TELLING_DRAWS = 8;
/** The share of a type or a size class that may be left open, which widens its interval. */
const MOST_OPEN = 0.2;

/** The figures of a type or a size class, from its own files, since others in the same part compress differently. `null` for too few draws. */
function groupTally(
  strata: readonly Stratum[],
  allocators: readonly FileLayout[],
  single: readonly Answered[],
  compared: readonly Answered[],
): Tally | null {
  const [raw, fixed] = [weightOf(strata), fixedBytesOf(strata)];
  const differ = strata.filter(({ differs }) => differs);
  const differing = weightOf(differ);
  const base = raw === 0 ? NO_DIFFERENCE : ownMean(strata, single, first, VALUE_RANGE);
  if (base === null) return null;
  const space = allocators.map((_, index) => {
    const more =
      index === 0 || differing === 0 ? NO_DIFFERENCE : ownMean(differ, compared, difference(index), DIFFERENCE_RANGE);
    const { mean, margin } = more ?? { mean: 0, margin: DIFFERENCE_RANGE };
    return {
      middle: fixed + Math.max(0, raw * base.mean + differing * mean),
      margin: Math.hypot(raw * base.margin, differing * margin),
    };
  });
  const tally = emptyTally(allocators.length);
  for (const stratum of strata) addToTally(tally, { ...stratum, allocatedBytes: [] });
  return {
    ...tally,
    allocatedBytes: space.map(({ middle }) => middle),
    marginBytes: space.map(({ margin }) => margin),
  };
}

/** The mean of strata by their own draws; what they leave open may be anything up to `range`. `null` if that is much. */
function ownMean(strata: readonly Stratum[], parts: readonly Answered[], pick: Value, range: number): Mean | null {
  const own = parts.map(({ strata: all, answers }) => ({
    weight: weightOf(all.filter((stratum) => strata.includes(stratum))),
    values: answers.filter(({ draw }) => strata.includes(draw.stratum)).map(pick),
  }));
  const telling = own.filter(({ weight, values }) => weight > 0 && values.length >= TELLING_DRAWS);
  const open = 1 - telling.reduce((sum, { weight }) => sum + weight, 0) / weightOf(strata);
  if (telling.length === 0 || open > MOST_OPEN) return null;
  const { mean, margin } = stratifiedMean(telling, range);
  return { mean: mean * (1 - open) + (open * range) / 2, margin: margin * (1 - open) + (open * range) / 2 };
}

function meanOf(parts: readonly Answered[], pick: Value, range: number): Mean | null {
  const filled = parts.map(({ strata, answers }) => ({ weight: weightOf(strata), values: answers.map(pick) }));
  return filled.length === 0 || filled.some(({ values }) => values.length < 2) ? null : stratifiedMean(filled, range);
}

/** The mean of the part that a stratum belongs to; NaN if none of it was measured. */
function shareIn(parts: readonly Answered[], stratum: Stratum, pick: Value): number {
  const part = parts.find(({ strata }) => strata.includes(stratum));
  if (part === undefined || part.answers.length === 0) return stratum.reservoir.total === 0 ? 0 : Number.NaN;
  return part.answers.reduce((sum, answer) => sum + pick(answer), 0) / part.answers.length;
}
