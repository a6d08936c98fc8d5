import { type Dir, lstatSync, opendirSync, realpathSync, type Stats, statfsSync, statSync } from 'node:fs';
import type { Found, WalkNotes } from './found';
import { display, fromText, isS3, rawPath, reasonOf, reasonOfGiven, withoutNestedS3 } from './paths';
import { listObjects } from './s3';

/** Milliseconds after which the walk yields to the event loop. */
const SLICE = 10;
const BATCH = 256;
/**
 * File systems that count every written block immediately: ext4, XFS, Btrfs, tmpfs, and overlays of them (statfs(2)). On others,
 * such as Lustre and FUSE, a file without blocks may have content.
 */
const COUNTS_BLOCKS = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630]);
/** A file smaller than this may be stored in its inode, without a block. */
const LEAST_HOLE_BYTES = 65_536;
/** The unit of `st_blocks` (inode(7)). */
const BLOCK_BYTES = 512;
/** Number of hard-linked files that are remembered, to count each once. */
const MOST_LINKED = 1_000_000;

/**
 * Lists files below paths, in batches, with bounded memory: one open folder per level.
 * A given path may be a symbolic link; links found below it are counted but not followed. Other file systems below a path, such as
 * /proc, are named and skipped.
 */
export async function* walk(
  paths: readonly string[],
  notes: WalkNotes,
  signal?: AbortSignal,
): AsyncGenerator<readonly Found[]> {
  const linked = new Set<string>();
  for (const path of withoutNestedS3(paths.filter(isS3))) yield* listObjects(path, notes, signal);
  for (const path of withoutNested(paths.filter((path) => !isS3(path))))
    yield* walkLocal(fromText(path), notes, linked);
}

/** Drops paths inside other given paths, which would be counted twice; keeps missing paths, to be reported. */
function withoutNested(paths: readonly string[]): string[] {
  const real = paths.map(resolved);
  return paths.filter((_, index) => {
    const own = real[index];
    if (own === undefined) return true;
    return !real.some(
      (other, at) => at !== index && other !== undefined && own.startsWith(other) && (own !== other || at < index),
    );
  });
}

function resolved(path: string): string | undefined {
  try {
    return `${realpathSync(path).replace(/\/+$/, '')}/`;
  } catch {
    return undefined;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(rawPath(path)).isSymbolicLink();
  } catch {
    return false;
  }
}

async function* walkLocal(root: string, notes: WalkNotes, linked: Set<string>): AsyncGenerator<readonly Found[]> {
  let batch: Found[] = [];
  const take = (path: string, stats: Stats): void => {
    if (stats.nlink > 1) {
      const id = `${stats.dev}:${inodeOf(path, stats)}`;
      if (linked.has(id)) {
        notes.hardLink();
        return;
      }
      if (linked.size < MOST_LINKED) linked.add(id);
    }
    const { size: bytes, blocks } = stats;
    const holeBytes = countsBlocks && bytes >= LEAST_HOLE_BYTES ? bytes - blocks * BLOCK_BYTES : 0;
    if (holeBytes <= 0) batch.push({ path, bytes });
    else batch.push(blocks === 0 ? { path, bytes, hole: true, holeBytes } : { path, bytes, holeBytes });
  };

  let top: Stats;
  let countsBlocks: boolean;
  try {
    top = statSync(rawPath(root));
    countsBlocks = COUNTS_BLOCKS.has(statfsSync(rawPath(root)).type);
  } catch (error) {
    notes.unreadable(display(root), reasonOfGiven(error, isLink(root)));
    return;
  }
  if (!top.isDirectory()) {
    if (top.isFile()) take(root, top);
    else notes.skipped(display(root), kindOf(top));
    yield batch;
    return;
  }
  const folders: { path: string; dir: Dir; inode: string }[] = [];
  const enter = (path: string, stats: Stats): void => {
    const inode = inodeOf(path, stats);
    if (folders.some((folder) => folder.inode === inode)) {
      notes.skipped(display(path), 'a parent folder, mounted again');
      return;
    }
    try {
      // `latin1` keeps each byte of a name as one character.
      folders.push({ path, dir: opendirSync(rawPath(path), { encoding: 'latin1', bufferSize: 512 }), inode });
    } catch (error) {
      notes.unreadable(display(path), reasonOf(error));
    }
  };
  enter(root.replace(/(.)\/+$/, '$1'), top);
  try {
    let since = Date.now();
    for (let folder = folders.at(-1); folder !== undefined; folder = folders.at(-1)) {
      const entry = nextEntry(folder, notes);
      if (entry === null) {
        folders.pop()?.dir.closeSync();
      } else {
        const path = folder.path === '/' ? `/${entry}` : `${folder.path}/${entry}`;
        look(path, top.dev, notes, enter, take);
      }
      if (batch.length >= BATCH || Date.now() - since > SLICE) {
        yield batch;
        batch = [];
        await new Promise((resolve) => setImmediate(resolve));
        since = Date.now();
      }
    }
    yield batch;
  } finally {
    for (const { dir } of folders) dir.closeSync();
  }
}

function nextEntry(folder: { path: string; dir: Dir }, notes: WalkNotes): string | null {
  try {
    return folder.dir.readSync()?.name ?? null;
  } catch (error) {
    notes.unreadable(display(folder.path), reasonOf(error));
    return null;
  }
}

function look(
  path: string,
  device: number,
  notes: WalkNotes,
  enter: (path: string, stats: Stats) => void,
  take: (path: string, stats: Stats) => void,
): void {
  let stats: Stats;
  try {
    stats = lstatSync(rawPath(path));
  } catch (error) {
    notes.unreadable(display(path), reasonOf(error));
    return;
  }
  if (stats.isSymbolicLink()) notes.symbolicLink();
  else if (stats.isDirectory()) {
    if (stats.dev === device) enter(path, stats);
    else notes.skipped(display(path), 'another file system: give it as a separate path');
  } else if (stats.isFile()) take(path, stats);
  else notes.skipped(display(path), kindOf(stats));
}

/** Lustre's inode numbers exceed the exact range of JavaScript numbers. */
function inodeOf(path: string, stats: Stats): string {
  if (Number.isSafeInteger(stats.ino)) return String(stats.ino);
  return String(statSync(rawPath(path), { bigint: true }).ino);
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'named pipe';
  if (stats.isSocket()) return 'socket';
  if (stats.isBlockDevice()) return 'block device';
  return stats.isCharacterDevice() ? 'character device' : 'not a file';
}
