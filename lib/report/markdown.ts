import { isBeyond, limitWords } from '../analysis';
import { mainRates } from '../analysis/figures/rates';
import { incomparableByReason } from '../claims';
import { targetLabel } from '../kit/format/targets';
import { bytes, counted, detectable, duration, moment, plain, ratio, ratioRange, usd } from '../kit/format/units';
import type { Sentence } from '../kit/page/arms';
import type { RunRecord } from '../store/record';
import { answers, validitySentence } from './answers';
import { findings, labSentences } from './findings';
import { missingFigures, sizedName } from './metadata';
import { predictedSentences, predictedTables } from './predicted';
import { rerunCommands } from './rerun';
import { ORDER } from './sections/beforeAfter';
import { heading, sessionWords } from './sections/overview';
import { differenceWords } from './sections/pairs';
import { type RunSummary, summarise } from './summary';
import { ratesTitle, unitWords } from './words';

/** Headings of figures that are results: of an INVALID run each says so. */
const RESULTS = new Set(
  [
    ...['Throughput', 'Times', 'Metadata', 'Paired differences', 'Before and after', 'What limited each arm'],
    ...['Stragglers', 'Space', 'Predicted against measured'],
  ].map((name) => `## ${name}`),
);

/** The report for a terminal, an issue or a pull request: results, validity and cost, without charts. */
export function renderMarkdown(record: RunRecord): string {
  const summary = summarise(record);
  const { commands } = rerunCommands(record, summary);
  const invalid = summary.validity === 'INVALID' ? '**INVALID** ' : '';
  const parts = [
    `# ${text(heading(summary))}`,
    meta(summary),
    ...labSentences(summary).map(
      (line, index) => `> ${index === 0 && summary.lab ? '**Lab run.** ' : ''}${sentence(line)}`,
    ),
    `**${summary.validity}.** ${text(validitySentence(summary))}`,
    ...findings(summary).map((line) => `${invalid}${sentence(line)}`),
    answers(summary)
      .map(
        ({ question, isResult, sentences }) =>
          `- **${text(question)}:** ${isResult ? invalid : ''}${sentences.map(sentence).join(' ')}`,
      )
      .join('\n'),
    `## Validity: ${summary.validity}`,
    summary.issues
      .map(
        ({ severity, id, message, expected, actual }) =>
          `- **${severity}** ${text(message)} Expected ${text(expected)}; found ${text(actual)}. ${code(id)}`,
      )
      .join('\n'),
    ...rateTables(summary),
    ...metadataTables(summary),
    ...pairTables(summary),
    ...limitTable(summary),
    ...stragglerTable(summary),
    ...spaceTable(summary),
    ...predictedParts(summary),
    ...claimTable(summary),
    ...costTable(summary),
    ...(commands.length === 0 ? [] : ['## Running it again', fenced(commands.join('\n'))]),
  ];
  return `${parts
    .filter((part) => part !== '')
    .map((part) => (invalid !== '' && RESULTS.has(part) ? `${part} (INVALID)` : part))
    .join('\n\n')}\n`;
}

function meta(summary: RunSummary): string {
  const { benchmark, plan, scale, startedAt, seconds, run, state } = summary;
  const known = [plan && `${plan} plan`, scale && `${scale} scale`, startedAt && moment(startedAt), state];
  return [
    text(benchmark),
    ...known.flatMap((part) => (part ? text(part) : [])),
    `${duration(seconds)}${sessionWords(summary)}`,
    `run ${code(run)}`,
  ].join(' · ');
}

function rateTables({ cells }: RunSummary): string[] {
  const rates = mainRates(cells);
  if (rates.length === 0) return [];
  const rows = rates.map((cell) => {
    const { operation, target, arm, median, min, max, count, samples } = cell;
    const reasons = [...new Set(samples.flatMap(({ reason }) => reason ?? []))].join('; ');
    return [
      operation,
      targetLabel(target),
      arm,
      median === null ? plain(null) : `${plain(median)} ${unitWords(cell)}`,
      plain(min),
      plain(max),
      String(count),
      reasons,
    ];
  });
  return [
    `## ${ratesTitle(rates)}`,
    grid(['Operation', 'Data', 'Arm', 'Median', 'Least', 'Most', 'Samples', 'Missing because'], rows),
  ];
}

