import { summarise as summariseRun } from '../../lib/analysis/summary';
import { figuresOf } from '../../lib/report/figures';
import { toJson } from '../../lib/report/json';
import type { RunRecord } from '../../lib/store/record';
import { soundRun } from './runs';

describe('a local run is not the lab’s', () => {
  const local = (actually: string): RunRecord => {
    const record = soundRun();
    if (record.manifest === null) throw new Error('a sound run has a manifest');
    const arms = record.manifest.arms.map((arm) => ({
      ...arm,
      kind: 'directory' as const,
      fileSystemId: null,
      describe: null,
      hourlyUsd: null,
      hourlyReason: 'a directory of this machine has no list price',
      actually,
    }));
    return { ...record, manifest: { ...record.manifest, stack: null, region: null, arms } };
  };
  const everyWord = (record: RunRecord): string => {
    const { limits, costs, verdicts, checks, predicted } = toJson(summariseRun(record)).analysis;
    return [
      toJson(summariseRun(record)).answers,
      limits,
      costs,
      verdicts,
      checks,
      predicted,
      toJson(summariseRun(record)).issues,
    ]
      .map((part) => JSON.stringify(part))
      .join('\n');
  };

  test('nothing speaks of the lab, on a disk of this machine', () => {
    const record = local('ext4 on /dev/nvme1n1');
    expect(toJson(summariseRun(record)).place).toBe('directories');
    expect(everyWord(record)).not.toMatch(/the lab|stood in/);
    expect(everyWord(record)).toContain('Nothing was rented');
  });

  test('on mounted Lustre, which may be Amazon’s, nothing says that it is not, nor that it costs nothing', () => {
    const record = local('lustre on 10.0.0.15@tcp:/abcdefgh');
    expect(toJson(summariseRun(record)).place).toBe('mounted');
    expect(everyWord(record)).not.toMatch(
      /the lab|stood in|local file systems|[Nn]othing was rented|directories of one machine/,
    );
    expect(everyWord(record)).toContain('their price is not known');
    expect(figuresOf(summariseRun(record)).platform).toBe('Lustre mounted on one machine');
  });

  test('a deployment and the lab stay what they were', () => {
    expect([soundRun(), soundRun({ lab: true })].map((record) => toJson(summariseRun(record)).place)).toEqual([
      'aws',
      'lab',
    ]);
  });
});
