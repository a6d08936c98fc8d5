import { METRICS_PERIOD } from '../../../schema/metrics';
import type { ScaleModel } from '../../../schema/model';
import type { PlanArm, Step } from '../../../schema/plan';
import { FILES_WORKLOADS } from '../../../workload/lookup';
import type { Workload } from '../../../workload/workload';
import { phaseTooShort } from '../../kit/checks';
import { betweenCapacities, groupName, inRepeats, rotated, takingTurns } from '../../kit/steps';
import type { AroundChange, PlanDefinition, PlanTools } from '../../plan';
import { CHECKS } from './checks';
import {
  type MetadataParameters,
  metadataDefaults,
  metadataParameters,
  oneDefaults,
  oneParameters,
} from './parameters';
import { contentName, contentsOf, refuseWithoutEngine, unitSteps } from './unit';

/**
 * The paired plan of metadata: for each repeat and size of files, and for directories, every arm creates, stats, reads and removes them,
 * each operation as a step of its own, with client caches dropped between. All clients work on one arm at a time, and the arms' order
 * rotates; with `simultaneous` all arms are worked on in the same minutes by disjoint groups of clients, which swap arms from repeat to
 * repeat. Clients beyond an equal number for each arm then do nothing, and a check says so.
 */
function pairedSteps(parameters: MetadataParameters, arms: readonly PlanArm[], clients: number): Step[] {
  const { repeats, simultaneous } = parameters;
  const clientsPerArm = simultaneous ? Math.floor(clients / arms.length) : clients;
  if (clientsPerArm < 1) {
    throw new Error(
      `'clients' must be at least the ${arms.length} arms to work on them at the same time, got ${clients}: set simultaneous=false`,
    );
  }
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

/** The same on one file system, on which all clients work. */
export const aroundChange: AroundChange<typeof oneParameters> = {
  of: 'metadata',
  parameters: oneParameters,
  defaults: (scale, { ranksPerClient }) => oneDefaults(scale, ranksPerClient),
  steps: (parameters, arm, { clients }) => {
    refuseWithoutEngine(parameters);
    return inRepeats(parameters.repeats, (repeat) =>
      contentsOf(parameters).flatMap((content) => {
        const unit = `r${repeat}-${contentName(content)}-${arm.name}`;
        return unitSteps({ parameters, arms: [arm], unit, repeat, content, clients });
      }),
    );
  },
  checks: paired.checks,
  tools: TOOLS,
};
