import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseText } from '../../lib/parse';
import { meaningOf } from '../../lib/parse/codes';
import { askedOf, dataOfClients, optionOf } from '../../lib/workload/common/asked';
import { IOR_VERSIONS } from '../../lib/workload/common/iorRelease';
import { cacheMemory, coreutilsSize } from '../../lib/workload/common/lint/access';
import { countedRate, DIRECTORIES, FILES, READ, WRITE } from '../../lib/workload/common/measured';
import { repetitionsIn } from '../../lib/workload/common/parse/command';
import { readDocuments } from '../../lib/workload/common/parse/documents';
import type { Json } from '../../lib/workload/common/parse/json';
import { slurmProblems } from '../../lib/workload/common/parse/launch';
import { type Lines, splitLines } from '../../lib/workload/common/parse/lines';
import { fioPattern, knownFioPattern } from '../../lib/workload/fio/command';
import { iorDefaultPattern, iorPattern } from '../../lib/workload/ior/pattern';
import { workloadNamed } from '../../lib/workload/lookup';
import { workload } from '../support/records';

const FORM = { begins: 'made by', lists: ['rows', 'sums'] };
const ROWS = [{ id: 1, deep: { list: [{ a: 1 }] } }, { id: 2, text: 'a "quoted" {brace}\\' }, { id: 3 }];
const DOCUMENT = { 'made by': 'x-1', options: { a: '1' }, rows: ROWS, more: [{ util: 3 }], sums: [{ id: 'all' }] };
const PRETTY = JSON.stringify(DOCUMENT, null, 2);
const FIELDS = { ...DOCUMENT, rows: [], sums: [] };

/** The text in parts, as a large file is read: each ends with a line. */
function inParts(text: string, lines: number): Lines {
  const all = text.split(/(?<=\n)/);
  const parts = Array.from({ length: Math.ceil(all.length / lines) }, (_, at) =>
    splitLines(all.slice(at * lines, (at + 1) * lines).join('')),
  );
  return { ...splitLines(text), parts: () => parts };
}

interface Read {
  readonly head: Json;
  readonly elements: Json[];
  whole?: Json | undefined;
}

function readAll(input: Lines): { documents: Read[]; fills: boolean } {
  const documents: Read[] = [];
  const open = (head: Json) => {
    const document: Read = { head, elements: [] };
    return {
      element: (value: Json) => document.elements.push(value),
      end: (whole: Json | undefined) => documents.push(Object.assign(document, { whole })),
    };
  };
  const fills = readDocuments(input, FORM, open, []);
  return { documents, fills };
}

const WHOLE: Read = {
  head: { 'made by': 'x-1', options: { a: '1' } },
  elements: [...ROWS, { id: 'all' }],
  whole: FIELDS,
};

describe.each([1, 2, 7, 1000])('in parts of %i lines', (lines) => {
  const read = (text: string) => readAll(inParts(text, lines));

  test.each([
    ['indented', `${PRETTY}\n`],
    ['in one line', JSON.stringify(DOCUMENT)],
    ['indented by tabs', JSON.stringify(DOCUMENT, null, '\t')],
    ['with CR LF', `${PRETTY}\n`.replaceAll('\n', '\r\n')],
  ])('a document %s has its elements one by one, and fills the output', (_, text) => {
    expect(read(text)).toEqual({ documents: [WHOLE], fills: true });
  });

  test('several have theirs, and text beside them is passed over', () => {
    expect(read(`${PRETTY}\n${PRETTY}\n`)).toEqual({ documents: [WHOLE, WHOLE], fills: true });
    const text = `starts {\n${PRETTY}\nstopping {now}\n${PRETTY}\n}\n`;
    expect(read(text)).toEqual({ documents: [WHOLE, WHOLE], fills: false });
    expect(read('{"rows": []}\n')).toEqual({ documents: [], fills: false });
  });

  test('cut at any place, it has the elements before, and hides no document after it', () => {
    for (let at = PRETTY.indexOf(':') + 1; at < PRETTY.length; at += 3) {
      const { documents, fills } = read(`${PRETTY.slice(0, at)}\n${PRETTY}\n`);
      const [cut, next] = documents as [Read, Read];
      expect({ at, fills, count: documents.length }).toEqual({ at, fills: false, count: 2 });
      expect({ at, next }).toEqual({ at, next: WHOLE });
      expect(cut.whole).toBeUndefined();
      expect(cut.elements).toEqual(WHOLE.elements.slice(0, cut.elements.length));
      const closed = WHOLE.elements.filter((element) => {
        const end = PRETTY.indexOf('\n    }', PRETTY.indexOf(`"id": ${JSON.stringify(element.id)}`)) + '\n    }'.length;
        return end <= at;
      });
      expect({ at, elements: cut.elements.length }).toEqual({ at, elements: closed.length });
    }
  });

  test('a message within it ends it', () => {
    const at = PRETTY.indexOf('"id": 3');
    const { documents, fills } = read(`${PRETTY.slice(0, at)}x: stopped by signal 15\n${PRETTY.slice(at)}\n`);
    expect(documents).toEqual([{ head: WHOLE.head, elements: ROWS.slice(0, 2), whole: undefined }]);
    expect(fills).toBe(false);
  });

  test('a message before its first list leaves the fields that are whole', () => {
    const at = PRETTY.indexOf('"rows"');
    const { documents } = read(`${PRETTY.slice(0, at)}x: stopped by signal 15\n${PRETTY}\n`);
    expect(documents).toEqual([{ head: WHOLE.head, elements: [], whole: undefined }, WHOLE]);
  });

  test('an element that closes as its list is indented, or holds bare nan and inf, is read', () => {
    const text = '{\n"made by": "x-1",\n"rows": [\n{\n"id": {\n"a": nan\n},\n"b": -inf\n},\n{\n"id": 2\n}\n]\n}\n';
    expect(read(text)).toEqual({
      documents: [
        {
          head: { 'made by': 'x-1' },
          elements: [{ id: { a: 'nan' }, b: '-inf' }, { id: 2 }],
          whole: { 'made by': 'x-1', rows: [] },
        },
      ],
      fills: true,
    });
  });
});

