import type { Advice, Option } from '../../advise';
import { seriesOf } from '../../advise/next';
import { isBudget } from '../../advise/requirement';
import { dollars, gigabytes, optionWords, priceRange, requirementWords, whoseWords } from '../../advise/wording';
import { counted, decimalBytes } from '../../common/format/units';
import type { Estimate } from '../../estimate';
import { basisWords } from '../../price/basis';
import { HOURS_PER_MONTH } from '../../price/prices';
import { wrapped } from './wrapped';

const usdOf = (usd: number): string => (usd < 100 ? usd.toFixed(2) : dollars(usd));
const priceOf = ({ monthlyUsd, atLeastUsd, lowUsd }: Pick<Option, 'monthlyUsd' | 'atLeastUsd' | 'lowUsd'>): string => {
  if (monthlyUsd !== null) return `${priceRange(monthlyUsd, { lowUsd }, usdOf)} USD`;
  return atLeastUsd > 0 ? `over ${usdOf(lowUsd)} USD` : 'price not known';
};
const percent = (share: number | null): string => {
  if (share === null) return '–';
  if (share > 10) return '>1000 %';
  return share > 0 && share < 0.005 ? '<1 %' : `${Math.round(share * 100)} %`;
};

/** Options on the first screen, and its lines. */
const MOST_OPTIONS = 5;
const HEIGHT = 24;

/** The advice as text, no wider than a hundred columns; what would be cheaper is left out where it does not fit. @param all every option and rejection; else the best of each kind */
export function renderAdvice(
  advice: Advice,
  estimate: Estimate | null,
  onBtrfs: readonly Estimate[] = [],
  all = false,
): string {
  const { requirement, options, rejected, notes } = advice;
  const [best] = options;
  const noRatio = requirement.ratio === undefined ? '; no LZ4 without --ratio or --data' : '';
  const lines = [`needed: ${requirementWords(requirement)}${noRatio}`];
  if (estimate !== null) lines.push(estimateWords(estimate));
  for (const each of onBtrfs) lines.push(btrfsWords(each));
  lines.push(...notes.map(({ message }) => `note: ${message}`));
  const shown = all
    ? options
    : bestOfEach(options)
        .filter(({ monthlyUsd }) => monthlyUsd !== null || best?.monthlyUsd == null)
        .slice(0, isBudget(requirement) ? 1 : MOST_OPTIONS);
  const left = options.length - shown.length;
  const more = [
    ...(left > 0 ? [`${left} more`] : []),
    ...(!all && rejected.length > 0 ? [`${rejected.length} rejected`] : []),
  ];
  const which = isBudget(requirement) ? 'the largest that the budget buys' : 'the best of each kind';
  if (best !== undefined) lines.push(more.length > 0 ? `${which} (--all: ${more.join(', ')}):` : '');
  for (const option of shown) lines.push(...linesOf(option, options.indexOf(option) + 1));
  if (best !== undefined) {
    const hours = Math.round(requirement.hoursPerMonth ?? HOURS_PER_MONTH);
    const basis = best.monthlyUsd === null ? '' : `; 1 at ${basisWords(best.basis)}`;
    const list = shown.some(({ basis: { estimated } }) => estimated > 0)
      ? `; for AWS's own list: npx fsxbench cost --refresh --region ${advice.region}`
      : '';
    lines.push(`a month of ${hours} h, file systems only${basis}${list}`);
  }
  for (const reason of new Set(shown.flatMap((option) => option.reason ?? []))) lines.push(`price unknown: ${reason}`);
  const cheaper = best === undefined ? [] : cheaperWords(best);
  const rest = [
    ...(best === undefined ? [] : proofWords(best)),
    ...(all || best === undefined ? rejectedWords(rejected) : []),
  ];
  if (best !== undefined) lines.push(...best.warnings.map(({ message }) => `note on 1: ${message}`));
  const whole = [...lines, ...cheaper, ...rest].flatMap(wrapped);
  return `${(all || whole.length <= HEIGHT ? whole : [...lines, ...rest].flatMap(wrapped)).join('\n')}\n`;
}

/** The first of each kind and series. */
function bestOfEach(options: readonly Option[]): readonly Option[] {
  const firsts = new Map(options.toReversed().map((option) => [seriesOf(option.configuration), option]));
  return options.filter((option) => firsts.get(seriesOf(option.configuration)) === option);
}

function linesOf(option: Option, rank: number): string[] {
  const { configuration, throughputMBps, headroom, fill, binding, why } = option;
  const number = `${option.monthlyUsd === null ? '–' : rank}`.padEnd(3);
  const whose = whoseWords(option);
  const room = headroom === null ? '' : `, ${percent(headroom)} head-room${whose.room}`;
  const full = fill === null ? '' : `, ${percent(fill)} full`;
  return [
    `${number}${optionWords(configuration)}: ${priceOf(option)}`,
    `   ${gigabytes(throughputMBps.baseline)} GB/s${whose.rate} (${binding.baseline})${room}${full}: ${why}`,
  ];
}

const cheaperWords = ({ cheaper }: Option): string[] =>
  cheaper.map(
    (one) =>
      `cheaper: ${optionWords(one.configuration)} ${one.monthlyUsd === null ? 'at an unknown price' : `for ${priceOf({ ...one, atLeastUsd: one.lowUsd })}`}, but ${one.misses.join('; ')}`,
  );

const proofWords = ({ cdkJson }: Option): string[] =>
  Object.keys(cdkJson.context).length === 0
    ? ['no benchmark measures file systems of this kind yet']
    : ['to prove 1, put this in cdk.json:', fragmentLine(cdkJson)];

/** JSON in one line with spaces, at which it is broken. */
const fragmentLine = ({ context }: Option['cdkJson']): string =>
  `  ${JSON.stringify({ context }, null, 1).replaceAll(/\n */g, ' ')}`;

function estimateWords(estimate: Estimate): string {
  const { files, mode } = estimate;
  return `data: ${counted(files, 'file')}, ${mode === 'sample' ? 'sampled' : 'read in full'}: ${ratioWords(estimate)}`;
}

/** Describes the saving on Btrfs; the volumes listed have XFS. */
const btrfsWords = (estimate: Estimate): string =>
  `on Btrfs with compress-force=${estimate.codec}: ${ratioWords(estimate)}; volumes of that fraction of the size would do, at the cost of the client's processors`;

function ratioWords({ ratio, logicalBytes, uncompressedBytes, savings, interval: { low, high } }: Estimate): string {
  if ((ratio ?? 1) < 1)
    return `${decimalBytes(logicalBytes)} take ${decimalBytes(uncompressedBytes)}; LZ4 saves ${percent(savings)} of that`;
  const same = low?.toFixed(2) === high?.toFixed(2);
  const bounds = low === null || high === null || same ? '' : `, between ${low.toFixed(2)} and ${high.toFixed(2)}`;
  return `${ratio?.toFixed(2)}:1${bounds}`;
}

/** Rejected configurations, grouped by reason. */
function rejectedWords(rejected: Advice['rejected']): string[] {
  return [...new Set(rejected.map(({ reason }) => reason))].flatMap((reason) => {
    const own = rejected.filter((one) => one.reason === reason);
    return [
      '',
      `rejected, since ${reason}:`,
      ...own.map(
        ({ configuration, monthlyUsd }) =>
          `  ${optionWords(configuration)} (${monthlyUsd === null ? 'price not known' : `${usdOf(monthlyUsd)} USD`})`,
      ),
    ];
  });
}
