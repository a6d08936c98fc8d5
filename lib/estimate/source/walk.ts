import { spawnSync } from 'node:child_process';
import { type Dir, lstatSync, opendirSync, realpathSync, type Stats, statfsSync, statSync } from 'node:fs';
import { listObjects } from './s3';
import { coversS3, display, type Found, fromText, isS3, rawPath, reasonOf, reasonOfGiven, type Survey } from './survey';

/** A run of a file's bytes that holds data: from its first byte to before the first of the hole behind it. */
export type Extent = readonly [from: number, until: number];

/** Files with more runs than this are read as a whole. */
const MOST_EXTENTS = 20_000;

/** Time limit for the files of one call. The rest is read as a whole. */
const MOST_MS = 600_000;

/** Node.js has no `lseek`. Paths come with NUL bytes between them; a line for each goes out. */
const PROGRAM = `
import errno, json, os, sys
for path in sys.stdin.buffer.read().split(b"\\0"):
    found, at = [], 0
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            while len(found) <= ${MOST_EXTENTS}:
                data = os.lseek(file, at, os.SEEK_DATA)
                at = os.lseek(file, data, os.SEEK_HOLE)
                found.append((data, at))
        except OSError as error:
            if error.errno != errno.ENXIO: found = None
        finally:
            os.close(file)
    except OSError:
        found = None
    print(json.dumps(found if found is None or len(found) <= ${MOST_EXTENTS} else None))
`;

let hasPython = true;

/** Data extents of sparse files (lseek(2), SEEK_DATA and SEEK_HOLE); `null` if unsupported, or without Python. @param paths one character per byte */
function extentsOf(paths: readonly string[]): readonly (readonly Extent[] | null)[] {
  const none = paths.map(() => null);
  if (!hasPython) return none;
  const input = Buffer.from(paths.join('\0'), 'latin1');
  const limits = { maxBuffer: 2 ** 30, timeout: MOST_MS };
  const { status, stdout } = spawnSync('python3', ['-I', '-c', PROGRAM], { input, encoding: 'utf8', ...limits });
  hasPython = status === 0;
  if (!hasPython) return none;
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Extent[] | null);
}

/** Bytes of a file that are read: those outside holes, as far as these are known. */
export const dataBytes = ({ bytes, data }: Pick<Found, 'bytes' | 'data'>): number =>
  data === undefined ? bytes : data.reduce((sum, [from, until]) => sum + until - from, 0);

/** Runs of blocks that hold data: the first block of each, and how many. */
export function runsOf(
  data: readonly Extent[],
  blockBytes: number,
): { readonly first: number; readonly count: number }[] {
  const runs: { first: number; count: number }[] = [];
  for (const [from, until] of data) {
    const last = runs.at(-1);
    const end = Math.ceil(until / blockBytes);
    const first = Math.max(Math.floor(from / blockBytes), last === undefined ? 0 : last.first + last.count);
    if (last !== undefined && first === last.first + last.count) last.count = Math.max(last.count, end - last.first);
    else if (end > first) runs.push({ first, count: end - first });
  }
  return runs;
}

/** Milliseconds after which the walk yields to the event loop. */
const SLICE = 10;
const BATCH = 256;
/** File systems that count written blocks at once: ext4, XFS, Btrfs, tmpfs, overlays (statfs(2)). Lustre or FUSE may show 0 blocks for content. */
const COUNTS_BLOCKS = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630]);
/** A file smaller than this may be stored in its inode, without a block. */
const LEAST_HOLE_BYTES = 65_536;
/** The unit of `st_blocks` (inode(7)). */
const BLOCK_BYTES = 512;
/** Number of hard-linked files that are remembered, to count each once. */
const MOST_LINKED = 1_000_000;

/**
 * Lists files below paths in batches, with one open folder per level. A given path may be a link; links below it are counted, not followed. Other
 * file systems below a path, such as /proc, are named and skipped.
 */
export async function* walk(
  paths: readonly string[],
  notes: Survey,
  signal?: AbortSignal,
): AsyncGenerator<readonly Found[]> {
  const [remote, local] = [paths.filter(isS3), paths.filter((path) => !isS3(path))];
  for (const path of withoutNested(remote, coversS3)) yield* listObjects(path, notes, signal);
  const linked = new Set<string>();
  for (const path of withoutNested(local, coversLocal)) yield* walkLocal(fromText(path), notes, linked);
}

/** Drops paths inside other given paths, which would be counted twice. @param covers true if one path contains all of another */
const withoutNested = (paths: readonly string[], covers: (wide: string, path: string) => boolean): string[] =>
  paths.filter(
    (path, index) =>
      !paths.some((other, at) => at !== index && covers(other, path) && (at < index || !covers(path, other))),
  );

/** Missing paths are covered by none: they are kept, to be reported. */
function coversLocal(wide: string, path: string): boolean {
  try {
    const [folder, own] = [wide, path].map((each) => `${realpathSync(each).replace(/\/+$/, '')}/`) as [string, string];
    return own.startsWith(folder);
  } catch {
    return false;
  }
}

