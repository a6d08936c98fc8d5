import { keyOf } from '../../common/collections';
import { plain } from '../../common/format/units';
import type { Sample } from '../../schema/sample';
import { ofArm } from '../arm';
import type { Run } from '../run';
import { statistics } from './statistics';

/** Measured space use of one arm's data at one compressibility. The statistics are those of the ratios. */
export type SpaceCell = ReturnType<typeof spaceCells>[number];
type SpaceReading = NonNullable<ReturnType<typeof readingOf>>;

/** Achieved compression by arm and compressibility, from the samples of operation `space` in the measured repeats. */
export function spaceCells({ counted, arms, elsewhere }: Run, compressibilities: readonly (number | null)[]) {
  const noFreeSpace = elsewhere?.space ?? null;
  const samples = counted.filter(
    ({ operation, phase, repeat }) => operation === 'space' && phase !== 'warm-up' && repeat > 0,
  );
  return compressibilities.flatMap((compressibility) =>
    arms.flatMap(({ name: arm }) => {
      const ofArms = ofArm(counted, arm);
      const others = ofArms.filter((sample) => sample.compressibility === compressibility);
      const own = ofArm(samples, arm).filter((sample) => sample.compressibility === compressibility);
      const groups = Map.groupBy(own, ({ step, source }) => keyOf(step, source));
      const readings = [...groups.values()].flatMap((samples) => readingOf(samples, others) ?? []);
      if (readings.length === 0) return [];
      const byFreeSpace = statistics(readings.flatMap((reading) => ratioByFreeSpace(reading) ?? []));
      const reasons = others.flatMap(({ metric, reason }) => (metric === 'used_bytes' && reason) || []);
      return {
        arm,
        compressibility,
        /** One an occasion on which space was read back, in the order of the file. */
        readings,
        /** The same by the growth of used space, median over repeats: less exact, since other work also counts. `null` if it was not read or did not converge. */
        byFreeSpace: noFreeSpace === null ? byFreeSpace.median : null,
        /** Unit in which the file system reports its space, derived from its readings: `lfs df` counts in records. `null` if it was not read. */
        freeSpaceStepBytes: stepOf(ofArms),
        /** Why there is no ratio by free space, each reason once; empty if reading it was never tried. */
        freeSpaceReasons: noFreeSpace === null ? [...new Set(reasons)] : [noFreeSpace],
        ...statistics(readings.flatMap(({ ratio }) => ratio ?? [])),
      };
    }),
  );
}

export const spaceAt = (
  space: readonly SpaceCell[],
  { arm, compressibility }: Pick<SpaceCell, 'arm' | 'compressibility'>,
): SpaceCell | undefined => ofArm(space, arm).find((cell) => cell.compressibility === compressibility);

const ratioByFreeSpace = ({ logicalBytes, grownBytes }: SpaceReading): number | null =>
  logicalBytes === null || grownBytes === null || grownBytes <= 0 ? null : logicalBytes / grownBytes;

/** The largest power of two, in bytes, that divides every reading of the arm's file system. */
function stepOf(samples: readonly Sample[]): number | null {
  const readings = samples.flatMap(({ operation, unit, value }) =>
    operation === 'capacity' && unit === 'B' && value ? value : [],
  );
  if (readings.length === 0) return null;
  let step = 2 ** 40;
  while (step > 1 && readings.some((value) => Math.floor(value) % step !== 0)) step /= 2;
  return step;
}

/** Growth of fewer steps than this is too coarse: both of its ends are rounded to one step, on each target. */
const FEWEST_STEPS = 300;

/** True if the used space grew by so few of its steps that the ratio by it is rough. */
export const isCoarse = ({ freeSpaceStepBytes }: SpaceCell, { grownBytes }: SpaceReading): boolean =>
  freeSpaceStepBytes !== null && grownBytes !== null && Math.abs(grownBytes) < FEWEST_STEPS * freeSpaceStepBytes;

function growth(repeat: number, others: readonly Sample[]): number | null {
  const own = others.filter((sample) => sample.metric === 'used_bytes' && sample.repeat === repeat);
  const at = (phase: Sample['phase']) => own.find((sample) => sample.phase === phase)?.value ?? null;
  const [before, after] = [at('prepare'), at('conclude')];
  return before === null || after === null ? null : after - before;
}

/** Returns the bytes that clients wrote after compressing, for one repeat; `null` if they do not compress. */
function compressedByClients(repeat: number, others: readonly Sample[]): number | null {
  const own = others.filter((sample) => sample.repeat === repeat && sample.phase === 'measure');
  const stored = own.find(({ metric }) => metric === 'stored_bytes');
  return own.find(({ metric, operation }) => metric === 'bytes' && operation === stored?.operation)?.value ?? null;
}

/** @param others all samples of the arm on the same data */
function readingOf(samples: readonly Sample[], others: readonly Sample[]) {
  const { repeat, source } = samples[0] as Sample;
  const find = (metric: string): Sample | undefined => samples.find((sample) => sample.metric === metric);
  const [apparent, allocated, said] = ['apparent_bytes', 'allocated_bytes', 'compression_ratio'].map(find);
  // Other readings of space, such as `lfs df` of the whole file system, do not measure this data.
  if (!apparent && !allocated && !said) return null;
  const apparentBytes = apparent?.value ?? null;
  const allocatedBytes = allocated?.value ?? null;
  const before = compressedByClients(repeat, others);
  // Bytes of the users' data, before any compression by clients.
  const logicalBytes = before ?? apparentBytes;
  const derived = logicalBytes !== null && allocatedBytes ? logicalBytes / allocatedBytes : null;
  // Data that a client compressed take as much as their size: the file system's own ratio is not that of the users' data.
  const read = before === null ? (said?.value ?? derived) : derived;
  const ratio = read !== null && read > 0 ? read : null;
  const missing = [said, allocated, apparent].find((sample) => sample?.value === null)?.reason ?? 'not measured';
  const reason = read === null ? missing : `${plain(read)}:1 is not a valid ratio`;
  const grownBytes = growth(repeat, others);
  const reading = { repeat, logicalBytes, apparentBytes, allocatedBytes, ratio, grownBytes, source };
  return { ...reading, ...(ratio === null && { reason }) };
}