test('a document that is cut off within an element of a megabyte gives way to the next', () => {
  const at = PRETTY.indexOf('"id": 3');
  const text = `${PRETTY.slice(0, at)}"lines": [\n${'0,\n'.repeat(500_000)}1\n`;
  const { documents } = readAll(inParts(`${text}${PRETTY}\n`, 20_000));
  expect(documents.map(({ elements, whole }) => `${elements.length} ${whole !== undefined}`)).toEqual([
    '2 false',
    '4 true',
  ]);
});

/** Output of srun from Slurm 22.05.8 on two nodes. */
const said = (name: string): string => readFileSync(join(__dirname, '../fixtures/srun', `${name}.out`), 'utf8');

test.each([
  ['a program that is not there', 'no-program', ['exit_status_2']],
  ['the rank that failed, not those that were ended with it', 'exit3', ['exit_status_3']],
  ['the signal of the rank that failed first', 'killed', ['rank_signal_9']],
  ['a crash', 'crashed', ['rank_signal_11']],
  ['a node that there is not', 'unknown-node', ['step_refused']],
  ['more than the allocation has', 'refused', ['step_refused']],
  ['a step that somebody cancelled', 'cancelled', ['step_cancelled']],
  ['a node that failed', 'node-failed', ['node_failure']],
  ['a job that ran into its limit', 'limit', ['time_limit']],
])('srun: %s', (_, name, codes) => {
  expect(slurmProblems(said(name))).toEqual(codes);
  for (const code of codes) expect(meaningOf(code)).toBeDefined();
});

test('memory that ran out is named beside the signal', () =>
  expect(
    slurmProblems(
      'slurmstepd-n1: error: Detected 1 oom_kill event in StepId=7.0. Some of the step tasks have been OOM Killed.\nsrun: error: n1: task 0: Killed\n',
    ),
  ).toEqual(['out_of_memory', 'rank_signal_9']));

test('output that only mentions srun has no problem', () =>
  expect(slurmProblems('+ srun ior -w\nwrite 12.3\nsrun: job 4 queued and waiting for resources\n')).toEqual([]));

const FIXTURES = join(__dirname, '../fixtures');
const REFUSED = readFileSync(join(FIXTURES, 'tools/ior330_enospc.out'), 'utf8');

const problemsOf = (text: string) => parseText('ior.out', text).problems;

test.each([
  ['Disk quota exceeded', 'quota_exceeded'],
  ['Read-only file system', 'read_only'],
])('a write that fails with %s is told from a full file system', (words, code) => {
  const problems = problemsOf(REFUSED.replaceAll('No space left on device', words));
  expect(problems).toContain(code);
  expect(problems).not.toContain('no_space');
});

