import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandFile, NO_COMMAND, parseFile, parseText } from '../../lib/parse';
import type { ParsedSample } from '../../lib/schema/parse';
import { announcedPhases, metricOf as knownMetric } from '../../lib/workload/elbencho/figures';
import { casesOf, describeCases, type Expected, FIXTURES } from './corpus';

const cases = casesOf('elbencho-text');

const OPERATIONS: Readonly<Record<string, string>> = {
  MKDIRS: 'dir_create',
  WRITE: 'write',
  STAT: 'file_stat',
  READ: 'read',
  RMFILES: 'file_remove',
  RMDIRS: 'dir_remove',
};
const MOVES = ['WRITE', 'READ'];

/** Place of a row of the corpus in a document: metric, unit, and how many of it one printed unit is. */
function metricOf(label: string, phase: string): [string, ParsedSample['unit'], number] {
  if (label === 'Elapsed ms') return ['seconds', 's', 1 / 1000];
  if (label === 'IOPS') return ['operations', 'op/s', 1];
  if (label === 'Throughput MiB/s') return ['throughput', 'MiB/s', 1];
  if (label === 'Total MiB') return ['bytes', 'B', 1048576];
  if (label.endsWith('/s')) return [MOVES.includes(phase) ? 'file_operations' : 'operations', 'op/s', 1];
  return [label.replace('Total ', ''), '1', 1];
}

describeCases(cases, ({ document, expected }) => {
  test('gives every figure of every phase, first and last done, and no other', () => {
    const want = (expected.phases as Expected[]).flatMap(({ operation, values }) =>
      Object.entries<Expected>(values).flatMap(([label, value]) => {
        const name = OPERATIONS[operation];
        if (label === 'IO latency us')
          return ['avg', 'min', 'max'].map((of) => [
            ...[name, `latency_${of}`.replace('_avg', ''), 's', value[of] / 1e6],
          ]);
        const [metric, unit, scale] = metricOf(label, operation);
        return [
          [name, metric, unit, value.last_done * scale],
          [name, `first_done_${metric}`, unit, value.first_done * scale],
        ];
      }),
    );
    expect(document.samples.map(({ operation, metric, unit, value }) => [operation, metric, unit, value])).toEqual(
      want,
    );
  });
});

const FILES = join(FIXTURES, 'elbencho_files.out');
const FILES_TEXT = readFileSync(FILES, 'utf8');
const LARGE_TEXT = readFileSync(join(FIXTURES, 'elbencho_large.out'), 'utf8');
const command = (line: string | null): CommandFile => ({ command: line, exitStatus: 0, tool: 'elbencho' });
const ALL = command('elbencho -d -w --stat -r -F -D /fsx');
const TORN = { complete: false, valid: false, problems: ['truncated'] };
const NO_END = 'elbencho prints no end marker: the expected phases must come from the command';
const value = (samples: readonly ParsedSample[], operation: string, metric: string) =>
  samples.find((one) => one.operation === operation && one.metric === metric)?.value;

test('the CSV of a run has all that its table has, and the requests of phases that move data', () => {
  const table = parseFile(FILES);
  const csv = parseFile(join(FIXTURES, 'elbencho_files.csv'));
  expect(csv).toMatchObject({ tool: 'elbencho', complete: true, valid: true, problems: [] });
  expect(csv.samples).toEqual(expect.arrayContaining([...table.samples]));
  expect(value(csv.samples, 'write', 'operations')).toBe(33994);
  expect(value(csv.samples, 'write', 'entry_latency')).toBe(48e-6);
  expect(value(csv.samples, 'write', 'latency_max')).toBe(1109e-6);
  expect(value(csv.samples, 'dir_create', 'dirs')).toBe(12);
  expect(value(csv.samples, 'dir_create', 'throughput')).toBeUndefined();
});