function metadataTables({ metadata }: RunSummary): string[] {
  if (metadata === null) return [];
  const figure = ({ value }: { value: number | null }, show: (value: number) => string): string =>
    value === null ? '' : show(value);
  const rows = metadata.rates.map(({ operation, fileBytes, arm, rate, documented, efficiency }) => {
    const same = (one: { arm: string; operation: string; fileBytes: number | null }): boolean =>
      one.arm === arm && one.operation === operation && one.fileBytes === fileBytes;
    const price = metadata.prices.find(same);
    const even = metadata.balance.find(same);
    const bound = metadata.bounds.find(same);
    return [
      sizedName(operation, fileBytes),
      arm,
      figure(rate, plain),
      figure(documented, plain),
      figure(efficiency, ratio),
      price ? figure(price.perDollar, plain) : '',
      price ? figure(price.perMillion, usd) : '',
      even ? figure(even.evenness, ratio) : '',
      bound?.by ?? '',
    ];
  });
  const head = ['Operation', 'Arm', 'op/s', 'Documented', 'Efficiency', 'For $1', 'A million', 'Balance', 'Bound by'];
  const needs = metadata.needs.map(({ operation, fileBytes, arm, rate, iops }) => [
    sizedName(operation, fileBytes),
    arm ?? '',
    plain(rate),
    figure(iops, plain),
  ]);
  return [
    '## Metadata',
    grid(head, rows),
    ...(metadata.needs.some(({ iops }) => iops.value !== null)
      ? [
          '## How many metadata IOPS this workload needs',
          grid(['Operation', 'Fastest arm', 'op/s', 'Metadata IOPS'], needs),
        ]
      : []),
    missingFigures(metadata)
      .map(
        ({ what, reason, where }) =>
          `- Without ${text(what)}: ${text(reason)}${where.length === 0 ? '' : text(` (${where.join(', ')})`)}`,
      )
      .join('\n'),
  ];
}

function pairTables({ comparisons }: RunSummary): string[] {
  if (comparisons.length === 0) return [];
  if (comparisons[0]?.design === 'before-after') return beforeAfterTables(comparisons);
  const rows = comparisons.map(
    ({ operation, target, arm, baseline, estimate, interval, different, minimumDetectable, count, pairs }) => {
      const reasons = [...new Set(pairs.flatMap(({ reason }) => reason ?? []))].join('; ');
      return [
        operation,
        targetLabel(target),
        `${arm} ÷ ${baseline}`,
        ratio(estimate),
        interval === null ? '' : ratioRange(interval),
        differenceWords(different),
        minimumDetectable === null ? '' : detectable(minimumDetectable),
        String(count),
        reasons,
      ];
    },
  );
  const head = ['Operation', 'Data', 'Arms', 'Quotient', 'Interval', 'Difference', 'Smallest that would show', 'Pairs'];
  return ['## Paired differences', grid([...head, 'Missing because'], rows)];
}

function beforeAfterTables(comparisons: RunSummary['comparisons']): string[] {
  const rows = comparisons.map(({ operation, target, arm, baseline, estimate, interval, different, repeats }) => [
    operation,
    targetLabel(target),
    `${arm} ÷ ${baseline}`,
    ratio(estimate),
    interval === null ? '' : ratioRange(interval),
    estimate === null ? '' : differenceWords(different, 'repeat'),
    repeats.join(', '),
  ]);
  const head = ['Operation', 'Data', 'Arms', 'Quotient', 'Interval', 'Difference', 'Repeats'];
  return ['## Before and after', text(ORDER), grid(head, rows)];
}

function limitTable({ analysis }: RunSummary): string[] {
  const known = analysis.limits.filter(({ limits }) => limits.length > 0);
  if (known.length === 0) return [];
  const rows = known.flatMap((one) => {
    const { arm, operation, target, measuredMBps, limits, binding, limitedBy } = one;
    const limit = limits.find(({ name }) => name === (limitedBy ?? binding?.baseline));
    if (limit === undefined) return [];
    const share = limit.efficiency === null ? '' : `${plain(Math.round(limit.efficiency * 100))} %`;
    const none = isBeyond(one) ? 'none: far beyond' : 'none reached; lowest:';
    const said = limitedBy === null ? `${none} ${limitWords(limit.name)}` : limitWords(limit.name);
    return [[operation, targetLabel(target), arm, plain(measuredMBps), said, plain(limit.baselineMBps), share]];
  });
  return [
    '## What limited each arm',
    grid(['Operation', 'Data', 'Arm', 'MB/s', 'Limited by', 'Documented MB/s', 'Reached'], rows),
  ];
}

