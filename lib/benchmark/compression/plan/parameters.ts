import * as z from 'zod';
import { IN_MIB, IN_MINUTES, IN_SECONDS } from '../../../common/quantity';
import { IOR_VERSIONS } from '../../../workload/common/iorRelease';
import { DATA_WORKLOADS, idsOf } from '../../../workload/lookup';
import { choice, compressionRatios, flag, whole } from '../../common/parameters';

export const pairedParameters = z.strictObject({
  /** Number of measurements of each pair. */
  repeats: whole(1, 1000),
  /** Length of a phase: the stonewall. 300 s is what one-minute metrics need to see a phase (facts-peers, section 1, 6). */
  seconds: whole(1, 172_800, IN_SECONDS),
  /** Compressibility targets, 1 = incompressible. */
  compressibilities: compressionRatios,
  /** `auto`: for each target the first workload whose data have its ratio. */
  tool: choice(['auto', ...idsOf(DATA_WORKLOADS)]),
  iorVersion: choice(IOR_VERSIONS),
  ranksPerClient: whole(1, 1024),
  /** Most data that one arm writes in a phase, MiB. Ends the phase if it is reached before the stonewall. */
  maxMiBPerArm: whole(1, 2 ** 40, IN_MIB),
  /** O_DIRECT. Btrfs does not compress O_DIRECT writes, so the lab and local runs are buffered, with fsync. */
  direct: flag(),
  /** Both arms in the same minutes, on disjoint clients. One client cannot be divided: there the arms take turns. */
  simultaneous: flag(),
  /** Reads back what was written, through caches that were dropped, on other clients than wrote it. */
  reads: flag(),
  /** Seconds of unmeasured work on each arm before the first measurement; 0 = none. */
  warmUpSeconds: whole(0, 3600, IN_SECONDS),
});
export type PairedParameters = z.infer<typeof pairedParameters>;

export const publishedParameters = z.strictObject({
  /** `-T`; the blog ran 720 minutes. */
  minutes: whole(1, 10_080, IN_MINUTES),
  iorVersion: choice(IOR_VERSIONS),
  ranksPerClient: whole(1, 1024),
});
