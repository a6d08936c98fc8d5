import { METRICS_PERIOD } from '../../../schema/metrics';
import type { ScaleModel } from '../../../schema/model';
import type { Action, PlanArm, Step } from '../../../schema/plan';
import { FILES_WORKLOADS } from '../../../workload/lookup';
import { KIND, mdtest } from '../../../workload/mdtest';
import type { Workload } from '../../../workload/workload';
import { phaseTooShort } from '../../common/checks';
import {
  betweenCapacities,
  groupName,
  inRepeats,
  NEW_DIRECTORY,
  REMOVE_DATA,
  rotated,
  stepsOf,
  takingTurns,
} from '../../common/steps';
import type { PlanDefinition, PlanTools } from '../../plan';
import { CHECKS } from './checks';
import {
  type MetadataParameters,
  metadataDefaults,
  metadataParameters,
  type PublishedMetadataParameters,
  publishedDefaults,
  publishedParameters,
} from './parameters';
import { contentName, contentsOf, refuseWithoutEngine, supposedCreates, unitSteps } from './unit';

/**
 * The paired plan of metadata: for each repeat and size of files, and for directories, every arm creates, stats, reads and removes them,
 * each operation as its own step, with client caches dropped between. All clients work on one arm at a time, and the arms' order
 * rotates; with `simultaneous` all arms are worked on in the same minutes by disjoint groups of clients, which swap arms from repeat to
 * repeat. Clients beyond an equal number for each arm then do nothing, and a check says so.
 */
function pairedSteps(parameters: MetadataParameters, arms: readonly PlanArm[], clients: number): Step[] {
  const { repeats, simultaneous } = parameters;
  const clientsPerArm = simultaneous ? Math.floor(clients / arms.length) : clients;
  if (clientsPerArm < 1)
    throw new Error(
      `'clients' must be at least the ${arms.length} arms to work on them at the same time, got ${clients}: set simultaneous=false`,
    );
  refuseWithoutEngine(parameters);
  const contents = contentsOf(parameters);
  const units = inRepeats(repeats, (repeat) =>
    rotated(contents, repeat - 1).flatMap((content) => {
      const unit = `r${repeat}-${contentName(content)}`;
      const group = (index: number): string => groupName((index + repeat) % arms.length);
      const own = unitSteps({ parameters, arms, unit, repeat, content, clients: clientsPerArm, group });
      return simultaneous ? own : takingTurns(own, arms, repeat);
    }),
  );
  return betweenCapacities(arms, units);
}

/**
 * Phases that hold two periods of the lab's metrics, of empty files, since nothing is held of others. Few rounds of what the model does not
 * limit.
 */
function modelledOperations(models: readonly ScaleModel[]): string[] {
  const scales = models.flatMap(({ metadata, scale }) => (metadata === undefined ? [] : scale));
  if (scales.length === 0) return [];
  const seconds = 2 * METRICS_PERIOD.lab;
  return [
    'fileBytes=0',
    // What the held writes set the pace of: a stat writes nothing, and a read changes an access time at most.
    'phases=create,remove',
    'repeats=3',
    `seconds=${seconds}`,
    'filesPerRank=null',
    `roundSeconds=${seconds}`,
    `modelScale=${Math.max(...scales)}`,
    'maxRounds=3',
  ];
}

const [PREFERRED, ...SUBSTITUTES] = FILES_WORKLOADS;

const TOOLS: PlanTools = {
  preferred: PREFERRED as Workload,
  substitutes: SUBSTITUTES,
  settings: ({ files }) => (files?.fills === false ? ['fileBytes=0'] : []),
};

export const paired: PlanDefinition<typeof metadataParameters> = {
  name: 'paired',
  parameters: metadataParameters,
  defaults: (scale, { ranksPerClient }) => metadataDefaults(scale, ranksPerClient),
  steps: (parameters, { arms, fleet }) => pairedSteps(parameters, arms, fleet.clients),
  checks: [phaseTooShort, ...CHECKS],
  tools: TOOLS,
  onModel: modelledOperations,
};

/** The AWS metadata blog's run: one mdtest over all clients, one file system after the other. */
function publishedSteps(parameters: PublishedMetadataParameters, arms: readonly PlanArm[], clients: number): Step[] {
  const { filesPerRank, iterations, ranksPerClient, operations } = parameters;
  const items = clients * ranksPerClient * filesPerRank * iterations;
  const run: Action = {
    kind: 'workload',
    tool: mdtest.id,
    operation: 'all',
    items: operations === 'files' ? undefined : operations,
    command: studyCommand(parameters),
    ranksPerClient,
    pattern: operations === 'directories' ? 'directories' : 'files-0',
  };
  const ofArm = (arm: PlanArm): Step[] => {
    const fileBytes = operations === 'directories' ? undefined : 0;
    const made = stepsOf({ repeat: 1, compressibility: null, fileBytes, unit: 'r1-published', arms: [arm] });
    // Stat and open are taken to be as fast as a creation; a removal is documented at half of it, of directories at twice.
    const files = operations === 'directories' ? 0 : (5 * items) / supposedCreates(arm);
    const directories = operations === 'files' ? 0 : (2.5 * items) / supposedCreates(arm, 'directories');
    const seconds = Math.max(1, Math.round(files + directories));
    return [
      made(`directory-${arm.name}`, 'prepare', NEW_DIRECTORY),
      made(`run-${arm.name}`, 'measure', run, { expectedSeconds: seconds }),
      made(`clean-${arm.name}`, 'clean up', REMOVE_DATA),
    ];
  };
  return betweenCapacities(arms, arms.flatMap(ofArm));
}

/** The blog's command, argument for argument: 4,000 files a rank, three times, all operations in one go; the blog's are files. */
function studyCommand({ filesPerRank, iterations, operations }: PublishedMetadataParameters): string[] {
  const [files, times] = [String(filesPerRank), String(iterations)];
  return [mdtest.id, ...KIND[operations], '-v', '-n', files, '-i', times, '-u', '-d', '{dir}'];
}

export const published: PlanDefinition<typeof publishedParameters> = {
  name: 'published',
  asStudied: true,
  parameters: publishedParameters,
  defaults: (scale, { ranksPerClient }) => publishedDefaults(scale, ranksPerClient),
  steps: (parameters, { arms, fleet }) => publishedSteps(parameters, arms, fleet.clients),
  checks: CHECKS,
  tools: { preferred: mdtest, substitutes: [] },
};
