import { type RunSummary, summarise } from '../../lib/analysis/summary';
import { renderMarkdown } from '../../lib/report/markdown';
import { programSentences } from '../../lib/report/sections/program';
import { plainText } from '../../lib/report/shown';
import type { ClientLoad, Counter } from '../../lib/schema/environment';
import { clientLoad } from '../support/records';
import { isMeasured } from './faultyRuns';
import { soundRun, withSamples } from './runs';

const LOAD = clientLoad({
  ...{ client: 'n1', seconds: 300, processors: 36, busy: 0.4, tool: 0.4, loadAverage: 30, ioWait: 0.02, ioStall: 0.05 },
});
const counter = (role: Counter['role'], unit: string, value: number): Counter => ({
  name: `lustre_${role}`,
  unit,
  value,
  ...(role === undefined ? {} : { role }),
});
/** Bytes written and read on a node in 300 s, and the seconds that its processes were in calls. */
const counted = (written: number, read: number, calls: number): Counter[] => [
  ...[counter('written', 'B', written), counter('read', 'B', read), counter('calls', 's', calls)],
];

/** A user's program on two nodes of each arm, of 36 ranks where they are known. */
function programRun(
  load: Partial<ClientLoad>,
  ranks?: number,
  { metadata, second = {} }: { readonly metadata?: object; readonly second?: Partial<ClientLoad> } = {},
): RunSummary {
  const record = withSamples(soundRun({ compressibilities: [1] }), (sample) =>
    isMeasured(sample) && sample.operation === 'write'
      ? {
          ...sample,
          operation: 'run',
          metric: 'seconds',
          unit: 's',
          value: 300,
          tool: 'command',
          load: ['n1', 'n2'].map((client) => ({ ...LOAD, ...load, client, ...(client === 'n2' ? second : {}) })),
        }
      : sample,
  );
  const parameters: Record<string, number> = ranks === undefined ? {} : { ranksPerClient: ranks };
  const arms = record.plan?.arms.map((arm) =>
    metadata === undefined || arm.configuration === undefined
      ? arm
      : {
          ...arm,
          configuration: {
            ...arm.configuration,
            deploymentType: 'PERSISTENT_2',
            perUnitStorageThroughput: 250,
            metadata,
            storageCapacityGiB: 4800,
          },
        },
  );
  return summarise({ ...record, plan: record.plan && { ...record.plan, arms: arms ?? [], parameters } });
}

const first = (run: RunSummary) => {
  const [one] = run.analysis.programs;
  const [sentence] = programSentences(run);
  return { ...one, words: plainText(sentence ?? []) };
};

test('calls to the file system, by its own counters, are shares of the time of all ranks', () => {
  const { limited, waiting, words } = first(programRun({ counters: counted(3e9, 0, 0.7 * 36 * 300) }, 36));
  expect(waiting).toEqual({ share: expect.closeTo(0.7, 6), by: 'calls', atLeast: false });
  expect(limited).toBe('yes');
  expect(words).toMatch(
    /^none: storage limits the program: its processes were in calls to the file system 70 % of the time \(faster storage can save no more\); it wrote 20 MB\/s, \d+ % of what .* and read 0 MB\/s, 0 % of what .*; the CPUs were 40 % busy\.$/,
  );
});

test.each([
  [0.02, 'no'],
  [0.0999, 'no'],
  [0.1, 'partly'],
  [0.3, 'partly'],
  [0.4999, 'partly'],
  [0.5, 'yes'],
] as const)('ranks that were in calls %d of the time: %s', (share, limited) => {
  expect(first(programRun({ counters: counted(1e6, 0, share * 36 * 300) }, 36)).limited).toBe(limited);
});

test('a rate near a documented limit is one that storage sets, however little the ranks waited', () => {
  const rate = (written: number) => first(programRun({ counters: counted(written, 0, 0) }, 36));
  // The share of the lowest limit that two nodes reach with 1 MB/s each.
  const share = rate(300e6).wrote?.limit?.share ?? 0;
  expect(rate((0.9 / share) * 300e6)).toMatchObject({
    limited: 'yes',
    wrote: { limit: { share: expect.closeTo(0.9, 6) } },
  });
});

