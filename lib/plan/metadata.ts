import type { Action, PlanArm, Step } from '../schema/plan';
import { FILES_WORKLOADS } from '../workload/lookup';
import type { MetadataParameters, PublishedMetadataParameters } from './metadataParameters';
import { contentName, contentsOf, refuseWithoutEngine, supposedCreates, unitSteps } from './metadataUnit';
import { groupName, inTurns, step } from './steps';

/**
 * The paired plan of metadata: for each repeat and size of files, and for directories, every arm creates, stats, reads and removes them,
 * each operation as a step of its own, with client caches dropped between. All clients work on one arm at a time, and the arms' order
 * rotates; with `simultaneous` all arms are worked on in the same minutes by disjoint groups of clients, which swap arms from repeat to
 * repeat. Clients beyond an equal number for each arm then do nothing, and a check says so.
 */
export function metadataSteps(parameters: MetadataParameters, arms: readonly PlanArm[], clients: number): Step[] {
  const { repeats, simultaneous } = parameters;
  const clientsPerArm = simultaneous ? Math.floor(clients / arms.length) : clients;
  if (clientsPerArm < 1) {
    throw new Error(
      `'clients' must be at least the ${arms.length} arms to work on them at the same time, got ${clients}: set simultaneous=false`,
    );
  }
  refuseWithoutEngine(parameters);
  const contents = contentsOf(parameters);
  const steps = [everyArm('setup-capacity', 'setup', arms)];
  for (let repeat = 1; repeat <= repeats; repeat++) {
    for (const content of repeat % 2 === 1 ? contents : [...contents].reverse()) {
      const unit = `r${repeat}-${contentName(content)}`;
      const group = (index: number): string => groupName((index + repeat) % arms.length);
      const own = unitSteps({ parameters, arms, unit, repeat, content, clients: clientsPerArm, group });
      steps.push(
        ...(simultaneous
          ? own
          : inTurns(
              own,
              rotated(
                arms.map(({ name }) => name),
                repeat,
              ),
            )),
      );
    }
  }
  return [...steps, everyArm('conclude-capacity', 'conclude', arms)];
}

/** The AWS metadata blog's run: one mdtest over all clients, one file system after the other. */
export function publishedMetadataSteps(
  parameters: PublishedMetadataParameters,
  arms: readonly PlanArm[],
  clients: number,
): Step[] {
  const { filesPerRank, iterations, ranksPerClient, stripeCount, operations } = parameters;
  const { tool, command } = studyCommand(parameters);
  const unit = 'r1-published';
  const items = clients * ranksPerClient * filesPerRank * iterations;
  const run: Action = {
    kind: 'workload',
    tool,
    operation: 'all',
    ...(operations === 'files' ? {} : { items: operations }),
    command,
    ranksPerClient,
    pattern: operations === 'directories' ? 'directories' : 'files-0',
  };
  const ofArm = (arm: PlanArm): Step[] => {
    const size = operations === 'directories' ? {} : { fileBytes: 0 };
    const base = { repeat: 1, target: null, ...size, unit, arms: [arm], group: () => 'all' };
    const chore = (name: string, phase: Step['phase'], action: Action): Step =>
      step({ ...base, id: `${unit}-${name}-${arm.name}`, phase, action });
    // Stat and open are taken to be as fast as a creation; a removal is documented at half of it, of directories at twice.
    const files = operations === 'directories' ? 0 : (5 * items) / supposedCreates(arm);
    const directories = operations === 'files' ? 0 : (2.5 * items) / supposedCreates(arm, 'directories');
    const seconds = Math.max(1, Math.round(files + directories));
    return [
      chore('directory', 'prepare', { kind: 'make-directory', stripeCount, fresh: true }),
      step({ ...base, id: `${unit}-run-${arm.name}`, phase: 'measure', action: run, expectedSeconds: seconds }),
      chore('clean', 'clean up', { kind: 'remove-data' }),
    ];
  };
  return [
    everyArm('setup-capacity', 'setup', arms),
    ...arms.flatMap(ofArm),
    everyArm('conclude-capacity', 'conclude', arms),
  ];
}

/** The command of the tool that the study used. */
function studyCommand({ filesPerRank, iterations, operations }: PublishedMetadataParameters) {
  for (const { id, files } of FILES_WORKLOADS)
    if (files.study) return { tool: id, command: files.study(filesPerRank, iterations, operations) };
  throw new Error('no workload of lib/workload/registry.ts has the command of the metadata study');
}

/** Free and used space of each arm. */
export function everyArm(id: string, phase: 'setup' | 'conclude', arms: readonly PlanArm[]): Step {
  const action: Action = { kind: 'measure-capacity' };
  return step({ id, phase, repeat: 0, target: null, unit: phase, arms, group: () => 'all', action });
}

/** Another name first in each repeat. */
export function rotated(names: readonly string[], repeat: number): string[] {
  return names.map((_, index) => names[(index + repeat) % names.length] as string);
}
