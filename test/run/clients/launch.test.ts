import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { commandLine } from '../../../lib/common/format/text';
import { addressesOf, type Clients, launchWorkload, onEachClient } from '../../../lib/run/clients/launch';
import type { ClientConfig } from '../../../lib/schema/client';
import { HOSTILE } from '../../support/hostile';
import { workload } from '../../support/records';
import { lustreClients } from '../bench';

const config: ClientConfig = {
  schema: 'fsxbench.client/1',
  launch: 'ssh',
  user: 'fsxbench',
  home: '/opt/fsxbench',
  networkCidr: '10.0.0.0/16',
  arms: {},
  tools: {},
};
const fleet = (count: number, groups = 2): Clients => ({
  config,
  addresses: Array.from({ length: count }, (_, index) => `10.0.1.${index + 10}`),
  groups,
});
const ior = workload('ior', { command: ['ior', '-w', '-o', '{dir}/data'], ranksPerClient: 18, pattern: 'ior-default' });
const fio = {
  ...ior,
  tool: 'fio' as const,
  command: ['fio', '--directory={dir}', '--filename_format=client{client}.$jobnum'],
};

test('groups share no client, leave none out and are equal', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 2, max: 6 }), (perArm, arms) => {
      const clients = fleet(perArm * arms, arms);
      const groups = Array.from({ length: arms }, (_, index) => addressesOf(clients, String.fromCharCode(65 + index)));
      expect(groups.flat()).toEqual(clients.addresses);
      expect(groups.every((group) => group.length === perArm)).toBe(true);
    }),
  );
});

test('IOR is started once over its group, on the fleet’s network, as the fleet’s user', () => {
  const { launches, hostFileContent, ranks } = launchWorkload(fleet(8), 'B', ior, '/fsx/lz4/d', '/run/hosts');
  expect(launches).toHaveLength(1);
  expect(commandLine(launches[0]?.argv ?? [])).toBe(
    'runuser -u fsxbench -- env HOME=/home/fsxbench mpirun --hostfile /run/hosts -npernode 18 --oversubscribe -x FSXBENCH_RUN_FOLDER --mca btl_tcp_if_include 10.0.0.0/16 --mca oob_tcp_if_include 10.0.0.0/16 ior -w -o /fsx/lz4/d/data',
  );
  expect(hostFileContent).toBe('10.0.1.14 slots=18\n10.0.1.15 slots=18\n10.0.1.16 slots=18\n10.0.1.17 slots=18\n');
  expect(ranks).toBe(72);
});

test('fio is started on each client of its group, each with files of its own', () => {
  const { launches } = launchWorkload(fleet(4), 'A', fio, '/fsx/none/d', '/run/hosts');
  expect(launches.map(({ argv, client }) => [argv.at(-2), client])).toEqual([
    ['10.0.1.10', 0],
    ['10.0.1.11', 1],
  ]);
  expect(launches[1]?.argv.at(-1)).toBe(
    "exec setpriv --pdeathsig TERM /opt/fsxbench/bin/within-session fio --directory=/fsx/none/d '--filename_format=client1.$jobnum'",
  );
});

test('machines of the user get the PATH and the variables of the shell that started the run, MPI ranks too', () => {
  const machines = { option: 'hosts', wanted: 'a,b', names: ['a', 'b'], path: '/opt/mpi/bin:/bin' };
  const theirs = { ...config, user: null, machines: { ...machines, variables: { LD_LIBRARY_PATH: "/opt/it's lib" } } };
  const clients: Clients = { config: theirs, addresses: ['a', 'b'], groups: 1 };
  const [first] = onEachClient(clients, 'all', ['describe-node']);
  expect(first?.argv.at(-1)).toBe(
    `exec setpriv --pdeathsig TERM /opt/fsxbench/bin/within-session env PATH=/opt/mpi/bin:/bin 'LD_LIBRARY_PATH=/opt/it'\\''s lib' describe-node`,
  );
  const { launches } = launchWorkload(clients, 'all', ior, '/fsx', '/run/hosts');
  expect(launches[0]?.argv.join(' ')).toContain(" -x PATH=/opt/mpi/bin:/bin -x LD_LIBRARY_PATH=/opt/it's lib ");
});

test('the other group finds the files that the first one wrote', () => {
  const files = (group: string): string[] =>
    launchWorkload(fleet(4), group, fio, '/d', '/h').launches.map(({ argv }) => argv.at(-1) ?? '');
  expect(files('A')).toEqual(files('B'));
});

test('on one computer there is no ssh and no host file, whatever the group', () => {
  const local: Clients = { config: { ...config, launch: 'local', user: null }, addresses: [], groups: 2 };
  const started = launchWorkload(local, 'B', ior, '/d', '/h');
  expect(started.launches[0]?.argv.slice(0, 2)).toEqual(['mpirun', '--oversubscribe']);
  expect(started.hostFileContent).toBeNull();
  expect(onEachClient(local, 'A', ['drop-caches'])).toEqual([{ argv: ['drop-caches'], client: null, environment: {} }]);
});