test.each([
  ['MPICH', readFileSync(join(FIXTURES, 'mpi/mpich-killed.out'), 'utf8'), 'rank_signal_9'],
  ['MPICH', readFileSync(join(FIXTURES, 'mpi/mpich-crashed.out'), 'utf8'), 'rank_signal_11'],
  ['Intel MPI', '=   RANK 0 PID 4711 RUNNING AT n1\n=   KILLED BY SIGNAL: 9 (Killed)\n', 'rank_signal_9'],
  ['MPICH', 'application called MPI_Abort(MPI_COMM_WORLD, -1) - process 1\n', 'mpi_abort'],
])('%s names the signal of a rank, or that one aborted', (_, text, code) => {
  const begun = REFUSED.slice(0, REFUSED.indexOf('ior ERROR'));
  expect(problemsOf(begun)).not.toContain(code);
  expect(problemsOf(`${begun}${text}`)).toContain(code);
});

// What an operation needs and leaves behind decides how a plan prepares it: data or none, cold caches, another attempt.
test.each([
  [
    FILES,
    [
      ['file_create', 'created files', true, false, false],
      ['file_stat', 'ran stat on files', false, true, true],
      ['file_read', 'opened files', false, true, true],
      ['file_remove', 'deleted files', false, false, false],
    ],
  ],
  [
    DIRECTORIES,
    [
      ['dir_create', 'created directories', true, false, false],
      ['dir_stat', 'ran stat on directories', false, true, true],
      ['dir_read', 'opened directories', false, true, true],
      ['dir_remove', 'deleted directories', false, false, false],
    ],
  ],
  [
    { WRITE, READ },
    [
      ['write', 'wrote', true, false, true],
      ['read', 'read', false, true, true],
    ],
  ],
])(
  'an operation says on what it is, if it makes data, reads what may be cached, and can be done again',
  (all, facts) => {
    expect(
      Object.values(all).map(({ id, past, makesData, cached, restartable }) => [
        ...[id, past, makesData, cached, restartable],
      ]),
    ).toEqual(facts);
  },
);

test.each([
  ['an operation of which there were 300 in 2 s', 300, 150, { rate: 150, operations: 300, seconds: 2 }],
  ['a rate of which the number is not known', null, 150, { rate: 150 }],
] as const)('%s has these figures', (_, count, rate, figures) => {
  const found = countedRate({ operation: 'file_stat' }, rate, count).map(({ metric, value }) => [metric, value]);
  expect(Object.fromEntries(found)).toEqual(figures);
});

describe('data of a percentage', () => {
  const percentOf = (target: number) => fioPattern(target)?.percent ?? Number.NaN;

  test('stand for each target of the axis within 4 % of it', () => {
    for (const target of [1, 1.65, 2.6, 3.5])
      expect(Math.abs((fioPattern(target)?.expectedRatio ?? 0) / target - 1)).toBeLessThan(0.04);
  });

  test('are ever more alike for targets that compress more', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 8, noNaN: true }), fc.double({ min: 1, max: 8, noNaN: true }), (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(percentOf(low)).toBeLessThanOrEqual(percentOf(high));
      }),
    );
  });

  test.each([0, 0.99, 8.01, Number.NaN])('are none for a target of %p, where nothing was measured', (target) => {
    expect(fioPattern(target)).toBeNull();
  });

  test('are known by their id, and no other is', () => {
    const pattern = fioPattern(2.6);
    expect(knownFioPattern(pattern?.id ?? '')).toEqual(pattern);
    expect(knownFioPattern('fio-1')).toBeNull();
  });
});

test('IOR 4.0.0 is never asked for "incompressible", which compresses 32:1', () => {
  expect(iorPattern('4.0.0', 1)).toMatchObject({ option: 'random' });
  expect(iorPattern('3.3.0', 1)).toMatchObject({ option: 'incompressible' });
});

test('IOR stands for a target only where its buffers have that ratio', () => {
  expect(iorPattern('3.3.0', 3.5)?.id).toBe('ior-default');
  expect(iorPattern('4.0.0', 3.5)).toBeNull();
  for (const version of IOR_VERSIONS) for (const target of [1.65, 2.6]) expect(iorPattern(version, target)).toBeNull();
});

test('the default pattern of 3.3.0 compresses twice as well as that of 4.0.0', () => {
  expect(IOR_VERSIONS.map((version) => iorDefaultPattern(version).expectedRatio)).toEqual([3.556, 1.882]);
});

