import { armCosts } from '../../lib/analysis/figures/cost';
import type { Subject } from '../../lib/analysis/subject';

const HOUR = 3_600_000;
const task = (step: string, from: number, to: number, bytes: number | null, more = {}) => ({
  ...{ arm: 'lz4', step, from: from * HOUR, to: to * HOUR, bytes, clients: 2 },
  ...more,
});
/** Two tasks of one step overlap; another arm and a task whose bytes nobody knows are not part of the cost. */
const MEASURED = [
  task('r1-write', 1, 2, 1e12),
  task('r1-write', 1.5, 2.5, 0.5e12),
  task('r1-read', 4, 4.5, 0.5e12),
  task('r2-read', 5, 9, null),
  task('r1-write', 1, 3, 7e12, { arm: 'none' }),
];
const STORAGE = { hourlyUsd: 10, hourlyReason: null };
const FLEET = { hourlyUsd: 8, hourlyReason: null, clients: ['c1', 'c2', 'c3', 'c4', 'c5'] };

/** The cost of lz4, a second arm, on two of four planned clients. */
function costOf(given: object = {}, fleet: object = {}, deployed: object = {}) {
  const subject = {
    plan: { fleet: { clients: 4 } },
    manifest: { fleet: { ...FLEET, ...fleet } },
    arms: [
      { name: 'none', deployed: { ...STORAGE, hourlyUsd: 99 } },
      { name: 'lz4', deployed: { ...STORAGE, ...deployed } },
    ],
    measured: MEASURED,
    elsewhere: null,
    cost: { hours: 3 },
    ...given,
  };
  return armCosts(subject as unknown as Subject)[1];
}

test('an arm costs its storage and its share of the clients; a TB costs what the time to move it does', () => {
  // 1 to 2.5 and 4 to 4.5: 2 hours for 2 TB. 10 + 8 × 2/4 USD an hour.
  expect(costOf()).toEqual({
    ...{ arm: 'lz4', measuredHours: 2, terabytes: 2, hourlyUsd: 14, runUsd: 42, perTerabyteUsd: 14, reason: null },
  });
});

test.each<[string, Parameters<typeof costOf>, object]>([
  [
    'all clients are used where the arms take turns',
    [{ measured: [task('a', 0, 1, 1e12, { clients: 4 })] }],
    { hourlyUsd: 18 },
  ],
  ['no arm uses more than all', [{ measured: [task('a', 0, 1, 1e12, { clients: 9 })] }], { hourlyUsd: 18 }],
  ['without a plan, the clients are those of the manifest', [{ plan: undefined }], { hourlyUsd: 10 + (8 * 2) / 5 }],
  ['half an hour for 4 TB', [{ measured: [task('a', 1, 1.5, 4e12)] }], { perTerabyteUsd: 1.75, terabytes: 4 }],
  ['how long the run lasted is not known', [{ cost: { hours: null } }], { runUsd: null, perTerabyteUsd: 14 }],
  [
    'nothing was moved',
    [{ measured: [task('a', 1, 2, 0)] }],
    { measuredHours: 1, terabytes: 0, runUsd: 42, perTerabyteUsd: null, reason: 'it is not known how much was moved' },
  ],
  [
    'nobody knows what was moved',
    [{ measured: [task('a', 1, 2, null)] }],
    { measuredHours: null, terabytes: null, runUsd: 42, reason: 'it is not known how much was moved' },
  ],
  [
    'the price of the storage is not known',
    [{}, { hourlyReason: 'fleet' }, { hourlyUsd: null, hourlyReason: 'storage' }],
    { hourlyUsd: null, runUsd: null, measuredHours: 2, reason: 'storage' },
  ],
  [
    'the price of the clients is not known',
    [{}, { hourlyUsd: null, hourlyReason: 'fleet' }],
    { hourlyUsd: null, reason: 'fleet' },
  ],
  ['it ran elsewhere', [{ elsewhere: { cost: 'on your cluster' } }], { runUsd: null, reason: 'on your cluster' }],
])('%s', (_, given, expected) => {
  expect(costOf(...given)).toMatchObject(expected);
});
