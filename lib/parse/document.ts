import type { ParseDocument, ParsedSummary, ParsedTest } from '../schema/parse';
import { type CommandFile, NO_COMMAND } from '../workload/common/parse/command';
import { type ParserFinding, summarize, testOf } from '../workload/common/parse/finding';
import { LaunchProblems } from '../workload/common/parse/launch';
import { firstMatch, firstPart, LARGEST, type Lines, splitLines, UNREADABLE } from '../workload/common/parse/lines';
import { TOOLS, toolNamed } from '../workload/lookup';
import type { OutputFormat, Tool } from '../workload/tool';

/** A parser's finding with its tool, and all that the parser left out. */
interface ToolFinding extends Omit<ParserFinding, 'problems' | 'tests'> {
  readonly tool: string;
  readonly problems: readonly string[];
  readonly tests: readonly ParsedTest[];
}

function complete(tool: string, finding: ParserFinding): ToolFinding {
  // Hundreds of digits are no number to compute with.
  const samples = finding.samples.map((sample) =>
    sample.value === null || Number.isFinite(sample.value) ? sample : { ...sample, value: null, reason: UNREADABLE },
  );
  const tests = (finding.tests ?? []).map((test) => testOf(tool, test));
  return { ...finding, tool, samples, tests, problems: [...finding.problems] };
}

type Format = OutputFormat & { readonly tool: string };

/** Tools in the order in which they claim a mixed log. */
const formatsOf = (tools: readonly Tool[]): readonly Format[] =>
  tools.flatMap(({ id: tool, formats = [] }) => formats.map((format) => ({ ...format, tool })));

/** Text that is repeated before each part of a large output, since a head of several lines may be cut. */
const OVERLAP = 8192;

/** Findings of the tools' parsers in an output, and whether it has a NUL. Gives `launched` each part in which launchers may have printed. */
function findingsIn(
  input: Lines,
  tools: readonly Tool[],
  cmd: CommandFile,
  launched: LaunchProblems,
): { findings: readonly ToolFinding[]; hasNul: boolean } {
  const formats = formatsOf(tools);
  const last = formats.find(({ form, recognizes }) => form === 'last-line' && recognizes(input.end.text));
  if (last !== undefined) return { findings: [complete(last.tool, last.parse(input, cmd))], hasNul: false };
  // A document identifies itself at its beginning, and may fill the output.
  const opening = firstPart(input).slice(0, OVERLAP);
  const first = /^\s*\{/.test(opening)
    ? formats.find(({ form, recognizes }) => form === 'json' && recognizes(opening))
    : undefined;
  const alone = first?.parse(input, cmd);
  if (first !== undefined && alone?.fills) return { findings: [complete(first.tool, alone)], hasNul: false };
  const isJson = input.json !== undefined;
  const possible = formats.filter(({ form }) => !isJson || form !== undefined);
  // Launchers print lines.
  const { recognized, hasNul } = isJson
    ? recognizedIn(splitLines(opening), possible)
    : recognizedIn(input, possible, launched);
  const findingOf = (format: Format) => (format === first && alone !== undefined ? alone : format.parse(input, cmd));
  return { findings: recognized.map((format) => complete(format.tool, findingOf(format))), hasNul };
}

/** The formats that occur in an output, and whether a NUL does, as in a file with holes. Gives each part to `launched` as well. */
function recognizedIn(
  input: Lines,
  formats: readonly Format[],
  launched?: LaunchProblems,
): { recognized: readonly Format[]; hasNul: boolean } {
  const found = new Set<Format>();
  let before = '';
  let hasNul = false;
  for (const lines of input.parts()) {
    launched?.read(lines);
    const { text } = lines;
    hasNul ||= text.includes('\0');
    const part = before + text;
    for (const format of formats) if (!found.has(format) && format.recognizes(part)) found.add(format);
    before = part.length <= OVERLAP ? part : part.slice(part.indexOf('\n', part.length - OVERLAP));
  }
  const asJson = new Set([...found].flatMap(({ form, tool }) => (form === 'json' ? [tool] : [])));
  const recognized = formats.filter(
    (format) => found.has(format) && (format.form !== undefined || !asJson.has(format.tool)),
  );
  return { recognized, hasNul };
}

/** Problems that do not invalidate the figures. */
const HARMLESS = new Set(['json_invalid']);

/**
 * The document of an output. @param file its name in the document @param log the tool's other output, of which only messages are read
 * @param only the only tool that ran: figures of other tools are ignored @throws Error for an unknown tool
 * @throws TooLarge for a large output that can only be read in one piece, or with too many figures
 */
export function documentOf(
  file: string,
  input: Lines,
  cmd = NO_COMMAND,
  log = splitLines(''),
  only?: string,
): ParseDocument {
  const launched = new LaunchProblems(cmd);
  const { findings, hasNul } = findingsIn(input, only === undefined ? TOOLS : [toolNamed(only)], cmd, launched);
  for (const part of log.parts()) launched.read(part);
  const problems = launched.codes;
  for (const code of findings.flatMap(({ replaces = [] }) => replaces)) problems.delete(code);
  for (const code of findings.flatMap((finding) => finding.problems)) problems.add(code);
  if (findings.length === 0) problems.add(firstMatch(input, /\S/) === null ? 'no_output' : 'no_run_header');
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
    cautions: [...new Set(findings.flatMap(({ cautions = [] }) => [...cautions]))].sort(),
    samples,
    summary: summaryOf(findings),
    tests: findings.flatMap((finding) => finding.tests),
  };
}

/** True for a figure that no tool can mean: negative, impossibly large, or no number. */
const hasNonsense = ({ samples, summary = [] }: ToolFinding): boolean =>
  samples.some(({ value, reason }) => !((value ?? 0) >= 0 && (value ?? 0) <= LARGEST) || reason === UNREADABLE) ||
  summary.some(({ reason }) => reason === UNREADABLE);

/** Identifies a tool that printed only errors by its usage or error messages; the first match wins. */
function spoken(input: Lines): string {
  for (const { text } of input.parts()) {
    const said = TOOLS.flatMap(({ id, complaint }) => {
      const at = complaint?.exec(text)?.index;
      return at === undefined ? [] : [{ id, at }];
    });
    const [first] = said.sort((a, b) => a.at - b.at);
    if (first !== undefined) return first.id;
  }
  return 'unknown';
}

function reasonOf(findings: readonly ToolFinding[]): { incompleteReason?: string } {
  const saidAlready = (code: string) => /^(?:no_|missing_|truncated|csv_without)/.test(code);
  const reason = findings.find(
    ({ complete, incompleteReason, problems }) =>
      !complete && incompleteReason !== undefined && !problems.some(saidAlready),
  );
  return reason === undefined ? {} : { incompleteReason: reason.incompleteReason };
}

/** A tool's own statistics come first and replace those of its samples: each operation, test and metric has one line. */
function summaryOf(findings: readonly ToolFinding[]): ParsedSummary[] {
  const printed = findings.flatMap((finding) => finding.summary ?? []);
  const key = ({ operation, test, metric }: ParsedSummary) => `${operation}\n${test}\n${metric}`;
  const made = summarize(findings.flatMap(({ samples }) => samples));
  if (printed.length === 0) return made;
  const taken = new Set(printed.map(key));
  return [...printed, ...made.filter((line) => !taken.has(key(line)))];
}
