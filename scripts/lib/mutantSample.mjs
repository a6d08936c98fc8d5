// Where an area has too many mutants to try all, a sample of each file tells the share that tests notice, and how sure that is.
import { createHash } from 'node:crypto';

/**
 * Whether a sample of one mutant in so many holds this one. Only what the mutant is decides, so the sample of a file stays the same until the
 * file changes. Lines and columns count from 0.
 */
export function isDrawn({ mutatorName, replacement, location: { start } }, oneIn) {
  const of = `${mutatorName} ${start.line}:${start.column} ${replacement}`;
  return createHash('sha256').update(of).digest().readUInt32BE() % oneIn === 0;
}

/** The interval that holds the true share 19 times in 20, in per cent (Wilson 1927, Journal of the American Statistical Association 22, 209–212). */
export function shareInterval(noticed, tried) {
  const z = 1.959964;
  const centre = (noticed + z ** 2 / 2) / (tried + z ** 2);
  const reach = (z / (tried + z ** 2)) * Math.sqrt((noticed * (tried - noticed)) / tried + z ** 2 / 4);
  return { low: 100 * Math.max(0, centre - reach), high: 100 * Math.min(1, centre + reach) };
}