test('without ranks the kernel is asked, which may not count waits for a network: too little is no answer', () => {
  const { limited, waiting, words } = first(programRun({ counters: counted(1e6, 0, 5000) }));
  expect([limited, waiting]).toEqual([null, { share: expect.closeTo(0.05, 6), by: 'stall', atLeast: true }]);
  expect(words).toContain(
    'it is inconclusive whether storage limits the program: some process waited for I/O at least 5 %',
  );
  expect(first(programRun({ busy: 0.97, counters: counted(1e6, 0, 0) })).limited).toBe('no');
  expect(first(programRun({ device: { read: 0, written: 0 } })).limited).toBe('no');
});

test('waits while processors work are nothing that faster storage saves', () => {
  const { waiting } = first(programRun({ busy: 0.8, ioStall: 0.9, device: { read: 0, written: 0 } }));
  expect(waiting).toEqual({ share: expect.closeTo(0.2, 6), by: 'stall', atLeast: false });
});

// Neither is the sum of the others that of all nodes.
test.each([
  ['one of two', [...counted(3e9, 9e9, 7560), counter('file_create', '1', 9e5)]],
  ['each', null],
])('%s without counters leaves bytes, calls and operations unknown, and says why', (_, counters) => {
  const none = { counters: null, countersReason: 'only root may read them' };
  const run = first(programRun(counters === null ? none : { counters }, 36, { second: none }));
  expect(run).toMatchObject({ wrote: { MBps: null }, read: { MBps: null }, waiting: { by: 'stall' } });
  expect(run.operations).toBeUndefined();
  expect(run.nodes?.[1]).toMatchObject({ client: 'n2', counters: null, reason: 'only root may read them' });
  expect(run.words).toContain('its bytes were not counted');
});

test('a node that counts a part keeps it, and its report says why that is not all', () => {
  const part = [{ name: 'lustre_write_requests', unit: '1', value: 40 }];
  const run = programRun({ counters: part, countersReason: 'only root may read the rest' });
  const { nodes, words } = first(run);
  expect(nodes?.[0]).toMatchObject({ counters: part, reason: 'only root may read the rest' });
  expect(words).toContain('its bytes were not counted');
  expect(renderMarkdown(run)).toContain('Not every counter was read on n1: only root may read the rest.');
  const nothing = programRun({ counters: null, countersReason: 'there is no lctl' });
  expect(renderMarkdown(nothing)).toContain('No counter was read on n2: there is no lctl.');
});

// Two nodes that differ: each figure of an arm is of both, and each of a node its own.
test.each([
  // 3 + 1 GB written and 9 + 5 GB read in 300 s; ranks in calls 20 and 40 % of the time.
  ['calls', 36, {}, { share: 0.3, by: 'calls', atLeast: false }, 'partly'],
  ['stalls', undefined, {}, { share: 0.1, by: 'stall', atLeast: true }, 'partly'],
  // I/O wait is a share of 36 processors: (0.002 + 0.006) ÷ 2 of them is 0.144 of one.
  ['I/O wait', undefined, { ioStall: undefined }, { share: 0.144, by: 'iowait', atLeast: true }, 'partly'],
  ['I/O wait of busy nodes', undefined, { ioStall: undefined, busy: 0.88 }, { share: 0.12 }, 'partly'],
] as const)('nodes that differ count together: %s', (_by, ranks, load, waiting, limited) => {
  const two = first(
    programRun({ busy: 0.2, ioWait: 0.002, ...load, counters: counted(3e9, 9e9, 0.2 * 36 * 300) }, ranks, {
      second: { ...{ busy: 0.6, ioWait: 0.006, ioStall: 0.15, ...load }, counters: counted(1e9, 5e9, 0.4 * 36 * 300) },
    }),
  );
  const busy = 'busy' in load ? [0.88, 0.88, 0.88] : [0.2, 0.6, 0.4];
  expect([...(two.nodes ?? []).map((node) => node.busy), two.busy]).toEqual(busy.map((one) => expect.closeTo(one, 6)));
  expect(two.nodes?.map(({ ioWait }) => ioWait)).toEqual([expect.closeTo(0.002, 6), expect.closeTo(0.006, 6)]);
  expect([two.wrote?.MBps, two.read?.MBps]).toEqual([expect.closeTo(13.333, 3), expect.closeTo(46.667, 3)]);
  expect(two.nodes?.[1]?.counters?.map(({ value }) => value)).toEqual([1e9, 5e9, 4320]);
  expect(two).toMatchObject({
    seconds: 300,
    waiting: { ...waiting, share: expect.closeTo(waiting.share, 6) },
    limited,
  });
});

