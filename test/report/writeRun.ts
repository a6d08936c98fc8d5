import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RunRecord } from '../../lib/store/record';

/** Writes a record as the run folder that it stands for; the folder's path. */
export function writeRun(record: RunRecord, folder = mkdtempSync(join(tmpdir(), 'fsxbench-report-'))): string {
  const put = (path: string, text: string): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const json = (path: string, value: unknown): void => {
    if (value !== null) put(path, JSON.stringify(value, null, 2));
  };
  json('plan.json', record.plan);
  json('manifest.json', record.manifest);
  json('status.json', record.status);
  put('samples.jsonl', record.samples.map((sample) => `${JSON.stringify(sample)}\n`).join(''));
  for (const file of record.metrics) json(`metrics/${file.series[0]?.arm ?? 'none'}.json`, file);
  for (const { node, facts } of record.environment) json(`environment/${encodeURIComponent(node)}.json`, facts);
  for (const { path, bytes } of record.raw) put(path, '.'.repeat(bytes));
  return folder;
}
