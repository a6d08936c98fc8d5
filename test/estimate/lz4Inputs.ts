import { makeRandom } from '../../lib/estimate';

// Read from the global object once, since Jest makes each access slow.
const { floor } = Math;

/** An input of the compressor and the most it may write. */
export interface Lz4Input {
  readonly data: Buffer;
  readonly limit: number;
}

/** Inputs of every kind that the compressor treats differently: few symbols, noise with copies near and far, zeros after data, odd lengths. */
export function* lz4Inputs(count: number): Generator<Lz4Input> {
  const random = makeRandom(20121210);
  const below = (end: number): number => floor(random() * end);
  for (let index = 0; index < count; index += 1) {
    const lengths = [below(40), below(600), below(5000), 65_500 + below(100), below(200_000), 512 * below(300)];
    const length = index % 40 === 0 ? below(1_200_000) : (lengths[below(lengths.length)] as number);
    const data = Buffer.alloc(length);
    const kind = below(4);
    if (kind === 0) symbols(data, 1 + below(8), below);
    else copies(data, [300, 40, 3000][kind - 1] as number, below);
    if (below(3) === 0) data.fill(0, below(length + 1));
    const limits = [Math.max(0, length - floor(length / 8) - 4), 2 * length + 64, below(length + 20)];
    yield { data, limit: limits[below(3)] as number };
  }
}

function symbols(data: Buffer, number: number, below: (end: number) => number): void {
  for (let at = 0; at < data.length; at += 1) data[at] = below(number);
}

/** Runs of noise and copies of earlier bytes, some from more than 64 KiB before. */
function copies(data: Buffer, run: number, below: (end: number) => number): void {
  for (let at = 0; at < data.length; ) {
    const end = Math.min(data.length, at + 1 + below(run));
    if (at < 8 || below(2) === 0) while (at < end) data[at++] = below(256);
    else for (const back = 1 + below(Math.min(at, 70_000)); at < end; at += 1) data[at] = data[at - back] as number;
  }
}