test('a CSV to which a later run was added has two tests', () => {
  const csv = readFileSync(join(FIXTURES, 'elbencho_files.csv'), 'utf8');
  const later = csv.split('\n').slice(1).join('\n').replaceAll('06:13:49', '07:13:49');
  const { tests, samples } = parseText('x.csv', csv + later);
  expect(tests.map(({ began }) => began)).toEqual(['2026-11-21T06:13:49+0000', '2026-11-21T07:13:49+0000']);
  expect(new Set(samples.map(({ iteration }) => iteration))).toEqual(new Set([0]));
});

test('a row of a CSV that is torn makes it incomplete and not valid, and gives no figure', () => {
  const csv = readFileSync(join(FIXTURES, 'elbencho_files.csv'), 'utf8').replace(/,WRITE,2,7,.*/, ',WRITE,2,7');
  const { samples, ...document } = parseText('x.csv', csv, ALL);
  expect(document).toMatchObject(TORN);
  expect(value(samples, 'write', 'seconds')).toBeUndefined();
  expect(value(samples, 'read', 'seconds')).toBe(0.001);
});

test('a CSV without a command has its caution from its own column, and one of a header alone no figure', () => {
  const csv = readFileSync(join(FIXTURES, 'elbencho_files.csv'), 'utf8');
  const [head] = csv.split('\n') as [string];
  const at = head.split(',').indexOf('direct IO');
  const direct = (value: string) => csv.replace(/^2026.*$/gm, (row) => row.split(',').with(at, value).join(','));
  expect(parseText('x.csv', direct('0')).cautions).toEqual(['buffered_write_no_fsync']);
  expect(parseText('x.csv', direct('1')).cautions).toEqual([]);
  expect(parseText('x.csv', `${head}\n`)).toMatchObject({ complete: false, problems: ['no_result_rows'], samples: [] });
});

describe('a row of a CSV', () => {
  const COLUMNS =
    'ISO date,direct IO,operation,time ms [first],time ms [last],MiB/s [first],MiB/s [last],IO lat us [min],IO lat us [avg],IO lat us [max]';
  const read = (rows: readonly string[], line: string | null = 'elbencho -w -r --direct') =>
    parseText('x.csv', [COLUMNS, ...rows, ''].join('\n'), command(line));
  const WRITE = '2026-11-21T06:13:49,1,WRITE,1500,2500,10,8,17,48,3067';
  const READ = '2026-11-21T06:13:49,1,READ,500,1000,30,20,1,2,3';

  test('has its figures in seconds and MiB/s, of the first and of the last to be done', () => {
    const values = read([WRITE]).samples.map(({ metric, value, unit }) => `${metric} ${value} ${unit}`);
    expect(values).toEqual([
      ...['seconds 2.5 s', 'first_done_seconds 1.5 s', 'throughput 8 MiB/s', 'first_done_throughput 10 MiB/s'],
      ...['latency 0.000048 s', 'latency_min 0.000017 s', 'latency_max 0.003067 s'],
    ]);
  });

  test('is a further iteration where its operation came before on the same date', () => {
    const iterations = (...rows: string[]) =>
      read(rows)
        .samples.filter(({ metric }) => metric === 'throughput')
        .map(({ test: run, iteration }) => `${run}.${iteration}`);
    expect(iterations(WRITE, READ, WRITE, WRITE)).toEqual(['0.0', '0.0', '0.1', '0.2']);
    expect(iterations(WRITE, WRITE.replace('06:13', '07:13'))).toEqual(['0.0', '1.0']);
  });

  test('that is empty stands for nothing, and without its average or end there is no figure', () => {
    expect(read([WRITE, '', READ])).toMatchObject({ complete: true, problems: [] });
    const metrics = (row: string) => read([row]).samples.map(({ metric }) => metric);
    const all = metrics(WRITE);
    for (const cell of [',48,', ',17,', ',3067', ',2500,', ',1500,']) {
      const gone = cell.includes('500') ? 'seconds' : 'latency';
      const left = metrics(WRITE.replace(cell, cell.replace(/\d+/, '')));
      expect([cell, left]).toEqual([cell, all.filter((metric) => !metric.includes(gone))]);
    }
  });

  test('counts towards the phases that the command announces', () => {
    expect(read([WRITE, READ])).toMatchObject({ complete: true });
    expect(read([WRITE])).toMatchObject({ complete: false, incompleteReason: 'the command announces more phases' });
    expect(read([WRITE, '2026-11-21T06:13:49,1,SYNC,1,1,,,,,'])).toMatchObject({ complete: false });
    expect(read([WRITE, READ], null)).toMatchObject({ complete: false, incompleteReason: NO_END });
    const cut = parseText('x.csv', `${COLUMNS}\n${WRITE}\n${READ}\n2026`, command('elbencho -w -r'));
    expect(cut.complete).toBe(false);
  });

  test('warns of writes that the page cache took, and of no reads', () => {
    const cautions = (row: string, command: string | null) => read([row], command).cautions;
    const buffered = (row: string) => row.replace(',1,', ',0,');
    expect(cautions(buffered(WRITE), null)).toEqual(['buffered_write_no_fsync']);
    expect(cautions(buffered(READ), null)).toEqual([]);
    expect(cautions(buffered(WRITE), 'elbencho -w --direct')).toEqual([]);
  });
});

