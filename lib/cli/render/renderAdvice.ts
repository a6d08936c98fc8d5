import type { Advice, Option } from '../../advise';
import { isBudget } from '../../advise/requirement';
import { bytesWords, optionWords, requirementWords } from '../../advise/words';
import type { Estimate } from '../../estimate';
import { basisWords } from '../../price/basis';
import { HOURS_PER_MONTH } from '../../price/prices';
import { storageOf, withKind } from '../../storage/lookup';

const dollars = (usd: number | null): string => (usd === null ? 'not known' : usd.toFixed(2));
const priceOf = ({ monthlyUsd, atLeastUsd }: Pick<Option, 'monthlyUsd' | 'atLeastUsd'>): string =>
  monthlyUsd === null && atLeastUsd > 0 ? `over ${dollars(atLeastUsd)}` : dollars(monthlyUsd);
const gigabytes = (MBps: number): string => String(Number((MBps / 1000).toPrecision(3)));
const percent = (share: number | null): string =>
  share === null ? '–' : share > 10 ? 'over 1000 %' : `${Math.round(share * 100)} %`;

/** Options on the first screen, and its width. */
const MOST_OPTIONS = 5;
const WIDTH = 100;

/** The advice as text, no wider than a hundred columns. @param all every option and rejection; else the best of each kind */
export function renderAdvice(
  advice: Advice,
  estimate: Estimate | null,
  onBtrfs: readonly Estimate[] = [],
  all = false,
): string {
  const { requirement, options, rejected, notes } = advice;
  const [best] = options;
  const lines = [`needed: ${requirementWords(requirement)}`];
  if (estimate !== null) lines.push(estimateWords(estimate));
  for (const each of onBtrfs) lines.push(btrfsWords(each));
  if (requirement.ratio === undefined) lines.push('LZ4 was not considered: it needs --ratio or --data');
  lines.push(...notes.map(({ message }) => `note: ${message}`), '');
  const shown = all
    ? options
    : bestOfEach(options)
        .filter(({ monthlyUsd }) => monthlyUsd !== null || best?.monthlyUsd == null)
        .slice(0, isBudget(requirement) ? 1 : MOST_OPTIONS);
  for (const option of shown) lines.push(...linesOf(option, options.indexOf(option) + 1));
  const left = options.length - shown.length;
  if (!all && best !== undefined && left + rejected.length > 0)
    lines.push(`--all lists ${left} more options and ${rejected.length} that were rejected`);
  if (best !== undefined) {
    const basis = best.monthlyUsd === null ? '' : `, the first at ${basisWords(best.basis)}`;
    lines.push(`file systems only, ${Math.round(requirement.hoursPerMonth ?? HOURS_PER_MONTH)} h a month${basis}`);
  }
  for (const reason of new Set(shown.flatMap((option) => option.reason ?? []))) lines.push(`price unknown: ${reason}`);
  if (best !== undefined) lines.push('', ...bestWords(best));
  if (all || best === undefined) lines.push(...rejectedWords(rejected));
  return `${lines.flatMap(wrapped).join('\n')}\n`;
}

/** The first of each kind and series. */
function bestOfEach(options: readonly Option[]): readonly Option[] {
  const kindOf = ({ configuration }: Option): string => {
    const storage = withKind(configuration);
    return `${storage.kind} ${storageOf(storage).candidates?.seriesOf(storage)}`;
  };
  return options.filter((option) => options.find((other) => kindOf(other) === kindOf(option)) === option);
}

function linesOf(option: Option, rank: number): string[] {
  const { configuration, throughputMBps, headroom, fill, binding, why } = option;
  const number = `${option.monthlyUsd === null ? '–' : rank}`.padEnd(3);
  const room = headroom === null ? '' : `, ${percent(headroom)} head-room`;
  const full = fill === null ? '' : `, ${percent(fill)} full`;
  return [
    `${number} ${optionWords(configuration)}: ${priceOf(option)} USD/month`,
    `    ${gigabytes(throughputMBps.baseline)} GB/s (${binding.baseline})${room}${full}: ${why}`,
  ];
}

/** Breaks a line at spaces and indents what follows. */
function wrapped(line: string): string[] {
  const indent = line.search(/\S/);
  const at = line.lastIndexOf(' ', WIDTH);
  if (line.length <= WIDTH || at <= indent) return [line];
  const margin = ' '.repeat(Math.max(2, indent));
  return [line.slice(0, at), ...wrapped(margin + line.slice(at + 1))];
}

function bestWords({ cheaper, warnings, cdkJson }: Option): string[] {
  return [
    ...warnings.map(({ message }) => `note on 1: ${message}`),
    ...cheaper.map(
      (one) =>
        `cheaper: ${optionWords(one.configuration)} ${one.monthlyUsd === null ? 'at an unknown price' : `for ${dollars(one.monthlyUsd)}`}, but ${one.misses.join('; ')}`,
    ),
    ...(Object.keys(cdkJson.context).length === 0
      ? ['no benchmark measures file systems of this kind yet']
      : ['to prove 1, put this in cdk.json:', ...fragmentLines(cdkJson)]),
  ];
}

/** JSON with a paragraph for each benchmark, so that it fits a screen. */
function fragmentLines({ context }: Option['cdkJson']): string[] {
  const entries = Object.entries(context).map(([name, settings], index, { length }) => {
    const pairs = Object.entries(settings).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
    return `    ${JSON.stringify(name)}: { ${pairs.join(', ')} }${index < length - 1 ? ',' : ''}`;
  });
  return ['  { "context": {', ...entries, '  } }'];
}

function estimateWords(estimate: Estimate): string {
  const { files, mode } = estimate;
  return `data: ${files} files, ${mode === 'sample' ? 'sampled' : 'read in full'}: ${ratioWords(estimate)}`;
}

/** Describes the saving on Btrfs; the volumes listed have XFS. */
function btrfsWords(estimate: Estimate): string {
  return `on Btrfs with compress-force=${estimate.codec}: ${ratioWords(estimate)}; volumes of that part of the size would do, at the cost of the client's processors`;
}

function ratioWords({ ratio, logicalBytes, uncompressedBytes, savings, interval: { low, high } }: Estimate): string {
  if ((ratio ?? 1) < 1)
    return `${bytesWords(logicalBytes)} take ${bytesWords(uncompressedBytes)}; LZ4 saves ${percent(savings)} of that`;
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
        ({ configuration, monthlyUsd }) => `  ${optionWords(configuration)} (${dollars(monthlyUsd)} USD/month)`,
      ),
    ];
  });
}
