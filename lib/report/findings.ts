import type { Comparison } from '../analysis/compare/comparisons';
import { findingOf } from '../analysis/compare/pairs';
import { describeAxes, mainRates } from '../analysis/figures/operationKind';
import { spaceAt } from '../analysis/figures/space';
import { isMetadataOperation, ofKey } from '../analysis/metadata/subject';
import type { RunSummary } from '../analysis/summary';
import { keyOf } from '../common/collections';
import { listed } from '../common/format/text';
import { bytes, counted, plain, ratio, ratioRange, roughRatio, usd } from '../common/format/units';
import type { Part, Sentence } from '../common/page/arms';
import type { RunFigures } from '../schema/summary';
import { describeOperation } from '../workload/lookup';
import { iopsFindings, modelSentences, scalingFindings } from './scaleModel';
import type { Section } from './sections/section';
import { plainText } from './shown';
import { BENCHMARK_SECTIONS } from './study/registry';
import { armNames, substituteSentences } from './substitutes';
import { FINDINGS, isTimed, past } from './title';

/** The result in plain words, most telling first: the data that compress best, then the data that compress least, then space. */
export function findings(summary: RunSummary): Sentence[] {
  if (summary.cells.length === 0 && summary.space.length === 0) return [['Nothing was measured.']];
  const headline = BENCHMARK_SECTIONS.flatMap((section: Section) => section.headline?.(summary) ?? []);
  if (headline.length > 0) return [...headline, ...spaceFindings(summary)];
  const isThroughput = ({ metric }: Comparison): boolean => metric === 'throughput';
  const hasRates = summary.comparisons.some(isThroughput);
  const all = summary.comparisons.filter((one) => !hasRates || isThroughput(one) || one.better === 'lower');
  if (all.length === 0) return [...alone(summary), ...metadataFindings(summary), ...spaceFindings(summary)];
  const arms = [...new Set(all.map(({ arm }) => arm))];
  // On a scale model, whose limits are known, it begins with the scaling model that they follow.
  const scalingModel = [...scalingFindings(summary), ...iopsFindings(summary)];
  const speed = arms.flatMap((arm) => {
    const own = all.filter((comparison) => comparison.arm === arm);
    const ends = extremes(own.map(({ compressibility }) => compressibility));
    return ends.slice(scalingModel.length === 0 ? 0 : -1).flatMap((compressibility) => {
      const some = own.filter((comparison) => comparison.compressibility === compressibility);
      // A sentence for each size of files, where files are the workload.
      return [...Map.groupBy(some, kindOf).values()].map((group) => speedSentence(summary, group));
    });
  });
  return [...scalingModel, ...speed, ...metadataFindings(summary), ...spaceFindings(summary)];
}

/** Key of comparisons that one sentence can cover: operations on files of one size, and either rates or times. */
const kindOf = ({ kind, better }: Comparison): string =>
  isMetadataOperation(kind.id) ? keyOf(better, kind.fileBytes ?? 0, ...describeAxes(kind)) : better;

/** The highest and the lowest compressibility, without duplicates. */
function extremes(compressibilities: readonly (number | null)[]): (number | null)[] {
  const sorted = [...new Set(compressibilities)].sort((a, b) => (b ?? 0) - (a ?? 0));
  return [...new Set([sorted[0] ?? null, sorted.at(-1) ?? null])];
}

function speedSentence(summary: RunSummary, comparisons: readonly Comparison[]): Sentence {
  const [first] = comparisons;
  if (!first) return [];
  const { arm, baseline, compressibility } = first;
  const timed = first.better === 'lower';
  const measured = comparisons.filter(({ median }) => median !== null);
  const missing = comparisons.filter(({ median }) => median === null);
  const clauses = measured.map((one, index) => `${jointAt(index, measured)}${past(one.kind)} ${factorOf(one)}`);
  // Operations on files, and a user's own program, have no data to name.
  const about =
    compressibility === null && (summary.metadata !== null || timed)
      ? []
      : [`${dataPhrase(summary, arm, compressibility)}, `];
  const parts: Part[] = [...about, { arm }];
  if (measured.length > 0)
    parts.push(
      ...(timed ? timeClauses(measured) : [...clauses, ' as fast as ', { arm: baseline }]),
      `, in ${describeRepeat(measured)}: ${describeRealDifferences(measured)}`,
    );
  missing.forEach(({ operation, pairs }, index) => {
    const reasons = [...new Set(pairs.flatMap(({ reason }) => reason ?? []))].join('; ');
    if (measured.length === 0 && index === 0) parts.push(' against ', { arm: baseline }, ': ');
    else parts.push('; ');
    parts.push(
      reasons === '' ? `${operation} was not measured on both` : `${operation} was not measured in pairs (${reasons})`,
    );
  });
  return [...parts, '.'];
}

