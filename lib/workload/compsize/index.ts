import type { ParsedSample } from '../../schema/parse';
import type { ParserFinding } from '../common/parse/finding';
import type { Lines } from '../common/parse/lines';
import type { Tool } from '../tool';

const HEADER = /^Type +Perc +Disk Usage +Uncompressed +Referenced *$/;
const ROW = /^(\S+) +(\d+)% +(\d+(?:\.\d+)?)([KMGTPE]?) +(\d+(?:\.\d+)?)([KMGTPE]?) +(\d+(?:\.\d+)?)([KMGTPE]?) *$/;
const POWER = ['', 'K', 'M', 'G', 'T', 'P', 'E'];

/**
 * compsize, which shows what Btrfs compressed (du does not): `bytes` of `allocated`, `uncompressed` and `referenced`; the test is the row,
 * `TOTAL` or a kind of compression. Without -b it rounds: then `low` and `high` bound the value by a digit. A table of rounded figures
 * after one of bytes says nothing new and is left out.
 */
function parseCompsize({ lines }: Lines): ParserFinding {
  const samples: ParsedSample[] = [];
  let exact = false;
  let inTable = false;
  for (const line of lines) {
    if (HEADER.test(line)) inTable = true;
    else if (inTable) {
      const row = ROW.exec(line);
      if (!row) {
        inTable = false;
        continue;
      }
      const rounded = row.slice(3).some((field) => /^[KMGTPE]$/.test(field));
      if (rounded && exact) continue;
      exact ||= !rounded;
      for (const [index, operation] of ['allocated', 'uncompressed', 'referenced'].entries())
        samples.push(sample(operation, row[1] as string, row[3 + 2 * index] as string, row[4 + 2 * index] as string));
    }
  }
  return {
    complete: false,
    incompleteReason: 'compsize prints no end marker',
    problems: samples.length === 0 ? ['no_result_rows'] : [],
    samples,
  };
}

function sample(operation: string, test: string, digits: string, suffix: string): ParsedSample {
  const scale = 1024 ** POWER.indexOf(suffix);
  const step = digits.includes('.') ? 0.1 : 1;
  const at = (value: number) => Math.round(value * scale);
  const bounds = suffix === '' ? {} : { low: at(Number(digits) - step), high: at(Number(digits) + step) };
  return { operation, test, iteration: null, metric: 'bytes', value: at(Number(digits)), unit: 'B', ...bounds };
}

/** compsize, the compression report for Btrfs. It measures space and is not a workload. */
export const compsize: Tool = {
  id: 'compsize',
  formats: [{ recognizes: (text) => text.includes('Disk Usage   Uncompressed Referenced'), parse: parseCompsize }],
};
