import { bytes } from '../../../common/format/units';
import type { Step } from '../../../schema/plan';
import { DATA_WORKLOADS, writersOf } from '../../../workload/lookup';
import type { Workload } from '../../../workload/workload';
import type { PlanContext, PlanDefinition, PlanScale } from '../../plan';
import { check, fewRepeats, inTheLab, oversubscribed, phaseTooShort } from '../checks';
import { meetsMaintenance } from '../maintenance';
import { phaseOnModel } from '../onModel';
import { betweenCapacities, inRepeats } from '../steps';
import { doubling, type ScalingParameters, scalingParameters } from './parameters';
import { type ClusterUnit, checkNodes, type MeasuredWork, unitOf } from './units';

/** Data that a node reads back, or has yet to write, may never leave its memory. */
export const nodesDataFitInMemory = check('data-fit-in-memory', 'warning', ({ parameters, environment }) => {
  const { clientMemoryBytes } = environment;
  const { maxMiBPerNode, direct } = parameters;
  if (clientMemoryBytes === undefined || typeof maxMiBPerNode !== 'number' || direct === true) return null;
  const moved = maxMiBPerNode * 2 ** 20;
  if (moved > clientMemoryBytes) return null;
  return {
    message: 'The data that a node writes fit into its memory, so its reads may come from there.',
    expected: `more than ${bytes(clientMemoryBytes)}`,
    actual: bytes(moved),
    suggestion: `--set maxMiBPerNode=${Math.ceil((1.5 * clientMemoryBytes) / 2 ** 20)} or --set direct=true`,
  };
});

const AT_SCALE = {
  // 400 GiB of a node are more than its memory of 192 GiB, and than it can send in 300 s at 12.5 GB/s over one of its OSCs.
  published: { repeats: 3, seconds: 300, maxMiBPerNode: 409_600, direct: true, reads: true },
  smoke: { repeats: 2, seconds: 60, maxMiBPerNode: 65_536, direct: true, reads: true },
  lab: { repeats: 3, seconds: 2, maxMiBPerNode: 128, direct: false, reads: false },
} satisfies Record<PlanScale, Partial<ScalingParameters>>;

/** The tool of the data, with their pattern. @throws Error naming the tools whose data do not compress */
export function dataTool(parameters: ScalingParameters) {
  const able = writersOf(1, parameters);
  const taken = able.find(({ workload: { id } }) => parameters.tool === 'auto' || id === parameters.tool);
  if (taken !== undefined) return taken;
  const names = able.map(({ workload: { id } }) => id).join(', ');
  throw new Error(`'tool' must be auto or one of ${names}, got '${parameters.tool}'`);
}

/** Work of each node, in its own directory. */
export type NodesWork = Pick<ClusterUnit, 'name' | 'compressibility'> & { readonly measured: readonly MeasuredWork[] };

export function dataWork(parameters: ScalingParameters): NodesWork {
  const { ranksPerClient, maxMiBPerNode, seconds, direct, reads } = parameters;
  const { workload, data } = dataTool(parameters);
  const maxBytesPerProcess = Math.floor((maxMiBPerNode * 2 ** 20) / ranksPerClient);
  const operations = reads ? (['write', 'read'] as const) : (['write'] as const);
  const measured = operations.map((operation): MeasuredWork => {
    const phase = { operation, seconds, maxBytesPerProcess, processesPerClient: ranksPerClient, direct };
    const command = data.command(phase);
    const own = { tool: workload.id, operation, command, ranksPerClient, pattern: data.pattern.id };
    return { operation, action: { kind: 'workload', ...own }, expectedSeconds: seconds };
  });
  return { compressibility: 1, measured };
}

/**
 * The same work on more and more nodes, in every repeat. Each node has its own processes and data: the rate grows with the nodes until
 * something else limits it (weak scaling). Every second repeat starts with the most nodes, to keep a drift over time from looking like scaling.
 */
export function byNodes(
  { repeats, nodes }: Pick<ScalingParameters, 'repeats' | 'nodes'>,
  { arms, fleet }: PlanContext,
  works: readonly NodesWork[],
): Step[] {
  checkNodes(nodes, fleet);
  const units = inRepeats(repeats, (repeat) =>
    (repeat % 2 === 1 ? nodes : [...nodes].reverse()).flatMap((count) =>
      works.flatMap(({ measured, ...work }) => unitOf({ arms, repeat, nodes: count, ...work }, measured)),
    ),
  );
  return betweenCapacities(arms, units);
}

export const scaling: PlanDefinition<typeof scalingParameters> = {
  name: 'scaling',
  parameters: scalingParameters,
  defaults: (scale, { clients, ranksPerClient }) => ({
    nodes: doubling(clients),
    tool: 'auto',
    iorVersion: '3.3.0',
    ranksPerClient,
    ...AT_SCALE[scale],
  }),
  onModel: (models) => {
    const { seconds, maxMiB } = phaseOnModel(models);
    return [`seconds=${seconds}`, `maxMiBPerNode=${maxMiB}`];
  },
  steps: (parameters, context) => byNodes(parameters, context, [dataWork(parameters)]),
  checks: [phaseTooShort, nodesDataFitInMemory, fewRepeats, oversubscribed, meetsMaintenance, inTheLab],
  within: (MiBPerClient) => [`maxMiBPerNode=${MiBPerClient}`],
  tools: {
    preferred: DATA_WORKLOADS[0] as Workload,
    substitutes: DATA_WORKLOADS.slice(1),
    settings: ({ id }) => [`tool=${id}`],
  },
};
