import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientConfig } from '../model/deployment';
import { runCommand } from './command';
import type { LabPaths } from './paths';
import type { LabStorage } from './state';

/**
 * Makes this machine the lab's client: `.lab/client/client.json`, and the client's scripts beside it.
 *
 * @param aliases names of other arms that the storages stand for, in the order of the storages
 */
export async function writeClient(
  paths: LabPaths,
  storages: readonly LabStorage[],
  aliases: readonly (readonly string[])[] = [],
): Promise<ClientConfig> {
  const named = storages.flatMap((storage, index) => [
    storage,
    ...aliases.flatMap((names) => (names[index] === undefined ? [] : [{ ...storage, arm: names[index] }])),
  ]);
  const config: ClientConfig = {
    schema: 'fsxbench.client/1',
    launch: 'local',
    user: null,
    home: paths.clientHome,
    networkCidr: null,
    arms: Object.fromEntries(
      named.map(({ arm, kind, mountPoint, actually }) => [
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
  const [openmpi, fio, ior, mdtest] = await Promise.all([
    version(paths, 'mpirun', ['--version'], /\(Open MPI\) (\S+)/),
    version(paths, 'fio', ['--version'], /^fio-(\S+)/m),
    // Both tell their version only in the header of a run: one of four kilobytes, and one of a single file.
    ofRun(paths, 'ior', (folder) => ['-a', 'POSIX', '-w', '-b', '4k', '-t', '4k', '-o', join(folder, 'file')], IOR),
    ofRun(paths, 'mdtest', (folder) => ['-n', '1', '-d', folder], MDTEST),
  ]);
  const found = { ior, mdtest, openmpi, fio };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== null));
}

const IOR = /^IOR-(\d\S*?):/m;
const MDTEST = /^mdtest-(\d\S*) was launched/m;

async function ofRun(
  paths: LabPaths,
  command: string,
  args: (folder: string) => string[],
  pattern: RegExp,
): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'fsxbench-tool-'));
  try {
    return await version(paths, command, args(folder), pattern);
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