function stragglerTable({ analysis }: RunSummary): string[] {
  const known = analysis.stragglers.filter(({ readings }) => readings.length > 0);
  if (known.length === 0) return [];
  const rows = known.map((one) => [
    ...[one.operation, targetLabel(one.target), one.arm, one.of ?? ''],
    ...[duration(one.waited.median), duration(one.waited.most), ratio(one.ratio), ratio(one.bytesRatio)],
  ]);
  const head = ['Operation', 'Data', 'Arm', 'Of', 'Wait, median', 'Longest wait', 'Last ÷ first', 'Fastest ÷ slowest'];
  return ['## Stragglers', grid(head, rows)];
}

function claimTable({ analysis, cells }: RunSummary): string[] {
  const { verdicts } = analysis;
  if (verdicts.length === 0 || cells.length === 0) return [];
  const compared = verdicts.filter(({ verdict }) => verdict !== 'not comparable');
  const rows = compared.map(({ claim, verdict, measured, because, errata }) => [
    claim.quantity,
    `${claim.quoted} ${claim.unit ?? ''}`.trim(),
    plain(measured),
    verdict,
    because,
    errata.join('; '),
  ]);
  const others = incomparableByReason(verdicts).map(
    ({ judgements, studies, because }) =>
      `- ${counted(judgements.length, 'figure')} of the ${text(studies.join(', the '))} not comparable: ${text(because)}.`,
  );
  return [
    '## Published figures',
    ...(rows.length === 0 ? [] : [grid(['Figure', 'Published', 'This run', 'Verdict', 'Because', 'Erratum'], rows)]),
    others.join('\n'),
  ];
}

function spaceTable({ space }: RunSummary): string[] {
  if (space.length === 0) return [];
  const rows = space.map(({ target, arm, median, readings, byFreeSpace, freeSpaceReasons }) => {
    const [first] = readings;
    const unread = freeSpaceReasons.map((reason) => `by free space: ${reason}`);
    const reasons = [...new Set([...readings.flatMap(({ reason }) => reason ?? []), ...unread])].join('; ');
    const amounts = [bytes(first?.apparentBytes ?? null), bytes(first?.allocatedBytes ?? null)];
    return [
      targetLabel(target),
      arm,
      ratio(median),
      byFreeSpace === null ? '' : ratio(byFreeSpace),
      ...amounts,
      first?.source ?? '',
      reasons,
    ];
  });
  return [
    '## Space',
    grid(['Asked for', 'Arm', 'Reached', 'By free space', 'Data', 'Space', 'Read back by', 'Missing because'], rows),
  ];
}

function predictedParts({ analysis: { predicted } }: RunSummary): string[] {
  const tables = predictedTables(predicted);
  if (tables.length === 0) return [];
  return [
    '## Predicted against measured',
    ...predictedSentences(predicted).map(text),
    ...tables.flatMap(({ caption, columns, rows }) => [
      text(`${caption}:`),
      grid(
        columns.map(({ label }) => label),
        rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : cell.arm))),
      ),
    ]),
  ];
}

function costTable({ cost, lab }: RunSummary): string[] {
  if (cost.lines.every(({ hourlyUsd }) => hourlyUsd === null)) return [];
  const rows = cost.lines.map(({ item, hourlyUsd, runUsd, reason }) => [
    item,
    hourlyUsd === null ? (reason ?? '') : usd(hourlyUsd),
    lab ? 'nothing' : usd(runUsd),
  ]);
  return ['## Cost', grid(['Item', 'List price an hour', 'This run'], rows)];
}

function grid(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // A column in which no row has anything to say, such as reasons in a run without failures, or data where files are counted, is left out.
  const nothing = (name: string): string[] => (name === 'Data' ? ['', targetLabel(null)] : ['']);
  const used = head.flatMap((name, index) =>
    rows.some((row) => !nothing(name).includes(row[index] ?? '')) ? [index] : [],
  );
  const line = (cells: readonly string[]): string => `| ${used.map((index) => text(cells[index] ?? '')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')).replaceAll('\\', ''), ...rows.map(line)].join('\n');
}

function sentence(parts: Sentence): string {
  return parts.map((part) => (typeof part === 'string' ? text(part) : `**${text(part.arm)}**`)).join('');
}

/** Text with everything that Markdown or HTML would act on made harmless, on one line. */
function text(value: string): string {
  return value
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]#|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** A code span that holds whatever it is given. */
function code(value: string): string {
  const longest = Math.max(0, ...[...value.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = value.includes('`') ? ' ' : '';
  return `${fence}${space}${value.replace(/\s+/g, ' ')}${space}${fence}`;
}

function fenced(value: string): string {
  const longest = Math.max(2, ...[...value.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sh\n${value}\n${fence}`;
}
