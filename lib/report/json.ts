import { absentMetrics } from '../analysis/metricViews';
import type { RunSummary } from '../analysis/summary';
import { answers, validitySentence } from './answers';
import type { Block, TableField } from './blocks';
import { findings, labSentences } from './findings';
import { isMarked } from './overview';
import { sectionsOf } from './sections';
import { blocksWithoutPage, isQuantity, isShown, plainText, withoutEmptyColumns } from './shown';

type BlockDocument = { readonly kind: Exclude<Block['kind'], 'details'> } & Readonly<Record<string, unknown>>;

/** Blocks for programs, with details that every format shows opened. */
export const blocksJson = (blocks: readonly (Block | null | false)[]): BlockDocument[] =>
  blocks.filter(isShown).flatMap(blockJson);

function blockJson(block: Block): BlockDocument[] {
  switch (block.kind) {
    case 'text':
    case 'heading':
      return plainText(block.text) === '' ? [] : [{ kind: block.kind, text: plainText(block.text).trim() }];
    case 'facts': {
      const facts = block.facts.map(([name, value]) => ({ name: plainText(name), value: plainText(value) }));
      return [{ kind: 'facts', facts: facts.filter(({ value }) => value !== '') }];
    }
    case 'table': {
      const { caption, columns, rows } = withoutEmptyColumns(block);
      const labels = columns.map(({ label }) => plainText(label));
      return [{ kind: 'table', caption, columns: labels, rows: rows.map((row) => row.map(fieldJson)) }];
    }
    case 'charts':
      return [
        { kind: 'charts', charts: block.charts.map(({ id, title, description }) => ({ id, title, description })) },
        ...blocksJson(block.figures ?? []),
      ];
    case 'details':
      return block.everyFormat ? blocksJson(block.blocks) : [];
    case 'list':
      return [{ kind: 'list', items: block.items.map(plainText) }];
    case 'code':
      return [{ kind: 'code', code: block.code }];
    case 'callout':
      return [{ kind: 'callout', title: block.title, lines: block.lines.map(plainText) }];
    case 'issues':
      return [{ kind: 'issues', issues: block.issues }];
  }
}

/** A known number, or `null` with its reason. */
function fieldJson(field: TableField): unknown {
  if (!isQuantity(field)) return plainText(field);
  const { value, reason } = field;
  return value === null && reason ? { value, reason } : value;
}

/** Output of `fsxbench report --json`: the report's figures, and its sections as data. */
export type ReportDocument = ReturnType<typeof toJson>;

/** The report as data. A value that is not known is `null` with a reason next to it. */
export function toJson(run: RunSummary) {
  const { record, ...summary } = run;
  const mark = isMarked(run) ? 'INVALID: ' : '';
  return {
    schema: 'fsxbench.report/1' as const,
    ...summary,
    arms: run.arms.map(({ name, description, deployed }) => ({
      name,
      description,
      /** Mounted file system as the client sees it, if it differs from the description. */
      actually: deployed?.actually ?? null,
      fileSystemId: deployed?.fileSystemId ?? null,
    })),
    findings: findings(run).map((sentence) => `${mark}${plainText(sentence)}`),
    verdict: validitySentence(run),
    answers: answers(run).map(({ question, isResult, sentences }) => ({
      question,
      sentences: sentences.map((sentence) => `${isResult ? mark : ''}${plainText(sentence)}`),
    })),
    caveats: labSentences(run).map(plainText),
    supersededSamples: record.superseded.length,
    absentMetrics: absentMetrics(record),
    environment: record.environment,
    raw: record.raw,
    sections: sectionsOf(run)
      .map(({ blocks, ...section }) => ({ ...section, blocks: blocksJson(blocksWithoutPage(blocks)) }))
      .filter(({ blocks }) => blocks.length > 0),
  };
}
