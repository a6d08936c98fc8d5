import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { labPaths } from '../../lib/lab/paths';
import { freePort } from '../../lib/lab/ports';
import { endProcesses, processesOfLab } from '../../lib/lab/processes';
import { startSlurm } from '../../lib/lab/slurm';
import { labProject } from './support';

/** Its daemons share a machine as root only. */
const canSlurm = process.getuid?.() === 0 && ['slurmctld', 'munged'].every((name) => existsSync(`/usr/sbin/${name}`));

jest.mock('../../lib/lab/ports', () => ({ freePort: jest.fn() }));
const really = jest.requireActual<typeof import('../../lib/lab/ports')>('../../lib/lab/ports').freePort;
let taken: Server;
beforeEach(async () => {
  taken = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => taken.close(resolve));
});

(canSlurm ? test : test.skip).each([
  ['its controller', 1],
  ['a node', 2],
])('Slurm takes other ports where somebody has taken that of %s', async (_, nth) => {
  const { root, remove } = await labProject();
  const paths = labPaths(root);
  const given: number[] = [];
  jest.mocked(freePort).mockImplementation(async () => {
    given.push(given.length + 1 === nth ? (taken.address() as { port: number }).port : await really());
    return given.at(-1) as number;
  });
  try {
    expect(await startSlurm(paths, { nodes: 1, processors: 1 })).toMatch(/^slurm/);
    // Its controller, a node and two to spare: twice.
    expect(given.length).toBeGreaterThanOrEqual(8);
  } finally {
    await endProcesses(() => processesOfLab(paths.lab));
    remove();
  }
});
