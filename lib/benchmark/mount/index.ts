import * as z from 'zod';
import { IN_MIB, IN_SECONDS } from '../../common/quantity';
import type { Action, PlanArm, Step } from '../../schema/plan';
import { DATA_WORKLOADS, FILES_WORKLOADS, idsOf, releaseIn, verbsOn } from '../../workload/lookup';
import type { Workload } from '../../workload/workload';
import type { Standing } from '../benchmark';
import { fewRepeats, oversubscribed } from '../common/checks';
import { dataExceedCapacity, dataFitInMemory } from '../common/dataChecks';
import { emptyFilesAction, FILES_SECONDS } from '../common/filesRounds';
import { choice, flag, whole } from '../common/parameters';
import { doubling, scalingParameters } from '../common/scaling/parameters';
import { byNodes, dataTool, dataWork, type NodesWork, nodesDataFitInMemory, scaling } from '../common/scaling/plan';
import { betweenCapacities, DROP_CACHES, inRepeats, NEW_DIRECTORY, REMOVE_DATA, stepsOf } from '../common/steps';
import type { PlanDefinition } from '../plan';
import { mountLike } from './like';

/** Tools that can do both: one installed tool is then enough. */
const BOTH = FILES_WORKLOADS.flatMap((files) => DATA_WORKLOADS.filter(({ id }) => id === files.id));
const [PREFERRED, ...OTHERS] = BOTH;
if (PREFERRED === undefined) throw new Error('no workload of lib/workload/registry.ts works on data and on files');

const mountParameters = z.strictObject({
  repeats: whole(1, 1000),
  seconds: whole(1, 172_800, IN_SECONDS),
  tool: choice(idsOf(BOTH)),
  ranksPerClient: whole(1, 1024),
  maxMiBPerArm: whole(1, 2 ** 40, IN_MIB),
  /** O_DIRECT; otherwise writes are synced before the clock stops. */
  direct: flag(),
  /** Files that each process creates, looks up and removes in a round; 0 for none. */
  filesPerRank: whole(0, 1_000_000),
});

/** A large file for each process is written and read back, then many empty files are created, looked up and removed. */
function mountSteps(parameters: z.infer<typeof mountParameters>, arms: readonly PlanArm[]): Step[] {
  const { repeats, seconds, tool, ranksPerClient, maxMiBPerArm, direct, filesPerRank } = parameters;
  const workload = DATA_WORKLOADS.find(({ id }) => id === tool);
  const data = workload?.data.ofRatio(1, releaseIn(workload, parameters));
  if (workload === undefined || !data) throw new Error(`${tool} cannot write random data`);
  const maxBytesPerProcess = Math.floor((maxMiBPerArm * 2 ** 20) / ranksPerClient);
  const common = { kind: 'workload', tool, ranksPerClient } as const;

  const units = inRepeats(repeats, (repeat) => {
    const large = stepsOf({ repeat, compressibility: 1, unit: `r${repeat}-data`, arms });
    const move = (operation: 'write' | 'read'): Step => {
      const phase = { operation, seconds, maxBytesPerProcess, processesPerClient: ranksPerClient, direct };
      const action: Action = { ...common, operation, command: data.command(phase), pattern: data.pattern.id };
      return large(operation, 'measure', action, { expectedSeconds: seconds });
    };
    const small = stepsOf({ repeat, compressibility: null, unit: `r${repeat}-files`, arms });
    const operations = filesPerRank === 0 ? [] : verbsOn(workload, 'files');
    const work = operations.flatMap((operation, at) => {
      const action = emptyFilesAction(workload, operation, { ranksPerClient, filesPerRank, seconds });
      return [
        ...(at === 0 ? [] : [small(`drop-caches-${operation}`, 'prepare', DROP_CACHES)]),
        small(operation, 'measure', action, { expectedSeconds: FILES_SECONDS }),
      ];
    });
    return [
      ...[large('directory', 'prepare', NEW_DIRECTORY), move('write')],
      ...[large('drop-caches-read', 'prepare', DROP_CACHES), move('read'), large('clean', 'clean up', REMOVE_DATA)],
      ...(work.length === 0
        ? []
        : [small('directory', 'prepare', NEW_DIRECTORY), ...work, small('clean', 'clean up', REMOVE_DATA)]),
    ];
  });
  return betweenCapacities(arms, units);
}

/** The usual plan of `run --on`: rates of one number of clients. */
const mountPlan: PlanDefinition<typeof mountParameters> = {
  name: 'mount',
  parameters: mountParameters,
  paired: false,
  defaults: (_, { ranksPerClient }) => ({
    repeats: 3,
    seconds: 10,
    tool: PREFERRED.id,
    ranksPerClient,
    maxMiBPerArm: 65_536,
    direct: false,
    filesPerRank: 2000,
  }),
  steps: (parameters, { arms }) => mountSteps(parameters, arms),
  checks: [dataFitInMemory, dataExceedCapacity, fewRepeats, oversubscribed],
  within: (MiBPerClient) => [`maxMiBPerArm=${MiBPerClient}`],
  tools: { preferred: PREFERRED, substitutes: OTHERS },
};

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
  checks: [nodesDataFitInMemory, fewRepeats, oversubscribed],
};

/** One existing file system: nothing is compared and nothing deployed. */
export const mountBench: Standing = {
  name: 'MountBench',
  question: 'What does this mounted file system do, and what limits it?',
  plans: [mountPlan, mountScaling, mountLike],
};
