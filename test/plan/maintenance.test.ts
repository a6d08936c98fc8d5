import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { makePlan, type PlanRequest } from '../../lib/plan/plan';
import { withDescriptions } from '../../lib/run/deployedManifest';
import type { Deployment } from '../../lib/schema/deployment';
import type { Plan } from '../../lib/schema/plan';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';

const lustre: LustreStorage = { kind: 'lustre', deploymentType: 'PERSISTENT_1', storageCapacityGiB: 14_400 };

/** The published paired plan, which takes hours, and its issue about maintenance. */
function issueOf(weekly: string | undefined, change: Partial<PlanRequest> = {}) {
  const configuration = weekly === undefined ? lustre : { ...lustre, weeklyMaintenanceStartTime: weekly };
  const plan: Plan = makePlan({
    benchmark: compressionBench,
    plan: 'paired',
    scale: 'published',
    arms: ['none', 'lz4'].map((name) => ({ name, description: name, configuration })),
    fleet: { clients: 8, instanceType: 'c5n.9xlarge', ranksPerClient: 18 },
    hourlyUsd: 27,
    // A Sunday.
    surroundings: { startsAt: new Date('2026-11-22T05:00:00Z') },
    ...change,
  });
  expect(plan.totals.expectedSeconds).toBeGreaterThan(2 * 3600);
  return plan.issues.find(({ id }) => id === 'maintenance-window');
}

test('a run that would meet the window if it started now is warned of, with the time from which it would not', () => {
  expect(issueOf('7:06:00')).toMatchObject({
    severity: 'warning',
    message: expect.stringContaining('A run started now would overlap the weekly maintenance of none and lz4'),
    actual: expect.stringContaining('none: Sunday 06:00 UTC, next at 22 Nov 2026, 06:00:00 UTC'),
    suggestion: 'start it after 22 Nov 2026, 06:30:00 UTC, or set weeklyMaintenanceStartTime',
  });
});

test('a window that the run does not meet is no word', () => {
  expect(issueOf('7:03:00')).toBeUndefined();
  expect(issueOf('7:06:00', { surroundings: {} })).toBeUndefined();
});

test('where AWS chooses the window the chance is told; a short run, and the lab, hear nothing', () => {
  expect(issueOf(undefined)).toMatchObject({
    severity: 'note',
    message: expect.stringMatching(/overlaps that of a file system in [1-9]\d? % of cases/),
  });
  expect(issueOf(undefined, { surroundings: { lab: true } })).toBeUndefined();
  expect(
    issueOf('7:06:00', { surroundings: { lab: true, startsAt: new Date('2026-11-22T05:00:00Z') } }),
  ).toBeUndefined();
});

test('plans about metadata are warned, too', () => {
  const fleet = { clients: 4, instanceType: 'c5.9xlarge', ranksPerClient: 4 };
  const benchmark = { benchmark: metadataBench, fleet };
  expect(issueOf('7:06:00', benchmark)?.severity).toBe('warning');
});

test('a run takes the window that FSx reports, which is known where AWS chose it', () => {
  const arm = (name: string) => ({ name, fileSystemId: `fs-${name}`, configuration: lustre });
  const deployment = { arms: [arm('none'), arm('lz4'), arm('gone')] } as unknown as Deployment;
  const { arms } = withDescriptions(
    deployment,
    new Map([
      ['fs-none', { FileSystemId: 'fs-none', LustreConfiguration: { WeeklyMaintenanceStartTime: '4:11:30' } }],
      ['fs-lz4', { FileSystemId: 'fs-lz4' }],
      ['fs-gone', null],
    ]),
  );
  expect(arms.map(({ configuration }) => (configuration as LustreStorage).weeklyMaintenanceStartTime)).toEqual([
    '4:11:30',
    undefined,
    undefined,
  ]);
});
