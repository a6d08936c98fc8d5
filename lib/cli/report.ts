import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CsvTable, RunRecord } from '../report';
import { readManifest } from '../run/library';
import { prefixOf } from '../run/runner';
import { type CliContext, printJson } from './context';
import { obtainRun, storeOf } from './runs';

/** Options of `fsxbench report`. */
export interface ReportOptions {
  readonly results: string;
  readonly upload?: boolean;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly csv?: CsvTable;
}

/** `fsxbench report RUN…`: writes `report/index.html` into each run's folder; `--json`, `--markdown` and `--csv` print the same content. */
export async function reportCommand(
  context: CliContext,
  runs: readonly string[],
  options: ReportOptions,
): Promise<void> {
  const { readRun, renderCsv, renderHtml, renderMarkdown, toJson } = await import('../report');
  const documents = [];
  const records: RunRecord[] = [];
  for (const text of runs) {
    const found = await obtainRun(text, options.results);
    const record = await readRun(found.folder);
    const page = join(found.folder, 'report', 'index.html');
    mkdirSync(join(found.folder, 'report'), { recursive: true });
    writeFileSync(page, await renderHtml(record));
    if (options.upload)
      await storeOf(readManifest(found.folder))?.put(`${prefixOf(found)}/report/index.html`, readFileSync(page));
    if (options.json) documents.push(toJson(record));
    else if (options.csv) records.push(record);
    else if (options.markdown) context.out(renderMarkdown(record));
    else context.out(`${page}\n`);
  }
  if (options.csv) context.out(renderCsv(records, options.csv));
  if (options.json) printJson(context, documents.length === 1 ? documents[0] : documents);
}
