import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytes } from '../kit/format/units';
import { name } from '../schema/names';
import type { Clients } from './launch';

/** Directory below an arm's mount point that holds the data of all runs. */
export const DATA_ROOT = 'fsxbench';

/** Data of a run that did not come to its clean-up. */
export interface DataLeft {
  readonly run: string;
  readonly path: string;
}

/** Counting the bytes of millions of files takes longer than anybody waits. */
const COUNT_SECONDS = 20;

/** Runs that have data below a mount point, or in a directory that stood for one. A run that ended well leaves an empty directory. */
export function dataLeftBelow(mountPoint: string): DataLeft[] {
  const root = join(mountPoint, DATA_ROOT);
  if (!existsSync(root)) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && name.safeParse(entry.name).success)
    .map((entry) => ({ run: entry.name, path: join(root, entry.name) }))
    .filter(({ path }) => readdirSync(path).length > 0)
    .sort((a, b) => (a.run < b.run ? -1 : 1));
}

/** What a directory takes on its file system; `null` where counting takes too long or is refused. */
export async function bytesBelow(path: string, seconds = COUNT_SECONDS): Promise<number | null> {
  const abort = new AbortController();
  const counted = new Promise<number | null>((resolve) => {
    const argv = ['--summarize', '--one-file-system', '--block-size=1', path];
    execFile('du', argv, { signal: abort.signal }, (error, output) =>
      resolve(error === null ? Number(output.split('\t')[0]) : null),
    );
  });
  // A file system that hangs keeps du from ending at all.
  const late = sleep(seconds * 1000, null, { signal: abort.signal }).catch(() => null);
  const bytes = await Promise.race([counted, late]);
  abort.abort();
  return bytes;
}

/** What lies on the arms of other runs, in words: it takes space, and somebody may work on it. Nobody removes it here, since that run may be resumed. */
export async function dataOfOthers(
  { run, clients }: { readonly run: string; readonly clients: Clients },
  hanging: ReadonlySet<string>,
): Promise<string[]> {
  const arms = Object.entries(clients.config.arms).filter(([arm]) => !hanging.has(arm));
  const others = arms.flatMap(([arm, { mountPoint }]) =>
    dataLeftBelow(mountPoint).flatMap((one) => (one.run === run ? [] : [{ arm, ...one }])),
  );
  return Promise.all(
    others.map(
      async ({ arm, path, ...other }) =>
        `${arm} holds data of ${other.run} in ${path} (${bytes(await bytesBelow(path))})`,
    ),
  );
}
