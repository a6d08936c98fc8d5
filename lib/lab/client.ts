import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DRAFT, writeWhole } from '../common/writeWhole';
import { bySlurm } from '../fleet/common/slurm';
import { thisMachine } from '../fleet/common/thisMachine';
import { mountedAt } from '../run/clients/mounts';
import { toolVersions } from '../run/clients/tools';
import type { ClientConfig } from '../schema/client';
import { searchPath } from './command';
import { isServedByModel } from './model';
import { serversOf, spaceCommand } from './model/machine';
import type { LabPaths } from './paths';
import { LAB_MARKER } from './processes';
import type { LabState } from './state';

/**
 * Sets up this machine as the lab's client: `.lab/client/client.json`, and the client's scripts next to it.
 *
 * @param aliases names of other arms that the storages stand in for, in the order of the storages
 */
export async function writeClient(
  paths: LabPaths,
  { storages, notices = [], slurm }: Pick<LabState, 'storages' | 'notices' | 'slurm'>,
  aliases: readonly (readonly string[])[] = [],
): Promise<ClientConfig> {
  const named = storages.flatMap((storage, index) =>
    [storage.arm, ...aliases.flatMap((names) => names[index] ?? [])].map((arm) => ({
      ...storage,
      arm,
      storage: storage.arm,
    })),
  );
  const config: ClientConfig = {
    schema: 'fsxbench.client/1',
    boots: false,
    launch: (slurm === undefined ? thisMachine : bySlurm).name,
    user: null,
    home: paths.clientHome,
    networkCidr: null,
    arms: Object.fromEntries(
      named.map(({ arm, kind, mountPoint, filesystem, actually, model, storage }) => [
        arm,
        {
          mountPoint,
          filesystem,
          actually,
          ...(existsSync(mountPoint) ? mountedAt(mountPoint) : {}),
          model,
          ...(isServedByModel({ kind })
            ? { spaceCommand: spaceCommand(paths, storage), servers: serversOf(paths, storage) }
            : {}),
        },
      ]),
    ),
    notices: notices.length === 0 ? undefined : notices,
    tools: {
      ...(slurm === undefined ? {} : { slurm: slurm.replace(/^\S+ /, '') }),
      ...(await toolVersions({ ...process.env, PATH: searchPath(paths.tools), [LAB_MARKER]: paths.lab })),
    },
  };
  await mkdir(paths.clientHome, { recursive: true });
  for (const folder of ['bin', 'lib', 'storage'])
    await link(join(paths.root, 'assets/client', folder), join(paths.clientHome, folder));
  writeWhole(paths.clientConfig, `${JSON.stringify(config, null, 2)}\n`);
  return config;
}

/** Points `path` to `target`, replacing any existing link. */
async function link(target: string, path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}${DRAFT}`;
  await symlink(target, draft);
  await rename(draft, path);
}
