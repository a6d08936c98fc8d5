import { fileLines } from '../../common/linePieces';
import type { Measured } from '../../workload/common/measured';
import type { Readout, SpaceReader } from '../filesystem';

/** Bytes that a file takes in whole blocks of `block` bytes, with `beside` bytes of metadata for each file. */
export const inBlocks =
  (block: number, beside: number) =>
  (bytes: number): number =>
    Math.ceil(bytes / block) * block + beside;

/** A look at a file system whose server is silent hangs, and ignores even SIGKILL (facts-tools, "More of what a real Lustre does"). */
export const LOOK_SECONDS = 60;

/** Longest wait for dirty data before space is read, as in drop-caches. Data were synced before, so beyond it a server is silent. */
const FLUSH_SECONDS = 300;

/** Apparent and allocated bytes and their ratio, from the files of a data directory. */
export function spaceOf(apparent: number | null, allocated: number | null, reason: string): Measured[] {
  const ratio = apparent !== null && allocated !== null && allocated > 0 ? apparent / allocated : null;
  return [
    value('space', 'apparent_bytes', apparent, 'B', reason),
    value('space', 'allocated_bytes', allocated, 'B', reason),
    value('space', 'compression_ratio', ratio, '1', reason),
  ];
}

/** Size, used and free bytes of a file system. */
export const capacityOf = (bytes: readonly (number | null | undefined)[], reason: string): Measured[] =>
  ['size_bytes', 'used_bytes', 'free_bytes'].map((metric, index) =>
    value('capacity', metric, bytes[index] ?? null, 'B', reason),
  );

const value = (operation: string, metric: string, found: number | null, unit: string, reason: string): Measured => ({
  operation,
  metric,
  value: found,
  unit,
  reason: found === null ? reason : undefined,
});

/** By the blocks of the files: right wherever a file's blocks are those that it takes after compression. */
export const spaceByDu: SpaceReader = {
  source: 'du',
  async read({ commands, directory, seconds }): Promise<Readout> {
    const apparent = commands.named('apparent');
    const allocated = commands.named('allocated');
    const list = ['find', directory, '-type', 'f', '-exec', 'du', '-B1'];
    const failure =
      (await apparent.run([...list, '--apparent-size', '{}', '+'], seconds)) ??
      (await allocated.run([...list, '{}', '+'], seconds));
    return { measured: spaceFromDu(apparent.output, allocated.output, failure), failure };
  },
};

export const spaceFromDu = (apparentFile: string, allocatedFile: string, failure: string | null): Measured[] =>
  spaceOf(sumOfDu(apparentFile), sumOfDu(allocatedFile), failure ?? 'du named no file');

/** Sums the `BYTES<TAB>PATH` lines of `du -B1`, line by line, since ten million files have a gigabyte of them; `null` without one. */
function sumOfDu(file: string): number | null {
  let sum: number | null = null;
  for (const line of fileLines(file)) {
    const bytes = /^(\d+)\t/.exec(line)?.[1];
    if (bytes !== undefined) sum = (sum ?? 0) + Number(bytes);
  }
  return sum;
}

/** By statfs(2), once what was written or removed before is committed. */
export const capacityByDf: SpaceReader = {
  source: 'statfs',
  async read({ commands, mountPoint, seconds }): Promise<Readout> {
    const failure =
      (await commands.each([['sync', '-f', mountPoint]], Math.min(seconds, FLUSH_SECONDS))) ??
      (await commands.run(['df', '-B1', '--output=size,used,avail', mountPoint], LOOK_SECONDS));
    return { measured: capacityFromDf(commands.text), failure };
  },
};

function capacityFromDf(text: string): Measured[] {
  const row = text
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .find((cells) => cells.length === 3 && cells.every(Number.isFinite));
  return capacityOf(row ?? [], 'df printed no figures');
}
