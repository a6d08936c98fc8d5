import { appendFileSync } from 'node:fs';

/** One line of the table that `npm run bench` prints. */
export interface Row {
  readonly what: string;
  /** Reference in the same run. @default - an absolute figure */
  readonly against?: string;
  /** `null` if it was not measured. */
  readonly value: number | null;
  readonly unit: '×' | 's' | 'MB' | 'MB/s' | '%';
  /** Bound to keep. @default - for information */
  readonly most?: number;
  readonly least?: number;
  /** Reason for a missing value, or a condition of it. */
  readonly note?: string;
}

/** Adds a row to the table, by way of the file that bench/run.mjs names. */
export function tell(row: Row): void {
  if (process.env.FSXBENCH_ROWS) appendFileSync(process.env.FSXBENCH_ROWS, `${JSON.stringify(row)}\n`);
}
