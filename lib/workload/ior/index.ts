import type { ParseDocument, ParsedSample, ParsedSummary, ParsedTest } from '../../schema/parse';
import type { WorkloadAction } from '../../schema/plan';
import { askedOf, optionOf } from '../common/asked';
import { IOR_RELEASE, iorVersion } from '../common/iorRelease';
import { accessByOption, wholeNumber } from '../common/lint/access';
import { amounts, ends, type Measured, READ, WRITE } from '../common/measured';
import { announcedRuns, type CommandFile, repetitionsIn } from '../common/parse/command';
import { bytesOf, type ParserFinding } from '../common/parse/finding';
import { figure, firstMatch, type Lines } from '../common/parse/lines';
import type { Operation } from '../operation';
import type { DataPhase, Workload } from '../workload';
import { type IorIntent, iorDisagreements, iorIntent, iorMessages, missingIterations } from './agreement';
import { isIorJson, parseIorJson } from './json';
import { CACHE_RULES, FORM_RULES, PATTERN_RULES, RESULT_RULES, TIME_RULES } from './lint/rules';
import { iorOptions, iorScript } from './lint/script';
import { type IorPattern, iorPattern, knownIorPattern } from './pattern';
import { HEADINGS, type IorRun, type IorTest, IorTextReader, isIorText, rowSamples } from './textReader';

const STRUCTURE = [
  ...['no_run_header', 'no_finish_line', 'no_summary'],
  ...['no_result_rows', 'rows_not_read', 'missing_iterations'],
];

/**
 * Options that the io500 application gives to IOR, which it calls as a library: `./ior`, and files that it names itself. IOR then prints rows but
 * neither a summary nor an end (github.com/IO500/io500, src/phase_ior*.c).
 */
const OF_IO500 =
  /^\S*\.\/ior .*(?:\bstoneWallingStatusFile=\S*\/ior-[\w-]+\.stonewall|\bsaveRankPerformanceDetailsCSV=\S*\/ior-[\w-]+\.csv| -o \S*\/ior-(?:easy\/ior_file_easy|hard\/file))(?:\s|$)/;

/**
 * IOR's text output from 2.10 to main, at any verbosity, one run or several, whole or cut. Rows are recognised by their fields, never by
 * character columns, and count only when the line is whole: a line torn by another rank is a missing iteration.
 * The test's number is its TestID, counted on over the runs of a file.
 */
function parseIorText(input: Lines, cmd: CommandFile): ParserFinding {
  const reader = new IorTextReader();
  for (const line of input.each(reader.samples)) reader.readLine(line);
  // A Finished line is whole when its year is: an output that was trimmed is not cut.
  const unfinished = input.tail.trim() !== '' && !reader.readEnd(input.tail);
  const { runs, samples } = reader;
  const { problems, cautions } = iorMessages(input);
  if (runs.length === 0) problems.add('no_run_header');
  for (const run of runs) {
    for (const code of runProblems(run)) problems.add(code);
    const intent = iorIntent(commandOf(run));
    if (intent.writes && !intent.synced) cautions.add('buffered_write_no_fsync');
  }
  const tests = runs.flatMap((run) => run.tests.map((test) => describe(run, test)));
  const withoutSummary = new Set(
    runs.flatMap((run) => (needsSummary(run) ? [] : run.tests.map(({ id }) => run.base + id))),
  );
  for (const code of iorDisagreements(samples, tests, cautions, withoutSummary)) problems.add(code);
  const summary = runs.flatMap(summaryOnly);
  return {
    version: runs[0]?.version ?? null,
    command: runs[0] === undefined ? null : commandOf(runs[0]),
    complete:
      !STRUCTURE.some((code) => problems.has(code)) && !unfinished && runs.length >= announcedRuns(cmd.command, 'ior'),
    incompleteReason: unfinished ? 'the last line is truncated' : 'the command announces more runs',
    problems,
    cautions,
    samples: [...samples, ...summary.filter(({ count }) => count === 1).map(sampleOf)],
    summary: summary.filter(({ count }) => count !== 1),
    tests,
  };
}

const isOfIo500 = (run: IorRun): boolean =>
  run.finished === null && run.summaries === 0 && OF_IO500.test(commandOf(run) ?? '');
const needsSummary = (run: IorRun): boolean => !isOfIo500(run) && !(run.old && run.maxima.size > 0);

