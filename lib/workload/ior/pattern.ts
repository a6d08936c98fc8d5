import { type IorVersion, iorVersion } from '../kit/iorRelease';
import type { Pattern } from '../workload';

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

/** The highest ratio of any of them. */
export const IOR_MAX_TARGET = Math.max(
  ...Object.values(IOR_PATTERNS).flatMap((patterns) => patterns.map(({ expectedRatio }) => expectedRatio)),
);

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

/** The ratio that was measured of a pattern of a release; `null` for one that never was. */
export function knownIorRatio(pattern: string, release: string | null): number | null {
  const version = iorVersion(release);
  if (version === undefined) return null;
  return IOR_PATTERNS[version].find(({ id }) => id === pattern)?.expectedRatio ?? null;
}
