import { singleLine } from '../common/format/text';
import { NO_VALUE } from '../common/format/units';
import type { Block, Quantity, TableBlock, TableField, Text } from './blocks';

export const isShown = (block: Block | null | false): block is Block => block !== null && block !== false;

export const isQuantity = (field: TableField): field is Quantity =>
  typeof field === 'object' && field !== null && 'value' in field;

/** Formats a number for people, with the text below it, or with the reason why it is missing. */
export function quantityText({ value, text, reason, below }: Quantity): Text {
  if (value === null) return [text, reason && [' ', { soft: reason }]];
  return [text, below && { below }];
}

/** A line without its marks, for programs and for comparisons. */
export function plainText(text: Text): string {
  if (text === null || text === undefined || text === false) return '';
  if (typeof text === 'string') return singleLine(text);
  if (typeof text === 'number') return String(text);
  if (Array.isArray(text)) return text.map(plainText).join('');
  if ('arm' in text) return singleLine(text.arm);
  if ('strong' in text) return plainText(text.strong);
  if ('soft' in text) return plainText(text.soft);
  if ('below' in text) return ` (${plainText(text.below)})`;
  if ('line' in text) return `${plainText(text.line)}; `;
  if ('validity' in text) return text.validity;
  if ('invalid' in text) return 'INVALID ';
  if ('code' in text) return singleLine(text.code);
  if ('id' in text) return singleLine(text.id);
  if ('onPage' in text) return '';
  if ('swatch' in text) return singleLine(text.swatch);
  return plainText((text as { text: Text }).text);
}

/** True if a field has content. A missing number counts; a dash in place of a name does not. */
const hasContent = (field: TableField): boolean => isQuantity(field) || !['', NO_VALUE].includes(plainText(field));

/** The table without its empty columns, such as reasons in a run without failures. */
export function withoutEmptyColumns(table: TableBlock): TableBlock {
  const { columns, rows } = table;
  const used = columns.map((_, index) => rows.some((row) => row.length > 1 && hasContent(row[index])));
  const keep = <T>(list: readonly T[]): T[] => list.filter((_, index) => used[index]);
  return { ...table, columns: keep(columns), rows: rows.map((row) => (row.length > 1 ? keep(row) : row)) };
}

/** Returns the blocks of a section for formats without a page: none if all its content is opened on demand, such as every sample. */
export function blocksWithoutPage(blocks: readonly Block[]): readonly Block[] {
  const isHidden = (block: Block): boolean => block.kind === 'details' && !block.everyFormat;
  return blocks.some(isHidden) && blocks.every((block) => isHidden(block) || block.kind === 'text') ? [] : blocks;
}
