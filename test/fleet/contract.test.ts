import { sumOf } from '../../lib/cost/cost';
import { fleetDeploymentOf } from '../../lib/fleet/constructs';
import { fleetOf } from '../../lib/fleet/lookup';
import { FLEETS } from '../../lib/fleet/registry';

const SIZE = { instanceType: 'c5n.9xlarge', clients: 4, rootVolumeGiB: 30 };

describe.each(FLEETS.map((fleet) => [fleet.kind, fleet] as const))('the fleet %s', (kind, fleet) => {
  test('is found by its kind, in both halves', () => {
    expect(fleetOf({ kind })).toBe(fleet);
    expect(fleetDeploymentOf({ kind }).kind).toBe(kind);
  });

  test('has a price in us-east-1, and none where nobody knows one', () => {
    const lines = [...fleet.cost(SIZE, 'us-east-1'), ...(fleet.costOnce?.(SIZE, 'us-east-1') ?? [])];
    expect(sumOf(lines).hourlyUsd).toBeGreaterThan(0);
    const { hourlyUsd, reason } = sumOf(fleet.cost(SIZE, 'xx-nowhere-1'));
    expect([hourlyUsd, reason]).toEqual([null, expect.stringMatching(/\S/)]);
  });
});

test('a benchmark that names no kind has the first, and an unknown kind is refused', () => {
  expect(fleetOf({})).toBe(FLEETS[0]);
  expect(() => fleetOf({ kind: 'slurm' })).toThrow(
    `'kind' of a fleet must be one of ${FLEETS.map(({ kind }) => kind).join(', ')}, got 'slurm'`,
  );
});
