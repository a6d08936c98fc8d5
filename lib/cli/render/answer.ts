import { resolve } from 'node:path';
import { renderTable } from '../../common/format/table';
import type { RunAnswer } from '../../report/answer';
import type { CliContext } from '../context';
import type { WrittenReport } from '../results/report';
import { outStyled, type Style, type Styled } from './styled';

/** Faults that are named; the report has all. */
const MOST_FAULTS = 3;
const MOST_FINDINGS = 4;

const COLOURS: Readonly<Record<string, Style>> = { VALID: 'green', WARN: 'yellow', INVALID: 'red' };

/** A likely next task of the user, and the command for it. */
export type NextStep = readonly [purpose: string, command: string];

/** Prints the outcome of a run: the verdict, the arms side by side, the limit, the report's address and the next step. */
export async function printAnswer(
  context: CliContext,
  { page, run }: WrittenReport,
  next: readonly NextStep[],
): Promise<void> {
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

/** Headings in the first column, with their rows indented below them. */
const indented = ({ header, rows }: NonNullable<RunAnswer['table']>): string =>
  renderTable(
    header,
    rows.map((row) => (row.length === 1 ? row : [`  ${row[0]}`, ...row.slice(1)])),
  );