/** Statistics of a run whose rows were not printed (2.10 without -v -v): its summary, or the maxima alone. */
function summaryOnly(run: IorRun): ParsedSummary[] {
  if (!run.old || run.rows > 0) return [];
  return run.tests.flatMap(({ id, printed, repetitions }) =>
    [...run.maxima].map(([operation, most]): ParsedSummary => {
      const line = printed.find((one) => one.operation === operation);
      const count = repetitions ?? 0;
      const only = count === 1 ? most : null;
      const [max, min, mean] = [line?.maxMiBps ?? most, line?.minMiBps ?? only, line?.meanMiBps ?? only];
      const stddev = line?.stddevMiBps ?? (count === 1 ? 0 : null);
      const common = { operation, test: run.base + id, metric: 'throughput', unit: 'MiB/s' } as const;
      const reason = mean === null ? { reason: 'not printed' } : {};
      return { ...common, basis: 'iterations', max, min, mean, stddev, count, ...reason };
    }),
  );
}

/** The rate of a single repetition, which its statistics are. */
function sampleOf({ operation, test, metric, unit, mean }: ParsedSummary): ParsedSample {
  return { operation, test, iteration: 0, metric, value: mean, unit };
}

const commandOf = (run: IorRun): string | null => run.header.get('Command line') ?? null;

function runProblems(run: IorRun): string[] {
  const problems: string[] = [];
  const command = commandOf(run);
  if (run.version === null) problems.push('no_run_header');
  const intent = iorIntent(command);
  if (run.finished === null && !isOfIo500(run)) problems.push('no_finish_line');
  if (run.summaries === 0 && needsSummary(run)) problems.push('no_summary');
  const measured = run.tests.some(({ iterations }) => [...iterations.values()].some(({ size }) => size > 0));
  if (!measured && run.unread > 0) problems.push('rows_not_read');
  else if (run.rows === 0) problems.push(...(summaryOnly(run).length > 0 ? [] : ['no_result_rows']));
  else if (missingIterations(run.tests, command) || (isOfIo500(run) && misses(run, intent)))
    problems.push('missing_iterations');
  if (run.nan) problems.push('nan_in_summary');
  if (intent.dummy || run.tests.some((test) => test.options.get('api')?.startsWith('DUMMY')))
    problems.push('dummy_api');
  if (intent.dryRun || run.tests.some((test) => test.options.get('dryRun') === '1')) problems.push('dry_run');
  return problems;
}

/** True if an operation that the command asks for has no row: no summary says that it was measured. */
const misses = ({ tests }: IorRun, { writes, reads }: IorIntent): boolean =>
  (writes && !tests.every(({ iterations }) => iterations.has('write'))) ||
  (reads && !tests.every(({ iterations }) => iterations.has('read')));

function describe(run: IorRun, test: IorTest): ParsedTest {
  return {
    test: run.base + test.id,
    tool: 'ior',
    version: run.version,
    command: commandOf(run),
    began: run.header.get('Began') ?? null,
    finished: run.finished,
    repetitions: test.repetitions,
    tasks: wholeNumber(test.options.get('tasks')),
    nodes: wholeNumber(test.options.get('nodes')),
    transferBytes: test.sizes.transfer ?? bytesOf(test.options.get('xfersize')),
    blockBytes: test.sizes.block ?? bytesOf(test.options.get('blocksize')),
    aggregateBytes: bytesOf(test.options.get('aggregate filesize')),
    items: null,
    printed: test.printed,
    stonewall: test.stonewall.length === 0 ? undefined : test.stonewall,
  };
}

const HEADER = 'access,bw(MiB/s),';

