import * as z from 'zod';
import { IN_MIB, IN_SECONDS } from '../../../kit/quantity';
import { BASELINES, MAX_TARGET } from '../../../workload/lookup';
import { compressionRatios, flag, text, whole } from '../../kit/parameters';
import type { PlanScale } from '../../plan';

const KNOWN = BASELINES.map(({ id }) => id);

/** Every parameter of the plan; `run --set key=value` sets one. */
export const ladderParameters = z.strictObject({
  /** Number of measurements of every arm. */
  repeats: whole(1, 1000),
  /** Length of a phase: the stonewall. */
  seconds: whole(1, 172_800, IN_SECONDS),
  /** Compressibility of the data. 1.4: a compressor saves 30 %, as the slides' data. */
  targets: compressionRatios(MAX_TARGET),
  ranksPerClient: whole(1, 1024),
  /** Most data that one arm writes in a phase, MiB. Ends the phase if it is reached before the stonewall. */
  maxMiBPerArm: whole(1, 2 ** 40, IN_MIB),
  /** O_DIRECT. Btrfs does not compress such writes, so that the lab is buffered, with fsync. */
  direct: flag(),
  /** Baselines to measure below Lustre, from the network up; empty for none. */
  baselines: text(
    new RegExp(`^(?:(?:${KNOWN.join('|')})(?:,(?!$)|$))*$`),
    `some of ${KNOWN.join(', ')}, separated by commas; empty for none`,
  ),
  /** Reads back what was written, through caches that were dropped. */
  reads: flag(),
});
export type LadderParameters = z.infer<typeof ladderParameters>;

const AT_SCALE = {
  // 6 TiB: 300 s at what the servers' network carries. Without O_DIRECT the clients' memory would take the first of it.
  published: {
    repeats: 3,
    seconds: 300,
    maxMiBPerArm: 6_291_456,
    direct: true,
    reads: true,
    baselines: 'tcp,lnet,raw,raidz1,zfs',
  },
  smoke: { repeats: 2, seconds: 60, maxMiBPerArm: 262_144, direct: true, reads: false, baselines: 'tcp,lnet,raidz1' },
  lab: { repeats: 3, seconds: 3, maxMiBPerArm: 256, direct: false, reads: false, baselines: '' },
} satisfies Record<PlanScale, Partial<LadderParameters>>;

export const ladderDefaults = (scale: PlanScale, ranksPerClient: number): LadderParameters => ({
  ...{ targets: [1.4], ranksPerClient },
  ...AT_SCALE[scale],
});
