import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';

/** Values whose truth is known, the same for the same seed. */
export interface Synthetic {
  /** 0 to below 1. */
  uniform(): number;
  /** Mean 0, standard deviation 1. */
  normal(): number;
}

export function synthetic(seed: number): Synthetic {
  const generator = mersenne(seed);
  const uniform = () => uniformFloat64(generator);
  return { uniform, normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()) };
}

/** Noise around 0 as it may be around a rate. */
export const NOISES = {
  normal: (from: Synthetic) => from.normal(),
  uniform: (from: Synthetic) => from.uniform() - 0.5,
  exponential: (from: Synthetic) => -Math.log(1 - from.uniform()) - 1,
  'with outliers': (from: Synthetic) => from.normal() * (from.uniform() < 0.1 ? 5 : 1),
} as const;
export type Noise = keyof typeof NOISES;

/** Noise in which each point remembers the one before. */
export function autoregressive(from: Synthetic, count: number, memory: number): number[] {
  let last = from.normal();
  return Array.from({ length: count }, () => {
    last = memory * last + Math.sqrt(1 - memory * memory) * from.normal();
    return last;
  });
}

/** A burst that ends: two levels, and noise in which a point remembers the one before it. */
export function burst(
  seed: number,
  { count = 240, at = 160, before = 12_460, after = 11_428, noise = 400, memory = 0 } = {},
): number[] {
  return autoregressive(synthetic(seed), count, memory).map(
    (value, index) => (index < at ? before : after) + noise * value,
  );
}

/** Share of seeds for which something holds. */
export function share(seeds: number, holds: (from: Synthetic, seed: number) => boolean): number {
  let count = 0;
  for (let seed = 1; seed <= seeds; seed += 1) if (holds(synthetic(seed), seed)) count += 1;
  return count / seeds;
}
