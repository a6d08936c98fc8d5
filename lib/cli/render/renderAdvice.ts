import { type Advice, type Option, seriesOf } from '../../advise';
import type { CheaperProof, Experiment, Proof } from '../../advise/proof';
import { resolve } from '../../advise/requirement';
import type { Candidate, Cheaper } from '../../advise/search';
import {
  describeAnswer,
  describeOption,
  describePrice,
  describeRequirement,
  describeVerdict,
  dollars,
  gigabytes,
  headroomDemand,
  monthHours,
} from '../../advise/wording';
import { counted, decimalBytes } from '../../common/format/units';
import type { Estimate } from '../../estimate';
import { describeBasis } from '../../price/cost';
import { wrapped } from './answer';

const percent = (share: number | null): string => {
  if (share === null) return '–';
  if (share > 10) return '>1000 %';
  return share > 0 && share < 0.005 ? '<1 %' : `${Math.round(share * 100)} %`;
};

const NO_RATIO =
  'not considered: LZ4, since the compression ratio of your data is unknown: give --data PATH, or --ratio such as 2';
const MOST_OPTIONS = 4;
const HEIGHT = 24;

/** The advice as text, the answer first, no wider than a hundred columns. @param all every option and rejection; else the best of each kind */
export function renderAdvice(
  advice: Advice,
  estimate: Estimate | null,
  onBtrfs: readonly Estimate[] = [],
  all = false,
): string {
  const { requirement, options, rejected, notes, nearest, changes } = advice;
  const [best] = options;
  const head = [
    `${describeAnswer(advice)}.`,
    `required: ${describeRequirement(requirement)}`,
    ...(requirement.ratio === undefined ? [NO_RATIO] : []),
    ...(estimate === null ? [] : [describeEstimate(estimate)]),
    ...onBtrfs.map(describeBtrfs),
  ];
  const noted = notes.map(({ message }) => `note: ${message}`);
  const ofBest = <T>(of: (option: Option) => readonly T[]): readonly T[] => (best === undefined ? [] : of(best));
  // The cheapest for each reason why that is not known.
  const may = ofBest(() => firstOfEach(nearest, ({ unmet }) => unmet.map(({ demand }) => demand).join()).map(mayWords));
  const close = best === undefined ? [...changes.map(describeChange), ...nearest.slice(1).map(describeClose)] : [];
  const ranking = (max: number) => ofBest((option) => describeRanking(advice, option, max, all));
  const bursts = nearest.filter(({ unmet }) => unmet.some(({ demand }) => demand === 'burst'));
  const proof = ofBest((option) => [...describeProof(option), ...bursts.slice(0, 1).flatMap(describeBurst)]);
  const onBest = ofBest(({ warnings }) => warnings.map(({ message }) => `note on option 1: ${message}`));
  const cheaper = ofBest((option) => option.cheaper.map(describeCheaper));
  const rest = all ? describeRejected(rejected) : [];
  // If the answer is longer than the screen, the least important parts are left out first.
  const screens: readonly (readonly (readonly string[])[])[] = [
    [head, noted, may, close, ranking(MOST_OPTIONS), onBest, cheaper, proof, rest],
    [head, noted, may, close, ranking(MOST_OPTIONS), onBest, proof],
    [head, noted, may, close, ranking(2), onBest, proof],
    [head, noted, may.slice(0, 2), close.slice(0, 3), ranking(1), onBest, proof],
    [head, noted, may.slice(0, 2), close.slice(0, 2), ranking(1), proof],
    [head, may.slice(0, 2), close.slice(0, 2), ranking(1), proof],
    [head, may.slice(0, 1), close.slice(0, 1), ranking(1), proof],
    [head, close.slice(0, 1), ranking(1), proof],
    [head, ranking(0), proof.slice(0, 2)],
  ];
  let lines: string[] = [];
  for (const parts of screens) {
    lines = parts.flat().flatMap(wrapped);
    if (all || lines.length <= HEIGHT) break;
  }
  return `${lines.join('\n')}\n`;
}

const describeChange = ({ words, configuration, monthlyUsd }: Advice['changes'][number]): string => {
  const price = !monthlyUsd ? '' : ` for ${dollars(monthlyUsd)} USD per month`;
  return `possible change: ${words}. Then ${describeOption(configuration)} meets the requirements${price}`;
};

const describeClose = (one: Candidate): string =>
  `also close: ${describeOption(one.configuration)}, ${describePrice(one)}: ${describeVerdict(one)}`;

function firstOfEach<T>(all: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const firsts = new Map(all.toReversed().map((one) => [keyOf(one), one]));
  return all.filter((one) => firsts.get(keyOf(one)) === one);
}

function describeRanking({ requirement, options, rejected, region }: Advice, best: Option, max: number, all: boolean) {
  const { budgetOnly } = resolve(requirement);
  const shown = all
    ? options
    : firstOfEach(options, ({ configuration }) => seriesOf(configuration))
        .filter(({ monthlyUsd }) => monthlyUsd !== null || best.monthlyUsd === null)
        .slice(0, budgetOnly ? 1 : max);
  const left = options.length - shown.length;
  const more = [
    ...(left > 0 ? [`${left} more`] : []),
    ...(!all && rejected.length > 0 ? [`${rejected.length} rejected`] : []),
  ];
  const which = budgetOnly ? 'the largest that the budget buys' : 'the best of each kind';
  const basis = best.monthlyUsd === null ? '' : `; option 1: ${describeBasis(best.basis)}`;
  const list = shown.some(({ basis: { estimated } }) => estimated > 0)
    ? `; for AWS's own list: npx fsxbench cost --refresh --region ${region}`
    : '';
  return [
    more.length > 0 ? `${which} (--all: ${more.join(', ')}):` : '',
    ...shown.flatMap((option) => linesOf(option, options.indexOf(option) + 1)),
    `prices: ${monthHours(requirement)} h, file systems only${basis}${list}`,
    ...[...new Set(shown.flatMap((option) => option.reason ?? []))].map((reason) => `no total: ${reason}`),
  ];
}

