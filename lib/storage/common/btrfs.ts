import { readEnd } from '../../common/readEnd';
import type { Measured } from '../../workload/common/measured';
import type { Filesystem } from '../filesystem';
import { capacityByDf, spaceOf } from './space';

/** Btrfs, whose compression `du` does not show (facts-tools, section 8). */
export const btrfs: Filesystem = {
  type: 'btrfs',
  space: {
    source: 'compsize',
    without: 'nothing reports how much space data take on Btrfs',
    async read({ commands, directory, seconds }) {
      const failure = await commands.each(
        [
          ['sync', '-f', directory],
          ['compsize', '-b', directory],
        ],
        seconds,
      );
      return { measured: spaceFromCompsize(commands.output, failure), failure };
    },
  },
  capacity: capacityByDf,
};

/** Reads the output of `compsize -b`. */
export function spaceFromCompsize(file: string, failure: string | null): Measured[] {
  const total = totalOfCompsize(readEnd(file));
  return spaceOf(total?.uncompressed ?? null, total?.disk ?? null, failure ?? 'compsize printed no total');
}

/** `compsize -b`'s line of all data: type, percent, disk usage, uncompressed, referenced. */
function totalOfCompsize(text: string): { disk: number; uncompressed: number } | null {
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/));
  const row =
    rows.find(([type]) => type === 'TOTAL') ??
    rows.find((cells) => cells.length === 5 && /^\d+%$/.test(cells[1] ?? ''));
  return row ? { disk: Number(row[2]), uncompressed: Number(row[3]) } : null;
}