test('a quoted comma in a CSV is no column', () => {
  const [head, row] = readFileSync(join(FIXTURES, 'elbencho_files.csv'), 'utf8').split('\n') as [string, string];
  const { samples, problems } = parseText('x.csv', `${head},command\n${row},"elbencho -w ""a,b"""\n`);
  expect(problems).toEqual([]);
  expect(value(samples, 'dir_create', 'operations')).toBe(11776);
});

test('a size or a time that is cut down to an integer has an upper bound, too', () => {
  const { samples } = parseFile(FILES);
  const bytes = samples.find(({ operation, metric }) => operation === 'write' && metric === 'bytes');
  expect(bytes).toMatchObject({ value: 0, high: 1048576 });
  expect(samples.find(({ metric }) => metric === 'seconds')).toMatchObject({ value: 0.001, high: 0.002 });
});

test('nothing marks the end: without the command an output is never complete', () => {
  const unknown = { complete: false, valid: true, incompleteReason: NO_END };
  expect(parseText('x.out', FILES_TEXT)).toMatchObject(unknown);
});

test('a run that was stopped between two phases is incomplete by its command', () => {
  const upToRead = FILES_TEXT.slice(0, FILES_TEXT.indexOf('RMFILES'));
  const more = { complete: false, incompleteReason: 'the command announces more phases' };
  expect(parseText('x.out', upToRead, ALL)).toMatchObject(more);
  expect(parseText('x.out', upToRead, command('elbencho -d -w --stat -r /fsx')).complete).toBe(true);
});

test('a phase without its end is truncated, and what it printed is known', () => {
  const cut = FILES_TEXT.slice(0, FILES_TEXT.indexOf('          Total files'));
  const { samples, ...document } = parseText('x.out', cut, command('elbencho -d -w /fsx'));
  expect(document).toMatchObject(TORN);
  expect(value(samples, 'write', 'throughput')).toBe(132);
});

test('a torn row is not a figure, and the output is not valid', () => {
  const torn = FILES_TEXT.replace('34\n', '34[host:1] noise\n').replace('      85106      33994', '      85106 noise');
  const { samples, ...document } = parseText('x.out', torn, ALL);
  expect(document).toMatchObject(TORN);
  expect(value(samples, 'write', 'file_operations')).toBeUndefined();
});