function linesOf(option: Option, rank: number): string[] {
  const { configuration, throughputMBps, headroom, fill, binding, why, flows } = option;
  const number = `${option.monthlyUsd === null ? '–' : rank}`.padEnd(3);
  const lowest = flows.find((flow) => flow.MBps > 0 && flow.throughputMBps.baseline === throughputMBps.baseline);
  const of = headroomDemand(option);
  // How full it is says the same of the capacity.
  const room =
    headroom === null || of === 'capacity' ? '' : `, ${percent(headroom)} head-room${of === null ? '' : ` of ${of}`}`;
  const full = fill === null ? '' : `, ${percent(fill)} full`;
  const burst = throughputMBps.burst > throughputMBps.baseline ? `, ${gigabytes(throughputMBps.burst)} in a burst` : '';
  return [
    `${number}${describeOption(configuration)}: ${describePrice(option)}`,
    `   ${gigabytes(throughputMBps.baseline)} GB/s${of === null || lowest === undefined ? '' : ` of ${lowest.demand}s`}${burst} (${binding.baseline})${room}${full}: ${why}`,
  ];
}

/** An option that may cost less than the first one, and what is unknown about it. */
const mayWords = (one: Candidate): string =>
  `may cost less: ${describeOption(one.configuration)}, ${describePrice(one)}: ${describeVerdict(one)}`;

const describeCheaper = (one: Cheaper): string =>
  `cheaper: ${describeOption(one.configuration)} ${one.knownUsd > 0 ? `for ${describePrice(one)}` : 'at an unknown price'}, but ${one.misses.join('; ')}`;

const usdPerHour = (usd: number | null): string =>
  usd === null ? 'at an unknown price' : `${usd.toFixed(usd < 10 ? 2 : 0)} USD per hour`;

const describeExperiment = ({ benchmark, clients, instanceType, hourlyUsd }: Experiment): string =>
  `${benchmark}, ${usdPerHour(hourlyUsd)} with ${clients} × ${instanceType}`;

function describeProof({ cdkJson, proof: { experiments, cheaper } }: Proof): string[] {
  if (experiments.length === 0) return ['no benchmark measures file systems of this kind yet'];
  return [
    `to prove option 1 (${experiments.map(describeExperiment).join('; ')}), put this in cdk.json:`,
    fragmentLine(cdkJson),
    ...(cheaper === undefined
      ? []
      : [
          `cheaper proof: ${describeExperiment(cheaper)} (${changedSettings(cdkJson, cheaper)}) shows that ${cheaper.shows}, but not ${cheaper.cannotShow}`,
        ]),
  ];
}

/** The settings of an experiment that differ from those of the whole proof: `"clients": 14`. */
function changedSettings(whole: Proof['cdkJson'], { benchmark, cdkJson }: CheaperProof): string {
  const before = whole.context[benchmark] ?? {};
  const changed = Object.entries(cdkJson.context[benchmark] ?? {}).filter(([name, value]) => before[name] !== value);
  return changed.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', ');
}

/** The experiment that shows how long the burst of a configuration lasts. */
function describeBurst({ configuration, proof: { experiments, cheaper } }: Candidate & Proof): string | [] {
  const experiment = cheaper ?? experiments[0];
  if (experiment === undefined) return [];
  return `to show how long the burst of ${describeOption(configuration)} lasts: ${describeExperiment(experiment)} (--json: nearest)`;
}

/** JSON in one line with spaces, at which it is broken. */
const fragmentLine = ({ context }: Option['cdkJson']): string =>
  `  ${JSON.stringify({ context }, null, 1).replaceAll(/\n */g, ' ')}`;

function describeEstimate(estimate: Estimate): string {
  const { files, mode } = estimate;
  return `data: ${counted(files, 'file')}, ${mode === 'sample' ? 'sampled' : 'read in full'}: ${describeRatio(estimate)}`;
}

/** Describes the saving on Btrfs; the volumes listed have XFS. */
const describeBtrfs = (estimate: Estimate): string =>
  `on Btrfs with compress-force=${estimate.codec}: ${describeRatio(estimate)}; volumes of that fraction of the size would do, at the cost of the client's CPUs`;

function describeRatio({ ratio, logicalBytes, uncompressedBytes, savings, interval: { low, high } }: Estimate): string {
  if ((ratio ?? 1) < 1)
    return `${decimalBytes(logicalBytes)} take ${decimalBytes(uncompressedBytes)}; LZ4 saves ${percent(savings)} of that`;
  const same = low?.toFixed(2) === high?.toFixed(2);
  const bounds = low === null || high === null || same ? '' : `, between ${low.toFixed(2)} and ${high.toFixed(2)}`;
  return `${ratio?.toFixed(2)}:1${bounds}`;
}

function describeRejected(rejected: Advice['rejected']): string[] {
  const priceOf = (usd: number | null): string =>
    usd === null ? 'price unknown' : describePrice({ monthlyUsd: usd, knownUsd: usd, lowUsd: usd, unpriced: [] });
  return [...Map.groupBy(rejected, ({ reason }) => reason)].flatMap(([reason, own]) => [
    '',
    `rejected, since ${reason}:`,
    ...own.map(({ configuration, monthlyUsd }) => `  ${describeOption(configuration)} (${priceOf(monthlyUsd)})`),
  ]);
}
