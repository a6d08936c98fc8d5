import type { Comparison } from '../../analysis/comparisons';
import type { Cell } from '../../analysis/figures/cells';
import { mainRates, rateKinds } from '../../analysis/figures/rates';
import { targetWords } from '../../kit/format/targets';
import { counted, duration, moment, NO_VALUE, plain, ratio, ratioRange, usd } from '../../kit/format/units';
import { type CellContent, type Column, table } from '../../kit/page/layout';
import { html, type Markup } from '../../kit/page/markup';
import type { Issue } from '../../schema/issue';
import { answers, validitySentence } from '../answers';
import { findings, labSentences } from '../findings';
import type { RunSummary } from '../summary';
import { unitWords } from '../words';
import type { Context } from './section';

/** The first screen: what was compared, whether it was AWS, what came out, how far to believe it, the arms side by side. */
export function overview(context: Context): Markup {
  const { summary, look } = context;
  const sentences = findings(summary).filter((sentence) => sentence.length > 0);
  return html`<header>
<p class="kicker">${summary.benchmark}</p>
<h1>${heading(summary)}</h1>
<p class="meta">${meta(summary)}</p>
<ul class="arms">${summary.arms.map(({ name, description }) => html`<li>${look.label(name)} ${description}</li>\n`)}</ul>
</header>
${labNotice(context)}
<p class="verdict ${summary.validity.toLowerCase()}"><a class="badge" href="#validity">${summary.validity}</a> ${validitySentence(summary)}</p>
<div class="findings">
${sentences.map((sentence) => html`<p>${mark(summary)}${look.sentence(sentence)}</p>\n`)}</div>
<dl class="answers">
${answers(summary).map(({ question, isResult, sentences: said }) => html`<div><dt>${question}</dt>${said.map((sentence) => html`<dd>${isResult && mark(summary)}${look.sentence(sentence)}</dd>`)}</div>\n`)}</dl>
${validityBox(summary)}
${sideBySide(context)}`;
}

/** No figure of an INVALID run is shown as a result without this beside it. */
export function mark({ validity, cells }: RunSummary): Markup | null {
  return validity === 'INVALID' && cells.length > 0 ? html`<strong class="mark-invalid">INVALID</strong> ` : null;
}

export function heading({ arms }: RunSummary): string {
  const names = arms.map(({ name }) => name);
  if (names.length < 2) return names[0] ?? 'A run without arms';
  return `${names.slice(0, -1).join(', ')} against ${names.at(-1)}`;
}

function meta({ plan, scale, startedAt, seconds, sessions, interruptedSeconds, run, state }: RunSummary): Markup {
  const parts = [
    plan === null ? null : `${plan} plan`,
    scale === null ? null : `${scale} scale`,
    startedAt === null ? null : moment(startedAt),
    seconds === null ? null : `ran ${duration(seconds)}${sessionWords({ sessions, interruptedSeconds })}`,
    state === null || state === 'done' ? null : state,
  ];
  return html`${parts.filter((part) => part !== null).join(' · ')}<br>run <code>${run}</code>`;
}

/** Of a run that was resumed: in how many sessions it ran, and what lay between them. */
export function sessionWords({
  sessions,
  interruptedSeconds,
}: Pick<RunSummary, 'sessions' | 'interruptedSeconds'>): string {
  return sessions.length < 2
    ? ''
    : ` in ${sessions.length} sessions, with ${duration(interruptedSeconds)} of interruption between them`;
}

function labNotice({ summary, look }: Context): Markup | null {
  const sentences = labSentences(summary);
  if (sentences.length === 0) return null;
  const [first, ...others] = sentences;
  const title = summary.lab ? 'Lab run' : 'Please note';
  return html`<aside class="lab" aria-label="${title}"><p><strong>${title}.</strong> ${look.sentence(first ?? [])}</p>
${others.map((sentence) => html`<p>${look.sentence(sentence)}</p>\n`)}</aside>`;
}

const VALIDITY_WORDS = {
  VALID: 'No error and no warning.',
  WARN: 'Read the figures with the reservations below.',
  INVALID: 'Do not rely on the figures before the errors below are dealt with.',
} as const;

