import { spawnSync } from 'node:child_process';

/** A run of a file's bytes that holds data: from its first byte to before the first of the hole behind it. */
export type Extent = readonly [from: number, until: number];

/** Files with more runs than this are read as a whole. */
const MOST_EXTENTS = 20_000;

/** How long the files of one call may take. What is not known by then is read as a whole. */
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

/**
 * Where the data of sparse files are (lseek(2), SEEK_DATA and SEEK_HOLE); `null` for a file whose system does not tell, and for all without Python.
 *
 * @param paths with a character for each byte
 */
export function extentsOf(paths: readonly string[]): readonly (readonly Extent[] | null)[] {
  const none = paths.map(() => null);
  if (paths.length === 0 || !hasPython) return none;
  const input = Buffer.from(paths.join('\0'), 'latin1');
  const { status, stdout } = spawnSync('python3', ['-I', '-c', PROGRAM], {
    input,
    maxBuffer: 2 ** 30,
    timeout: MOST_MS,
  });
  hasPython = status === 0;
  if (!hasPython) return none;
  return stdout
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Extent[] | null);
}

/** Bytes of data. */
export const dataBytes = (data: readonly Extent[]): number =>
  data.reduce((sum, [from, until]) => sum + until - from, 0);

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
