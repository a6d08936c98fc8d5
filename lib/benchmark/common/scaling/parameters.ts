import * as z from 'zod';
import { IN_MIB, IN_SECONDS } from '../../../common/quantity';
import { IOR_VERSIONS } from '../../../workload/common/iorRelease';
import { DATA_WORKLOADS, idsOf } from '../../../workload/lookup';
import { choice, flag, numbers, whole } from '../parameters';

/** Numbers of nodes, each tried by itself. */
export const nodesParameter = numbers(z.int().min(1).max(1000), 'whole numbers of nodes from 1 to 1000');

const common = {
  nodes: nodesParameter,
  repeats: whole(1, 1000),
  iorVersion: choice(IOR_VERSIONS),
  ranksPerClient: whole(1, 1024),
};

export const scalingParameters = z.strictObject({
  ...common,
  seconds: whole(1, 172_800, IN_SECONDS),
  /** `auto`: the first workload whose data do not compress. */
  tool: choice(['auto', ...idsOf(DATA_WORKLOADS)]),
  maxMiBPerNode: whole(1, 2 ** 30, IN_MIB),
  /** O_DIRECT; otherwise buffered, with fsync. */
  direct: flag(),
  reads: flag(),
});
export type ScalingParameters = z.infer<typeof scalingParameters>;

export const publishedParameters = z.strictObject(common);

/** 1, 2, 4, … and all nodes. */
export function doubling(max: number): number[] {
  const found: number[] = [];
  for (let count = 1; count < max; count *= 2) found.push(count);
  return [...found, max];
}
