import { decimalBytes, grouped, plain } from '../common/format/units';
import { predictAt } from '../predict';
import { HOURS_PER_MONTH } from '../price/prices';
import type { AnyConfiguration } from '../schema/storage';
import { warnings } from '../storage/common/rules';
import { codecOf, storageOf, withKind } from '../storage/lookup';
import type { Warning } from '../storage/slices/configuration';
import { type Assessment, requestOf } from './assess';
import { demandsOf, maxFillOf, meanFileBytes, type Requirement, takenOf } from './requirement';
import { gigabytes } from './wording';

/** Points at which a configuration may miss what a requirement implies and does not say. They do not change its rank. */
export function optionNotes(
  configuration: AnyConfiguration,
  requirement: Requirement,
  { fill, capacityTB: holdsTB }: Pick<Assessment, 'fill' | 'capacityTB'>,
): readonly Warning[] {
  const compresses = codecOf(configuration) !== null;
  return warnings({
    'fsxbench:opens-above-metadata-iops': tooManyOpens(configuration, requirement),
    // A bucket, which holds as much as is stored, has the data already.
    'fsxbench:loads-too-long': holdsTB !== null && loadsTooLong(configuration, requirement),
    'fsxbench:least-compressible-type': compresses && leastMisses(configuration, requirement),
    'fsxbench:low-ratio-overfills': compresses && lowOverfills(requirement, fill ?? 0),
  });
}

/** The hours that loading takes at the rate that writes sustain, where the file system exists for fewer a day. */
function loadsTooLong(configuration: AnyConfiguration, requirement: Requirement): string | false {
  const { capacityTB = 0, hoursPerMonth = HOURS_PER_MONTH } = requirement;
  const hoursPerDay = (hoursPerMonth / HOURS_PER_MONTH) * 24;
  const [write] = predictAt([0], requestOf(configuration, requirement));
  const MBps = write?.throughputMBps.baseline ?? Number.POSITIVE_INFINITY;
  const hours = (capacityTB * 1e6) / MBps / 3600;
  if (hoursPerDay >= 24 || hours < hoursPerDay) return false;
  return `loading ${decimalBytes(capacityTB * 1e12)} at ${gigabytes(MBps)} GB/s takes ${plain(hours)} h, and it exists for ${Number(hoursPerDay.toPrecision(3))} h a day`;
}

const ALONE = { read: 'reading', write: 'writing', mixed: 'reading and writing' } as const;

/** The rates at which the type of file that compresses least misses the requirement; false if it meets it. */
function leastMisses(configuration: AnyConfiguration, requirement: Requirement): string | false {
  const least = requirement.estimated?.least;
  if (!least) return false;
  const asked = demandsOf(requirement);
  // `(none)`, `(numbered)` and `(others)` are no endings of names.
  const files = least.type.startsWith('(') ? `files ${least.type}` : `.${least.type}`;
  const shares = asked.map(({ readShare }) => readShare);
  const found = predictAt(shares, { ...requestOf(configuration, requirement), ratio: least.ratio });
  const misses = asked.flatMap(({ mode, requiredMBps }, index) => {
    const sustained = found[index]?.throughputMBps.baseline ?? requiredMBps;
    const words = `${ALONE[mode]} only ${files}, ${least.ratio.toFixed(2)}:1, it sustains ${gigabytes(sustained)} of ${gigabytes(requiredMBps)} GB/s`;
    return sustained < requiredMBps * (1 - 1e-9) ? [words] : [];
  });
  return misses.length > 0 && `the ratio is a mean of types that differ: ${misses.join('; ')}`;
}

/** The share of the space that the data fill at the low end of the ratio, where that is more than they may. */
function lowOverfills(requirement: Requirement, fill: number): string | false {
  const { interval } = requirement.estimated ?? {};
  if (!interval || interval.low <= 0) return false;
  const low = Math.min(1 / interval.low, takenOf(requirement).uncompressed) / takenOf(requirement).compressed;
  const [most, filled] = [maxFillOf(requirement), fill * low].map((share) => Math.round(share * 100)) as [
    number,
    number,
  ];
  return (
    filled > most &&
    `at the low end of the ratio, ${interval.low.toFixed(2)}:1, the data fill ${filled} %, above the ${most} % of --max-fill`
  );
}

/** The opens of files that are read, if they take more metadata IOPS than there are; each file is opened once and read whole. */
function tooManyOpens(configuration: AnyConfiguration, requirement: Requirement): string | false {
  const { readMBps = 0 } = requirement;
  const { metadata } = storageOf(configuration).documented;
  const iops = metadata?.iops(withKind(configuration)) ?? null;
  const each = meanFileBytes(requirement);
  if (readMBps === 0 || each === null || metadata === undefined || iops === null) return false;
  const opens = (readMBps * 1e6) / each;
  const { value, reason } = metadata.needed('file_open', opens);
  if (value !== null && value <= iops) return false;
  const takes = reason ?? `${value} metadata IOPS are documented for that, and it has ${iops}`;
  return `${gigabytes(readMBps)} GB/s of files of ${decimalBytes(each)}, each opened once, are ${grouped(opens)} opens a second: ${takes}`;
}
