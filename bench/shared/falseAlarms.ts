import { compareArms } from '../../lib/analysis/compare/comparisons';
import { cellsOf } from '../../lib/analysis/figures/cells';
import type { Sample } from '../../lib/schema/sample';
import { autoregressive, type Synthetic, synthetic } from '../../test/common/statistics/synthetic';

/** Noise of one arm in one kind of work, repeat by repeat: standard deviations of the logarithm of a rate around a mean of 0. */
type Noise = (from: Synthetic, repeats: number) => number[];

const each = (repeats: number, of: (at: number) => number): number[] =>
  Array.from({ length: repeats }, (_, at) => of(at));

/** Degrees of freedom of heavy tails: the fewest whose variance is finite. */
const TAILS = 3;
/** A neighbour that takes turns with silence: its share of the time, the chance that it is still there in the next repeat, and what it takes. */
const NEIGHBOUR = { share: 0.2, stays: 0.6, takes: 4 };

export const NOISES: Readonly<Record<string, Noise>> = {
  independent: (from, repeats) => each(repeats, () => from.normal()),
  'heavy tails': (from, repeats) =>
    each(repeats, () => {
      const squares = each(TAILS, () => from.normal() ** 2).reduce((sum, square) => sum + square, 0);
      return from.normal() / Math.sqrt(squares);
    }),
  'AR(1) 0.5': (from, repeats) => autoregressive(from, repeats, 0.5),
  'AR(1) 0.8': (from, repeats) => autoregressive(from, repeats, 0.8),
  'drift of each arm': (from, repeats) => {
    const drift = 4 * from.normal();
    return each(repeats, (at) => from.normal() + drift * ((at + 0.5) / repeats - 0.5));
  },
  'neighbours in bursts': (from, repeats) => {
    const { share, stays, takes } = NEIGHBOUR;
    const comes = (share * (1 - stays)) / (1 - share);
    let there = from.uniform() < share;
    return each(repeats, () => {
      const slowed = from.normal() - (there ? takes : 0);
      there = from.uniform() < (there ? stays : comes);
      return slowed;
    });
  },
};

export const REPEATS = [3, 5, 10, 20];
/** The default plan: four compressibilities, written and read. */
export const COMPRESSIBILITIES = [1, 1.8, 2.6, 3.4];
const OPERATIONS = ['write', 'read'];
export const ARMS = ['none', 'lz4'];
const DEVIATION = 0.03;

/** Samples of a run of two arms, of which the second is `ratio` times as fast. */
export function samplesOf(
  noise: Noise,
  repeats: number,
  ratio: number,
  from: Synthetic,
  deviation = DEVIATION,
): Sample[] {
  return OPERATIONS.flatMap((operation) =>
    COMPRESSIBILITIES.flatMap((compressibility) =>
      ARMS.flatMap((arm) =>
        noise(from, repeats).map((deviations, at) => {
          const value = 3000 * (arm === 'lz4' ? ratio : 1) * Math.exp(deviation * deviations);
          const step = `r${at + 1}-${compressibility}-${operation}`;
          const sample = {
            arm,
            operation,
            compressibility,
            step,
            repeat: at + 1,
            attempt: 1,
            iteration: 0,
            phase: 'measure',
          };
          return {
            ...sample,
            metric: 'throughput',
            value,
            unit: 'MB/s',
            source: 'client',
            pattern: null,
          } as unknown as Sample;
        }),
      ),
    ),
  );
}

/** The share of simulated runs in which a report calls at least one of its eight differences real, and the share of all differences. */
export function called(
  noise: Noise,
  repeats: number,
  runs: number,
  { ratio = 1, seed = 1 } = {},
): { runs: number; differences: number } {
  const counts = { runs: 0, differences: 0 };
  for (let run = 0; run < runs; run += 1) {
    const samples = samplesOf(noise, repeats, ratio, synthetic(seed * 1_000_003 + run));
    const cells = cellsOf(samples, ARMS, COMPRESSIBILITIES);
    const different = compareArms(cells, samples, ARMS, COMPRESSIBILITIES).filter((one) => one.different).length;
    counts.differences += different / (COMPRESSIBILITIES.length * OPERATIONS.length);
    if (different > 0) counts.runs += 1;
  }
  return { runs: counts.runs / runs, differences: counts.differences / runs };
}
