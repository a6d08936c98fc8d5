import type { RunSummary } from '../analysis/summary';
import { singleLine } from '../common/format/printable';
import type { Validity } from '../schema/issue';
import { answers, validitySentence } from './answers';
import type { TableField, Text } from './blocks';
import { findings } from './findings';
import { isMarked, sideBySide } from './overview';
import { isQuantity, plainText, quantityText } from './render/shown';

/** Result of a run in the brevity of a terminal: the top of its report. */
export interface RunAnswer {
  readonly validity: Validity;
  readonly verdict: string;
  /** Reasons why the run is less than valid. */
  readonly faults: readonly string[];
  /** Findings in sentences; an INVALID run has none. */
  readonly findings: readonly string[];
  /** Arms side by side; `null` where nothing was measured. A row of one cell is a heading. */
  readonly table: { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] } | null;
  /** Bottleneck and cost. */
  readonly answers: readonly (readonly [question: string, words: string])[];
}

const TOLD: readonly string[] = ['What limited it', 'Cost'];

export function answerOf(run: RunSummary): RunAnswer {
  const table = sideBySide(run);
  return {
    validity: run.validity,
    verdict: singleLine(validitySentence(run)),
    faults: run.issues.flatMap(({ severity, message }) =>
      severity === 'note' ? [] : [singleLine(`${severity}: ${message}`)],
    ),
    findings: isMarked(run) ? [] : findings(run).map((sentence: Text) => plainText(sentence)),
    table: table && {
      header: table.columns.map(({ label }) => plainText(label)),
      rows: table.rows.map((row) => row.map(fieldText)),
    },
    answers: answers(run).flatMap(({ question, isResult, sentences }) =>
      TOLD.includes(question) && !(isResult && isMarked(run))
        ? [[question, sentences.map((sentence: Text) => plainText(sentence)).join(' ')] as const]
        : [],
    ),
  };
}

const fieldText = (field: TableField): string => plainText(isQuantity(field) ? quantityText(field) : field);
