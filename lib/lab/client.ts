import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientConfig } from '../model/deployment';
import { runCommand } from './command';
import type { LabPaths } from './paths';
import type { LabStorage } from './state';

/** Makes this machine the lab's client: `.lab/client/client.json`, and the client's scripts beside it. */
export async function writeClient(paths: LabPaths, storages: readonly LabStorage[]): Promise<ClientConfig> {
  const config: ClientConfig = {
    schema: 'fsxbench.client/1',
    launch: 'local',
    user: null,
    home: paths.clientHome,
    networkCidr: null,
    arms: Object.fromEntries(
      storages.map(({ arm, kind, mountPoint, actually }) => [
        arm,
        { mountPoint, filesystem: kind === 'btrfs' ? 'btrfs' : 'other', actually },
      ]),
    ),
    tools: await toolVersions(paths),
  };
  await mkdir(paths.clientHome, { recursive: true });
  for (const folder of ['bin', 'lib'])
    await link(join(paths.root, 'assets/client', folder), join(paths.clientHome, folder));
  await writeFile(`${paths.clientConfig}.new`, `${JSON.stringify(config, null, 2)}\n`);
  await rename(`${paths.clientConfig}.new`, paths.clientConfig);
  return config;
}

/** The versions of the tools that a driver may start here; a tool that is missing, or does not run, has none. */
async function toolVersions(paths: LabPaths): Promise<Record<string, string>> {
  const [openmpi, fio, ior] = await Promise.all([
    version(paths, 'mpirun', ['--version'], /\(Open MPI\) (\S+)/),
    version(paths, 'fio', ['--version'], /^fio-(\S+)/m),
    iorVersion(paths),
  ]);
  const found = { ior, openmpi, fio };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== null));
}

/** IOR tells its version only in the header of a run: a run of four kilobytes. */
async function iorVersion(paths: LabPaths): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'fsxbench-ior-'));
  try {
    const args = ['-a', 'POSIX', '-w', '-b', '4k', '-t', '4k', '-o', join(folder, 'file')];
    return await version(paths, 'ior', args, /^IOR-(\d\S*?):/m);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function version(paths: LabPaths, command: string, args: string[], pattern: RegExp): Promise<string | null> {
  const { code, stdout } = await runCommand(command, args, { tools: paths.tools, seconds: 20, labFolder: paths.lab });
  return code === 0 ? (pattern.exec(stdout)?.[1] ?? null) : null;
}

/** Points `path` to `target`, whatever was there. */
async function link(target: string, path: string): Promise<void> {
  await rm(`${path}.new`, { force: true });
  await symlink(target, `${path}.new`);
  await rename(`${path}.new`, path);
}
