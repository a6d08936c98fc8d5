import * as z from 'zod';
import { IN_SECONDS } from '../../../common/quantity';
import type { Action, PlanArm, Step } from '../../../schema/plan';
import { type ImportPhase, importCommand, lazyload } from '../../../workload/lazyload';
import { check, fewRepeats } from '../../common/checks';
import { choice, text, whole } from '../../common/parameters';
import { betweenCapacities, DROP_CACHES, stepsOf, takingTurns } from '../../common/steps';
import type { PlanContext, PlanDefinition } from '../../plan';

const DIRECTORY = 'an absolute path on the clients without spaces; {arm} is the name of an arm';

const parameters = z.strictObject({
  /** Path of the linked bucket on the clients. The setting `import` links it to /data of each file system. */
  directory: text(/^\/[^\s,]+$/, DIRECTORY),
  /** Phases timed after the metadata: a first and a second read, or preloading and a read. */
  load: choice(['lazy', 'preload']),
  processesPerClient: whole(1, 1024),
  /** Expected duration of loading all files; it is given up after twice that. */
  seconds: whole(1, 172_800, IN_SECONDS),
});

/** There is no bucket behind the storages of the lab, nor a coordinator that would copy from it. */
const needsBucket = check('not-in-lab', 'error', ({ environment }) =>
  environment.lab !== true
    ? null
    : {
        message:
          'Lazy loading is not available in the lab: its storages have no HSM coordinator that copies from a bucket, so nothing would be imported.',
        expected: 'FSx for Lustre with a data repository association',
        actual: 'storages of this computer',
        suggestion: 'deploy with -c import=s3://BUCKET/PREFIX, or another plan',
      },
);

/** Every phase once: a file that was loaded is loaded, and reading it again is the second read. */
function steps(values: z.infer<typeof parameters>, { arms, fleet }: PlanContext): Step[] {
  const { directory, load, processesPerClient, seconds } = values;
  const made = stepsOf({ repeat: 1, compressibility: null, unit: 'import', arms });
  const timed = (phase: ImportPhase['phase'], operationId: string, operation: 'stat' | 'read' | 'run'): Step => {
    const action = (arm: PlanArm): Action => ({
      kind: 'workload',
      tool: lazyload.id,
      operation,
      operationId,
      ranksPerClient: processesPerClient,
      pattern: 's3',
      items: operation === 'stat' ? 'files' : undefined,
      command: importCommand({
        phase,
        directory: directory.replaceAll('{arm}', arm.name),
        processesPerClient,
        clients: fleet.clients,
        seconds: 2 * seconds,
      }),
    });
    return made(phase, 'measure', action, { expectedSeconds: seconds });
  };
  const work = [
    timed('metadata', 'import_metadata', 'stat'),
    load === 'lazy' ? timed('first', 'first_read', 'read') : timed('preload', 'preload', 'run'),
    made('drop-caches-second', 'prepare', DROP_CACHES),
    timed('second', 'second_read', 'read'),
  ];
  return betweenCapacities(arms, takingTurns(work, arms));
}

/** Import of a bucket's files: metadata only at first, contents with the first read or preloaded. */
export const importPlan: PlanDefinition<typeof parameters> = {
  name: 'import',
  parameters,
  defaults: (scale, { ranksPerClient }) => ({
    directory: '/fsx/{arm}/data',
    load: 'lazy',
    processesPerClient: ranksPerClient,
    seconds: scale === 'published' ? 3600 : 300,
  }),
  steps,
  checks: [needsBucket, fewRepeats],
};
