import { summarise } from '../../../lib/analysis/summary';
import type { NodeEnvironment } from '../../../lib/schema/environment';
import type { RecordedTarget, Sample } from '../../../lib/schema/sample';
import { soundRun } from '../runs';

const target = (name: string, own: Partial<RecordedTarget> = {}): RecordedTarget => ({
  name,
  before: 'active',
  after: own.before ?? 'active',
  objects: name.includes('MDT') ? null : 4,
  ...own,
});

/** A run on two Lustre file systems with two object targets each; the second targets are given, for each phase or only for a read. */
function runWith(
  second: Record<'none' | 'lz4', Partial<RecordedTarget>>,
  arms?: NodeEnvironment['arms'],
  operations = /write|read/,
) {
  const record = soundRun({ compressibilities: [1] });
  const samples = record.samples.map((sample): Sample => {
    if (sample.source !== 'client') return sample;
    const arm = sample.arm as 'none' | 'lz4';
    const own = operations.test(sample.operation) ? second[arm] : {};
    return { ...sample, targets: [target(`${arm}-MDT0000`), target(`${arm}-OST0000`), target(`${arm}-OST0001`, own)] };
  });
  const environment = arms === undefined ? [] : [{ node: 'n1', facts: { arms } }];
  const { analysis, validity } = summarise({ ...record, samples, environment });
  const of = (id: string) => analysis.checks.find((check) => check.id === id);
  return { missing: of('missing-targets'), changed: of('target-changed'), validity };
}

test('figures of all targets are not blamed', () => {
  const { missing, changed } = runWith({ none: {}, lz4: {} });
  expect([missing?.state, changed?.state]).toEqual(['passed', 'passed']);
});

test.each<[string, Partial<RecordedTarget>]>([
  ['inactive', { before: 'inactive', objects: 0 }],
  ['disconnected', { before: 'disconnected', objects: 0 }],
  ['nearly full', { before: 'nearly full', objects: 0 }],
  ['without data', { objects: 0 }],
])('a target that is %s is named: a warning on both arms, an error on one', (why, own) => {
  const both = runWith({ none: own, lz4: own });
  expect(both.missing?.issues.map(({ severity }) => severity)).toEqual(['warning', 'warning']);
  expect(both.missing?.issues[0]?.message).toContain(`none-OST0001 (${why})`);
  expect(both.validity).toBe('WARN');
  const one = runWith({ none: {}, lz4: own });
  expect(one.missing?.issues).toEqual([
    expect.objectContaining({ severity: 'error', message: expect.stringContaining(`lz4-OST0001 (${why})`) }),
  ]);
  expect(one.validity).toBe('INVALID');
});

test('a nearly full target that has data of the run is measured', () => {
  const own = { before: 'nearly full', objects: 2 } as const;
  expect(runWith({ none: own, lz4: own }).missing?.state).toBe('passed');
});

test.each<[RecordedTarget['after'], string]>([
  ['inactive', 'lz4-OST0001 was active before and inactive after'],
  ['evicted', 'lz4-OST0001 evicted this client'],
])('a target that becomes %s within a phase is named with the phase', (after, words) => {
  const { changed, missing } = runWith({ none: {}, lz4: { after } }, undefined, /read/);
  expect(changed?.issues).toEqual([
    expect.objectContaining({
      severity: 'warning',
      message: expect.stringContaining(words),
      where: expect.stringMatching(/read/),
    }),
  ]);
  expect(missing?.state).toBe('passed');
});

test('a target that one client alone cannot reach, as recorded, is read from its description', () => {
  const line =
    "lfs check: error: check 'lz4-OST0001-osc-ff110001221fe800': Cannot send after transport endpoint shutdown (108)";
  const { missing } = runWith({ none: {}, lz4: {} }, { lz4: { type: 'lustre', inactive: [line] } });
  expect(missing?.issues[0]).toMatchObject({ severity: 'error', message: expect.stringContaining('lz4-OST0001') });
});

test('a run on Lustre without a record of targets is not checked, and others have none', () => {
  const record = soundRun({ compressibilities: [1] });
  const state = (environment: typeof record.environment) =>
    summarise({ ...record, environment }).analysis.checks.find(({ id }) => id === 'missing-targets')?.state;
  expect(state([])).toBe('does not apply');
  expect(state([{ node: 'n1', facts: { arms: { none: { type: 'lustre' } } } }])).toBe('not checked');
});
