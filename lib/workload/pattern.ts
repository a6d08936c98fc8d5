/**
 * How buffers are filled, and how far that is known to compress.
 *
 * A tool's option is a promise, not a measurement: several are lies (IOR 4.0.0's `-l incompressible` compresses 32:1), so a plan names
 * the pattern, and a run reads the achieved ratio back.
 */
export interface Pattern {
  /** Stands in every sample: `ior-default`, `ior-random`, `fio-43`. */
  readonly id: string;
  /** LZ4 ratio on records of 128 KiB and sectors of 4 KiB, as measured on what the tool wrote. */
  readonly expectedRatio: number;
}

/** IOR releases that the clients can build; only these have known patterns. */
export const IOR_VERSIONS = ['3.3.0', '4.0.0'] as const;
export type IorVersion = (typeof IOR_VERSIONS)[number];

/** A pattern of IOR with the option that asks for it; no option for its default. */
export interface IorPattern extends Pattern {
  readonly option: string | null;
}

/**
 * The patterns of IOR whose ratio was measured, with transfers of 1 MiB (facts-tools, "Data patterns and compressibility").
 * `incompressible` of 4.0.0 is left out on purpose: it repeats one word.
 */
const IOR_PATTERNS: Readonly<Record<IorVersion, readonly IorPattern[]>> = {
  '3.3.0': [
    { id: 'ior-incompressible', option: 'incompressible', expectedRatio: 1 },
    { id: 'ior-default', option: null, expectedRatio: 3.556 },
  ],
  '4.0.0': [
    { id: 'ior-random', option: 'random', expectedRatio: 1 },
    { id: 'ior-default', option: null, expectedRatio: 1.882 },
  ],
};

/** How far a pattern may be from the target and still stand for it. */
const TOLERANCE = 0.05;

/** The pattern of this IOR that compresses as the target asks, or `null` when IOR cannot write such data. */
export function iorPattern(version: IorVersion, target: number): IorPattern | null {
  return IOR_PATTERNS[version].find((pattern) => Math.abs(pattern.expectedRatio / target - 1) <= TOLERANCE) ?? null;
}

/** IOR's own default buffer, which the published studies wrote. */
export function iorDefaultPattern(version: IorVersion): IorPattern {
  const pattern = IOR_PATTERNS[version].find((candidate) => candidate.option === null);
  if (!pattern) throw new Error(`IOR ${version} has no measured default pattern`);
  return pattern;
}

/**
 * fio's `buffer_compress_percentage` against the ratio that LZ4 reached on what it wrote: 16 MiB each by fio 3.33 with
 * `--refill_buffers --buffer_compress_chunk=4k`, cut into records of 128 KiB, rounded up to 4 KiB, kept raw when they save less than
 * one eighth. Up to 10 % nothing is saved for that reason. The steps are those of the sectors, so nothing is interpolated.
 */
const FIO_CALIBRATION: readonly (readonly [percent: number, ratio: number])[] = [
  [0, 1],
  [15, 1.143],
  [20, 1.231],
  [25, 1.28],
  [30, 1.391],
  [35, 1.524],
  [40, 1.6],
  [42, 1.684],
  [46, 1.778],
  [50, 1.882],
  [55, 2.133],
  [60, 2.462],
  [64, 2.667],
  [67, 2.909],
  [70, 3.2],
  [73, 3.556],
  [76, 4],
  [80, 4.571],
  [85, 6.4],
  [90, 8],
];

/** The largest ratio that fio was calibrated for. */
export const MAX_TARGET = 8;

/**
 * The calibrated fio pattern that comes nearest to a target ratio (by quotient); the ratio it is known for stands in `expectedRatio`.
 *
 * @throws when the target is outside 1…8, where nothing was measured
 */
export function fioPattern(target: number): Pattern & { readonly percent: number } {
  if (!(target >= 1 && target <= MAX_TARGET)) {
    throw new Error(`'target' must be a compression ratio from 1 to ${MAX_TARGET}, got ${target}`);
  }
  const distance = (ratio: number): number => Math.abs(Math.log(ratio / target));
  const [percent, expectedRatio] = FIO_CALIBRATION.reduce((best, next) =>
    distance(next[1]) < distance(best[1]) ? next : best,
  );
  return { id: `fio-${percent}`, percent, expectedRatio };
}

/** The ratio that is known of a pattern, as the samples name it; `null` for one that was never measured. */
export function knownRatio(pattern: string, tool: string | null, toolVersion: string | null): number | null {
  if (tool === 'ior') {
    const version = IOR_VERSIONS.find((each) => each === toolVersion);
    return version === undefined
      ? null
      : (IOR_PATTERNS[version].find(({ id }) => id === pattern)?.expectedRatio ?? null);
  }
  return tool === 'fio' ? (FIO_CALIBRATION.find(([percent]) => `fio-${percent}` === pattern)?.[1] ?? null) : null;
}