// Where the kernel may not count all waits, processors that were busy leave no time for more of them.
test.each([
  [0.89, null],
  [0.9, 'no'],
] as const)('processors %d busy, and no wait that was counted: %s', (busy, limited) => {
  expect(first(programRun({ busy, ioStall: 0.01, counters: counted(1e6, 0, 0) })).limited).toBe(limited);
});

describe('operations on files, as the file system counts them', () => {
  const IOPS = { mode: 'USER_PROVISIONED', iops: 1500 };
  const made = (creates: number, removals: number, more: readonly Counter[] = []): Counter[] => [
    ...counted(1e6, 0, 0),
    ...[counter('file_create', '1', creates), counter('file_remove', '1', removals), ...more],
  ];

  test('are held against the metadata IOPS, whose rates they share', () => {
    // On two nodes in 300 s: 1,500 of 3,000 creations and 600 of 1,500 removals a second.
    const { limited, operations, words } = first(
      programRun({ counters: made(225_000, 90_000, [counter('file_stat', '1', 45_000)]) }, 36, { metadata: IOPS }),
    );
    expect(operations?.share).toBeCloseTo(0.9, 6);
    expect(limited).toBe('yes');
    expect(words).toMatch(
      /^none: storage limits the program: .* read 0 MB\/s.* and made 1,500 creates, 600 deletes and 300 stats per second, 90 % of what the metadata servers sustain; the CPUs/,
    );
  });

  test('far below them they limit nothing', () => {
    const { limited, words } = first(programRun({ counters: made(3000, 0) }, 36, { metadata: IOPS }));
    expect(limited).toBe('no');
    expect(words).toContain('and made 20 creates per second, 1 % of what the metadata servers sustain');
  });

  test('without metadata IOPS, or of a kind without a documented rate, they are only counted', () => {
    expect(first(programRun({ counters: made(225_000, 0) }, 36))).toMatchObject({
      operations: { perSecond: { file_create: 1500 }, share: null },
      words: expect.stringContaining('and made 1,500 creates per second; the CPUs'),
    });
    const opened = [...counted(1e6, 0, 0), counter('file_open', '1', 225_000)];
    expect(first(programRun({ counters: opened }, 36, { metadata: IOPS })).operations).toEqual({
      perSecond: { file_open: 1500 },
      share: null,
    });
  });

  test('which nothing counts, or of which there was less than one a second, are not told', () => {
    expect(first(programRun({ counters: counted(1e6, 0, 0) }, 36)).operations).toBeUndefined();
    expect(first(programRun({ counters: made(10, 0) }, 36)).words).not.toContain('made');
  });
});

test('what two nodes count that are one computer is counted once', () => {
  const both = first(programRun({ counters: counted(3e9, 0, 0.7 * 72 * 300) }, 36, { second: { sameAs: 'n1' } }));
  expect(both.wrote?.MBps).toBeCloseTo(10, 6);
  expect(both.waiting).toEqual({ share: expect.closeTo(0.7, 6), by: 'calls', atLeast: false });
  expect(both.nodes?.map(({ sameAs }) => sameAs)).toEqual([undefined, 'n1']);
  const report = renderMarkdown(programRun({ counters: counted(3e9, 0, 0) }, 36, { second: { sameAs: 'n1' } }));
  expect(report).toContain('n2 is the same computer as n1: it counts for both.');
});