/** 3.3.0's `summaryFormat=CSV`: version, date and command run together, and not one row of results. */
const WITHOUT_DATA = /^\d+\.\d+\.\S*?[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\S*ior /;

const isIorCsv = (text: string): boolean => text.includes(HEADER) || WITHOUT_DATA.test(text.slice(0, 2000));

/** `summaryFormat=CSV` of IOR: rows without summary, removes or end. Without the command, repetitions may be missing: it is never complete. */
function parseIorCsv(input: Lines, cmd: CommandFile): ParserFinding {
  const samples: ParsedSample[] = [];
  const iterations = new Map<string, Set<number>>();
  let header: string[] | undefined;
  let run = -1;
  for (const line of input.each(samples)) {
    if (line.startsWith(HEADER)) {
      header = line.split(',');
      run += 1;
      continue;
    }
    if (header === undefined || !/^(?:write|read),/.test(line)) continue;
    const values = line.split(',');
    const iteration = values[header.indexOf('iter')];
    if (values.length !== header.length || iteration === undefined || !/^\d{1,9}$/.test(iteration)) continue;
    const figures: Parameters<typeof rowSamples>[3] = {};
    for (const [index, name] of header.entries()) {
      const metric = HEADINGS[name];
      if (metric !== undefined) figures[metric] = figure(values[index]);
    }
    const operation = values[0] as string;
    iterations.set(operation, (iterations.get(operation) ?? new Set<number>()).add(Number(iteration)));
    samples.push(...rowSamples(operation, run, Number(iteration), figures));
  }
  const { problems, cautions } = iorMessages(input);
  const repetitions = cmd.command === null ? null : (repetitionsIn(cmd.command) ?? 1);
  const withoutData = header === undefined;
  if (withoutData) problems.add('csv_without_data');
  else if (samples.length === 0) problems.add('no_result_rows');
  const intent = iorIntent(cmd.command);
  if (cmd.command !== null && !withoutData) {
    for (const [operation, wanted] of Object.entries({ write: intent.writes, read: intent.reads }))
      if (wanted && !iterations.has(operation)) iterations.set(operation, new Set());
    if (samples.length > 0 && missingIterations([{ iterations, repetitions }], cmd.command))
      problems.add('missing_iterations');
    if (intent.writes && !intent.synced) cautions.add('buffered_write_no_fsync');
  }
  const version = firstMatch(input, /^(\d+\.\d+\.\d+(?:\+dev)?)(?=[A-Z])/)?.[1] ?? null;
  return {
    version,
    complete: problems.size === 0 && repetitions !== null && input.tail === '',
    incompleteReason: 'the CSV has no end marker: the expected repetitions must come from the command',
    problems,
    cautions,
    samples,
    tests: [{ test: 0, version, command: cmd.command, repetitions }],
  };
}

const MB_PER_MIB = 2 ** 20 / 1e6;

/** Each IOR iteration: rate, time and its parts, then the ends of the first and the last process. */
function iorValues(
  { command }: WorkloadAction,
  { id: operation }: Operation,
  documents: readonly ParseDocument[],
): Measured[] {
  return documents.flatMap((document) => {
    const own = document.samples.filter((sample) => sample.operation === operation && sample.value !== null);
    const values = own.map((sample): Measured => {
      const common = { operation, iteration: sample.iteration };
      if (sample.metric === 'throughput')
        return { ...common, metric: 'throughput', value: (sample.value as number) * MB_PER_MIB, unit: 'MB/s' };
      // In samples.jsonl `operations` counts them; IOR's rate of transfers keeps IOR's own word there.
      const metric = sample.metric === 'operations' ? 'iops' : sample.metric;
      return { ...common, metric, value: sample.value, unit: sample.unit };
    });
    return [...values, ...iorEnds(command, operation, own), ...amountsAtStonewall(operation, document)];
  });
}

/** True if all processes wait for the last one before its clock stops (`-g`). */
const waitsForAll = (command: readonly string[]): boolean => command.includes('-g');

/**
 * IOR closes file by file: its time of closing is from the first that closes to the last that has closed. The first process was
 * done at the total less that. With `-g` they wait for each other before, and nothing is known of the first.
 */
function iorEnds(command: readonly string[], operation: string, own: readonly ParsedSample[]): Measured[] {
  if (waitsForAll(command)) return [];
  const iterations = [...new Set(own.map(({ iteration }) => iteration))];
  return iterations.flatMap((iteration): Measured[] => {
    const of = (metric: string): number | null =>
      own.find((sample) => sample.iteration === iteration && sample.metric === metric)?.value ?? null;
    const [total, closing] = [of('total_time'), of('close_time')];
    return total === null || closing === null
      ? []
      : ends({ operation, iteration }, Math.max(0, total - closing), total);
  });
}

function amountsAtStonewall(operation: string, { tests }: ParseDocument): Measured[] {
  return tests.flatMap(({ transferBytes, stonewall = [] }) =>
    stonewall.flatMap((reached) =>
      transferBytes === null || reached.operation !== operation
        ? []
        : amounts(
            { operation, iteration: reached.iteration },
            reached.leastTransfers * transferBytes,
            reached.mostTransfers * transferBytes,
          ),
    ),
  );
}

const MIB = 2 ** 20;

/**
 * IOR's arguments for one phase of the paired plan.
 *
 * - `-F`: a shared file over several OSTs leaves records of 4 KB that hardly compress (facts-tools, "Six traps", 3).
 * - `-e` always, since without it a buffered write measures memory.
 * - Write and read are separate commands: caches can be dropped and the groups can swap between them.
 * - `stoneWallingWearOut`: after the stonewall, every rank writes until it matches the rank that was furthest ahead. Without it 3.3.0 writes
 *   no status file, and the read, which gets its length from that file, fails at the end of the shortest file (tested with 3.3.0). It also
 *   prints how much the slowest and the fastest rank had done at the stonewall.
 * - No `-g`: with it all ranks wait before they close, and only the slowest shows; without it the total minus the close time is when
 *   the first rank was done (tested with 3.3.0).
 */
export function iorCommand(phase: DataPhase, pattern: IorPattern): string[] {
  const { operation, seconds, maxBytesPerProcess, processesPerClient, direct } = phase;
  const blockMiB = Math.max(1, Math.floor(maxBytesPerProcess / MIB));
  return [
    'ior',
    ...['-a', 'POSIX', '-t', '1m', '-b', `${blockMiB}m`, '-s', '1', '-F', '-k', '-e'],
    ...(operation === 'write' ? ['-w'] : ['-r', '-C', '-Q', String(processesPerClient)]),
    ...['-D', String(seconds), '-O', 'stoneWallingStatusFile={dir}/stonewall'],
    ...(operation === 'write' ? ['-O', 'stoneWallingWearOut=1'] : []),
    ...(direct ? ['--posix.odirect'] : []),
    ...(pattern.option ? ['-l', pattern.option] : []),
    ...['-o', '{dir}/data'],
  ];
}

/** IOR: bandwidth of many processes on separate files or a shared one, started by MPI. */
export const ior: Workload = {
  id: 'ior',
  label: 'IOR',
  // Several file names have @ between them: FILENAME_DELIMITER of ParseFileName() (github.com/hpc/ior).
  launch: { by: 'mpi', separators: '@' },
  // IOR has no --version, but its smallest run prints it: one process writes one 256 KiB block to an empty folder.
  version: { argv: ['ior', '-w', '-o', 'version'], version: /^IOR-([\w.+]+): /, release: IOR_RELEASE },
  installed: {
    uses: ['mpirun'],
    without: 'fio writes all compressibilities; put ior 3.3.0 on the PATH to use IOR’s own patterns',
  },
  operations: [WRITE, READ],
  stragglers: ({ command }) =>
    waitsForAll(command) ? 'with -g, all IOR processes wait for the last one before the clock stops' : null,
  values: iorValues,
  data: {
    ofRatio: (target, release) => {
      const version = iorVersion(release);
      const pattern = version === undefined ? null : iorPattern(version, target);
      return pattern === null ? null : { pattern, command: (phase) => iorCommand(phase, pattern) };
    },
    knownPattern: knownIorPattern,
    // -T ends a test between two iterations, and -D one iteration.
    asked: (command) =>
      command.includes('-T')
        ? null
        : askedOf([optionOf(command, '-b'), optionOf(command, '-s') ?? '1'], optionOf(command, '-D')),
  },
  formats: [
    { recognizes: isIorJson, parse: parseIorJson, form: 'json' },
    { recognizes: isIorCsv, parse: parseIorCsv },
    { recognizes: isIorText, parse: parseIorText },
  ],
  complaint: /(?:^|\n)(?:Synopsis ior\b|ior ERROR: )/,
  lint: {
    options: iorOptions,
    rules: [...FORM_RULES, ...PATTERN_RULES, ...CACHE_RULES, ...TIME_RULES, ...RESULT_RULES],
    file: iorScript,
    access: (launched) => {
      const options = iorOptions(launched.args);
      return accessByOption(launched, options, 'o', options.has('w') || !options.has('r', 'R', 'W'));
    },
  },
};
