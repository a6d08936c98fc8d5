import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bySlurm } from '../../lib/fleet/common/slurm';
import { sshHosts } from '../../lib/fleet/hosts';
import type { MpiJob } from '../../lib/fleet/launcher';
import { deployedFleet, launcherOf, STANDING_FLEETS } from '../../lib/fleet/registry';
import { slurmNodes } from '../../lib/fleet/slurm';
import type { ClientConfig } from '../../lib/schema/client';
import type { Manifest } from '../../lib/schema/run';

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-standing-'));

/** PATH on which one program says something, after a warning. */
function saying(program: string, text: string): NodeJS.ProcessEnv {
  const path = join(folder, program);
  writeFileSync(path, `#!/bin/sh\necho "${program}: warning: slow" >&2\ncat <<'TEXT'\n${text}\nTEXT\n`);
  chmodSync(path, 0o755);
  return { PATH: `${folder}:/usr/bin:/bin` };
}

test.each(STANDING_FLEETS.map((fleet) => [fleet.option, fleet] as const))(
  '--%s is found by its option, and its launcher has peers',
  (option, fleet) => {
    expect(deployedFleet(option)).toBe(fleet);
    expect(launcherOf({ launch: fleet.launcher.name }).peers).toBeDefined();
  },
);

test.each([
  ['0', "'--nodes' must be a number of nodes from 1 to 9999, got '0'"],
  ['1-4', "got '1-4': sinfo shows how many there are"],
])('--nodes %s is refused', (wanted, message) => {
  expect(() => slurmNodes.reserve(wanted, [], {})).toThrow(message);
});

test('nodes are asked for outside an allocation, with what the user adds, and taken inside one', async () => {
  expect(slurmNodes.reserve('16', ['--partition=c5n', '-t', '60'], {})).toEqual([
    ...['salloc', '--nodes=16', '--exclusive', '--job-name=fsxbench', '--kill-command=TERM'],
    ...['--partition=c5n', '-t', '60'],
  ]);
  const inJob = { ...saying('scontrol', 'c5n-1\nc5n-2\nc5n-3'), SLURM_JOB_ID: '7', SLURM_JOB_NODELIST: 'c5n-[1-3]' };
  expect(slurmNodes.reserve('2', [], inJob)).toBeNull();
  expect((await slurmNodes.machines('2', inJob)).names).toEqual(['c5n-1', 'c5n-2']);
  await expect(slurmNodes.machines('4', inJob)).rejects.toThrow(
    "'--nodes' must be at most the 3 of the allocation 7 (c5n-[1-3]), got 4",
  );
});

test.each(['SLURM_NTASKS_PER_GPU', 'SLURM_GPUS_PER_TASK', 'SLURM_TRES_PER_TASK', 'SLURM_LABELIO'])(
  '%s of the job does not reach its steps',
  async (name) => {
    const inJob = { ...saying('scontrol', 'n1'), SLURM_JOB_ID: '7', SLURM_JOB_NODELIST: 'n1', [name]: '1' };
    expect((await slurmNodes.machines('1', inJob)).unset).toContain(name);
  },
);

test('a job that is queued comes back after a failure, and writes where its run is, whatever that is called', () => {
  const job = { log: '/home/me/50 % of it/driver.log', scripts: '/shared/client' };
  expect(slurmNodes.submit?.('2', ['--time=60'], job, {})).toEqual([
    ...['sbatch', '--parsable', '--nodes=2', '--exclusive', '--job-name=fsxbench', '--requeue', '--open-mode=append'],
    ...['--output=/home/me/50 %% of it/driver.log', '--time=60', '/shared/client/bin/drive-in-slurm'],
  ]);
  expect(() => slurmNodes.submit?.('2', [], job, { SLURM_JOB_ID: '7' })).toThrow(
    'leave out --detach, or start it outside',
  );
});

test('a machine without Slurm says so', async () => {
  await expect(slurmNodes.machines('2', { PATH: '/none' })).rejects.toThrow(
    'scontrol is not installed on this host; start the run on a login node',
  );
});

test('a Slurm without PMIx is told with what it has instead', async () => {
  expect(await slurmNodes.noMpi?.(saying('srun', 'MPI plugin types are...\n\tnone\n\tpmi2\n\tcray_shasta'))).toContain(
    'with none, pmi2, cray_shasta, but',
  );
  expect(
    await slurmNodes.noMpi?.(
      saying('srun', 'MPI plugin types are...\n\tnone\n\tpmix\nspecific pmix plugin versions available: pmix_v4'),
    ),
  ).toBeNull();
});

test('hosts are a list, or a file as mpirun has it', async () => {
  const file = join(folder, 'hosts');
  writeFileSync(file, '# the fast ones\nn1 slots=4\n\nn2.cluster # another\n');
  expect((await sshHosts.machines(file, {})).names).toEqual(['n1', 'n2.cluster']);
  expect((await sshHosts.machines('10.0.0.1,n2', {})).names).toEqual(['10.0.0.1', 'n2']);
});

test('a file that PBS or LSF wrote names a host for each of its slots', async () => {
  const file = join(folder, 'nodefile');
  writeFileSync(file, 'n1\nn1\nn2\nn2\n');
  expect((await sshHosts.machines(file, {})).names).toEqual(['n1', 'n2']);
  expect(sshHosts.count(file)).toBe(2);
});

test.each([
  ['n1,-oProxyCommand=reboot', 'got "-oProxyCommand=reboot"'],
  ['n1,n 2', 'got "n 2"'],
  ['n1;reboot', 'got "n1;reboot"'],
  ['n1,$(reboot)', 'got "$(reboot)"'],
  ['n1,"n2"', 'got "\\"n2\\""'],
  ['n1\nreboot', 'got "n1\\nreboot"'],
  ['n1,', 'got ""'],
  ['n1,n2,n1', "must name each host once, got 'n1' twice"],
  ['/no/such/file', "got '/no/such/file': there is no such file"],
])('--hosts %j is refused', async (wanted, message) => {
  await expect(sshHosts.machines(wanted, {})).rejects.toThrow(message);
});

describe('steps of Slurm', () => {
  const config = {} as ClientConfig;
  const job: MpiJob = {
    config,
    addresses: ['n1', 'n2', 'n3'],
    ranksPerClient: 2,
    shift: null,
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
    const { argv, hostFile } = bySlurm.mpi({ ...job, shift: 0, directory: '/fsx/d' });
    expect(argv.join(' ')).toContain('--distribution=cyclic --chdir=/fsx/d ior -w');
    expect(hostFile).toBeNull();
  });

  test('shifted ranks are on another node than before, by a file that names the node of each', () => {
    const { argv, environment, hostFile } = bySlurm.mpi({ ...job, shift: 1 });
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
});
