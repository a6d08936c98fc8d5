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

/** The page's path in the run's folder. */
const PAGE = 'report/index.html';

/** A file to upload, as many bytes as it has now. */
const sizedFile = (path: string) => ({ path, bytes: statSync(path).size });

/** The path of a page, and the run that it shows. */
export interface WrittenReport {
  readonly page: string;
  readonly run: RunSummary;
}

/** Writes to a run's folder, and decides what becomes of an error. */
type Attempt = (write: () => unknown) => void;

const orThrow: Attempt = (write) => void write();

/**
 * Writes the page of a run to its folder, with the figures that `list` shows.
 *
 * @param others folders of runs that some sections show next to it
 * @returns the path of the page, and its record
 */
export async function writePage(
  folder: string,
  others: readonly string[] = [],
  attempt = orThrow,
): Promise<WrittenReport> {
  const { figuresOf, readRun, renderHtml, summariseRun } = await import('../../report');
  const inputs = inputsOf(folder);
  const beside = await Promise.all(others.map(async (other) => summariseRun(await readRun(other))));
  const run = { ...summariseRun(await readRun(folder)), beside: beside.length === 0 ? undefined : beside };
  const page = await renderHtml(run);
  attempt(() => {
    new RunFolder(folder).write(PAGE, page);
    keep(folder, figuresOf(run), inputs);
  });
  return { page: join(folder, PAGE), run };
}

const orSay =
  (context: CliContext): Attempt =>
  (write) => {
    try {
      write();
    } catch (error) {
      context.err(`only printed: ${(error as Error).message}\n`);
    }
  };

/** `fsxbench report RUN…`: writes `report/index.html` to each run's folder, with `list`'s figures; `--json`, `--markdown` and `--csv` only print. */
export async function reportCommand(
  context: CliContext,
  runs: readonly string[],
  options: ReportOptions,
): Promise<readonly WrittenReport[]> {
  const { renderCsv, renderMarkdown, toJson } = await import('../../report');
  const documents = [];
  const tabled: RunSummary[] = [];
  const obtained = [];
  const reports: WrittenReport[] = [];
  const prints = options.json || options.markdown || options.csv !== undefined;
  const attempt = prints && !options.upload ? orSay(context) : orThrow;
  for (const text of runs) obtained.push(await obtainRun(text, options.results));
  for (const found of obtained) {
    const others = obtained.filter((other) => other !== found).map(({ folder }) => folder);
    const written = await writePage(found.folder, others, attempt);
    reports.push(written);
    const { page, run } = written;
    if (options.upload) {
      const store = await storeOf(readManifest(found.folder));
      for (const path of [PAGE, KEPT])
        await store?.put(`${prefixOf(found)}/${path}`, sizedFile(join(found.folder, path)));
    }
    if (options.json) documents.push(toJson(run));
    else if (options.csv) tabled.push(run);
    else if (options.markdown) context.out(renderMarkdown(run));
    else context.out(`${page}\n`);
  }
  if (options.csv) context.out(renderCsv(tabled, options.csv));
  if (options.json) printJson(context, documents.length === 1 ? documents[0] : documents);
  return reports;
}
