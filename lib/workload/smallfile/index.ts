import type { ParseDocument, ParsedSample, ParsedTest } from '../../schema/parse';
import { type ParserFinding, summarize } from '../common/parse/finding';
import { type Json, object, objectsIn } from '../common/parse/json';
import { codeOfErrno } from '../common/parse/launch';
import type { Lines } from '../common/parse/lines';
import type { Tool } from '../tool';
import {
  describeResult,
  isSmallfile,
  parseSmallfile,
  type SmallfileFigure,
  type SmallfileResult,
  samplesOf,
} from './text';

/** Up to 3.1 of 2021 the keys have hyphens, then underscores and capitals (smallfile, smf_test_params.py and output_results.py). */
const START = /\{\s*"params"\s*:\s*\{\s*"host[-_]?[sS]et"\s*:/;

const isSmallfileJson = (text: string): boolean => text.includes('"params"') && START.test(text);

/**
 * smallfile's `--output-json`, one file a run; several in one text are read in turn. Its rates are sums over the threads, each by its own
 * clock. A run that failed has rates of 0, which are printed figures of an output that is not valid.
 */
function parseSmallfileJson(input: Lines): ParserFinding {
  const problems = new Set<string>();
  const cautions = new Set<string>();
  const results: SmallfileResult[] = [];
  for (const { document } of objectsIn(input, START)) {
    if (document === undefined) {
      problems.add('truncated');
      continue;
    }
    const outcome = plainKeys(object(document.results));
    const params = plainKeys(object(document.params));
    const { status } = outcome;
    if (typeof status === 'string' && status !== 'Success') problems.add(codeOfErrno(status));
    if (!hasResults(outcome)) problems.add('no_result_rows');
    const result = resultOf(params, outcome);
    if (isShort(params, result)) problems.add('threads_missing');
    for (const code of cautionsOf(outcome)) cautions.add(code);
    results.push(result);
  }
  return {
    version: results[0]?.version ?? null,
    complete: !['truncated', 'no_result_rows', 'threads_missing'].some((code) => problems.has(code)),
    problems,
    cautions,
    samples: results.flatMap(samplesOf),
    tests: results.map(describeResult),
  };
}

/** Keys without hyphens, underscores and capitals, which changed. */
const plainKeys = (json: Json): Json =>
  Object.fromEntries(Object.entries(json).map(([key, value]) => [key.replace(/[-_]/g, '').toLowerCase(), value]));

function resultOf(params: Json, results: Json): SmallfileResult {
  const figure = (value: unknown, scale = 1): SmallfileFigure | undefined => {
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isFinite(value)) return { value: value * scale };
    return { value: null, reason: `printed as ${String(value).slice(0, 40)}` };
  };
  const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null);
  const hosts = typeof params.hostset === 'string' ? params.hostset.split(',').length : 1;
  const figures: Record<string, SmallfileFigure | undefined> = {
    operations: figure(results.filespersec),
    io_operations: figure(results.iops),
    throughput: figure(results.mibps),
    seconds: figure(results.elapsed),
    bytes: figure(results.totaldatagb, 2 ** 30),
    files: figure(results.files),
  };
  return {
    operation: typeof params.operation === 'string' ? params.operation : 'unknown',
    version: typeof params.version === 'string' ? params.version : null,
    began: typeof results.date === 'string' ? results.date : null,
    // The newer form has a slip of the pen.
    threads: number(results.totalthreads ?? results.totalhreads),
    hosts,
    filesPerThread: number(params.filesperthread),
    recordKiB: null,
    fileKiB: number(params.filesize),
    figures,
  };
}

/** Every figure that the tool writes is there: those of requests where there were some. */
function hasResults(results: Json): boolean {
  const always = [results.filespersec, results.elapsed, results.files, results.totalthreads ?? results.totalhreads];
  const requests = Number(results.records) > 0 ? [results.iops, results.mibps, results.totaldatagb] : [];
  return ![...always, ...requests].includes(undefined);
}

/** Fewer threads answered than were started on the hosts. */
const isShort = (params: Json, { threads, hosts }: SmallfileResult): boolean =>
  threads !== null && typeof params.threads === 'number' && threads < params.threads * hosts;

/** Returns warnings that the tool's text has and its JSON lacks (smallfile, output_results.py, and pct_files_min of smallfile.py). */
function cautionsOf({ status, elapsed, pctfilesdone: share }: Json): string[] {
  const short = typeof elapsed === 'number' && elapsed < 0.001;
  const few = status === 'Success' && typeof share === 'number' && share < 70;
  return [...(short ? ['too_short'] : []), ...(few ? ['few_files_measured'] : [])];
}

/** Half of the millisecond to which smallfile's text rounds, and what floating point leaves. */
const ROUNDING_SECONDS = 0.0005 + 1e-9;

/**
 * A log with the unrounded figures from its tool's files, one per run. A file belongs to the first run of its operation with the same threads, files
 * and time; other runs keep the log's figures.
 *
 * @param sides the documents of those files, in any order; other tools' are ignored
 */
export function exactFigures(log: ParseDocument, sides: readonly ParseDocument[]): ParseDocument {
  if (log.tests.some(({ tool }) => tool !== 'smallfile')) return log;
  const unused = new Set(
    sides.filter(({ tool, complete, tests }) => tool === 'smallfile' && complete && tests.length === 1),
  );
  let samples = log.samples;
  const found: ParseDocument[] = [];
  const tests = log.tests.map((test) => {
    // Times of `time` around the run also have its number, and come behind it.
    const operation = samples.find((sample) => sample.test === test.test)?.operation;
    const rounded = samples.filter((sample) => sample.test === test.test && sample.operation === operation);
    const side = [...unused].find((one) => isOfRun(one, test, rounded));
    if (side === undefined) return test;
    unused.delete(side);
    found.push(side);
    const exact = side.samples.map((sample) => ({ ...sample, test: test.test }));
    const at = samples.indexOf(rounded[0] as ParsedSample);
    const rest = samples.filter((sample) => !rounded.includes(sample));
    samples = [...rest.slice(0, at), ...exact, ...rest.slice(at)];
    return { ...test, began: side.tests[0]?.began ?? null };
  });
  if (found.length === 0) return log;
  const figuresFrom = found.length === 1 ? (found[0] as ParseDocument).file : log.file.replace(/out$/, '*.json');
  return { ...log, figuresFrom, samples, summary: summarize(samples), tests };
}

function isOfRun({ samples, tests }: ParseDocument, test: ParsedTest, rounded: readonly ParsedSample[]): boolean {
  const value = (of: readonly ParsedSample[], metric: string) => of.find((one) => one.metric === metric)?.value ?? null;
  const [mine, theirs] = [value(rounded, 'seconds'), value(samples, 'seconds')];
  return (
    rounded[0]?.operation === samples[0]?.operation &&
    test.tasks === tests[0]?.tasks &&
    value(rounded, 'files') === value(samples, 'files') &&
    mine !== null &&
    theirs !== null &&
    Math.abs(mine - theirs) <= ROUNDING_SECONDS
  );
}

export const smallfile: Tool = {
  id: 'smallfile',
  formats: [
    { recognizes: isSmallfile, parse: parseSmallfile },
    { recognizes: isSmallfileJson, parse: parseSmallfileJson, form: 'json' },
  ],
  program: 'smallfile_cli\\.py',
};