test.each([
  ['a label', '          Throughput MiB/s :        332', '          B/s :        332'],
  ['a figure', '      85106      33994', '      85106      3399'],
  ['its colon', '          Total dirs       :          3', '          Total dirs  3'],
  ['its end to the row behind it', '         12\n---', ' 12---'],
  ['the end of one row and the head of the next', '      33994\n          Throughput MiB/s :        332', ' '],
])('a row that lost %s is told by its alignment', (_, whole, torn) => {
  const text = FILES_TEXT.replace(whole, torn);
  expect(text).not.toBe(FILES_TEXT);
  expect(parseText('x.out', text, ALL)).toMatchObject(TORN);
});

test('a table whose white space was folded together is read all the same', () => {
  const folded = FILES_TEXT.replaceAll(/ +/g, ' ').replaceAll(/^ /gm, '  ');
  expect(parseText('x.out', folded).samples).toEqual(parseText('x.out', FILES_TEXT).samples);
});

test('figures that are wider than their column are read', () => {
  const wide = LARGE_TEXT.replace('      11049       1564', ' 12345678901 12345678902');
  expect(value(parseText('x.out', wide).samples, 'write', 'operations')).toBe(12345678902);
});

test('a head without phases and without an error is no result', () => {
  const head = parseText('x.out', FILES_TEXT.split('\n').slice(0, 2).join('\n'));
  expect(head).toMatchObject({ ...TORN, problems: ['no_result_rows'] });
});

test.each([
  ['ERROR: File read failed. Path: /fsx/f1; SysErr: Input/output error', 'io_error'],
  ['ERROR: Unable to open file: /fsx/f1; SysErr: Permission denied', 'permission_denied'],
  ['Terminating due to interrupt signal.', 'interrupted'],
])('%s is the problem %s', (line, code) => {
  expect(parseText('x.out', `${FILES_TEXT}${line}\n`, ALL)).toMatchObject({ valid: false, problems: [code] });
});

test.each([
  ['Terminating due to phase time limit.', 'stonewall_hit'],
  ['WARNING: Fastest worker thread completed in less than 1 microsecond, so results might not be useful', 'too_short'],
])('%s is the caution %s', (line, code) => {
  const text = LARGE_TEXT.replace('---', `${line}\n---`);
  const { valid, cautions } = parseText('x.out', text, command('elbencho -w -r --direct /fsx'));
  expect({ valid, cautions }).toEqual({ valid: true, cautions: [code] });
});

test('a write without O_DIRECT ends in memory, as far as the command tells', () => {
  const cautions = (cmd: CommandFile) => parseText('x.out', LARGE_TEXT, cmd).cautions;
  expect(cautions(command('elbencho -w -r /fsx'))).toEqual(['buffered_write_no_fsync']);
  expect(cautions(command('elbencho -w -r --direct /fsx'))).toEqual([]);
  expect(cautions(NO_COMMAND)).toEqual([]);
});

test('repetitions are iterations, and runs are tests', () => {
  const phases = LARGE_TEXT.split('\n').slice(2).join('\n');
  const both = command('elbencho -i 2 -w -r /fsx; elbencho -w -r /fsx');
  const { complete, samples, tests } = parseText('x.out', LARGE_TEXT + phases + LARGE_TEXT, both);
  expect(complete).toBe(true);
  expect(tests.map(({ test: number }) => number)).toEqual([0, 1]);
  const writes = samples.filter(({ operation, metric }) => operation === 'write' && metric === 'throughput');
  expect(writes.map(({ test: number, iteration }) => `${number}.${iteration}`)).toEqual(['0.0', '0.1', '1.0']);
});

test.each([
  ['elbencho -d -w --stat -r -F -D -t 4 /fsx', 6],
  ['elbencho -dwrFD -t4 /fsx', 5],
  ['elbencho --mkdirs --write --read --delfiles --deldirs /fsx', 5],
  ['/opt/bin/elbencho -w -i 3 --sync --dropcache /fsx', 3],
  ['elbencho -w --iterations=2 /fsx', 2],
  ['elbencho -t4 -b1m -s 200m -n3 -N 20 -w /fsx', 1],
  ['elbencho -w /a; elbencho -r /a', 2],
  ['"elbencho" "-w" "/fsx"', 1],
  ['elbencho --service', null],
  ['for t in 1 2; do elbencho -w -t $t /fsx; done', null],
  [null, null],
])('%s announces %p phases', (line, phases) => {
  expect(announcedPhases(line)).toBe(phases);
});