interface Folder {
  readonly path: string;
  readonly dir: Dir;
  readonly inode: string;
}

/** Files with holes of this size are asked where their data are. */
const LEAST_SPARSE_BYTES = 2 ** 20;

/** The files, with the places of the data of those that are sparse. */
function withExtents(files: readonly Found[]): readonly Found[] {
  const sparse = files.filter(({ holeBytes = 0, data }) => data === undefined && holeBytes >= LEAST_SPARSE_BYTES);
  if (sparse.length === 0) return files;
  const extents = extentsOf(sparse.map(({ path }) => path));
  const known = new Map(sparse.map((file, at) => [file, extents[at]]));
  return files.map((file) => {
    const data = known.get(file);
    return data ? { ...file, data, holeBytes: file.bytes - dataBytes({ ...file, data }) } : file;
  });
}

class LocalWalk {
  private batch: Found[] = [];
  private readonly folders: Folder[] = [];

  constructor(
    private readonly device: number,
    private readonly countsBlocks: boolean,
    private readonly notes: Survey,
    private readonly linked: Set<string>,
  ) {}

  async *from(root: string, top: Stats): AsyncGenerator<readonly Found[]> {
    this.enter(root.replace(/(.)\/+$/, '$1'), top);
    try {
      let since = Date.now();
      for (let folder = this.folders.at(-1); folder !== undefined; folder = this.folders.at(-1)) {
        const { path, dir } = folder;
        const entry = this.read(path, () => dir.readSync())?.name;
        if (entry === undefined) this.folders.pop()?.dir.closeSync();
        else this.look(path === '/' ? `/${entry}` : `${path}/${entry}`);
        if (this.batch.length >= BATCH || Date.now() - since > SLICE) {
          yield this.taken();
          await new Promise((resolve) => setImmediate(resolve));
          since = Date.now();
        }
      }
      yield this.taken();
    } finally {
      for (const { dir } of this.folders) dir.closeSync();
    }
  }

  /** Takes a file, unless it was found by another of its names. */
  take(path: string, stats: Stats): void {
    if (stats.nlink > 1) {
      const id = `${stats.dev}:${inodeOf(path, stats)}`;
      if (this.linked.has(id)) {
        this.notes.hardLinks += 1;
        return;
      }
      if (this.linked.size < MOST_LINKED) this.linked.add(id);
    }
    const { size: bytes, blocks } = stats;
    const holeBytes = this.countsBlocks && bytes >= LEAST_HOLE_BYTES ? bytes - blocks * BLOCK_BYTES : 0;
    if (holeBytes <= 0) this.batch.push({ path, bytes });
    else this.batch.push(blocks === 0 ? { path, bytes, data: [], holeBytes } : { path, bytes, holeBytes });
  }

  taken(): readonly Found[] {
    const { batch } = this;
    this.batch = [];
    return withExtents(batch);
  }

  private enter(path: string, stats: Stats): void {
    const inode = inodeOf(path, stats);
    if (this.folders.some((folder) => folder.inode === inode)) {
      this.notes.skipped(display(path), 'a parent folder, mounted again');
      return;
    }
    // `latin1` keeps each byte of a name as one character.
    const dir = this.read(path, () => opendirSync(rawPath(path), { encoding: 'latin1', bufferSize: 512 }));
    if (dir !== undefined) this.folders.push({ path, dir, inode });
  }

  /** What is read of a path; `undefined` if that fails, which is noted. */
  private read<T>(path: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.notes.unreadable(display(path), reasonOf(error));
      return undefined;
    }
  }

  private look(path: string): void {
    const stats = this.read(path, () => lstatSync(rawPath(path)));
    if (stats === undefined) return;
    if (stats.isSymbolicLink()) this.notes.symbolicLinks += 1;
    else if (stats.isDirectory()) {
      if (stats.dev === this.device) this.enter(path, stats);
      else this.notes.skipped(display(path), 'another file system: give it as a separate path');
    } else if (stats.isFile()) this.take(path, stats);
    else this.notes.skipped(display(path), kindOf(stats));
  }
}

async function* walkLocal(root: string, notes: Survey, linked: Set<string>): AsyncGenerator<readonly Found[]> {
  let top: Stats;
  let countsBlocks: boolean;
  try {
    top = statSync(rawPath(root));
    countsBlocks = COUNTS_BLOCKS.has(statfsSync(rawPath(root)).type);
  } catch (error) {
    notes.unreadable(display(root), reasonOfGiven(error, root));
    return;
  }
  const found = new LocalWalk(top.dev, countsBlocks, notes, linked);
  if (top.isDirectory()) yield* found.from(root, top);
  else {
    if (top.isFile()) found.take(root, top);
    else notes.skipped(display(root), kindOf(top));
    yield found.taken();
  }
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
