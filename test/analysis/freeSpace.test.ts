import { join } from 'node:path';
import { summarise, summarise as summariseRun } from '../../lib/analysis/summary';
import { renderMarkdown } from '../../lib/report/markdown';
import type { Sample } from '../../lib/schema/sample';
import { readRun } from '../../lib/store/readRun';
import type { RunRecord } from '../../lib/store/record';
import { ROOT } from '../support/sources';
import { soundRun, withUsedSpace } from './runs';

const GB = 1e9;

const outcome = (record: RunRecord) =>
  summarise(record).analysis.checks.find(({ id }) => id === 'free-space-disagrees');

test('agrees with du within a tenth', () => {
  expect(outcome(withUsedSpace(({ allocated }) => ({ grown: 1.05 * allocated })))).toMatchObject({ state: 'passed' });
});

test.each([
  ['data removed before were still being freed', -300 * GB, 'grew by'],
  ['more was freed than written', -800 * GB, 'shrank by'],
  ['somebody else wrote', 100 * GB, 'grew by'],
])('says so where %s', (_, foreign, word) => {
  const record = withUsedSpace(({ arm, allocated }) => ({ grown: allocated + (arm === 'none' ? foreign : 0) }));
  const found = outcome(record);
  expect(found?.state).toBe('found');
  expect(new Set(found?.issues.map(({ where, severity }) => `${severity} ${where}`))).toEqual(
    new Set(['warning none']),
  );
  expect(found?.issues[0]?.message).toContain(`the used space of the file system ${word}`);
  expect(found?.issues[0]?.suggestion).toContain('trust du');
});

test.each([0, -5])('data that let the used space grow by %d bytes have no ratio by it', (grown) => {
  const { space } = summarise(withUsedSpace(() => ({ grown })));
  expect(space.map(({ byFreeSpace }) => byFreeSpace)).toEqual([null, null]);
  expect(space.flatMap(({ readings }) => readings.map(({ ratio }) => Number.isFinite(ratio)))).not.toContain(false);
});

test('a reading that did not settle is no figure: the reason stands in the report', () => {
  const reason = 'used space was still changing after 900 s, by -100 MiB in the last 15 s';
  const record = withUsedSpace(() => ({ reason }));
  const summary = summarise(record);
  expect(renderMarkdown(summariseRun(record))).toContain(`by free space: ${reason}`);
  expect(summary.space.map(({ byFreeSpace, freeSpaceReasons }) => [byFreeSpace, freeSpaceReasons])).toEqual([
    [null, [reason]],
    [null, [reason]],
  ]);
  expect(summary.analysis.checks.find(({ id }) => id === 'free-space-disagrees')).toMatchObject({
    state: 'not checked',
    reason: `free space was not read: ${reason}`,
  });
});

/** A run of a real Lustre 2.15.8: 17,825,792 bytes took 6,645,248 by du and by ZFS, and `lfs df`, which counts in MiB, went from 22 to `after`. */
function inMebibytes(after: number): RunRecord {
  const mebi = 2 ** 20;
  const record = withUsedSpace(() => ({ grown: 0 }));
  const values: Readonly<Record<string, number>> = {
    apparent_bytes: 17_825_792,
    allocated_bytes: 6_645_248,
    compression_ratio: 17_825_792 / 6_645_248,
  };
  // As recorded, each reading comes with the seconds that it took to settle.
  const samples = record.samples.flatMap((sample): Sample[] =>
    sample.metric === 'used_bytes'
      ? [
          { ...sample, value: (sample.phase === 'prepare' ? 22 : after) * mebi },
          { ...sample, metric: 'settle_seconds', unit: 's', value: 15 },
        ]
      : [{ ...sample, value: values[sample.metric] ?? sample.value }],
  );
  return { ...record, samples };
}

test('a growth of a few of the steps that space is reported in is a caution: 2.43 where it was 2.68', () => {
  const summary = summarise(inMebibytes(29));
  for (const { median, byFreeSpace, freeSpaceStepBytes } of summary.space) {
    expect([median?.toFixed(2), byFreeSpace?.toFixed(2)]).toEqual(['2.68', '2.43']);
    expect(freeSpaceStepBytes).toBe(2 ** 20);
  }
  const coarse = summary.analysis.checks.find(({ id }) => id === 'free-space-coarse');
  expect(coarse?.state).toBe('found');
  expect(coarse?.issues[0]).toMatchObject({ severity: 'note', expected: '300 MiB or more', actual: '7 MiB' });
  expect(coarse?.issues[0]?.message).toContain('changed by 7 MiB, but is reported in steps of 1 MiB');
  expect(renderMarkdown(summary)).toContain('in steps of 1 MiB');
});

test('a growth of some hundred steps is none', () => {
  const summary = summarise(inMebibytes(323));
  expect(summary.analysis.checks.find(({ id }) => id === 'free-space-coarse')).toMatchObject({ state: 'passed' });
  expect(renderMarkdown(summary)).not.toContain('in steps of');
});

test('does not apply where nobody read it', () => {
  expect(outcome(soundRun({ compressibilities: [2.6] }))).toMatchObject({ state: 'does not apply' });
});

test('is no figure on the scale model, whose servers report it late: the reason stands in the report', async () => {
  const summary = summarise(await readRun(join(ROOT, 'test/fixtures/model/compression')));
  expect(summary.space.length).toBeGreaterThan(0);
  for (const { byFreeSpace, freeSpaceReasons } of summary.space)
    expect([byFreeSpace, freeSpaceReasons]).toEqual([null, [expect.stringContaining('many seconds late')]]);
  const report = renderMarkdown(summary);
  expect(report).toContain('No ratio by free space: the model’s servers report their free space many seconds late.');
  expect(report).not.toContain('By free space');
});

test('one arm whose clients compress is counted by what they were given, the other by what it has: 2.5 and 1.25', () => {
  const record = withUsedSpace(({ arm }) => ({ grown: (arm === 'lz4' ? 200 : 500) * GB }));
  const values: Readonly<Record<string, number>> = {
    ...{ apparent_bytes: 500 * GB, allocated_bytes: 400 * GB, compression_ratio: 1.25 },
  };
  const samples = record.samples.flatMap((sample): Sample[] => {
    const found = { ...sample, value: values[sample.metric] ?? sample.value };
    if (sample.metric !== 'bytes' || sample.operation !== 'write') return [found];
    const given = { ...sample, value: 1000 * GB };
    return sample.arm === 'lz4' ? [given, { ...sample, metric: 'stored_bytes', value: 500 * GB }] : [given];
  });
  const space = summarise({ ...record, samples }).space.map(({ arm, median, byFreeSpace, readings }) => [
    ...[arm, median, byFreeSpace],
    ...new Set(readings.map(({ logicalBytes }) => logicalBytes)),
  ]);
  expect(space).toEqual([
    ['none', 1.25, 1, 500 * GB],
    ['lz4', 2.5, 5, 1000 * GB],
  ]);
});
