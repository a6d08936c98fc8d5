import { readFileSync } from 'node:fs';
import type { Measured } from '../workload/kit/measured';
import { failureOf, type Outcome } from './process';

export type { Measured } from '../workload/kit/measured';

/** The bytes of every `BYTES<TAB>PATH` line of `du -B1`. */
function sumOfDu(text: string): number | null {
  const lines = text.split('\n').filter((line) => /^\d+\t/.test(line));
  return lines.length === 0 ? null : lines.reduce((sum, line) => sum + Number(line.slice(0, line.indexOf('\t'))), 0);
}

/** `compsize -b`'s line of all data: type, percent, disk usage, uncompressed, referenced. */
function totalOfCompsize(text: string): { disk: number; uncompressed: number } | null {
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/));
  const row =
    rows.find(([type]) => type === 'TOTAL') ??
    rows.find((cells) => cells.length === 5 && /^\d+%$/.test(cells[1] ?? ''));
  return row ? { disk: Number(row[2]), uncompressed: Number(row[3]) } : null;
}

/** Apparent and allocated bytes and their quotient, from the files of a data directory. */
export function space(apparent: number | null, allocated: number | null, reason: string): Measured[] {
  const ratio = apparent !== null && allocated !== null && allocated > 0 ? apparent / allocated : null;
  const measured = (metric: string, value: number | null, unit: string): Measured => ({
    operation: 'space',
    metric,
    value,
    unit,
    ...(value === null ? { reason } : {}),
  });
  return [
    measured('apparent_bytes', apparent, 'B'),
    measured('allocated_bytes', allocated, 'B'),
    measured('compression_ratio', ratio, '1'),
  ];
}

/** What `du --apparent-size -B1` and `du -B1` said. */
export function spaceFromDu(apparentFile: string, allocatedFile: string, failure: string | null): Measured[] {
  const reason = failure ?? 'du named no file';
  return space(sumOfDu(readFileSync(apparentFile, 'utf8')), sumOfDu(readFileSync(allocatedFile, 'utf8')), reason);
}

/** What `compsize -b` said; `du` does not show compression on Btrfs (facts-tools, section 8). */
export function spaceFromCompsize(file: string, failure: string | null): Measured[] {
  const total = totalOfCompsize(readFileSync(file, 'utf8'));
  return space(total?.uncompressed ?? null, total?.disk ?? null, failure ?? 'compsize printed no total');
}

/** Used and available bytes of a file system from `df -B1 --output=size,used,avail`. */
export function capacityFromDf(text: string): Measured[] {
  const row = text
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .find((cells) => cells.length === 3 && cells.every(Number.isFinite));
  return capacity(row?.[0] ?? null, row?.[1] ?? null, row?.[2] ?? null, 'df printed no figures');
}

/** The same from the `filesystem_summary:` line of `lfs df`, which is in KiB. Exit 0 says nothing there: read the output. */
export function capacityFromLfsDf(text: string): Measured[] {
  const cells = /^filesystem_summary:\s+(\d+)\s+(\d+)\s+(\d+)/m.exec(text);
  const bytes = (index: number): number | null => (cells ? Number(cells[index]) * 1024 : null);
  return capacity(bytes(1), bytes(2), bytes(3), 'lfs df printed no summary');
}

function capacity(size: number | null, used: number | null, free: number | null, reason: string): Measured[] {
  return (
    [
      ['size_bytes', size],
      ['used_bytes', used],
      ['free_bytes', free],
    ] as const
  ).map(([metric, value]) => ({
    operation: 'capacity',
    metric,
    value,
    unit: 'B',
    ...(value === null ? { reason } : {}),
  }));
}

/** The first failure among outcomes, in words; `null` when all went well. */
export function firstFailure(outcomes: readonly Outcome[]): string | null {
  for (const outcome of outcomes) {
    const failure = failureOf(outcome);
    if (failure !== null) return failure;
  }
  return null;
}

/**
 * A value that is not a finite number is none: it becomes `null` with the reason, with all that was computed beside it (the same operation
 * and iteration), and its task has failed. Such a value would be lost in JSON, which has no word for it.
 */
export function finiteOnly<Result extends { readonly measured: readonly Measured[]; readonly failure: string | null }>(
  result: Result,
): Result {
  const place = ({ operation, iteration }: Measured): string => `${operation}\n${iteration ?? ''}`;
  const reasons = new Map(
    result.measured
      .filter(({ value }) => value !== null && !Number.isFinite(value))
      .map((each) => [place(each), `${each.operation} ${each.metric} must be a finite number, got ${each.value}`]),
  );
  if (reasons.size === 0) return result;
  const measured = result.measured.map((each) => {
    const reason = reasons.get(place(each));
    return reason === undefined || each.value === null ? each : { ...each, value: null, reason };
  });
  return { ...result, measured, failure: result.failure ?? ([...reasons.values()][0] as string) };
}
