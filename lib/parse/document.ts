import type { ParseDocument, ParsedSummary } from '../schema/parse';
import { NO_COMMAND } from '../workload/common/parse/command';
import { summarize } from '../workload/common/parse/finding';
import { LaunchProblems } from '../workload/common/parse/launch';
import { firstMatch, LARGEST, type Lines, splitLines, UNREADABLE } from '../workload/common/parse/lines';
import { TOOLS, toolNamed } from '../workload/lookup';
import { findingsIn, type ToolFinding } from './findings';

/** Problems that do not invalidate the figures. */
const HARMLESS = new Set(['json_invalid']);

/**
 * The document of an output.
 * @param file what the document names as its file
 * @param cmd what is known of the command
 * @param log the tool's other output, of which only messages are read
 * @param only the only tool that ran: figures of other tools in the output are ignored
 * @throws Error for an unknown tool
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
    const said = TOOLS.flatMap(({ id, output }) => {
      const at = output?.complaint?.exec(text)?.index;
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

/** A tool's own statistics come first and replace those of its samples, so that each operation, test and metric has one line. */
function summaryOf(findings: readonly ToolFinding[]): ParsedSummary[] {
  const printed = findings.flatMap((finding) => finding.summary ?? []);
  const key = ({ operation, test, metric }: ParsedSummary) => `${operation}\n${test}\n${metric}`;
  const made = summarize(findings.flatMap(({ samples }) => samples));
  if (printed.length === 0) return made;
  const taken = new Set(printed.map(key));
  return [...printed, ...made.filter((line) => !taken.has(key(line)))];
}