/** Operations beyond which a sentence has their range and number, not each of them. */
const MANY = 4;

const jointAt = (index: number, { length }: readonly unknown[]): string =>
  index === 0 ? ' ' : index === length - 1 ? ' and ' : ', ';

/** `2.44 × (2.13–2.78)`: as precise as its interval if it has one. */
const factorOf = ({ median, estimate, interval }: Comparison): string =>
  interval === null
    ? `${roughRatio((estimate ?? median) as number)} ×`
    : `${ratio(estimate)} × (${ratioRange(interval)})`;

/** `took 1.59 × as long as efs`; of several operations each by its name, of many the least and the most. */
function timeClauses(measured: readonly Comparison[]): Part[] {
  const [first, ...others] = measured;
  if (first === undefined) return [];
  const asLong: Part[] = [' as long as ', { arm: first.baseline }];
  const within = ({ operation }: Comparison): string => ` in ${describeOperation(operation)}`;
  if (others.length === 0) return [` took ${factorOf(first)}`, ...asLong];
  if (measured.length > MANY) {
    const sorted = [...measured].sort((a, b) => (a.estimate ?? 0) - (b.estimate ?? 0));
    const [min, max] = [sorted[0] ?? first, sorted.at(-1) ?? first];
    const range = `${within(min)} to ${factorOf(max)}${within(max)}, of ${measured.length} operations`;
    return [` took from ${factorOf(min)}`, ...asLong, range];
  }
  const rest = others.map((one, index) => `${jointAt(index + 1, measured)}${factorOf(one)}${within(one)}`);
  return [` took ${factorOf(first)}`, ...asLong, within(first), ...rest];
}

function describeRepeat(measured: readonly Comparison[]): string {
  const counts = [...new Set(measured.map(({ count }) => count))];
  return counts.length === 1 ? counted(counts[0] as number, 'pair') : `${listed(counts.map(String))} pairs`;
}

function describeRealDifferences(comparisons: readonly Comparison[]): string {
  const found = comparisons.map(findingOf);
  if (comparisons.length > 1 && found.every((finding) => finding === 'real')) return 'real differences';
  const groups = (['real', 'negligible', 'inconclusive', null] as const).flatMap((finding) => {
    const names = comparisons.flatMap(({ operation }, index) => (found[index] === finding ? operation : []));
    if (names.length === 0) return [];
    const words = finding === null ? 'too few to rule out chance' : FINDINGS[finding];
    const all = comparisons.length > MANY ? `${names.length} of them` : listed(names.map(describeOperation));
    return { words, names: all };
  });
  const [first, ...others] = groups as [(typeof groups)[number]];
  if (others.length === 0) return first.words;
  const rest = others.map(({ words, names }) => `in ${names} ${words}`);
  return [`${first.words} in ${first.names}`, ...rest].join(', and ');
}

/** Names data by the ratio that was read back, or by the compressibility if it was not. */
function dataPhrase({ space }: RunSummary, arm: string, compressibility: number | null): string {
  if (compressibility === null) return 'On the data written';
  const reached = spaceAt(space, { arm, compressibility })?.median ?? null;
  if (reached === null) return `On data made to compress ${compressibility}:1 (not measured)`;
  if (reached < 1.02 && compressibility > 1.05)
    return `On data made to compress ${compressibility}:1, which here did not compress`;
  return reached < 1.02 ? 'On data that did not compress' : `On data that compressed ${roughRatio(reached)}:1`;
}

function alone({ cells }: RunSummary): Sentence[] {
  const rates = mainRates(cells).filter(({ median }) => median !== null);
  if (rates.length === 0) return [['No rate was measured.']];
  return rates.slice(0, 4).map((cell) => {
    const { arm, kind, compressibility, median, unit, count } = cell;
    const made = compressibility === 1 ? 'incompressible data' : `data made to compress ${compressibility}:1`;
    const data = compressibility === null ? '' : ` on ${made}`;
    return [{ arm }, ` ${isTimed(cell) ? 'took' : past(kind)} ${plain(median)} ${unit}${data} (median of ${count}).`];
  });
}

