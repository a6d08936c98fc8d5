import type { ParsedSample, ParsedSummary, ParsedTest } from '../model/parse';
import { type CommandFile, numberOption } from './command';
import type { Finding } from './finding';
import { announcedRuns } from './ior-verdict';
import { USAGE_ERROR } from './launch';
import { fields, figure, type Lines } from './lines';

const OPERATIONS: Readonly<Record<string, string>> = {
  'Directory creation': 'dir_create',
  'Directory stat': 'dir_stat',
  'Directory read': 'dir_read',
  'Directory rename': 'dir_rename',
  'Directory removal': 'dir_remove',
  'File creation': 'file_create',
  'File stat': 'file_stat',
  'File read': 'file_read',
  'File rename': 'file_rename',
  'File removal': 'file_remove',
  'File create (stonewall)': 'file_create_stonewall',
  'Tree creation': 'tree_create',
  'Tree removal': 'tree_remove',
};
const STARTED = /-- started at (\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d) --/;
const FINISHED = /-- finished at (\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d) --/;
const LAUNCHED = /mdtest-(\S+) was launched with (\d+) total task\(s\) on (\d+) node\(s\)/;
const BLOCK = /^(.*?)(\d+) tasks, (\d+) (?:files\/directories|files?|director(?:ies|y))$/;
const SUMMARY = /^SUMMARY (rate|time)(?: \(in [^)]*\))?: \(of (\d+) iterations\)/;
const ROW = /^ {3}((?:Directory|File|Tree) [a-z]+(?: \(stonewall\))?) *:? +(\S.*)$/;
const ITERATION = /main: \* iteration (\d+) \*/;
const PHASE = /((?:Directory|File|Tree) [a-z]+) *: +(\S+) sec, +(\S+) ops\/sec$/;

export function isMdtest(text: string): boolean {
  return text.includes(' was launched with ') && LAUNCHED.test(text);
}

interface Run {
  readonly version: string;
  readonly tasks: number;
  readonly nodes: number;
  readonly began: string | null;
  command: string | null;
  finished: string | null;
  summaries: number;
}

interface Block {
  readonly run: Run;
  readonly test: number;
  readonly tasks: number;
  readonly items: number | null;
  repetitions: number | null;
}

/**
 * Text output of mdtest 3.2.1 (which calls itself 1.9.3) to main. Rates are those of all ranks together unless the name says rank 0.
 *
 * - `summary` holds the SUMMARY as printed, in op/s (`rate`) or s for the whole phase (`seconds`, with -Z and -P; main's "ms/op" is
 *   mislabelled). Up to 3.3.0 its statistics are over ranks x iterations, each rank by its own clock, with population deviation: Max can
 *   be absurd. From 4.0.0 they are over iterations, with sample deviation (n - 1). A phase that was not run stands there as 0.
 * - `samples` are the iteration lines of -v: `rate` where it is an aggregate (up to 3.3.0; trees always, since rank 0 alone makes them),
 *   else `rank0_rate`, of which the aggregate can't be made. From 4.0.0 a SUMMARY of one iteration is that iteration's rate.
 * - A test is a block `N tasks, M files`: one a run, more with -f -l -s.
 */
