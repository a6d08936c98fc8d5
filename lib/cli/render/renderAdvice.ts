import type { Advice, Option } from '../../advise';
import { bytesWords, optionWords, requirementWords } from '../../advise/words';
import type { Estimate } from '../../estimate';
import { basisWords } from '../../price/basis';
import { HOURS_PER_MONTH } from '../../price/prices';
import { renderTable } from './table';

const dollars = (usd: number | null): string => (usd === null ? 'not known' : usd.toFixed(2));
const priceOf = ({ monthlyUsd, atLeastUsd }: Pick<Option, 'monthlyUsd' | 'atLeastUsd'>): string =>
  monthlyUsd === null && atLeastUsd > 0 ? `over ${dollars(atLeastUsd)}` : dollars(monthlyUsd);
const gigabytes = (MBps: number): string => String(Number((MBps / 1000).toPrecision(3)));
const percent = (share: number | null): string => (share === null ? '–' : `${Math.round(share * 100)} %`);

/** The advice as text. */
export function renderAdvice(advice: Advice, estimate: Estimate | null, onBtrfs: readonly Estimate[] = []): string {
  const { requirement, options, rejected, notes } = advice;
  const [best] = options;
  const lines = [`needed: ${requirementWords(requirement)}`];
  if (estimate !== null) lines.push(estimateWords(estimate));
  for (const each of onBtrfs) lines.push(btrfsWords(each));
  if (requirement.ratio === undefined) lines.push('LZ4 was not considered: it needs --ratio or --data');
  lines.push(...notes.map(({ message }) => `note: ${message}`), '');
  if (options.length > 0)
    lines.push(
      optionTable(options),
      `file systems only, a month of ${Math.round(requirement.hoursPerMonth ?? HOURS_PER_MONTH)} h; * nothing is both cheaper and as fast${best?.monthlyUsd == null ? '' : `; the first option at ${basisWords(best.basis)}`}`,
    );
  const unpriced = options.filter(({ reason }) => reason !== null);
  for (const reason of new Set(unpriced.map((option) => option.reason))) lines.push(`price unknown: ${reason}`);
  if (best !== undefined) lines.push('', ...bestWords(best));
  lines.push(...rejectedWords(rejected));
  return `${lines.join('\n')}\n`;
}

function optionTable(options: readonly Option[]): string {
  const rows = options.map((option, index) => {
    const { configuration, throughputMBps, headroom, fill, binding, pareto } = option;
    return [
      option.monthlyUsd === null ? '–' : String(index + 1),
      `${optionWords(configuration)}${pareto ? ' *' : ''}`,
      priceOf(option),
      gigabytes(throughputMBps.baseline),
      gigabytes(throughputMBps.burst),
      percent(headroom),
      percent(fill),
      binding.baseline,
    ];
  });
  return renderTable(
    ['', 'file system', 'USD/month', 'GB/s', 'burst', 'head-room', 'full', 'limited by'],
    rows,
  ).trimEnd();
}

function bestWords({ configuration, cheaper, warnings, cdkJson }: Option): string[] {
  return [
    `1 is ${optionWords(configuration)}`,
    ...cheaper.map(
      (one) =>
        `  cheaper: ${optionWords(one.configuration)} ${one.monthlyUsd === null ? 'at an unknown price' : `for ${dollars(one.monthlyUsd)}`}, but ${one.misses.join('; ')}`,
    ),
    ...warnings.map(({ message }) => `  note: ${message}`),
    ...(Object.keys(cdkJson.context).length === 0
      ? ['  no benchmark measures file systems of this kind yet']
      : [
          '  to prove it, put this in cdk.json:',
          ...JSON.stringify(cdkJson, null, 2)
            .split('\n')
            .map((line) => `    ${line}`),
        ]),
  ];
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
