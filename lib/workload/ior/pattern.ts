import { type IorVersion, iorVersion } from '../common/iorRelease';
import type { Pattern } from '../workload';

export interface IorPattern extends Pattern {
  readonly option: string | null;
}

/** IOR patterns with a measured ratio at transfers of 1 MiB (facts-tools, "Data patterns and compressibility"). Left out: 4.0.0's repeats a word. */
const IOR_PATTERNS: Readonly<Record<IorVersion, readonly IorPattern[]>> = {
  '3.3.0': [
    { id: 'ior-incompressible', option: 'incompressible', expectedRatio: 1, ratioOn1MiB: 1 },
    { id: 'ior-default', option: null, expectedRatio: 3.556, ratioOn1MiB: 3.938 },
  ],
  '4.0.0': [
    { id: 'ior-random', option: 'random', expectedRatio: 1, ratioOn1MiB: 1 },
    { id: 'ior-default', option: null, expectedRatio: 1.882, ratioOn1MiB: 1.984 },
  ],
};

/** Allowed deviation of a pattern's ratio from the target. */
const TOLERANCE = 0.05;

/** The pattern of this IOR release with the target ratio, or `null` if IOR cannot write such data. */
export const iorPattern = (version: IorVersion, target: number): IorPattern | null =>
  IOR_PATTERNS[version].find((pattern) => Math.abs(pattern.expectedRatio / target - 1) <= TOLERANCE) ?? null;

/** IOR's own default buffer, which the published studies wrote. */
export function iorDefaultPattern(version: IorVersion): IorPattern {
  const pattern = IOR_PATTERNS[version].find((candidate) => candidate.option === null);
  if (!pattern) throw new Error(`IOR ${version} has no measured default pattern`);
  return pattern;
}

/** A release's pattern by its id in samples; `null` for one that was never measured. */
export function knownIorPattern(id: string, release: string | null): Pattern | null {
  const version = iorVersion(release);
  return version === undefined ? null : (IOR_PATTERNS[version].find((pattern) => pattern.id === id) ?? null);
}
