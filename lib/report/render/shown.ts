import { NO_VALUE } from '../../kit/format/units';
import type { Block, Quantity, TableBlock, TableField, Text } from '../blocks';

/** Is there anything to show? */
export function isShown(block: Block | null | false): block is Block {
  return block !== null && block !== false;
}

/** True of a number with its words, which is no piece of text. */
export function isQuantity(field: TableField): field is Quantity {
  return typeof field === 'object' && field !== null && 'value' in field;
}

/** How people read a number: with what stands under it, or with the reason why it is missing. */
export function quantityText({ value, text, reason, below }: Quantity): Text {
  if (value === null) return [text, reason && [' ', { soft: reason }]];
  return [text, below && { below }];
}

/** A line without its marks, for programs and for comparisons. */
export function plainText(text: Text): string {
  if (text === null || text === undefined || text === false) return '';
  if (typeof text === 'string' || typeof text === 'number') return String(text);
  if (Array.isArray(text)) return text.map(plainText).join('');
  if ('arm' in text) return text.arm;
  if ('strong' in text) return plainText(text.strong);
  if ('soft' in text) return plainText(text.soft);
  if ('below' in text) return ` (${plainText(text.below)})`;
  if ('code' in text) return text.code;
  if ('id' in text) return text.id;
  if ('swatch' in text) return text.swatch;
  return plainText((text as { text: Text }).text);
}

/** What a field says, to decide whether a column says anything. */
function fieldText(field: TableField): string {
  return plainText(isQuantity(field) ? quantityText(field) : field);
}

/** The table without the columns in which no row says anything, such as reasons where nothing failed. */
export function withoutEmptyColumns(table: TableBlock): TableBlock {
  const { columns, rows } = table;
  const says = (index: number): boolean =>
    rows.some((row) => row.length > 1 && !['', NO_VALUE].includes(fieldText(row[index])));
  const used = columns.map((_, index) => index === 0 || says(index));
  const keep = <T>(list: readonly T[]): T[] => list.filter((_, index) => used[index]);
  return { ...table, columns: keep(columns), rows: rows.map((row) => (row.length > 1 ? keep(row) : row)) };
}