function validityBox({ validity, issues }: RunSummary): Markup {
  const serious = ['error', 'warning'].flatMap((wanted) => issues.filter(({ severity }) => severity === wanted));
  const notes = issues.filter(({ severity }) => severity === 'note');
  return html`<section class="validity ${validity.toLowerCase()}" aria-labelledby="validity">
<h2 id="validity"><span class="badge">${validity}</span> Validity</h2>
<p>${VALIDITY_WORDS[validity]}</p>
${serious.length > 0 && html`<ul class="issues">${serious.map(issueItem)}</ul>`}
${notes.length > 0 && html`<details><summary>${counted(notes.length, 'note')}</summary><ul class="issues">${notes.map(issueItem)}</ul></details>`}
</section>`;
}

function issueItem({ id, severity, message, expected, actual, suggestion }: Issue): Markup {
  return html`<li><strong>${severity}</strong> ${message} <span class="soft">Expected ${expected}; found ${actual}.${suggestion && ` Next: ${suggestion}.`}</span> <code>${id}</code></li>\n`;
}

/** The arms as columns, what was measured as rows, and with two arms their quotient. */
function sideBySide({ summary, look }: Context): Markup | null {
  const { arms, cells, targets, comparisons, space, cost } = summary;
  if (arms.length === 0) return null;
  const [baseline, other] = arms;
  const quotient = arms.length === 2 && baseline && other;
  const columns: Column[] = [
    { label: html`<span class="unseen">What</span>` },
    ...arms.map(({ name }) => ({ label: look.label(name), numeric: true })),
    ...(quotient ? [{ label: html`${other.name} ÷ ${baseline.name}`, numeric: true }] : []),
  ];
  const row = (name: CellContent, values: readonly CellContent[], last: CellContent = ''): CellContent[] => [
    name,
    ...values,
    ...(quotient ? [last] : []),
  ];
  const grouped = (title: string, rowsOf: (target: number | null) => CellContent[][]): CellContent[][] => {
    const found = targets.flatMap(rowsOf);
    return found.length === 0 ? [] : [[title], ...found];
  };
  const rates = mainRates(cells);
  const rateRows = rateKinds(cells).flatMap(({ operation, metric, unit }) =>
    grouped(`${verb(operation)}, ${unitWords({ operation, metric, unit })}`, (target) => {
      const found = arms.map(({ name }) =>
        rates.find(
          (cell) =>
            cell.arm === name && cell.target === target && cell.operation === operation && cell.metric === metric,
        ),
      );
      if (found.every((cell) => cell === undefined)) return [];
      const paired = comparisons.find(
        (one) => one.target === target && one.operation === operation && one.metric === metric,
      );
      return [row(targetWords(target), found.map(medianOf), quotientOf(paired))];
    }),
  );
  const spaceRows = grouped('Compression read back', (target) => {
    const found = arms.map(({ name }) => space.find((cell) => cell.arm === name && cell.target === target));
    if (found.every((cell) => cell === undefined)) return [];
    return [
      row(
        targetWords(target),
        found.map((cell) => (cell?.median ? `${ratio(cell.median)}:1` : NO_VALUE)),
      ),
    ];
  });
  const prices = arms.map(({ name }) => cost.lines.find(({ item }) => item === `File system of ${name}`));
  const priceRow = prices.some((line) => line?.hourlyUsd)
    ? [
        ['List price'],
        row(
          'file system, an hour',
          prices.map((line) => usd(line?.hourlyUsd ?? null)),
        ),
      ]
    : [];
  const rows = [...rateRows, ...spaceRows, ...priceRow];
  if (rows.length === 0) return null;
  const means =
    comparisons[0]?.design === 'before-after' ? 'that of the means over the repeats' : 'the mean over pairs';
  const caption = quotient
    ? `Arms side by side: medians of the samples; the quotient is ${means}, with the interval that holds it`
    : 'Arms side by side: medians of the samples';
  return html`<div class="beside">${table({ caption: summary.validity === 'INVALID' ? `INVALID. ${caption}` : caption, columns, rows })}</div>`;
}

function quotientOf(paired: Comparison | undefined): CellContent {
  const { estimate = null, interval = null } = paired ?? {};
  if (interval === null) return ratio(estimate);
  return html`${ratio(estimate)}<br><span class="soft">${ratioRange(interval)}</span>`;
}

function medianOf(cell: Cell | undefined): CellContent {
  if (cell?.median !== null && cell?.median !== undefined) return plain(cell.median);
  const reason = cell?.samples.find((sample) => sample.reason !== null)?.reason ?? 'no sample';
  return html`${NO_VALUE}<br><span class="soft">${reason}</span>`;
}

function verb(operation: string): string {
  return operation.charAt(0).toUpperCase() + operation.slice(1).replaceAll('_', ' ');
}