/** Sentences on the arms' rates of creations, which the study is about, against the documented rates, and on the price of the extra IOPS. */
function metadataFindings({ metadata }: RunSummary): Sentence[] {
  if (metadata === null) return [];
  const creates = metadata.rates.flatMap((rate) => {
    const { arm, operation, fileBytes, efficiency } = rate;
    if (operation !== 'file_create' || efficiency.value === null) return [];
    const price = ofKey(metadata.prices, rate)?.perExtraThousandMonthly.value;
    const cost = price == null ? '' : `; each extra thousand per second costs ${usd(price)} per month`;
    const created = `${past({ id: operation, fileBytes: fileBytes ?? undefined })} at ${ratio(efficiency.value)}`;
    return { arm, created, cost };
  });
  return [...Map.groupBy(creates, ({ created, cost }) => keyOf(created, cost)).values()].map((group): Sentence => {
    const [{ created, cost }] = group as [(typeof creates)[number]];
    const whose = group.length === 1 ? 'its' : 'their';
    return [
      ...armNames(group.map(({ arm }) => arm)),
      ` ${created} of the documented rate of ${whose} metadata IOPS${cost}.`,
    ];
  });
}

function spaceFindings({ space, arms, cells, metadata, record }: RunSummary): Sentence[] {
  const asked =
    record.plan?.steps.some(({ tasks }) => tasks.some(({ action }) => action.kind === 'measure-ratio')) ?? true;
  const ofData = asked && metadata === null && cells.some(({ metric }) => metric === 'throughput');
  if (!ofData && space.length === 0) return [];
  const clauses = arms.slice(arms.length > 1 ? 1 : 0).map(({ name: arm }): { head: Part[]; tail: string } => {
    const cells = space.filter((cell) => cell.arm === arm);
    const best = cells.filter(({ median }) => median !== null).at(-1);
    if (!best) {
      const reason = cells.flatMap(({ readings }) => readings.flatMap((reading) => reading.reason ?? []))[0];
      const missing = reason ?? 'the run holds no reading';
      return { head: [{ arm }, ': its used space was not measured'], tail: `: ${missing}.` };
    }
    const reading = best.readings.find(({ logicalBytes, allocatedBytes }) => logicalBytes && allocatedBytes);
    const amounts = reading
      ? ` stored ${bytes(reading.logicalBytes)} in ${bytes(reading.allocatedBytes)}`
      : ' reached a ratio';
    const madeFor = best.compressibility === null ? '' : `, on data made for ${best.compressibility}:1`;
    return {
      head: [{ arm }, `${amounts}: ${roughRatio(best.median as number)}:1`],
      tail: ` by ${best.readings[0]?.source}${madeFor}.`,
    };
  });
  // One sentence for all arms whose space was read in the same way, of the same data.
  return [...Map.groupBy(clauses, ({ tail }) => tail)].map(
    ([tail, group]): Sentence => [
      ...group.flatMap(({ head }, index): Part[] => [...(index === 0 ? [] : ['; ']), ...head]),
      tail,
    ],
  );
}

/** Sentences that a reader needs before believing a number: the differences between this run and AWS. Empty for a run on AWS. */
export function labSentences(summary: RunSummary): Sentence[] {
  const { lab, arms } = summary;
  const substitutes = substituteSentences(
    arms.flatMap(({ name, deployed, description }) =>
      deployed?.actually == null || deployed.actually === description ? [] : [{ name, actually: deployed.actually }],
    ),
  );
  const notices = summary.notices.map((notice): Sentence => [notice]);
  if (!lab) return [...notices, ...substitutes];
  return [...(notices.length > 0 ? notices : [[LAB]]), ...modelSentences(summary), ...substitutes];
}

/** For a lab run whose manifest lacks a notice. */
const LAB = 'An emulator replaced AWS. No rate, ratio or metric on this page is Amazon FSx’s, and nothing cost money.';

/** The result of a run in short, for a list of runs; its words are the report's. Pure: the same run gives the same figures. */
export function figuresOf(run: RunSummary): RunFigures {
  const costUsd = run.lab ? null : run.cost.runUsd;
  return {
    schema: 'fsxbench.summary/1',
    run: run.run,
    benchmark: run.benchmark,
    plan: run.plan,
    scale: run.scale,
    platform: platformOf(run),
    seconds: run.seconds,
    validity: run.validity,
    findings: findings(run).map(plainText),
    costUsd,
    ...(costUsd === null ? { costReason: costReasonOf(run) } : {}),
  };
}

const costReasonOf = ({ lab, cost }: RunSummary): string =>
  lab ? 'nothing was rented: it is a lab run' : (cost.reason ?? 'unknown');

function platformOf({ place, record: { manifest } }: RunSummary): string {
  if (place === 'lab') return 'lab';
  if (place === 'model') return 'scale model in the lab';
  if (manifest === null) return 'unknown platform';
  if (place === 'machines') return 'clients that existed already';
  if (place === 'directories') return 'directories of one computer';
  if (place === 'mounted') return 'Lustre mounted on one computer';
  return `AWS ${manifest.region ?? 'in an unknown Region'}`;
}
