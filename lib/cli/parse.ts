import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { printable, renderTable, shellWord } from '../common/format/text';
import { parseFile, parseText } from '../parse';
import { explained } from '../parse/codes';
import { textOf } from '../parse/file';
import { describeRecorded, recordedIn } from '../parse/recorded';
import type { ParseDocument, ParsedSummary } from '../schema/parse';
import { summarize } from '../workload/common/parse/finding';
import { RECORDER } from '../workload/registry';
import { type CliContext, printJson, Unsuccessful, UsageError } from './context';

const STDIN = '-';

/** `fsxbench parse FILE…`: exit status 1 for a file without output of a known tool. Incomplete or invalid output is a result, with status 0. */
export function parseCommand(context: CliContext, files: readonly string[], options: { json?: boolean }): void {
  for (const file of files) {
    if (file === STDIN) continue;
    if (!existsSync(file))
      throw new UsageError(`there is no file '${file}': name the output of a tool (parse --help names them)`);
    const found = statSync(file);
    // <(command) in a shell is a pipe.
    if (!found.isFile() && !found.isFIFO()) throw new UsageError(`'${file}' is not a file: name the raw output itself`);
  }
  const documents = files.map((file) => (file === STDIN ? parseText(STDIN, textOf(0)) : documentOf(file)));
  const known = documents.filter(({ tool }) => tool !== 'unknown');
  if (options.json) printJson(context, documents.length === 1 ? documents[0] : documents);
  else context.out(`${renderDocuments(known)}${programsIn(documents).join('')}`);
  const foreign = documents.filter((one) => !known.includes(one)).map(({ file }) => printable(file));
  if (foreign.length > 0)
    throw new Unsuccessful(
      `${foreign.join(', ')}: not the output of a tool that fsxbench reads (parse --help names them)`,
    );
}

/** @throws UsageError for a file that the system does not let be read */
function documentOf(file: string): ParseDocument {
  try {
    return parseFile(file);
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw new UsageError(`'${file}' cannot be read: ${message}`);
    throw error;
  }
}

/** The programs that files describe, each with the command that drives the same. */
function programsIn(documents: readonly ParseDocument[]): string[] {
  return documents.flatMap(({ file, tool, complete }) => {
    if (!complete || tool !== RECORDER.tool.id) return [];
    try {
      const words = describeRecorded(recordedIn(file));
      return [
        `\n${basename(file)}: ${words}\nTo replay it with IOR: npx fsxbench run --on DIRECTORY --like ${shellWord(file)}\n`,
      ];
    } catch (error) {
      return [`\n${basename(file)}: cannot be replayed: ${error instanceof Error ? error.message : String(error)}\n`];
    }
  });
}

/** The main metrics; the others are in `--json`. Latencies of completion are fio's, the result of small random requests. */
const SHOWN = /^(?:throughput|(?:file_|rank0_)?operations|seconds|bytes|completion_latency(?:_p[\d.]+)?)$/;
const HEADINGS = ['operation', 'test', 'metric', 'n', 'min', 'mean', 'max', 'stddev', 'unit'] as const;

const WORDS: ReadonlySet<string> = new Set(['operation', 'test', 'metric', 'unit']);

/** Documents as text tables: a heading with the verdict, then one line per operation, test and metric. Ends with a newline. */
export const renderDocuments = (documents: readonly ParseDocument[]): string =>
  documents.map((document) => `${renderDocument(document)}\n`).join('\n');

function renderDocument(document: ParseDocument): string {
  const { file, tool, version, command, problems, cautions, summary } = document;
  const head = [`${basename(file)}: ${[tool, version].filter(Boolean).join(' ')}, ${verdict(document)}`];
  if (command !== null) head.push(`  command   ${command.split('\n', 1)[0]}`);
  for (const code of problems) head.push(`  problem   ${explained(code)}`);
  for (const code of cautions) head.push(`  caution   ${explained(code)}`);
  if (document.incompleteReason !== undefined) head.push(`  why       ${document.incompleteReason}`);
  const ofIterations = summarize(document.samples);
  const lines = summary.filter(({ metric }) => SHOWN.test(metric)).map((line) => wholeIterations(line, ofIterations));
  if (lines.some(overRanks))
    head.push(
      '  note      n is ranks × iterations, each rank by its own clock; this output has no rates of whole iterations',
    );
  const derived = document.samples.find(({ value, reason }) => value !== null && reason !== undefined);
  if (derived !== undefined) head.push(`  note      ${derived.metric} is ${derived.reason}`);
  if (lines.length === 0) return [...head, '  no figures'].join('\n');
  const manyTests = new Set(lines.map(({ test }) => test)).size > 1;
  const columns = HEADINGS.filter((heading) => heading !== 'test' || manyTests);
  const rows = lines.map((line) => columns.map((heading) => cell(line, heading)));
  const table = renderTable(columns, rows, (column) => !WORDS.has(columns[column] as string));
  return `${head.join('\n')}\n${table.trimEnd().replaceAll(/^/gm, '  ')}`;
}

/** True of a tool's statistics over single ranks, whose fastest says nothing about all of them together. */
const overRanks = ({ basis }: ParsedSummary): boolean => basis === 'ranks x iterations';

/** The statistics over iterations, if the tool's own are over ranks and the output has both. */
function wholeIterations(line: ParsedSummary, ofIterations: readonly ParsedSummary[]): ParsedSummary {
  const same = ({ operation, test, metric }: ParsedSummary): boolean =>
    operation === line.operation && test === line.test && metric === line.metric;
  return (overRanks(line) ? ofIterations.find(same) : undefined) ?? line;
}

function verdict({ complete, incompleteReason, samples, valid }: ParseDocument): string {
  // Without an end marker a whole output looks like a truncated one.
  const unmarked = incompleteReason !== undefined && samples.length > 0;
  return `${complete ? 'complete' : unmarked ? 'end unknown' : 'incomplete'}, ${valid ? 'valid' : 'not valid'}`;
}

function cell(line: ParsedSummary, heading: (typeof HEADINGS)[number]): string {
  if (heading === 'n') return String(line.count);
  const value = line[heading];
  return heading === 'test' || typeof value === 'string' ? String(value ?? '') : number(value, line.unit);
}

/** Three decimals below 100, two below 10,000, none above; three digits of a short time; bytes and missing figures unchanged. */
function number(value: number | null, unit: ParsedSummary['unit']): string {
  if (value === null) return '-';
  if (unit === 'B') return String(Math.round(value));
  const size = Math.abs(value);
  if (unit === 's' && size > 0 && size < 0.1) return value.toFixed(2 - Math.floor(Math.log10(size)));
  return value.toFixed(size < 100 ? 3 : size < 10_000 ? 2 : 0);
}
