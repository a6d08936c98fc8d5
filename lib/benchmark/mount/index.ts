import type * as z from 'zod';
import { FILES_WORKLOADS, verbsOn } from '../../workload/lookup';
import type { Workload } from '../../workload/workload';
import type { Standing } from '../benchmark';
import { fewRepeats, oversubscribed } from '../common/checks';
import { emptyFilesAction, FILES_SECONDS } from '../common/filesRounds';
import { whole } from '../common/parameters';
import { dataFitInMemory } from '../common/scaling/memory';
import { doubling, scalingParameters } from '../common/scaling/parameters';
import { byNodes, dataTool, dataWork, type NodesWork, scaling } from '../common/scaling/plan';
import type { PlanDefinition } from '../plan';
import { mountLike } from './like';
import { mountPlan } from './plan';

const sweepParameters = scalingParameters.extend({
  /** Empty files that each process creates, looks up and removes in a round; 0 for none. */
  filesPerRank: whole(0, 1_000_000),
});

/** Opens of empty files cost servers what stats cost. */
const MEASURED = ['create', 'stat', 'remove'] as const;

/** Files of every node, by the tool of the data if it also works on files, else by the first that does. */
function filesWork(parameters: z.infer<typeof sweepParameters>): NodesWork {
  const { workload } = dataTool(parameters);
  const tool = workload.files === undefined ? (FILES_WORKLOADS[0] as Workload) : workload;
  const operations = MEASURED.filter((operation) => verbsOn(tool, 'files').includes(operation));
  const measured = operations.map((operation) => ({
    operation,
    action: emptyFilesAction(tool, operation, parameters),
    expectedSeconds: FILES_SECONDS,
  }));
  return { name: 'files', compressibility: null, measured };
}

/** The sweep by nodes on an existing file system: from where on do more nodes bring nothing? */
const mountScaling: PlanDefinition<typeof sweepParameters> = {
  ...scaling,
  parameters: sweepParameters,
  defaults: (_, { clients, ranksPerClient }) => ({
    nodes: doubling(clients),
    tool: 'auto',
    iorVersion: '3.3.0',
    ranksPerClient,
    // Few files: all nodes' are created in a round, and a metadata server removes some thousand a second.
    repeats: 3,
    seconds: 10,
    maxMiBPerNode: 65_536,
    direct: false,
    reads: true,
    filesPerRank: 500,
  }),
  steps: (parameters, context) =>
    byNodes(parameters, context, [
      dataWork(parameters),
      ...(parameters.filesPerRank === 0 ? [] : [filesWork(parameters)]),
    ]),
  checks: [dataFitInMemory, fewRepeats, oversubscribed],
};

/** One existing file system: nothing is compared and nothing deployed. */
export const mountBench: Standing = {
  name: 'MountBench',
  question: 'What does this mounted file system do, and what limits it?',
  plans: [mountPlan, mountScaling, mountLike],
};
