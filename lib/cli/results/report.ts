import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { CsvTable, RunSummary } from '../../report';
import { readManifest } from '../../store/documents';
import { RunFolder } from '../../store/folder';
import { inputsOf, KEPT, keep } from '../../store/library';
import { prefixOf } from '../../store/record';
import { type CliContext, printJson } from '../context';
import { obtainRun, storeOf } from './runs';

export interface ReportOptions {
  readonly results: string;
  readonly upload?: boolean;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly csv?: CsvTable;
}

const PAGE = 'report/index.html';

const sizedFile = (path: string) => ({ path, bytes: statSync(path).size });

export interface WrittenReport {
  readonly page: string;
  readonly run: RunSummary;
}

/** Writes the page of a run to its folder, with the figures that `list` shows. @param others folders of runs next to it @param refused takes an error */
export async function writePage(folder: string, others: readonly string[] = [], refused?: (error: Error) => void) {
  const { figuresOf, readRun, renderHtml, summariseRun } = await import('../../report');
  const inputs = inputsOf(folder);
  const beside = await Promise.all(others.map(async (other) => summariseRun(await readRun(other))));
  const run = { ...summariseRun(await readRun(folder)), beside: beside.length === 0 ? undefined : beside };
  const page = await renderHtml(run);
  try {
    new RunFolder(folder).write(PAGE, page);
    keep(folder, figuresOf(run), inputs);
  } catch (error) {
    if (refused === undefined) throw error;
    refused(error as Error);
  }
  return { page: join(folder, PAGE), run };
}

/** `fsxbench report RUN…`: writes `report/index.html` to each run's folder, with `list`'s figures; `--json`, `--markdown` and `--csv` only print. */
export async function reportCommand(context: CliContext, runs: readonly string[], options: ReportOptions) {
  const { renderCsv, renderMarkdown, toJson } = await import('../../report');
  const obtained = [];
  const reports: WrittenReport[] = [];
  const prints = options.json || options.markdown || options.csv !== undefined;
  const say = (error: Error): void => context.err(`only printed: ${error.message}\n`);
  for (const text of runs) obtained.push(await obtainRun(text, options.results));
  for (const found of obtained) {
    const others = obtained.filter((other) => other !== found).map(({ folder }) => folder);
    const written = await writePage(found.folder, others, prints && !options.upload ? say : undefined);
    reports.push(written);
    if (options.upload) {
      const store = await storeOf(readManifest(found.folder));
      for (const path of [PAGE, KEPT])
        await store?.put(`${prefixOf(found)}/${path}`, sizedFile(join(found.folder, path)));
    }
    if (options.markdown) context.out(renderMarkdown(written.run));
    else if (!prints) context.out(`${written.page}\n`);
  }
  const summaries = reports.map(({ run }) => run);
  if (options.csv) context.out(renderCsv(summaries, options.csv));
  if (options.json)
    printJson(
      context,
      summaries.length === 1 ? toJson(summaries[0] as RunSummary) : summaries.map((run) => toJson(run)),
    );
  return reports;
}
