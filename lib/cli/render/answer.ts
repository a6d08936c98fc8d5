import { resolve } from 'node:path';
import { renderTable } from '../../common/format/text';
import type { RunAnswer } from '../../report/answers';
import type { CliContext } from '../context';
import type { WrittenReport } from '../results/report';
import { outStyled, type Style, type Styled } from './styled';

/** Faults that are named; the report has all. */
const MOST_FAULTS = 3;
const MOST_FINDINGS = 4;

const COLOURS: Readonly<Record<string, Style>> = { VALID: 'green', WARN: 'yellow', INVALID: 'red' };

export type NextStep = readonly [purpose: string, command: string];

/** Prints the outcome of a run: the verdict, the arms side by side, the limit, the report's address and the next step. */
export async function printAnswer(context: CliContext, { page, run }: WrittenReport, next: readonly NextStep[]) {
  const { answerOf } = await import('../../report');
  const { validity, verdict, faults, findings, table, answers } = answerOf(run);
  const lines: Styled[][] = [
    [`${run.run} is done.`],
    [],
    [{ style: COLOURS[validity] ?? 'bold', text: validity }, `  ${verdict}`],
    ...faults.slice(0, MOST_FAULTS).map((fault) => [`  ${fault}`]),
    ...(faults.length > MOST_FAULTS ? [[`  and ${faults.length - MOST_FAULTS} more`]] : []),
    ...findings.slice(0, MOST_FINDINGS).map((finding) => [finding]),
    [],
    ...(table === null ? [] : [[indented(table)]]),
    ...answers.map(([question, words]) => [`${question}: ${words}`]),
    ['Report: ', { file: resolve(page) }],
    // Each command is alone on its line, to be copied.
    ...next.map(([purpose, command]) => [`Next, ${purpose}:\n  ${command}`]),
  ];
  outStyled(
    context,
    lines.flatMap((line): Styled[] => [...line, '\n']),
  );
}

const indented = ({ header, rows }: NonNullable<RunAnswer['table']>): string =>
  renderTable(
    header,
    rows.map((row) => (row.length === 1 ? row : [`  ${row[0]}`, ...row.slice(1)])),
  );

const WIDTH = 100;

/** Breaks a line at spaces where it is wider than a terminal, and indents what follows. */
export function wrapped(line: string): string[] {
  const indent = line.search(/\S/);
  const at = line.lastIndexOf(' ', WIDTH);
  if (line.length <= WIDTH || at <= indent) return [line];
  const margin = ' '.repeat(Math.max(2, indent));
  return [line.slice(0, at), ...wrapped(margin + line.slice(at + 1))];
}

/** A rate with five digits: dividing two of them gives the difference that `renderChange` prints. */
export const renderRate = (value: number | null): string =>
  value === null ? '-' : String(Number(value.toPrecision(5)));

/** `+2.1 %` of a ratio of 1.021. */
export const renderChange = (ratio: number): string =>
  `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(ratio < 2 ? 1 : 0)} %`;

/** `20–45 s`, `2–7 min`, `3–5 h`, `up to 5 min`. */
export function renderRange(low: number, high: number): string {
  const [unit, seconds] = high < 180 ? ['s', 1] : high < 2 * 3600 ? ['min', 60] : ['h', 3600];
  const [min, max] = [Math.floor(low / seconds), Math.ceil(high / seconds)];
  return `${min === 0 ? 'up to ' : `${min}–`}${max} ${unit}`;
}

/** `1 h 05 min`, `4 min 10 s`, `12 s`. */
export function renderDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole >= 3600)
    return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} min`;
  if (whole >= 60) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${whole} s`;
}
