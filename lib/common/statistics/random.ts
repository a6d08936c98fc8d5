import { mersenne } from 'pure-rand/generator/mersenne';

/** Draws whole numbers from 0 to below its argument. */
export type Draw = (below: number) => number;

/** The default seed: the same input always gives the same figures. */
export const DEFAULT_SEED = 20_240_501;

/** A seeded source of draws, reproducible on every machine. */
export function drawFrom(seed: number): Draw {
  // Its first draws depend strongly on the seed; those of xor-shift generators hardly differ for neighbouring seeds.
  const generator = mersenne(seed);
  // Scale from 2^32: as uniform as rejection for the lengths here, and several times as fast.
  return (below) => (((generator.next() >>> 0) / 2 ** 32) * below) | 0;
}

/** The items in a drawn order, of which the last was drawn first. */
export function shuffled<T>(items: readonly T[], draw: Draw): T[] {
  const drawn = [...items];
  for (let at = drawn.length - 1; at > 0; at -= 1) {
    const other = draw(at + 1);
    [drawn[at], drawn[other]] = [drawn[other] as T, drawn[at] as T];
  }
  return drawn;
}
