import { HELD_WITHIN, type HeldMetadata } from '../../schema/model';
import type { CommandResult } from '../command';
import { CALIBRATIONS, failureOf } from './calibration';
import type { ModelFigures } from './figures';

/** Result of assets/lab/model/hold-metadata. */
interface Found {
  readonly writesPerCreate: number;
  readonly writesPerSecond: number;
  readonly createsPerSecond: number;
}

/**
 * Holds a metadata server's disk at the writes that its figure takes, and checks what comes of it.
 *
 * @returns what is in force, `null` where nothing is to be held, or why it is not
 */
export async function holdMetadata(
  arm: string,
  figures: ModelFigures['metadata'],
  script: (name: string, variables: Readonly<Record<string, string>>) => Promise<CommandResult>,
): Promise<HeldMetadata | string | null> {
  if (figures === null) return null;
  const { setCreatesPerSecond: set } = figures;
  let best = 0;
  for (let attempt = 1; ; attempt++) {
    const done = await script('hold-metadata', { MODEL_CREATES_PER_SECOND: String(set) });
    const failure = failureOf('hold-metadata', done);
    if (failure !== null) return failure;
    const { writesPerCreate, writesPerSecond, createsPerSecond } = JSON.parse(done.stdout) as Found;
    // Other work can only slow it down: the highest of several rates is what the limit lets through.
    best = Math.max(best, createsPerSecond);
    if (Math.abs(best / set - 1) <= HELD_WITHIN)
      return { ...figures, measuredCreatesPerSecond: best, writesPerCreate, writesPerSecond };
    if (attempt === CALIBRATIONS)
      return `creations on ${arm} are held at ${set.toFixed(1)} a second and came to ${best.toFixed(1)} in ${CALIBRATIONS} calibrations, more than ${HELD_WITHIN * 100} % off: this machine is too busy or too slow for this scale`;
  }
}
