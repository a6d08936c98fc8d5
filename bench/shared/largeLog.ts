import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A real run of a thousand iterations. */
export const LONG_RUN = join(process.cwd(), 'test', 'fixtures', 'tools', 'ior330_long_i1000_w.out');

/** A warning of each rank on every request, as MPI and libfabric print them with FI_LOG_LEVEL=warn. */
const warning = (rank: number, request: number): string =>
  `libfabric:${4000 + rank}:1763700000::efa:cq:efa_rdm_cq_handle_error():${request % 900}<warn> [${rank}] Unreachable host reached, retrying\n`;

/** Writes an output with warnings between its lines until the file has so many bytes: the same figures in a long log. */
export function writeLargeLog(path: string, bytes: number, output = LONG_RUN): void {
  const lines = readFileSync(output, 'utf8').split('\n').slice(0, -1);
  const blocks = Array.from({ length: 97 }, (_, block) =>
    Array.from({ length: 64 }, (_, rank) => warning(rank, 64 * block + rank)).join(''),
  );
  const each = bytes / lines.length;
  const file = openSync(path, 'w');
  try {
    let written = 0;
    for (const [index, line] of lines.entries()) {
      written += writeSync(file, `${line}\n`);
      while (written < (index + 1) * each) written += writeSync(file, blocks[index % blocks.length] as string);
    }
  } finally {
    closeSync(file);
  }
}
