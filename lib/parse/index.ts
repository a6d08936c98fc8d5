import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ParseDocument } from '../model/parse';
import { type CommandFile, NO_COMMAND, parseCommandFile } from './command';
import { type Finding, summarize } from './finding';
import { parseIorText } from './ior';
import { isIorCsv, parseIorCsv } from './ior-csv';
import { isIorJson, parseIorJson } from './ior-json';
import { launchProblems } from './launch';
import { type Lines, splitLines } from './lines';

export { type CommandFile, NO_COMMAND, parseCommandFile } from './command';

/** A problem that leaves the figures as good as they are. */
const HARMLESS = new Set(['json_invalid']);

/** How one tool's output is recognised in a text and read. */
interface Parser {
  readonly speaks: (text: string) => boolean;
  readonly parse: (text: string, input: Lines, cmd: CommandFile) => Finding;
}

/** In the order in which they give a mixed log its tool. */
const PARSERS: readonly Parser[] = [
  { speaks: isIorJson, parse: parseIorJson },
  { speaks: isIorCsv, parse: parseIorCsv },
  { speaks: (text) => /MPI Coordinated Test of Parallel I\/O/.test(text) && !isIorJson(text), parse: parseIorText },
];

/**
 * The document of an output.
 * @param file what the document names as its file
 * @param text the output; several runs of several tools in one text give one document
 * @param cmd what is known of the command ({@link parseCommandFile})
 * @param log what the tool said elsewhere: stdout and stderr beside a summary file. Only messages are taken from it.
 */
export function parseText(file: string, text: string, cmd: CommandFile = NO_COMMAND, log = ''): ParseDocument {
  const input = splitLines(text);
  const findings = PARSERS.filter(({ speaks }) => speaks(text)).map(({ parse }) => parse(text, input, cmd));
  const problems = launchProblems(text, [...input.lines, input.tail], cmd);
  const cautions = new Set<string>();
  if (log !== '') {
    const elsewhere = splitLines(log);
    for (const code of launchProblems(log, [...elsewhere.lines, elsewhere.tail], NO_COMMAND)) problems.add(code);
  }
  if (findings.length === 0) problems.add(text.trim() === '' ? 'no_output' : 'no_run_header');
  for (const finding of findings) {
    for (const code of finding.problems) problems.add(code);
    for (const code of finding.cautions) cautions.add(code);
  }
  const samples = findings.flatMap((finding) => finding.samples);
  return {
    schema: 'fsxbench.parse/1',
    file,
    tool: findings[0]?.tool ?? cmd.tool ?? 'unknown',
    version: findings[0]?.version ?? null,
    command: findings.find(({ command }) => command !== null)?.command ?? cmd.command,
    complete: findings.length > 0 && findings.every(({ complete }) => complete),
    valid: ![...problems].some((code) => !HARMLESS.has(code)),
    problems: [...problems].sort(),
    cautions: [...cautions].sort(),
    samples,
    summary: [...summarize(samples), ...findings.flatMap((finding) => finding.summary ?? [])],
    tests: findings.flatMap((finding) => finding.tests),
  };
}

/**
 * Reads a file, the `.cmd` beside it, and for a side file of a tool (`X.summary.json`, `X.json`, `X.csv`) also its log `X.out`.
 * @throws Error of node:fs when the file itself can't be read
 */
export function parseFile(path: string): ParseDocument {
  const text = readFileSync(path, 'utf8');
  const commandPath = besides(path, '.cmd');
  const cmd = commandPath === undefined ? NO_COMMAND : parseCommandFile(readFileSync(commandPath, 'utf8'));
  const logPath = path.endsWith('.out') ? undefined : besides(path, '.out');
  return parseText(path, text, cmd, logPath === undefined ? '' : readFileSync(logPath, 'utf8'));
}

/** `X.cmd` for `X.out` and `X.json`, and for `X.summary.json` when there is no `X.summary.cmd`. */
function besides(path: string, ending: string): string | undefined {
  let stem = basename(path);
  for (let strip = 0; strip < 2; strip += 1) {
    const dot = stem.lastIndexOf('.');
    if (dot <= 0) return undefined;
    stem = stem.slice(0, dot);
    const candidate = join(dirname(path), stem + ending);
    if (existsSync(candidate)) return candidate;
  }
  return undefined;
}
