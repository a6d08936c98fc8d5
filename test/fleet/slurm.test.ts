import { bySlurm } from '../../lib/fleet/common/slurm';
import type { MpiJob } from '../../lib/fleet/launcher';
import type { ClientConfig } from '../../lib/schema/client';
import type { Manifest } from '../../lib/schema/run';

const config = {} as ClientConfig;
const job: MpiJob = {
  config,
  addresses: ['n1', 'n2', 'n3'],
  ranksPerClient: 2,
  ranksInTurn: false,
  shift: 0,
  hostFile: '/run/hosts',
  command: ['ior', '-w'],
};
const STEP = 'srun --overlap --overcommit --cpu-bind=none --export=ALL';

test('a driver outside an allocation is told what submits it', () => {
  const addresses = bySlurm.peers?.addresses;
  expect(() => addresses?.({} as Manifest['fleet'], {})).toThrow(
    "'FSXBENCH_NODES' must name the nodes of the allocation, got none: the driver runs as a Slurm job, which assets/client/bin/start-run submits",
  );
  expect(addresses?.({} as Manifest['fleet'], { FSXBENCH_NODES: 'n1 n2 ' })).toEqual(['n1', 'n2']);
});

test('one step has every rank, node by node, and ends when one of them fails', () => {
  expect(bySlurm.mpi(job).argv.join(' ')).toBe(
    `${STEP} --mpi=pmix --kill-on-bad-exit=1 --ntasks=6 --nodes=3 --nodelist=n1,n2,n3 --ntasks-per-node=2 --distribution=block ior -w`,
  );
});

test('ranks in turn go from node to node, in the data directory', () => {
  const { argv, hostFile } = bySlurm.mpi({ ...job, ranksInTurn: true, directory: '/fsx/d' });
  expect(argv.join(' ')).toContain('--distribution=cyclic --chdir=/fsx/d ior -w');
  expect(hostFile).toBeNull();
});

test('shifted ranks are on another node than before, by a file that names the node of each', () => {
  const { argv, environment, hostFile } = bySlurm.mpi({ ...job, ranksInTurn: true, shift: 1 });
  expect(argv).toContain('--distribution=arbitrary');
  expect(argv.join(' ')).not.toContain('--nodelist');
  expect(environment).toEqual({ SLURM_HOSTFILE: '/run/hosts' });
  expect(hostFile).toBe('n2\nn3\nn1\nn2\nn3\nn1\n');
});

test('a command on one node shares it with the steps that run there', () => {
  expect(bySlurm.peers?.on(config, 'n2', ['drop-caches']).join(' ')).toBe(
    `${STEP} --mpi=none --nodes=1 --ntasks=1 --nodelist=n2 drop-caches`,
  );
});
