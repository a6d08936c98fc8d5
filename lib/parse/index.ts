import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ParseDocument, ParsedSummary, ParsedTest } from '../schema/parse';
import { type CommandFile, NO_COMMAND } from '../workload/kit/parse/command';
import { type ParserFinding, summarize, testOf } from '../workload/kit/parse/finding';
import { LaunchProblems } from '../workload/kit/parse/launch';
import { firstMatch, LARGEST, type Lines, splitLines, UNREADABLE } from '../workload/kit/parse/lines';
import type { RecordedWork } from '../workload/kit/recorded';
import { TOOLS, toolNamed } from '../workload/lookup';
import type { BinaryOutput, OutputFormat, Tool } from '../workload/tool';
import { parseCommandFile } from './commandFile';
import { linesOf, READ_BOUNDS, textOf } from './file';

export { type CommandFile, NO_COMMAND } from '../workload/kit/parse/command';
export { TooLarge } from '../workload/kit/parse/lines';
export { parseCommandFile } from './commandFile';

/** Problems that do not invalidate the figures. */
const HARMLESS = new Set(['json_invalid']);

const NOTHING = splitLines('');

const NUL = String.fromCharCode(0);

/** A format with the id of its tool. */
type Format = OutputFormat & { readonly tool: string };

/** Tools in the order in which they claim a mixed log. */
const formatsOf = (tools: readonly Tool[]): readonly Format[] =>
  tools.flatMap(({ id: tool, output }) => output?.formats.map((format) => ({ ...format, tool })) ?? []);

/** The only tool that ran, if known. @throws Error for an unknown tool */
function toolsToRead(only: string | undefined): readonly Tool[] {
  return only === undefined ? TOOLS : [toolNamed(only)];
}

/**
 * Parses an output into a document.
 * @param file what the document names as its file
 * @param text the output; several runs of several tools in one text give one document
 * @param cmd what is known of the command (`parseCommandFile`)
 * @param log the tool's other output: stdout and stderr beside a summary file. Only messages are read from it.
 * @param only the only tool that ran: figures of other tools in the text are ignored
 * @throws Error for an `only` that is not in lib/workload/registry.ts; never for an output
 */
export function parseText(
  file: string,
  text: string,
  cmd: CommandFile = NO_COMMAND,
  log = '',
  only?: string,
): ParseDocument {
  return parseLines(file, splitLines(text), cmd, splitLines(log), only);
}

/** Parses lines like {@link parseText}. @throws TooLarge for a large output that can only be read in one piece, or with too many figures */
function parseLines(file: string, input: Lines, cmd: CommandFile, log: Lines, only?: string): ParseDocument {
  const launched = new LaunchProblems(cmd);
  const { findings, hasNul } = findingsIn(input, formatsOf(toolsToRead(only)), cmd, launched);
  for (const part of log.parts()) launched.read(part);
  const problems = launched.codes;
  const cautions = new Set<string>();
  if (findings.length === 0) problems.add(firstMatch(input, /\S/) === null ? 'no_output' : 'no_run_header');
  for (const code of findings.flatMap(({ replaces }) => replaces ?? [])) problems.delete(code);
  for (const finding of findings) {
    for (const code of finding.problems) problems.add(code);
    for (const code of finding.cautions ?? []) cautions.add(code);
  }
  if (hasNul) problems.add('nul_bytes');
  if (findings.some(hasNonsense)) problems.add('nonsense_rates');
  // `X.du.txt` shares the `.cmd` of the preceding run: its exit status applies, but its command is not du's.
  const isOfAnother = findings.length > 0 && cmd.tool !== null && findings.every(({ tool }) => tool !== cmd.tool);
  const samples = findings.flatMap((finding) => finding.samples);
  return {
    schema: 'fsxbench.parse/1',
    file,
    tool: only ?? findings[0]?.tool ?? cmd.tool ?? spoken(input),
    version: findings[0]?.version ?? null,
    command: findings.flatMap(({ command }) => command ?? [])[0] ?? (isOfAnother ? null : cmd.command),
    complete: findings.length > 0 && findings.every(({ complete }) => complete),
    ...(findings.length === 0 && firstMatch(input, /Writing output to /) !== null
      ? { incompleteReason: 'the results are in the file that the output names: parse that' }
      : reasonOf(findings)),
    valid: ![...problems].some((code) => !HARMLESS.has(code)),
    problems: [...problems].sort(),
    cautions: [...cautions].sort(),
    samples,
    summary: summaryOf(findings),
    tests: findings.flatMap((finding) => finding.tests),
  };
}

