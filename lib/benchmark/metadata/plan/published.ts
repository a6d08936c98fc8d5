import type { Action, PlanArm, Step } from '../../../schema/plan';
import { KIND, mdtest } from '../../../workload/mdtest';
import { betweenCapacities, NEW_DIRECTORY, REMOVE_DATA, stepsOf } from '../../kit/steps';
import type { PlanDefinition } from '../../plan';
import { CHECKS } from './checks';
import { type PublishedMetadataParameters, publishedDefaults, publishedParameters } from './parameters';
import { supposedCreates } from './unit';

/** The AWS metadata blog's run: one mdtest over all clients, one file system after the other. */
function publishedSteps(parameters: PublishedMetadataParameters, arms: readonly PlanArm[], clients: number): Step[] {
  const { filesPerRank, iterations, ranksPerClient, operations } = parameters;
  const items = clients * ranksPerClient * filesPerRank * iterations;
  const run: Action = {
    kind: 'workload',
    tool: mdtest.id,
    operation: 'all',
    ...(operations === 'files' ? {} : { items: operations }),
    command: studyCommand(parameters),
    ranksPerClient,
    pattern: operations === 'directories' ? 'directories' : 'files-0',
  };
  const ofArm = (arm: PlanArm): Step[] => {
    const size = operations === 'directories' ? {} : { fileBytes: 0 };
    const made = stepsOf({ repeat: 1, target: null, ...size, unit: 'r1-published', arms: [arm] });
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