export function parseMdtest(input: Lines, cmd: CommandFile): Finding {
  const runs: Run[] = [];
  const blocks: Block[] = [];
  const samples: ParsedSample[] = [];
  const summary: ParsedSummary[] = [];
  const problems = new Set<string>();
  const cautions = new Set<string>();
  let began: string | null = null;
  let run: Run | undefined;
  let block: Block | undefined;
  let iteration = 0;
  let table: { kind: 'rate' | 'time'; iterations: number } | undefined;

  const openBlock = (tasks: number, items: number | null): Block => {
    iteration = 0;
    table = undefined;
    block = {
      run: run as Run,
      test: blocks.length,
      tasks,
      items,
      repetitions: numberOption((run as Run).command, 'i'),
    };
    blocks.push(block);
    return block;
  };

  for (const line of input.lines) {
    if (line.startsWith('   ')) {
      const row = table === undefined ? null : ROW.exec(line);
      if (row && block !== undefined && table !== undefined) readRow(row[1] as string, row[2] as string, block, table);
      continue;
    }
    if (line.includes('ops/sec')) {
      const phase = PHASE.exec(line.trimEnd());
      if (phase && run !== undefined) {
        const into = block ?? openBlock(run.tasks, null);
        readPhase(phase[1] as string, phase[2] as string, phase[3] as string, into, iteration);
      }
      if (!line.startsWith('SUMMARY')) continue;
    }
    if (line.startsWith('V-') || line.includes('main: * iteration')) {
      const opened = ITERATION.exec(line);
      if (opened) iteration = Number(opened[1]) - 1;
      continue;
    }
    const launched = line.includes('was launched with') ? LAUNCHED.exec(line) : null;
    if (launched) {
      run = {
        version: launched[1] as string,
        tasks: Number(launched[2]),
        nodes: Number(launched[3]),
        began,
        command: null,
        finished: null,
        summaries: 0,
      };
      runs.push(run);
      block = undefined;
      table = undefined;
      continue;
    }
    const started = line.includes('-- started at') ? STARTED.exec(line) : null;
    if (started) {
      began = started[1] as string;
      run = undefined;
      continue;
    }
    if (run === undefined) continue;
    if (line.startsWith('Command line used: ')) run.command = line.slice(19).trim();
    else if (line.startsWith('SUMMARY')) {
      const title = SUMMARY.exec(line);
      if (title) {
        const into: Block = block ?? openBlock(run.tasks, null);
        into.repetitions = Number(title[2]);
        table = { kind: title[1] as 'rate' | 'time', iterations: Number(title[2]) };
        run.summaries += 1;
      }
    } else if (line.includes(' tasks, ')) {
      const opened = BLOCK.exec(line.trimEnd());
      // Behind the text of another rank the first digits may be that rank's: then only the launch line can be trusted.
      if (opened) openBlock(opened[1] === '' ? Number(opened[2]) : run.tasks, Number(opened[3]));
    } else if (line.includes('-- finished at')) {
      run.finished = FINISHED.exec(line)?.[1] ?? null;
      table = undefined;
    }
  }
  if (run !== undefined && run.finished === null) run.finished = FINISHED.exec(input.tail)?.[1] ?? null;

  function readRow(label: string, rest: string, into: Block, { kind, iterations }: NonNullable<typeof table>): void {
    const operation = OPERATIONS[label];
    const tokens = fields(rest);
    if (operation === undefined || (tokens.length !== 4 && tokens.length !== 7)) return;
    const read = tokens.map(figure);
    if (read.some((one) => one === undefined)) return;
    const values = read.map((one) => one?.value ?? null);
    if (tokens.some((token) => /nan|inf|^-[\d.]/i.test(token))) problems.add('nonsense_rates');
    if (kind === 'rate' && values.at(-4) === 0 && values.at(-2) === 0 && !label.startsWith('Tree')) {
      cautions.add('phases_not_run');
    }
    const perIteration = isFour(into.run.version) || label.startsWith('Tree') || label.includes('stonewall');
    const count = perIteration ? iterations : iterations * into.tasks;
    const unit = kind === 'rate' ? 'op/s' : 's';
    const metric = kind === 'rate' ? 'rate' : 'seconds';
    const [max, min, mean, stddev] = values.slice(-4) as (number | null)[];
    const unread = read.slice(-4).find((one) => one?.value === null)?.reason;
    summary.push({
      operation,
      test: into.test,
      metric,
      unit,
      max: max ?? null,
      min: min ?? null,
      mean: mean ?? null,
      stddev: stddev ?? null,
      count,
      basis: perIteration ? 'iterations' : 'ranks x iterations',
      ...(unread === undefined ? {} : { reason: unread }),
    });
    if (tokens.length === 7) {
      const [rankMax, rankMin, rankMean] = values as (number | null)[];
      const one = { max: rankMax ?? null, min: rankMin ?? null, mean: rankMean ?? null, stddev: null };
      const ranks = label.startsWith('Tree') ? 1 : into.tasks;
      summary.push({
        ...{ operation, test: into.test, metric: `rank_${metric}`, unit, ...one, count: ranks * iterations },
        ...{ basis: 'ranks x iterations', reason: 'not printed' },
      });
    }
    if (
      isFour(into.run.version) &&
      iterations === 1 &&
      typeof mean === 'number' &&
      mean > 0 &&
      !hasRate(operation, metric)
    ) {
      samples.push({ operation, test: into.test, iteration: 0, metric, value: mean, unit });
    }
    function hasRate(op: string, name: string): boolean {
      return samples.some((s) => s.operation === op && s.test === into.test && s.metric === name && s.iteration === 0);
    }
  }

  function readPhase(label: string, seconds: string, rate: string, into: Block, at: number): void {
    const operation = OPERATIONS[label];
    const time = figure(seconds);
    const speed = figure(rate);
    if (operation === undefined || time === undefined || speed === undefined) return;
    const alone = label.startsWith('Tree');
    const common = { operation, test: into.test, iteration: at };
    const reason = (one: { value: number | null; reason?: string }) =>
      one.value === null ? { reason: one.reason } : {};
    samples.push({
      ...common,
      metric: alone || !isFour(into.run.version) ? 'rate' : 'rank0_rate',
      value: speed.value,
      unit: 'op/s',
      ...reason(speed),
    });
    samples.push({
      ...common,
      metric: alone ? 'seconds' : 'rank0_seconds',
      value: time.value,
      unit: 's',
      ...reason(time),
    });
  }

  for (const code of messages(input)) problems.add(code);
  if (input.text.includes('stonewall hit')) cautions.add('stonewall_hit');
  if (runs.length === 0) problems.add('no_run_header');
  if (runs.some(({ finished }) => finished === null)) problems.add('no_finish_line');
  if (runs.some(({ summaries }) => summaries === 0)) problems.add('no_summary');
  const unfinished = input.tail.trim() !== '' && !FINISHED.test(input.tail);
  return {
    tool: 'mdtest',
    version: runs[0]?.version ?? null,
    command: runs[0]?.command ?? null,
    complete:
      runs.length >= announcedRuns(cmd.command, 'mdtest') &&
      !unfinished &&
      !['no_run_header', 'no_finish_line', 'no_summary'].some((code) => problems.has(code)),
    incompleteReason: unfinished ? 'the last line has no end' : 'the command announces more runs',
    problems: [...problems],
    cautions: [...cautions],
    samples,
    summary,
    tests: blocks.map(describe),
  };
}

