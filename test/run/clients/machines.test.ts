import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clients } from '../../../lib/run/clients/launch';
import { examineMachines } from '../../../lib/run/clients/machines';
import type { Execute } from '../../../lib/run/clients/process';
import { fakeExecute } from '../bench';

const clientsNamed = (...names: string[]): Clients => ({
  config: {
    schema: 'fsxbench.client/1',
    launch: 'ssh',
    user: null,
    home: '/shared/client',
    networkCidr: null,
    arms: {},
    tools: {},
    machines: { option: 'hosts', wanted: names.join(','), names, path: '/usr/bin' },
  },
  addresses: names,
  groups: 1,
});

const NODE = {
  schema: 'fsxbench.environment/1',
  kernel: '6.1.0',
  cpus: 36,
  memoryBytes: 96 * 2 ** 30,
  tools: { openmpi: 'mpirun (Open MPI) 4.1.4', fio: 'fio-3.33' },
};

const LOAD = {
  schema: 'fsxbench.load/1',
  uptime: 9,
  processors: 36,
  busySeconds: 1,
  stealSeconds: 0,
  loadAverage: 1,
  cpuStallSeconds: null,
  memoryStallSeconds: null,
  device: null,
  kernelSeconds: 0,
  processSeconds: {},
};

/** Machines that describe themselves with what differs from the usual, or say why they cannot. */
function machines(own: Readonly<Record<string, object | string>>): Execute {
  const { execute } = fakeExecute(({ argv }) => {
    const [name = '', facts = {}] = Object.entries(own).find(([each]) => argv.includes(each)) ?? [];
    if (typeof facts === 'string')
      return { output: `2026-11-24T00:00:00Z check-directory: error: ${facts}\n`, exitStatus: 1 };
    const describes = argv.join(' ').includes('/shared/client/bin/describe-node');
    const load = { ...LOAD, others: [], othersProcessors: 0, ...('load' in facts ? (facts.load as object) : {}) };
    return { output: JSON.stringify(describes ? { ...NODE, node: name, ...facts } : load) };
  });
  return execute;
}

const examined = (own: Readonly<Record<string, object | string>>) => {
  const directory = mkdtempSync(join(tmpdir(), 'fsxbench-machines-'));
  return examineMachines(clientsNamed(...Object.keys(own)), directory, machines(own)).then((found) => ({
    ...found,
    left: readdirSync(directory),
  }));
};

test('machines that are alike have nothing to be said of them, and nothing is left in the directory', async () => {
  const { problems, notices, cpus, lacks, left } = await examined({ a: {}, b: {} });
  expect({ problems, notices, cpus, lacks: lacks(['fio', 'openmpi']), left }).toEqual({
    problems: [],
    notices: [],
    cpus: 36,
    lacks: [],
    left: [],
  });
});

test('each is asked for a file that is in the directory, in the folder of the data', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'fsxbench-machines-'));
  const paths = new Set<string>();
  const seen: boolean[] = [];
  await examineMachines(clientsNamed('a', 'b'), directory, (invocation, abort) => {
    const [, asked, path = ''] =
      /check-directory (\S+) (\S+here)/.exec(invocation.argv.join(' ').replaceAll("'", '')) ?? [];
    if (asked !== undefined) {
      paths.add(path);
      seen.push(existsSync(join(directory, path)) && asked === directory);
    }
    return machines({ a: {}, b: {} })(invocation, abort);
  });
  expect([...paths]).toEqual([expect.stringMatching(/^fsxbench\/seen-\w+\/here$/)]);
  expect(seen).toEqual([true, true]);
});

test('what several machines say is said once, with their names', async () => {
  const down = 'there is no directory /fsx here: mount its file system';
  const { problems } = await examined({ a: {}, b: down, c: down });
  expect(problems).toEqual([`b, c: ${down}`]);
});

test('two versions of MPI are refused where a plan runs MPI, and told apart by machine', async () => {
  const { lacks } = await examined({
    a: {},
    b: {},
    c: { tools: { ...NODE.tools, openmpi: 'mpirun (Open MPI) 5.0.6' } },
  });
  expect(lacks(['openmpi'])).toEqual([
    'openmpi differs between the nodes (mpirun (Open MPI) 4.1.4 on a, b; mpirun (Open MPI) 5.0.6 on c): load the same version on all of them, or leave some nodes out',
  ]);
  expect(lacks(['fio', 'command'])).toEqual([]);
});

test('a machine without a program that the plan runs is named', async () => {
  const programs = { fio: '/usr/bin/fio', ior: '/opt/ior', mpirun: null };
  const { lacks } = await examined({ a: { programs }, b: { programs: { ...programs, ior: null } } });
  expect(lacks(['fio', 'ior', 'openmpi'])).toEqual([
    'b: no ior on the PATH: install it, or load what has it (--module NAME; spack load in the shell that starts the run), or build it (--shared DIRECTORY --build-tools)',
    'a, b: no mpirun on the PATH: install it, or load what has it (--module NAME; spack load in the shell that starts the run)',
  ]);
});

test('a Lustre target that clients cannot reach is named with them and the next step', async () => {
  const inactive = [
    "lfs check: error: check 'lz4-OST0001-osc-ff11': Cannot send after transport endpoint shutdown (108)",
  ];
  const arms = { slow: { type: 'lustre', inactive } };
  const { problems, notices } = await examined({ a: {}, b: { arms }, c: { arms } });
  expect(problems).toEqual([]);
  expect(notices).toEqual([expect.stringMatching(/^lz4-OST0001 is inactive or does not answer on b, c, .*active=1/)]);
});

test('differences that do not stop a run are for its readers, and the smallest machine decides', async () => {
  const { problems, notices, cpus } = await examined({ a: {}, b: { kernel: '6.12.1', cpus: 8 } });
  expect(problems).toEqual([]);
  expect(notices).toEqual([
    'The clients differ in their kernel: 6.1.0 on a; 6.12.1 on b.',
    'The clients differ in their number of processors: 36 on a; 8 on b.',
  ]);
  expect(cpus).toBe(8);
});

test('whoever else is at work on a machine is named before anything is measured', async () => {
  const load = { othersProcessors: 9, others: [{ name: 'vasp', processors: 9 }] };
  const { notices, machines } = await examined({ a: {}, b: { load } });
  expect(notices).toEqual(['On b other programs are running: they take 25 % of its processors (vasp).']);
  expect(machines.map(({ others }) => others?.share)).toEqual([0, 0.25]);
});

test('two names of one computer are told, since its boot is the same', async () => {
  const load = { bootId: 'd2a6' };
  const { problems, notices } = await examined({ a: { load }, b: { load: { bootId: '77f0' } }, c: { load } });
  expect(problems).toEqual([]);
  expect(notices).toEqual([
    'a, c are one computer under 2 names: their rate is that of one client, and what it counts is counted once.',
  ]);
});
