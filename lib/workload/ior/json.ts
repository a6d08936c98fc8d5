import type { ParsedSample, ParsedTest } from '../../schema/parse';
import { wholeNumber } from '../common/lint/access';
import { announcedRuns, type CommandFile } from '../common/parse/command';
import { bytesOf, type ParserFinding } from '../common/parse/finding';
import { figure, type Lines, splitLines, UNREADABLE } from '../common/parse/lines';
import { iorDisagreements, iorIntent, iorMessages, missingIterations } from './agreement';
import { IOR_METRICS, type IorMetric, type IorTest, isIorText, printedSummary, rowSamples } from './textReader';

const START = /\{\s*"(?:Version|Began)"\s*:/;
/** IOR's own statistics, in the order of documents. */
const SUMMARY_KEYS = 'bwMaxMIB bwMinMIB bwMeanMIB bwStdMIB OPsMax OPsMin OPsMean OPsSD MeanTime'.split(' ');

export const isIorJson = (text: string): boolean => text.includes('"Began"') && START.test(text);

/** An object without objects in it: its keys with their values as written, and its position. */
interface Leaf {
  readonly values: ReadonlyMap<string, string>;
  readonly at: number;
}

interface JsonTest extends Pick<IorTest, 'id' | 'iterations' | 'printed' | 'repetitions'> {
  readonly removes: { count: number };
  readonly head: Map<string, string>;
}

/**
 * JSON of IOR: on stdout or in a summary file. Much of it is not valid JSON (text before it, verbose lines within, bare `nan`, one `]`
 * too many), so the innermost `{…}` are read one by one whether it is or not: those with `access` are rows, those with `operation` are
 * lines of the summary. IOR prints 4 decimals and no iteration number: rows are counted by test and operation.
 */
export function parseIorJson(input: Lines, cmd: CommandFile): ParserFinding {
  const problems = new Set<string>();
  const { problems: messages, cautions } = iorMessages(input);
  for (const code of messages) problems.add(code);
  const { text } = input;
  const samples: ParsedSample[] = [];
  const tests: ParsedTest[] = [];
  const starts = [...text.matchAll(new RegExp(START, 'g'))].map((match) => match.index);
  const whole = input.json !== undefined;
  let base = 0;
  for (const [index, start] of starts.entries()) {
    const section = text.slice(start, starts[index + 1] ?? text.length);
    if (!whole && !(starts.length > 1 && splitLines(section).json !== undefined)) problems.add('json_invalid');
    const run = parseRun(section, base);
    for (const sample of run.samples) samples.push(sample);
    tests.push(...run.tests);
    for (const code of run.problems) problems.add(code);
    for (const code of run.cautions) cautions.add(code);
    base += run.tests.length;
  }
  for (const code of iorDisagreements(samples, tests, cautions)) problems.add(code);
  if (isIorText(text) && text.includes('Summary of all tests:')) problems.add('mixed_formats');
  const structural = ['no_finish_line', 'no_summary', 'missing_iterations', 'mixed_formats'];
  return {
    version: tests[0]?.version ?? null,
    command: tests[0]?.command ?? null,
    complete:
      starts.length >= announcedRuns(cmd.command, 'ior') &&
      samples.length > 0 &&
      !structural.some((code) => problems.has(code)),
    problems,
    cautions,
    samples,
    tests,
  };
}

function parseRun(
  section: string,
  base: number,
): { samples: ParsedSample[]; tests: ParsedTest[]; problems: string[]; cautions: string[] } {
  const samples: ParsedSample[] = [];
  const problems: string[] = [];
  const cautions: string[] = [];
  const tests: JsonTest[] = [];
  let summaries = 0;
  let nan = false;
  const testIds = testStarts(section);
  const open = (id: number) =>
    tests.push({ id, iterations: new Map(), removes: { count: 0 }, printed: [], head: new Map(), repetitions: null });
  const testAt = (at: number): JsonTest => {
    while (testIds[0] !== undefined && testIds[0].at < at) open((testIds.shift() as { id: number }).id);
    if (tests.length === 0) open(0);
    return tests[tests.length - 1] as JsonTest;
  };
  for (const { values, at } of leaves(section)) {
    if (values.has('access') && values.has('totalTime')) {
      const test = testAt(at);
      const operation = unquoted(values.get('access'));
      samples.push(...rowSamples(operation, base + test.id, countRow(test, operation), figuresOf(values)));
    } else if (values.has('operation') && values.has('bwMaxMIB')) {
      summaries += 1;
      const operation = unquoted(values.get('operation'));
      const line = printedSummary(operation, (index) => figure(values.get(SUMMARY_KEYS[index] ?? ''))?.value);
      if (Object.values(line).includes(null)) nan = true;
      const id = Number(values.get('TestID'));
      const test = tests.find((one) => one.id === id) ?? testAt(at);
      test.printed.push(line);
      if (!test.iterations.has(line.operation)) test.iterations.set(line.operation, new Set());
      test.repetitions ??= wholeNumber(values.get('repetitions'));
      if (values.has('StoneWallTime')) cautions.push('stonewall_hit');
    } else if (values.has('repetitions')) {
      // "Parameters" has exact sizes, "Options" the number of tasks; 3.2.1 has fewer keys.
      const test = testAt(at);
      for (const [key, value] of values) test.head.set(key, value);
      test.repetitions ??= wholeNumber(values.get('repetitions'));
      if (values.get('dryRun') === '1') problems.push('dry_run');
      if (unquoted(values.get('api')).startsWith('DUMMY')) problems.push('dummy_api');
    }
  }
  const head = headOf(section);
  const finished = /"Finished"\s*:\s*"([^"]+)"\s*\}/.exec(section)?.[1] ?? null;
  const command = head.get('Command line') ?? null;
  const version = head.get('Version') ?? null;
  const began = head.get('Began') ?? null;
  if (finished === null) problems.push('no_finish_line');
  if (summaries === 0) problems.push('no_summary');
  if (samples.length > 0 && missingIterations(tests, command)) problems.push('missing_iterations');
  if (nan) problems.push('nan_in_summary');
  const intent = iorIntent(command);
  if (samples.some(({ operation }) => operation === 'write') && !intent.synced)
    cautions.push('buffered_write_no_fsync');
  return {
    samples,
    problems,
    cautions,
    tests: tests.map((test) => ({
      test: base + test.id,
      tool: 'ior',
      version,
      command,
      began,
      finished,
      repetitions: test.repetitions,
      tasks: wholeNumber(test.head.get('tasks')),
      nodes: wholeNumber(test.head.get('nodes')),
      transferBytes: wholeNumber(test.head.get('transferSize')),
      blockBytes: wholeNumber(test.head.get('blockSize')),
      aggregateBytes: bytesOf(unquoted(test.head.get('aggregate filesize'))),
      items: null,
      printed: test.printed,
    })),
  };
}

