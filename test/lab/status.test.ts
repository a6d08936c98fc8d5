import { labStatus, leftovers } from '../../lib/lab/down';
import { labPaths } from '../../lib/lab/paths';

const mock = {
  state: null as unknown,
  running: true,
  answers: true,
  mounts: [] as string[],
  loops: [] as string[],
  processes: [] as string[],
  namespaces: [] as string[],
};
jest.mock('../../lib/common/mounts', () => ({
  requireLinux: () => {},
  mountsBelow: (folder: string) =>
    mock.mounts.filter((at) => at.startsWith(`${folder}/`)).map((mountPoint) => ({ mountPoint })),
}));
jest.mock('../../lib/common/processIdentity', () => ({ isRunning: () => mock.running }));
jest.mock('../../lib/lab/emulator', () => ({ answers: async () => mock.answers }));
jest.mock('../../lib/lab/model/machine', () => ({ namespacesOfModels: async () => mock.namespaces }));
jest.mock('../../lib/lab/mounts', () => ({
  loopDevicesOf: async (folder: string) =>
    mock.loops.filter((image) => image.startsWith(folder)).map((image) => ({ device: '/dev/loop7', image })),
}));
jest.mock('../../lib/lab/processes', () => ({
  processesOfLab: async () => mock.processes,
  describeProcess: (name: string) => `process ${name}`,
}));
jest.mock('../../lib/lab/state', () => ({ readState: async () => mock.state }));

const paths = labPaths('/p');
const EMULATOR = { endpoint: 'http://127.0.0.1:4000', process: { pid: 7 } };
const storage = (arm: string, kind = 'btrfs') => ({ arm, kind, mountPoint: `/p/.lab/mnt/${arm}` });
const UP = { ready: true, emulator: EMULATOR, storages: [storage('lz4'), storage('plain', 'directory')] };
beforeEach(() =>
  Object.assign(mock, {
    ...{ state: UP, running: true, answers: true, mounts: ['/p/.lab/mnt/lz4'] },
    ...{ loops: [], processes: [], namespaces: [] },
  }),
);

test('a lab is up if its emulator answers and its file systems are mounted; a plain directory needs no mount', async () => {
  expect(await labStatus('/p')).toEqual({
    ...{ state: 'up', endpoint: EMULATOR.endpoint, storages: UP.storages, problems: [] },
  });
});

test.each<[Partial<typeof mock>, string[]]>([
  [{ state: { ...UP, ready: false } }, ['the last start was interrupted']],
  [{ running: false }, ['the emulator is not running']],
  [{ state: { ...UP, emulator: null } }, ['the emulator is not running']],
  [{ state: { ...UP, emulator: { ...EMULATOR, process: null } } }, ['the emulator is not running']],
  [{ answers: false }, ['the emulator does not answer at http://127.0.0.1:4000']],
  [{ mounts: [] }, ['/p/.lab/mnt/lz4 is not mounted']],
  [{ running: false, mounts: [] }, ['the emulator is not running', '/p/.lab/mnt/lz4 is not mounted']],
])('a lab with %j is broken: %j', async (change, problems) => {
  Object.assign(mock, change);
  expect(await labStatus('/p')).toMatchObject({ state: 'broken', problems });
});

test('without a record the lab is down, or broken by each thing that is left over, wherever it is', async () => {
  Object.assign(mock, { state: null, mounts: ['/elsewhere/mnt'], loops: ['/elsewhere/image'] });
  expect(await labStatus('/p')).toEqual({ state: 'down', endpoint: null, storages: [], problems: [] });
  Object.assign(mock, {
    mounts: ['/p/.lab/mnt/lz4', '/p/.lab/models/lz4/disk', '/p/.lab/stand-ins/none/mount'],
    loops: ['/p/.lab/models/lz4/image', '/p/.lab/stand-ins/none/image'],
    ...{ processes: ['motoserver'], namespaces: ['fsxbench-1'] },
  });
  const left = [
    ...['process motoserver', 'mount /p/.lab/mnt/lz4', 'mount /p/.lab/models/lz4/disk'],
    ...['mount /p/.lab/stand-ins/none/mount', '/dev/loop7 (/p/.lab/stand-ins/none/image)'],
    ...['/dev/loop7 (/p/.lab/models/lz4/image)', 'network namespace fsxbench-1'],
  ];
  expect(await leftovers(paths)).toEqual(left);
  expect(await labStatus('/p')).toMatchObject({ state: 'broken', problems: left });
});