// Of an option that is given twice, the tools take the last; a longer name is another option.
test.each([
  ['fio --size=4k --filesize=1k --size=8m --sizes=2', '--size', '8m'],
  ['ior -b 4k -t 1k -b 8m', '-b', '8m'],
  ['fio --sizes=2', '--size', undefined],
])('`%s` asks by %s for %s', (command, name, value) => expect(optionOf(command.split(' '), name)).toBe(value));
test.each([
  ['ior -i 5 -w -i 3', 3],
  ['mdtest -i5 -n 2 -i=10', 10],
  ["ior '-i' '7' -I", 7],
  ['ior -w --i 3', null],
])('`%s` asks for %s repetitions', (command, repetitions) => expect(repetitionsIn(command)).toBe(repetitions));

test.each([
  [['4m', '3'], '30', { bytesPerProcess: 12 * 2 ** 20, seconds: 30 }],
  [['4m', '$n'], '0', { bytesPerProcess: null, seconds: null }],
  [['4m', undefined], undefined, { bytesPerProcess: null, seconds: null }],
])('sizes %j with the limit %s ask for %j', (sizes, limit, asked) => expect(askedOf(sizes, limit)).toEqual(asked));

test('sizes of dd are powers of 1000 with a B, of 1024 without, and blocks or words', () => {
  const sizes = { '500kB': 5e5, '2K': 2048, '3M': 3 * 2 ** 20, '1GB': 1e9, '2b': 1024, '4w': 8 };
  expect(Object.keys(sizes).map(coreutilsSize)).toEqual(Object.values(sizes));
});

test('caches are the memory of all clients and servers, past the clients for O_DIRECT', () => {
  const context = { clients: 2, clientMemoryBytes: 2 ** 30, serverMemoryBytes: 3 * 2 ** 30 };
  const both = { bytes: 5 * 2 ** 30, words: 'the 5 GiB of client and server memory' };
  expect(cacheMemory(context, false)).toEqual(both);
  expect(cacheMemory(context, true)).toEqual({ bytes: 3 * 2 ** 30, words: 'the 3 GiB of server memory' });
});

/** Values that a workload makes of what each client printed, such as `throughput=9@1024`: a metric, its value and its test. */
function valuesOf(tool: string, id: string, clients: readonly string[]) {
  const documents = clients.map((printed) => ({
    samples: [...printed.matchAll(/(\w+)=([\d.e]+)(?:@(\w+))?/g)].map(([, metric, value, test = null]) => {
      return { operation: id, metric, value: Number(value), test, iteration: null };
    }),
    ...{ summary: [], tests: [] },
  }));
  const { operations, values } = workloadNamed(tool);
  const found = values(workload(tool), operations.find((one) => one.id === id) as never, documents as never);
  return Object.fromEntries(found.map(({ metric, value }) => [metric, value]));
}

const FILES_OF_FIO = { rate: 100, operations: 400, seconds: 4, first_done: 2, last_done: 4 };
const SIZES = 'throughput=9@1024 throughput=1@64 latency=9@1024 latency=1@64';
test.each([
  ['fio', 'file_create', ['ios=100 runtime=2', 'ios=300 runtime=4'], FILES_OF_FIO],
  ['dd', 'read_large_file', ['seconds=5', 'seconds=3'], { seconds: 5, first_done: 3, last_done: 5 }],
  ['ior', 'write', ['total_time=10 close_time=3'], { first_done: 7, last_done: 10 }],
  [
    'lst',
    'lnet_write',
    ['throughput=1@clients throughput=100@clients throughput=200@clients'],
    { throughput: 157.2864 },
  ],
  ['rung', 'write', ['bytes=4e6 seconds=2 logical_bytes=300 used_bytes=100'], { throughput: 2, compression_ratio: 3 }],
  ['fi_pingpong', 'fabric_pingpong', [SIZES], { throughput: 9, latency: 1 }],
])('%s: values of %s over all that was printed', (tool, id, clients, values) =>
  expect(valuesOf(tool, id, clients)).toMatchObject(values),
);

test('bytes of all clients are divided by the time of the slowest, with the ends of both', () => {
  const found = dataOfClients('write', [3e9, 1e9], [2, 4]).map(({ metric, value }) => [metric, value]);
  const ends = { first_done: 2, last_done: 4, least_bytes: 1e9, most_bytes: 3e9 };
  expect(Object.fromEntries(found)).toEqual({ throughput: 1000, bytes: 4e9, total_time: 4, ...ends });
  expect(dataOfClients('write', [3e9, 1e9], [2])).toEqual([]);
});

test('a task that was terminated without a cancellation is named by its signal', () =>
  expect(slurmProblems('srun: error: n2: task 1: Terminated\n')).toEqual(['rank_signal_15']));
