import { type RunSummary, summarise } from '../../lib/analysis/summary';
import { plainText } from '../../lib/report/render/shown';
import { programSentences } from '../../lib/report/sections/program';
import type { ClientLoad, Counter } from '../../lib/schema/load';
import { isMeasured } from './faultyRuns';
import { soundRun, withSamples } from './runs';

const LOAD: ClientLoad = {
  ...{ client: 'n1', seconds: 300, processors: 36, busy: 0.4, tool: 0.4, lasting: 0, others: 0, names: [], steal: 0 },
  ...{ loadAverage: 30, cpuStall: 0, memoryStall: 0, device: null, ioWait: 0.02, ioStall: 0.05 },
};
const counter = (role: Counter['role'], unit: string, value: number): Counter => ({
  ...{ name: `lustre_${role}`, unit, value, ...(role === undefined ? {} : { role }) },
});
/** Bytes written and read on a node in 300 s, and the seconds that its processes were in calls. */
const counted = (written: number, read: number, calls: number): Counter[] => [
  ...[counter('written', 'B', written), counter('read', 'B', read), counter('calls', 's', calls)],
];

/** A user's program on two nodes of each arm, of 36 ranks where they are known. */
function programRun(load: Partial<ClientLoad>, ranks?: number): RunSummary {
  const record = withSamples(soundRun({ targets: [1] }), (sample) =>
    isMeasured(sample) && sample.operation === 'write'
      ? {
          ...{ ...sample, operation: 'run', metric: 'seconds', unit: 's', value: 300, tool: 'command' },
          load: ['n1', 'n2'].map((client) => ({ ...LOAD, ...load, client })),
        }
      : sample,
  );
  const parameters: Record<string, number> = ranks === undefined ? {} : { ranksPerClient: ranks };
  return summarise({ ...record, plan: record.plan && { ...record.plan, parameters } });
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
    /^none: storage limits the program: its processes were in calls to the file system 70 % of the time, the most that faster storage can save, it wrote 20 MB\/s, \d+ % of what .* and read 0 MB\/s, 0 % of what .*, and the processors were 40 % busy\.$/,
  );
});

test.each([
  [0.02, 'no'],
  [0.3, 'partly'],
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
    'it cannot be told whether storage limits the program: some process waited for I/O at least 5 %',
  );
  expect(first(programRun({ busy: 0.97, counters: counted(1e6, 0, 0) })).limited).toBe('no');
  expect(first(programRun({ device: { read: 0, written: 0 } })).limited).toBe('no');
});

test('waits while processors work are nothing that faster storage saves', () => {
  const { waiting } = first(programRun({ busy: 0.8, ioStall: 0.9, device: { read: 0, written: 0 } }));
  expect(waiting).toEqual({ share: expect.closeTo(0.2, 6), by: 'stall', atLeast: false });
});

test('a node without counters leaves the bytes unknown, and says why', () => {
  const { nodes, wrote, words } = first(programRun({ counters: null, countersReason: 'only root may read them' }));
  expect(wrote?.MBps).toBeNull();
  expect(nodes?.[0]).toMatchObject({ client: 'n1', counters: null, reason: 'only root may read them' });
  expect(words).toContain('nothing counted its bytes');
});