/** From 4.0.0 on, SUMMARY and -v lines mean something else. 3.2.1 calls itself 1.9.3. */
function isFour(version: string): boolean {
  return Number(/^\d+/.exec(version)?.[0] ?? 0) >= 4;
}

/** mdtest exits with 0 after most of these. */
function messages({ text, lines }: Lines): Set<string> {
  const problems = new Set<string>();
  if (text.includes('verifying the data')) problems.add('data_errors');
  if (/unable to (?:stat|remove|rename|unlink|create)/.test(text)) problems.add('operations_failed');
  if (text.includes('FAILED in')) problems.add('io_error');
  if (!problems.has('io_error') && text.includes('ERROR: ')) {
    const failed = (line: string) =>
      /(?:^|\s)ERROR: /.test(line) && !line.includes('verifying the data') && !USAGE_ERROR.test(line);
    if (lines.some(failed)) problems.add('io_error');
  }
  return problems;
}

function describe({ run, test, tasks, items, repetitions }: Block): ParsedTest {
  const { version, command, began, finished, nodes } = run;
  const none = { transferBytes: null, blockBytes: null, aggregateBytes: null };
  return {
    test,
    tool: 'mdtest',
    version,
    command,
    began,
    finished,
    repetitions,
    tasks,
    nodes,
    ...none,
    items,
    printed: [],
  };
}
