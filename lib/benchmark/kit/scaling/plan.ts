import { METRICS_PERIOD } from '../../../schema/metrics';
import type { Action, Step } from '../../../schema/plan';
import { DATA_WORKLOADS, releaseIn } from '../../../workload/lookup';
import type { Workload } from '../../../workload/workload';
import type { PlanContext, PlanDefinition, PlanScale } from '../../plan';
import { fewRepeats, inTheLab, oversubscribed, phaseTooShort } from '../checks';
import { meetsMaintenance } from '../maintenance';
import { everyArm } from '../steps';
import { dataFitInMemory } from './memory';
import { doubling, type ScalingParameters, scalingParameters } from './parameters';
import { unitOf } from './units';

function defaults(scale: PlanScale, most: number, ranksPerClient: number): ScalingParameters {
  const common = { nodes: doubling(most), tool: 'auto', iorVersion: '3.3.0', ranksPerClient } as const;
  switch (scale) {
    case 'published':
      // 400 GiB of a node are more than its memory of 192 GiB, and than it can send in 300 s at 12.5 GB/s over one of its OSCs.
      return {
        ...common,
        ...{ repeats: 3, seconds: 300, maxMiBPerNode: 409_600, direct: true, reads: true },
      };
    case 'smoke':
      return {
        ...common,
        ...{ repeats: 2, seconds: 60, maxMiBPerNode: 65_536, direct: true, reads: true },
      };
    case 'lab':
      return {
        ...common,
        ...{ repeats: 3, seconds: 2, maxMiBPerNode: 128, direct: false, reads: false },
      };
  }
}

/** The tool and what it writes. @throws Error naming the tools whose data do not compress */
function work(parameters: ScalingParameters, operation: 'write' | 'read'): Action {
  const { tool, ranksPerClient, maxMiBPerNode, seconds, direct } = parameters;
  const able = DATA_WORKLOADS.flatMap((workload) => {
    const data = workload.data.ofRatio(1, releaseIn(workload, parameters));
    return data === null ? [] : [{ id: workload.id, ...data }];
  });
  const taken = able.find(({ id }) => tool === 'auto' || id === tool);
  if (taken === undefined)
    throw new Error(`'tool' must be auto or one of ${able.map(({ id }) => id).join(', ')}, got '${tool}'`);
  const maxBytesPerProcess = Math.floor((maxMiBPerNode * 2 ** 20) / ranksPerClient);
  const command = taken.command({ operation, seconds, maxBytesPerProcess, processesPerClient: ranksPerClient, direct });
  return { kind: 'workload', tool: taken.id, operation, command, ranksPerClient, pattern: taken.pattern.id };
}

/**
 * The same work on more and more nodes, in every repeat: each node brings its own processes and its own data, so that the rate grows with
 * the nodes until something else than they limits it (weak scaling). Every second repeat starts with the most nodes, so that a drift over
 * time does not look like scaling.
 */
function steps(parameters: ScalingParameters, { arms, fleet }: PlanContext): Step[] {
  const { repeats, nodes, reads } = parameters;
  const beyond = nodes.find((count) => count > fleet.clients);
  if (beyond !== undefined)
    throw new Error(`'nodes' must be at most the ${fleet.clients} clients of the fleet, got ${beyond}`);
  const operations = reads ? (['write', 'read'] as const) : (['write'] as const);
  const all: Step[] = [everyArm('setup-capacity', 'setup', arms)];
  for (let repeat = 1; repeat <= repeats; repeat++) {
    for (const count of repeat % 2 === 1 ? nodes : [...nodes].reverse()) {
      const measured = operations.map((operation) => ({
        operation,
        action: work(parameters, operation),
        expectedSeconds: parameters.seconds,
      }));
      all.push(...unitOf({ arms, repeat, nodes: count, target: 1 }, measured));
    }
  }
  return [...all, everyArm('conclude-capacity', 'conclude', arms)];
}

/** Throughput as a function of the number of nodes. */
export const scaling: PlanDefinition<typeof scalingParameters> = {
  name: 'scaling',
  parameters: scalingParameters,
  defaults: (scale, { clients, ranksPerClient }) => defaults(scale, clients, ranksPerClient),
  // As long as a period of the metrics, so that what the servers count can be held against what the clients say.
  onModel: (models) => {
    const fastestMBps = Math.max(...models.flatMap(({ held }) => held.map(({ setMBps }) => setMBps)));
    const most = Math.ceil((fastestMBps * 1e6 * METRICS_PERIOD.lab * 2) / 2 ** 20);
    return [`seconds=${METRICS_PERIOD.lab}`, `maxMiBPerNode=${most}`];
  },
  steps,
  checks: [phaseTooShort, dataFitInMemory, fewRepeats, oversubscribed, meetsMaintenance, inTheLab],
  within: (MiBPerClient) => [`maxMiBPerNode=${MiBPerClient}`],
  tools: {
    preferred: DATA_WORKLOADS[0] as Workload,
    substitutes: DATA_WORKLOADS.slice(1),
    settings: ({ id }) => [`tool=${id}`],
  },
};
