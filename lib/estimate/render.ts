import type { Range } from '../common/collections';
import { renderTable } from '../common/format/text';
import { bytes, counted } from '../common/format/units';
import type { Estimate, Group, RecordBound } from './result';

/** An estimate as text: a table by type, one by size class, the total and its assumption. */
export function renderEstimate(estimate: Estimate): string {
  const { bounds, byType, bySize, on, unsampledTypes } = estimate;
  const codec = codecOf(estimate);
  const head = [
    'files',
    'logical',
    ...bounds.flatMap(({ recordBytes }) => [
      `uncompressed, ${bytes(recordBytes)} ${unitOf(on)}`,
      ...[codec, 'saved', 'ratio'],
    ]),
  ];
  const isFigure = (column: number): boolean => column > 0;
  const total = row('all', estimate);
  const types = byType.slice(0, MOST_TYPES);
  const out = [
    renderTable(['type', ...head], [...types.map((group) => row(group.type, group)), total], isFigure),
    byType.length > types.length ? `${byType.length - types.length} more types: --json has them\n` : '',
    unsampledTypes > 0 ? `${counted(unsampledTypes, 'more type')}: too little of them was drawn for figures\n` : '',
    '\n',
    renderTable(['file size', ...head], [...bySize.map((group) => row(group.sizeClass, group)), total], isFigure),
    '\n',
    `${verdict(estimate)}\n`,
    `Saved: share of the space that the same files take without compression. Ratio: logical size ÷ size with ${codec}.\n`,
    `${estimate.assumption}.\n`,
    estimate.uncompressedAssumption === null
      ? ''
      : `${estimate.uncompressedAssumption}. Both ends are in the tables.\n`,
    notes(estimate),
  ];
  return out.join('');
}

/** LZ4 and LZO are abbreviations; zstd is a name. */
const codecOf = ({ codec }: Estimate): string => (codec.startsWith('lz') ? codec.toUpperCase() : codec);

const unitOf = (on: Estimate['on']): string => (on === 'btrfs' ? 'extents' : 'records');

const MOST_TYPES = 40;
const MOST_NAMED = 10;

function verdict(estimate: Estimate): string {
  const { complete, interval, files, mode, bytesRead, logicalBytes, seconds, unreadableFiles } = estimate;
  const { ratio, ratioReason, recordBytes, holeBytes } = estimate;
  if (logicalBytes > 0 && holeBytes >= logicalBytes) return 'These files are holes: they have no data to compress.';
  if (ratio === null) return `The ratio of ${counted(files, 'file')} is unknown: ${ratioReason}.`;
  const data = holeBytes > 0 ? 'the data of ' : '';
  const codec = codecOf(estimate);
  const begin = complete
    ? `${codec} would store ${data}these files at`
    : `Stopped early: ${codec} would store ${data}the files measured so far at`;
  if (interval.low === null || interval.high === null)
    return `${begin} ${renderRatio(ratio)}:1 on ${bytes(recordBytes)} ${unitOf(estimate.on)}; too little was read for an interval.`;
  const rate = seconds > 0 ? ` at ${renderBytes(bytesRead / seconds)}/s` : '';
  const ends = [interval.low, interval.high].map((end) => `${renderRatio(end)}:1`);
  const between = ends[0] === ends[1] ? (ends[0] as string) : `${ends[0]} to ${ends[1]}`;
  const all = complete && unreadableFiles === 0 ? 'all ' : '';
  if (mode === 'full' || bytesRead === logicalBytes)
    return `${begin} ${between} (${all}${renderBytes(bytesRead)} read${rate}).`;
  const read = `${renderBytes(bytesRead)} read, ${((100 * bytesRead) / logicalBytes).toFixed(1)} %${rate}`;
  return `${begin} ${between}, with ${100 * interval.confidence} % confidence (${read}).`;
}

function notes(estimate: Estimate): string {
  const { unreadable, unreadableFiles, skipped, symbolicLinks, hardLinks, holeBytes } = estimate;
  const lines = estimate.mode === 'full' ? estimate.bounds.flatMap((bound) => drawn(bound)) : [];
  if (holeBytes > 0)
    lines.push(
      `Holes of sparse files: ${renderBytes(holeBytes)}, no data, and no space with or without ${codecOf(estimate)}`,
    );
  if (unreadableFiles > 0) lines.push(`Unreadable, not counted: ${unreadableFiles}`, ...list(unreadable));
  if (skipped.length > 0) lines.push(`Not regular files, not counted: ${skipped.length}`, ...list(skipped));
  if (symbolicLinks > 0) lines.push(`Symbolic links, not followed: ${symbolicLinks}`);
  if (hardLinks > 0) lines.push(`Additional hard links, not counted: ${hardLinks}`);
  return lines.map((line) => `${line}\n`).join('');
}

/** For a record size that was not measured everywhere: the measured share and the confidence. */
function drawn({ recordBytes, measuredShare, interval: { low, high, confidence } }: RecordBound): string[] {
  if (measuredShare === 1 || low === null || high === null) return [];
  return [
    `On ${bytes(recordBytes)} records ${(100 * measuredShare).toFixed(1)} % of the bytes were compressed, drawn from every type of file: ` +
      `${low.toFixed(3)}:1 to ${high.toFixed(3)}:1 with ${100 * confidence} % confidence (--exact compresses all)`,
  ];
}

function list(entries: Estimate['unreadable']): string[] {
  const shown = entries.slice(0, MOST_NAMED).map(({ path, reason }) => `  ${printable(path)}: ${reason}`);
  return entries.length > shown.length
    ? [...shown, `  and ${entries.length - shown.length} more: --json has them`]
    : shown;
}

/** Escapes a name, which may contain line feeds and escape sequences. */
export const printable = (path: string): string =>
  path.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);

function row(name: string, group: Pick<Group, 'files' | 'logicalBytes' | 'bounds'>): string[] {
  return [
    printable(name),
    group.files.toLocaleString('en'),
    renderBytes(group.logicalBytes),
    ...group.bounds.flatMap(({ allocatedBytes, uncompressedInterval, ratio, savingsInterval }) => [
      renderEnds(uncompressedInterval, renderBytes),
      renderBytes(allocatedBytes),
      renderEnds(savingsInterval, (savings) => (savings === null ? '–' : `${(100 * savings).toFixed(1)} %`)),
      ratio === null ? '–' : renderRatio(ratio),
    ]),
  ];
}

/** `1.2 to 1.5 MB`, or the one of both. */
function renderEnds<T>({ low, high }: Range<T>, render: (end: T) => string): string {
  const [from, to] = [render(low), render(high)];
  return from === to ? to : `${from.split(' ').at(-1) === to.split(' ').at(-1) ? from.split(' ')[0] : from} to ${to}`;
}

/** `2.61`; a ratio far below 1, of small files, keeps two digits. */
const renderRatio = (ratio: number): string => (ratio < 0.1 ? ratio.toPrecision(2) : ratio.toFixed(2));

/** `1.5 GB`: decimal units, three digits or more. */
export function renderBytes(bytes: number | null): string {
  if (bytes === null) return '–';
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(value) : value.toFixed(value < 100 ? 1 : 0)} ${units[unit]}`;
}