/** Findings of the parsers in an output, and whether it has a NUL. Gives `launched` each part in which launchers may have printed. */
function findingsIn(input: Lines, formats: readonly Format[], cmd: CommandFile, launched: LaunchProblems) {
  // A document says what it is at its beginning.
  const opening = firstPart(input).slice(0, OVERLAP);
  const first = /^\s*\{/.test(opening)
    ? formats.find(({ byElement, recognizes }) => byElement && recognizes(opening))
    : undefined;
  const alone = first?.parse(input, cmd);
  if (first !== undefined && alone?.fills) return { findings: [found(first.tool, alone)], hasNul: false };
  const isJson = input.json !== undefined;
  const possible = formats.filter(({ ofJson }) => !isJson || ofJson);
  const whole = possible.find(({ ofWhole, recognizes }) => ofWhole && recognizes(input.end.text));
  if (whole !== undefined) return { findings: [found(whole.tool, whole.parse(input, cmd))], hasNul: false };
  const { recognized, hasNul } = recognizedIn(
    isJson ? splitLines(opening) : input,
    possible,
    // Launchers print lines.
    isJson ? null : launched,
  );
  const findingOf = (format: Format) => (format === first && alone !== undefined ? alone : format.parse(input, cmd));
  return { findings: recognized.map((format) => found(format.tool, findingOf(format))), hasNul };
}

/** Text that is repeated before each part of a large output, since a head of several lines may be cut. */
const OVERLAP = 8192;

/** The formats that occur in an output, and whether a NUL does, as in a file with holes. Gives each part to `launched`, too. */
function recognizedIn(
  input: Lines,
  formats: readonly Format[],
  launched: LaunchProblems | null,
): { recognized: readonly Format[]; hasNul: boolean } {
  const found = new Set<Format>();
  let before = '';
  let hasNul = false;
  for (const lines of input.parts()) {
    launched?.read(lines);
    const { text } = lines;
    hasNul ||= text.includes(NUL);
    const part = before + text;
    for (const format of formats) if (!found.has(format) && format.recognizes(part)) found.add(format);
    before = part.length <= OVERLAP ? part : part.slice(part.indexOf('\n', part.length - OVERLAP));
  }
  const taken = new Set([...found].map(({ recognizes }) => recognizes));
  const recognized = formats.filter(
    (format) => found.has(format) && !(format.unless !== undefined && taken.has(format.unless)),
  );
  return { recognized, hasNul };
}

/** Findings of a tool's parser with all that it left out. */
interface Found extends Omit<ParserFinding, 'problems' | 'tests'> {
  readonly tool: string;
  readonly problems: readonly string[];
  readonly tests: readonly ParsedTest[];
}

function found(tool: string, finding: ParserFinding): Found {
  // Hundreds of digits are no number to compute with.
  const samples = finding.samples.map((sample) =>
    sample.value === null || Number.isFinite(sample.value) ? sample : { ...sample, value: null, reason: UNREADABLE },
  );
  const tests = (finding.tests ?? []).map((test) => testOf(tool, test));
  return { ...finding, tool, samples, tests, problems: [...finding.problems] };
}

/** True for a figure that no tool can mean: negative, impossibly large, or no number. */
function hasNonsense({ samples, summary = [] }: Found): boolean {
  return (
    samples.some(({ value, reason }) => !((value ?? 0) >= 0 && (value ?? 0) <= LARGEST) || reason === UNREADABLE) ||
    summary.some(({ reason }) => reason === UNREADABLE)
  );
}

/** Identifies a tool that printed only errors by its usage or error messages; the first match wins. */
function spoken(input: Lines): string {
  for (const { text } of input.parts()) {
    const said = TOOLS.flatMap(({ id, output }) => {
      const at = output?.complaint?.exec(text)?.index;
      return at === undefined ? [] : [{ id, at }];
    });
    const [first] = said.sort((a, b) => a.at - b.at);
    if (first !== undefined) return first.id;
  }
  return 'unknown';
}

function reasonOf(findings: readonly Found[]): { incompleteReason?: string } {
  const saidAlready = (code: string) => /^(?:no_|missing_|truncated|csv_without)/.test(code);
  const reason = findings.find(
    ({ complete, incompleteReason, problems }) =>
      !complete && incompleteReason !== undefined && !problems.some(saidAlready),
  );
  return reason === undefined ? {} : { incompleteReason: reason.incompleteReason };
}

/** A tool's own statistics come first and replace those of its samples, so that each operation, test and metric has one line. */
function summaryOf(findings: readonly Found[]): ParsedSummary[] {
  const printed = findings.flatMap((finding) => finding.summary ?? []);
  const key = ({ operation, test, metric }: ParsedSummary) => `${operation}\n${test}\n${metric}`;
  const made = summarize(findings.flatMap(({ samples }) => samples));
  if (printed.length === 0) return made;
  const taken = new Set(printed.map(key));
  return [...printed, ...made.filter((line) => !taken.has(key(line)))];
}

/** Files with the figures of `X.out` if the tool wrote them elsewhere (IOR's summaryFile, fio's --output). */
const SIDE_FILES = ['.summary.json', '.json', '.summary.csv', '.csv', '.summary.txt'];

/**
 * Reads a file, the `.cmd` beside it, and for a side file of a tool (`X.summary.json`, `X.json`, `X.csv`) also its log `X.out`. An `X.out`
 * in which no run began is read together with such a side file, which the document then names in `figuresFrom`; so is one of smallfile,
 * which rounds in its text and writes a JSON file for each run (`X.json`, `X.0.json` …).
 * @param only as for {@link parseText}
 * @throws Error of node:fs if the file itself can't be read
 * @throws TooLarge if it, or a file beside it, can't be read within bounded memory
 */
export function parseFile(path: string, only?: string, bounds = READ_BOUNDS): ParseDocument {
  const binary = binaryOf(path);
  if (binary !== null) return parseText(path, printed(path, binary), SUCCEEDED, '', only);
  const input = linesOf(path, bounds);
  const commandPath = besides(path, '.cmd');
  const cmd = commandPath === undefined ? NO_COMMAND : parseCommandFile(textOf(commandPath));
  const logPath = path.endsWith('.out') ? undefined : besides(path, '.out');
  const document = parseLines(path, input, cmd, logPath === undefined ? NOTHING : linesOf(logPath), only);
  if (!path.endsWith('.out')) return document;
  if (isWithoutRun(document)) return elsewhere(path, input, cmd, only) ?? document;
  const { withSideFiles } = TOOLS.find(({ id }) => id === document.tool)?.output ?? {};
  return withSideFiles?.(document, sidesOf(path)) ?? document;
}

/**
 * The work of a user's own program that a file describes.
 * @throws Error for a file that describes none, or not enough
 */
export function recordedIn(path: string): RecordedWork {
  const binary = binaryOf(path);
  const input = binary === null ? linesOf(path) : splitLines(printed(path, binary));
  const begin = firstPart(input);
  const tool = TOOLS.find(
    ({ recorded, output }) => recorded && output?.formats.some(({ recognizes }) => recognizes(begin)),
  );
  if (tool?.recorded === undefined) {
    const known = TOOLS.flatMap(({ id, recorded }) => (recorded ? [id] : [])).join(', ');
    throw new Error(`'${path}' is not a record of a program by ${known}`);
  }
  return tool.recorded(input);
}

function firstPart(input: Lines): string {
  for (const { text } of input.parts()) return text;
  return '';
}

/** Exit status of a program that was just run, and has succeeded. */
const SUCCEEDED: CommandFile = { ...NO_COMMAND, exitStatus: 0 };
/** The most that a program may print of a binary file. */
const MOST_PRINTED = 2 ** 28;
/** Time in which it prints them. */
const MOST_MINUTES = 10;

const binaryOf = (path: string): BinaryOutput | null =>
  TOOLS.find(({ output }) => output?.binary?.names.test(path))?.output?.binary ?? null;

/** A binary file as its tool prints it. @throws Error naming the package that is missing, or in the words of its program */
function printed(path: string, { command, package: origin }: BinaryOutput): string {
  const [program, ...args] = command(path);
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: process.env,
    maxBuffer: MOST_PRINTED,
    timeout: MOST_MINUTES * 60_000,
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    throw new Error(`'${path}' is binary, and there is no ${program} on the PATH to read it: install ${origin}`);
  if (error !== undefined || status !== 0)
    throw new Error(
      `${program} cannot read '${path}': ${stderr.trim().split('\n')[0] || error?.message || `exit status ${status}`}`,
    );
  return stdout;
}

/** The documents of `X.json` and `X.0.json`, `X.1.json` … beside `X.out`. */
function sidesOf(path: string): ParseDocument[] {
  const stem = basename(path).replace(/out$/, '');
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(stem) && /^(?:\d{1,6}\.)?json$/.test(name.slice(stem.length)))
    .map((name) => join(dirname(path), name))
    .map((side) => parseLines(side, linesOf(side), NO_COMMAND, NOTHING));
}

function isWithoutRun({ problems }: ParseDocument): boolean {
  return problems.includes('no_run_header') || problems.includes('no_output');
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function elsewhere(path: string, log: Lines, cmd: CommandFile, only?: string): ParseDocument | undefined {
  for (const ending of SIDE_FILES) {
    const side = path.replace(/\.out$/, ending);
    if (!isFile(side)) continue;
    const document = parseLines(path, linesOf(side), cmd, log, only);
    if (!isWithoutRun(document)) return { ...document, figuresFrom: side };
  }
  return undefined;
}

/** `X.cmd` for `X.out` and `X.json`, and for `X.summary.json` when there is no `X.summary.cmd`. */
function besides(path: string, ending: string): string | undefined {
  let stem = basename(path);
  for (let strip = 0; strip < 2; strip += 1) {
    const dot = stem.lastIndexOf('.');
    if (dot <= 0) return undefined;
    stem = stem.slice(0, dot);
    const candidate = join(dirname(path), stem + ending);
    if (isFile(candidate)) return candidate;
  }
  return undefined;
}