/** Returns the position of each entry of `tests`: a TestID followed by a start time. */
const testStarts = (section: string): { id: number; at: number }[] =>
  [...section.matchAll(/"TestID"\s*:\s*(\d{1,9})\s*,\s*"StartTime"/g)].map((match) => ({
    id: Number(match[1]),
    at: match.index,
  }));

function figuresOf(values: Leaf['values']): Partial<Record<IorMetric, { value: number | null; reason?: string }>> {
  const keys = Object.entries(IOR_METRICS).filter(([, [, key]]) => values.has(key));
  return Object.fromEntries(
    keys.map(([metric, [, key]]) => [metric, figure(values.get(key)) ?? { value: null, reason: UNREADABLE }]),
  );
}

function countRow(test: JsonTest, operation: string): number {
  if (operation === 'remove') {
    test.removes.count += 1;
    return test.removes.count - 1;
  }
  const seen = test.iterations.get(operation) ?? new Set<number>();
  test.iterations.set(operation, seen);
  seen.add(seen.size);
  return seen.size - 1;
}

/** Every brace pair without a brace in it, in order. */
function* leaves(section: string): Generator<Leaf> {
  let open = -1;
  for (let index = section.search(/[{}]/); index >= 0 && index < section.length; index += 1) {
    const char = section.charCodeAt(index);
    if (char === 123) open = index;
    else if (char === 125) {
      if (open >= 0) yield { values: pairs(section.slice(open + 1, index)), at: open };
      open = -1;
    }
  }
}

function pairs(body: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const match of body.matchAll(/"([^"\n]{1,60})"\s*:\s*("[^"\n]*"|[^\s,"]+(?:,\d+)*)/g))
    values.set(match[1] as string, match[2] as string);
  return values;
}

/** Parses the header before the tests: version, command and date. */
function headOf(section: string): Map<string, string> {
  const head = new Map<string, string>();
  for (const [key, value] of pairs(section.slice(0, 20_000))) {
    if (['Version', 'Began', 'Command line'].includes(key) && !head.has(key)) head.set(key, unquoted(value));
  }
  return head;
}

const unquoted = (text: string | undefined): string => (text ?? '').replace(/^"|"$/g, '');
