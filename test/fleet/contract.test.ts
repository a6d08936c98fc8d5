import { sumOf } from '../../lib/cost/cost';
import { fleetDeploymentOf } from '../../lib/fleet/constructs';
import type { FleetKind } from '../../lib/fleet/fleet';
import { fleetOf } from '../../lib/fleet/lookup';
import { FLEETS } from '../../lib/fleet/registry';

const SIZE = { instanceType: 'c5n.9xlarge', clients: 4, rootVolumeGiB: 30 };

/** What every kind of fleet keeps, whoever wrote it; each throws for one that does not. */
const PROMISES: Readonly<Record<string, (fleet: FleetKind) => void>> = {
  'is found by its kind, in both halves': ({ kind }) => {
    expect(fleetOf({ kind }).kind).toBe(kind);
    expect(fleetDeploymentOf({ kind }).kind).toBe(kind);
  },

  'has a price in us-east-1, and none where nobody knows one': (fleet) => {
    const lines = [...fleet.cost(SIZE, 'us-east-1'), ...(fleet.costOnce?.(SIZE, 'us-east-1') ?? [])];
    expect(sumOf(lines).hourlyUsd).toBeGreaterThan(0);
    const { hourlyUsd, reason } = sumOf(fleet.cost(SIZE, 'xx-nowhere-1'));
    expect([hourlyUsd, reason]).toEqual([null, expect.stringMatching(/\S/)]);
  },
};

describe.each(FLEETS.map((fleet) => [fleet.kind, fleet] as const))('the fleet %s', (_, fleet) => {
  test.each(Object.entries(PROMISES))('%s', (__, holds) => holds(fleet));
});

describe('the contract is known to bite: a fleet that breaks it on purpose is refused', () => {
  const BROKEN: Readonly<Record<string, readonly [change: Partial<FleetKind>, says: RegExp]>> = {
    'is found by its kind, in both halves': [{ kind: 'slurm' }, /got 'slurm'/],
    'has a price in us-east-1, and none where nobody knows one': [
      { cost: (fleet) => FLEETS[0].cost(fleet, 'us-east-1') },
      /null/,
    ],
  };

  test.each(Object.entries(PROMISES))('%s', (promise, holds) => {
    const [change, says] = BROKEN[promise] ?? [{}, /no fleet that breaks it/];
    expect(() => holds({ ...FLEETS[0], ...change })).toThrow(says);
  });
});

test('a benchmark that names no kind has the first, and an unknown kind is refused', () => {
  expect(fleetOf({})).toBe(FLEETS[0]);
  expect(() => fleetOf({ kind: 'slurm' })).toThrow(
    `'kind' of a fleet must be one of ${FLEETS.map(({ kind }) => kind).join(', ')}, got 'slurm'`,
  );
});
