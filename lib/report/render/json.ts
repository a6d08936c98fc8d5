import type { Block, TableField } from '../blocks';
import { isQuantity, isShown, plainText, withoutEmptyColumns } from './shown';

/** A block for programs: words without marks, numbers as numbers, charts by their descriptions. */
export type BlockDocument = { readonly kind: Exclude<Block['kind'], 'details'> } & Readonly<Record<string, unknown>>;

/** Blocks for programs: details opened that are told. */
export const blocksJson = (blocks: readonly (Block | null | false)[]): BlockDocument[] =>
  blocks.filter(isShown).flatMap(blockJson);

function blockJson(block: Block): BlockDocument[] {
  switch (block.kind) {
    case 'text':
    case 'heading':
      return plainText(block.text) === '' ? [] : [{ kind: block.kind, text: plainText(block.text).trim() }];
    case 'facts':
      return [
        {
          kind: 'facts',
          facts: block.facts
            .map(([name, value]) => ({ name: plainText(name), value: plainText(value) }))
            .filter(({ value }) => value !== ''),
        },
      ];
    case 'table': {
      const { caption, columns, rows } = withoutEmptyColumns(block);
      return [
        {
          kind: 'table',
          caption,
          columns: columns.map(({ label }) => plainText(label)),
          rows: rows.map((row) => row.map(fieldJson)),
        },
      ];
    }
    case 'charts':
      return [
        { kind: 'charts', charts: block.charts.map(({ id, title, description }) => ({ id, title, description })) },
        ...blocksJson([...(block.beside ?? []), ...(block.figures ?? [])]),
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

/** A number where there is one; a missing one is `null` with its reason. */
function fieldJson(field: TableField): unknown {
  if (!isQuantity(field)) return plainText(field);
  const { value, reason } = field;
  return value === null && reason ? { value, reason } : value;
}
