import { readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from '../common/files';
import { name } from '../schema/names';
import type { Clients } from './clients/launch';

/** Directory below an arm's mount point that holds the data of all runs. */
export const DATA_ROOT = 'fsxbench';

/**
 * Runs that have data below a mount point, or in a directory that stood for one (`root`); none behind a link, which anybody may have planted. A run
 * that ended well may leave an empty directory. One that may not be read counts as data: it is another user's.
 */
export function dataLeftBelow(root: string) {
  const data = join(root, DATA_ROOT);
  const names = identityOf(data) === null ? [] : namesIn(data);
  if (typeof names === 'string') return [];
  const runs = names.filter((run) => name.safeParse(run).success).sort();
  return runs.flatMap((run) => {
    const path = join(data, run);
    const identity = identityOf(path);
    const inside = namesIn(path);
    if (identity === null || inside.length === 0) return [];
    // Of what cannot be read, why nobody here sees what is in it.
    return { run, root, path, identity, unreadable: typeof inside === 'string' ? inside : undefined };
  });
}

/** Removes the empty directory of a successful run, and after the last run their common one, through no link. */
export function removeEmptied(root: string, run: string): void {
  const data = join(root, DATA_ROOT);
  if (identityOf(data) === null) return;
  for (const directory of [join(data, run), data]) {
    try {
      rmdirSync(directory);
    } catch {
      // It is gone, holds something, or is not ours to remove.
    }
  }
}

function namesIn(directory: string): string[] | string {
  try {
    return readdirSync(directory);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? [] : code;
  }
}

/** Describes the data of other runs on the arms: they take space, and may be in use. They are not removed here, since their run may be resumed. */
export function dataOfOthers(
  { run, clients }: { readonly run: string; readonly clients: Clients },
  hanging: ReadonlySet<string>,
): string[] {
  const arms = Object.entries(clients.config.arms).filter(([arm]) => !hanging.has(arm));
  return arms.flatMap(([arm, { mountPoint }]) =>
    dataLeftBelow(mountPoint)
      .filter((one) => one.run !== run)
      .map(({ path, run: other, unreadable }) => {
        const why = unreadable === undefined ? '' : ` (${unreadable})`;
        return `${arm} holds data of ${other} in ${path}${why}`;
      }),
  );
}