test('syncs and cache drops are figures, but no phase that was asked for', () => {
  const sync = 'SYNC      Elapsed ms       :          3          4\n---\n';
  const read = (text: string) => parseText('x.out', text, command('elbencho -w -r --sync /fsx'));
  const { complete, samples } = read(LARGE_TEXT.replace('---\n', `---\n${sync}`));
  expect(complete).toBe(true);
  expect(value(samples, 'sync', 'seconds')).toBe(0.004);
  const half = LARGE_TEXT.slice(0, LARGE_TEXT.indexOf('READ'));
  expect(read(half + sync).complete).toBe(false);
});

test('later versions print their times with units, and shares of a mix under names of their own', () => {
  const row = (head: string, label: string, first: string, last: string) =>
    `${head.padEnd(11)} ${label.padEnd(17)}: ${first.padStart(11)} ${last.padStart(11)}`;
  const text = [
    row('OPERATION', 'RESULT TYPE', 'FIRST DONE', 'LAST DONE').replace(':', ' '),
    row('===========', '================', '==========', '=========').replace(':', ' '),
    row('RWMIX30', 'Elapsed time', '950ms', '2m3.456s'),
    row('', 'IOPS write', '700', '690'),
    row('', 'IOPS read', '300', '290'),
    row('', 'IOPS total', '1000', '980'),
    row('', 'MiB/s write', '70', '69'),
    row('', 'MiB read', '10', '11'),
    row('', 'CPU util %', '40', '50'),
    `${' '.repeat(12)}${'IO wr latency'.padEnd(17)}: [ min=46us avg=1.51ms max=2.50s ]`,
    `${' '.repeat(12)}${'Svc compl. time'.padEnd(17)}: [ a=1.0s b=2.0s ]`,
    '---',
    '',
  ].join('\n');
  const { samples, problems } = parseText('x.out', text);
  expect(problems).toEqual([]);
  const last = samples.filter(({ metric }) => !metric.startsWith('first_'));
  expect(last.map((one) => `${one.operation} ${one.metric} ${one.value} ${one.unit}`)).toMatchSnapshot();
});

test('percentiles are the upper ends of their classes, in seconds', () => {
  const row = '          IO lat %ile us   : [ 1%<=48 50%<=1448 75%<=2.8 99%<=19484 99.9%<=19484 ]\n';
  const { samples, problems } = parseText('x.out', LARGE_TEXT.replace('---\n', `${row}---\n`));
  expect(problems).toEqual([]);
  const percentiles = samples.filter(({ metric }) => metric.startsWith('latency_p'));
  expect(percentiles.map((one) => `${one.operation} ${one.metric} ${one.value} ${one.unit}`)).toMatchSnapshot();
});

test('lines of live statistics that the table overwrote are gone, as on a terminal', () => {
  const live = `\u001b[2K\rPhase: WRITE; Elapsed: 1s\u001b[2K\r`;
  const { samples } = parseText('x.out', LARGE_TEXT.replace('WRITE ', `${live}WRITE `));
  expect(samples).toEqual(parseText('x.out', LARGE_TEXT).samples);
});

test('in a mix of reads and writes, figures without a name are those of the writes', () => {
  const shares = ['IOPS', 'IOPS read', 'rwmix read IOPS', 'Elapsed ms'].map(
    (name) => knownMetric('RWMIX50', name)?.share,
  );
  expect(shares).toEqual(['write', 'read', 'read', undefined]);
  expect(knownMetric('WRITE', 'IOPS')?.share).toBeUndefined();
});
