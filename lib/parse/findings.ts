import type { ParsedTest } from '../schema/parse';
import type { CommandFile } from '../workload/common/parse/command';
import { type ParserFinding, testOf } from '../workload/common/parse/finding';
import type { LaunchProblems } from '../workload/common/parse/launch';
import { firstPart, type Lines, splitLines, UNREADABLE } from '../workload/common/parse/lines';
import type { OutputFormat, Tool } from '../workload/tool';

/** A parser's finding with its tool, and all that the parser left out. */
export interface ToolFinding extends Omit<ParserFinding, 'problems' | 'tests'> {
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

/** A format with the id of its tool. */
type Format = OutputFormat & { readonly tool: string };

/** Tools in the order in which they claim a mixed log. */
const formatsOf = (tools: readonly Tool[]): readonly Format[] =>
  tools.flatMap(({ id: tool, output }) => output?.formats.map((format) => ({ ...format, tool })) ?? []);

/** Text that is repeated before each part of a large output, since a head of several lines may be cut. */
const OVERLAP = 8192;

/** Findings of the tools' parsers in an output, and whether it has a NUL. Gives `launched` each part in which launchers may have printed. */
export function findingsIn(
  input: Lines,
  tools: readonly Tool[],
  cmd: CommandFile,
  launched: LaunchProblems,
): { findings: readonly ToolFinding[]; hasNul: boolean } {
  const formats = formatsOf(tools);
  // A document identifies itself at its beginning, and may fill the output.
  const opening = firstPart(input).slice(0, OVERLAP);
  const first = /^\s*\{/.test(opening)
    ? formats.find(({ byElement, recognizes }) => byElement && recognizes(opening))
    : undefined;
  const alone = first?.parse(input, cmd);
  if (first !== undefined && alone?.fills) return { findings: [complete(first.tool, alone)], hasNul: false };
  const isJson = input.json !== undefined;
  const possible = formats.filter(({ ofJson }) => !isJson || ofJson);
  const whole = possible.find(({ ofWhole, recognizes }) => ofWhole && recognizes(input.end.text));
  if (whole !== undefined) return { findings: [complete(whole.tool, whole.parse(input, cmd))], hasNul: false };
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
  const taken = new Set([...found].map(({ recognizes }) => recognizes));
  const recognized = formats.filter(
    (format) => found.has(format) && !(format.unless !== undefined && taken.has(format.unless)),
  );
  return { recognized, hasNul };
}
