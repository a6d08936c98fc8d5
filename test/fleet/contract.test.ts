import { fleetDeploymentOf } from '../../lib/constructs/fleet/registry';
import type { FleetKind } from '../../lib/fleet/fleet';
import type { MpiJob } from '../../lib/fleet/launcher';
import { FLEETS, fleetOf, launcherOf } from '../../lib/fleet/registry';
import { sumOf } from '../../lib/price/cost';
import type { ClientConfig } from '../../lib/schema/client';

const CLIENT: ClientConfig = {
  schema: 'fsxbench.client/1',
  launch: 'of the fleet',
  user: 'fsxbench',
  home: '/opt/fsxbench',
  networkCidr: '10.0.0.0/16',
  arms: {},
  tools: {},
};
const JOB: MpiJob = {
  config: CLIENT,
  addresses: ['10.0.0.1', '10.0.0.2'],
  ranksPerClient: 3,
  shift: null,
  hostFile: '/run/hosts',
  command: ['ior', '-o', '/fsx/data'],
};
const SIZE = { instanceType: 'c5n.9xlarge', clients: 4, rootVolumeGiB: 30 };

/** Promises of every kind of fleet, whoever wrote it; each throws for one that does not. */
const PROMISES: Readonly<Record<string, (fleet: FleetKind) => void>> = {
  'is found by its kind, in both halves': ({ kind }) => {
    expect(fleetOf({ kind }).kind).toBe(kind);
    expect(fleetDeploymentOf({ kind }).kind).toBe(kind);
  },

  'starts one MPI job over its clients, and a command on each of them': ({ launcher }) => {
    expect(launcherOf({ launch: launcher.name })).toBe(launcher);
    const { argv, hostFile } = launcher.mpi(JOB);
    expect(argv.slice(-JOB.command.length)).toEqual(JOB.command);
    for (const address of JOB.addresses) {
      expect(`${argv.join(' ')} ${hostFile}`).toContain(address);
      const line = launcher.peers?.on(CLIENT, address, ['drop-caches', 'a b']).join(' ');
      expect(line).toContain(address);
      expect(line).toMatch(/drop-caches '?a b'?$/);
    }
  },

  'has a price in us-east-1, and none where nobody knows one': (fleet) => {
    expect(sumOf(fleet.cost(SIZE, 'us-east-1')).hourlyUsd).toBeGreaterThan(0);
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
    'starts one MPI job over its clients, and a command on each of them': [
      { launcher: { ...FLEETS[0].launcher, name: 'rsh' } },
      /must be one of .*got 'rsh'/,
    ],
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