test('the first so many clients are a group, on a fleet of any number of arms', () => {
  expect(addressesOf(fleet(4, 1), 'first2')).toEqual(['10.0.1.10', '10.0.1.11']);
  expect(addressesOf(fleet(4, 2), 'first4')).toEqual(addressesOf(fleet(4, 2), 'all'));
  expect(launchWorkload(fleet(8), 'first3', ior, '/d', '/h').ranks).toBe(54);
});

describe.each(HOSTILE)('a directory called %s', (name) => {
  const directory = join('/mnt', name, 'd');
  const action = { ...fio, command: ['printf', '%s|', '{dir}', '{dir}/data', '--in={dir}', 'client{client}.{round}'] };
  const expected = `${directory}|${directory}/data|--in=${directory}|client0.1|`;

  test('reaches a tool on another machine as it is, through ssh and the shell there', () => {
    const home = resolve(__dirname, '../../../assets/client');
    const clients = { ...fleet(1, 1), config: { ...config, user: null, home }, mark: join('/runs', name) };
    const { launches } = launchWorkload(clients, 'all', action, directory, '/run/hosts');
    // sshd hands the last word to the user's shell.
    const command = launches[0]?.argv.at(-1) ?? '';
    expect(spawnSync('sh', ['-c', `${command}; true`], { encoding: 'utf8' }).stdout).toBe(expected);
  });

  test('reaches a tool in a step of Slurm, and here, as it is', () => {
    for (const launch of ['slurm', 'local']) {
      const { launches } = launchWorkload(
        { ...fleet(1, 1), config: { ...config, launch } },
        'all',
        action,
        directory,
        '',
      );
      const argv = launches[0]?.argv ?? [];
      const [program = '', ...words] = argv.slice(argv.indexOf('printf'));
      expect(spawnSync(program, words, { encoding: 'utf8' }).stdout).toBe(expected);
    }
  });
});

const mdtest = workload('mdtest', {
  ...{ operation: 'stat', ranksPerClient: 4 },
  command: ['mdtest', '-F', '-v', '-T', '-u', '-n', '10', '-d', '{dirs}'],
});

describe('how mdtest is started', () => {
  test('over 200 clients: 800 ranks, one after the other on the next client, as many daemons at once as there are clients', () => {
    const { launches, ranks } = launchWorkload(lustreClients(200), 'all', mdtest, '/fsx/slow/d', '/run/hosts');
    const line = commandLine(launches[0]?.argv ?? []);
    expect(ranks).toBe(800);
    expect(line).toContain('mpirun --hostfile /run/hosts -np 800 --map-by node --wdir /fsx/slow/d --oversubscribe');
    expect(line).toContain('--mca btl_tcp_if_include 10.0.0.0/16');
    expect(line).toContain('--mca plm_rsh_num_concurrent 200');
    expect(line).toMatch(/mdtest -F -v -T -u -n 10 -d \.\/round1$/);
  });

  test('with no option of Open MPI 4 where there is version 5, or where its default is enough', () => {
    const five: Clients = {
      ...lustreClients(200),
      config: { ...lustreClients(200).config, tools: { openmpi: '5.0.8' } },
    };
    for (const clients of [five, lustreClients(128)]) {
      const { launches } = launchWorkload(clients, 'all', mdtest, '/d', '/h');
      expect(commandLine(launches[0]?.argv ?? [])).not.toContain('num_concurrent');
      const again = launchWorkload(five, 'all', mdtest, '/d', '/h', { round: 1, targets: [], shift: 1 });
      expect(commandLine(again.launches[0]?.argv ?? [])).toContain('--map-by node');
    }
  });

  test('on the directories of all metadata targets, in paths that mdtest has room for', () => {
    const targets = Array.from({ length: 16 }, (_, index) => `mdt${index}`);
    const round = { round: 12, targets, shift: 0 };
    const { launches } = launchWorkload(lustreClients(4), 'all', mdtest, `/fsx/${'x'.repeat(200)}`, '/h', round);
    const dirs =
      commandLine(launches[0]?.argv ?? [])
        .split(' ')
        .at(-1) ?? '';
    expect(dirs.split('@')).toEqual(targets.map((target) => `${target}/round12`));
    expect(dirs.length).toBeLessThan(1024);
  });

  test('moved on by a client, so that no rank looks at what its own client made', () => {
    // Where each rank runs: by node in the order of the host file, or in the very sequence of its lines.
    const places = (shift: number): string[] => {
      const clients = lustreClients(3);
      const { launches, hostFileContent } = launchWorkload(clients, 'all', mdtest, '/d', '/h', {
        round: 1,
        targets: [],
        shift,
      });
      const hosts = (hostFileContent ?? '').trim().split('\n');
      const line = commandLine(launches[0]?.argv ?? []);
      if (line.includes('--map-by seq')) return hosts;
      expect(line).toContain('--map-by node');
      expect(hosts).toEqual(clients.addresses.map((address) => `${address} slots=4`));
      return Array.from({ length: 12 }, (_, rank) => clients.addresses[rank % 3] as string);
    };
    for (const shift of [1, 2, 3, 4, 30]) {
      expect(places(shift)).toHaveLength(12);
      expect(places(shift).some((host, rank) => host === places(0)[rank])).toBe(false);
      expect(new Set(places(shift).slice(0, 3)).size).toBe(3);
    }
    expect(places(1)).not.toEqual(places(2));
  });
});
