import * as z from 'zod';
import type { Benchmark } from '../../../lib/benchmark/benchmark';
import { fewRepeats, inTheLab } from '../../../lib/benchmark/common/checks';
import { whole } from '../../../lib/benchmark/common/parameters';
import {
  betweenCapacities,
  inRepeats,
  NEW_DIRECTORY,
  REMOVE_DATA,
  stepsOf,
  takingTurns,
} from '../../../lib/benchmark/common/steps';
import type { PlanDefinition } from '../../../lib/benchmark/plan';
import type { Action } from '../../../lib/schema/plan';
import { DATA_WORKLOADS } from '../../../lib/workload/lookup';

/** Parameters that a user can change with `--set`. */
const parameters = z.strictObject({
  repeats: whole(1, 1000),
  seconds: whole(1, 172_800),
  gibPerArm: whole(1, 1_048_576),
});

/** One write of data that do not compress, on one arm after the other, another first in each repeat. */
const write: PlanDefinition<typeof parameters> = {
  name: 'write',
  parameters,
  defaults: (scale) =>
    scale === 'lab' ? { repeats: 3, seconds: 2, gibPerArm: 1 } : { repeats: 5, seconds: 300, gibPerArm: 2048 },
  steps: ({ repeats, seconds, gibPerArm }, { arms, fleet }) => {
    const processesPerClient = fleet.ranksPerClient;
    // One without releases: a tool whose data depend on its release needs a parameter that names it.
    const tool = DATA_WORKLOADS.find(({ version }) => version?.release === undefined);
    const data = tool?.data.ofRatio(1, undefined);
    if (tool === undefined || !data) throw new Error('no workload writes data that do not compress');
    const maxBytesPerProcess = Math.floor((gibPerArm * 2 ** 30) / (fleet.clients * processesPerClient));
    const action: Action = {
      kind: 'workload',
      tool: tool.id,
      operation: 'write',
      command: data.command({ operation: 'write', seconds, maxBytesPerProcess, processesPerClient, direct: false }),
      ranksPerClient: processesPerClient,
      pattern: data.pattern.id,
    };
    const units = inRepeats(repeats, (repeat) => {
      const made = stepsOf({ repeat, compressibility: 1, unit: `r${repeat}`, arms });
      const own = [
        made('directory', 'prepare', NEW_DIRECTORY),
        made('write', 'measure', action, { expectedSeconds: seconds }),
        made('remove', 'clean up', REMOVE_DATA),
      ];
      return takingTurns(own, arms, repeat);
    });
    return betweenCapacities(arms, units);
  },
  checks: [fewRepeats, inTheLab],
};

/** Throughput of FSx for Lustre grows with its capacity: by as much as is documented? */
export const capacityBench: Benchmark = {
  name: 'CapacityBench',
  question: 'How much faster do clients write to a file system of twice the capacity?',
  study: 'none',
  about: ['bytes_written'],
  plans: [write],
  arms: (scale) =>
    [1, 2].map((times) => ({
      name: `x${times}`,
      storage: {
        kind: 'lustre',
        deploymentType: 'PERSISTENT_2',
        storageType: 'SSD',
        storageCapacityGiB: times * (scale === 'published' ? 12_000 : 1200),
        perUnitStorageThroughput: 125,
        version: '2.15',
      },
    })),
  fleet: (scale) => ({ instanceType: 'c5n.9xlarge', clients: scale === 'published' ? 4 : 1, ranksPerClient: 18 }),
  lab: {},
};
