import type { Action, PlanArm, Step } from '../model/plan';
import { automaticMetadataIops } from '../storage/documented';
import { metadataRates } from '../storage/limits';
import { fioFilesCommand, mdtestCommand, publishedMdtestCommand } from '../workload/mdtest';
import type { MetadataParameters, PublishedMetadataParameters } from './metadataParameters';
import { groupName, inTurns, step } from './steps';

/** Creations a second that are taken for an arm of which nothing is documented: those of 12,000 metadata IOPS. */
const SUPPOSED_CREATES = 24_000;
/** Fewer files than this measure how MPI starts. */
const LEAST_FILES = 100;

/** Files that an arm creates a second as documented; where no number is published, what its capacity would get automatically. */
export function supposedCreates({ configuration }: PlanArm): number {
  if (configuration === undefined) return SUPPOSED_CREATES;
  const documented = metadataRates(configuration);
  return documented?.file_create ?? 2 * automaticMetadataIops(configuration.storageCapacityGiB ?? 12_000);
}

/** Files of each rank in a round on this arm. */
export function filesPerRound(parameters: MetadataParameters, arm: PlanArm, clients: number): number {
  const { filesPerRank, filesPerDirectory, roundSeconds, ranksPerClient } = parameters;
  const wanted = filesPerRank ?? Math.round((supposedCreates(arm) * roundSeconds) / (clients * ranksPerClient));
  return Math.min(filesPerDirectory, Math.max(filesPerRank === null ? LEAST_FILES : 1, wanted));
}

const OPERATIONS = ['create', 'stat', 'read', 'remove'] as const;
type Operation = (typeof OPERATIONS)[number];

/** What a phase is expected to last: deletions are documented at half the rate of creations, of the others nothing is. */
const LENGTH: Readonly<Record<Operation, number>> = { create: 1, stat: 1, read: 1, remove: 2 };

/**
 * The paired plan of metadata: for each repeat and size of files every arm creates, stats, reads and removes them, each operation as a
 * step of its own, with client caches dropped between. All clients work on one arm at a time, and the arms' order rotates; with
 * `simultaneous` all arms are worked on in the same minutes by disjoint groups of clients, which swap arms from repeat to repeat.
 */
export function metadataSteps(parameters: MetadataParameters, arms: readonly PlanArm[], clients: number): Step[] {
  const { repeats, seconds, fileBytes: sizes, simultaneous, stripeCount, spread, maxRounds, tool } = parameters;
  const { ranksPerClient } = parameters;
  const clientsPerArm = simultaneous ? Math.floor(clients / arms.length) : clients;
  if (clientsPerArm < 1) {
    throw new Error(
      `'clients' must be at least the ${arms.length} arms to work on them at the same time, got ${clients}: set simultaneous=false`,
    );
  }
  if (tool === 'fio' && sizes.some((size) => size > 0)) {
    throw new Error(
      `fio's engines create empty files only: 'fileBytes' must be 0 with tool=fio, got ${sizes.join(',')}`,
    );
  }
  const operations = OPERATIONS.filter((operation) => tool === 'mdtest' || operation !== 'read');
  const workload = (operation: Operation, fileBytes: number, arm: PlanArm): Action => {
    const files = filesPerRound(parameters, arm, clientsPerArm);
    const command =
      tool === 'mdtest' || operation === 'read'
        ? mdtestCommand({ operation, files, fileBytes })
        : fioFilesCommand(operation, files, ranksPerClient);
    return {
      kind: 'workload',
      tool,
      operation,
      command,
      rounds: { seconds, most: maxRounds },
      ranksPerClient,
      pattern: `files-${fileBytes}`,
    };
  };
  const unitSteps = (repeat: number, fileBytes: number): Step[] => {
    const unit = `r${repeat}-s${fileBytes}`;
    const group = (index: number): string => groupName((index + repeat) % arms.length);
    const base = { repeat, target: null, fileBytes, unit, arms, group };
    const chore = (name: string, phase: Step['phase'], action: Action): Step =>
      step({ ...base, id: `${unit}-${name}`, phase, action });
    const steps = [
      chore('directory', 'prepare', { kind: 'make-directory', stripeCount, fresh: true, spread }),
      ...operations.flatMap((operation, index) => [
        ...(index === 0 ? [] : [chore(`drop-caches-${index}`, 'prepare', { kind: 'drop-caches' })]),
        step({
          ...base,
          id: `${unit}-${operation}`,
          phase: 'measure',
          action: (arm) => workload(operation, fileBytes, arm),
          expectedSeconds: LENGTH[operation] * Math.max(1, seconds),
        }),
        ...(operation === 'create' && spread ? [chore('spread', 'conclude', { kind: 'verify-spread' })] : []),
      ]),
      chore('clean', 'clean up', { kind: 'remove-data' }),
    ];
    return simultaneous ? steps : inTurns(steps, rotated(arms, repeat));
  };
  const capacity = (id: string, phase: 'setup' | 'conclude'): Step => everyArm(id, phase, arms);
  const steps = [capacity('setup-capacity', 'setup')];
  for (let repeat = 1; repeat <= repeats; repeat++) {
    const order = repeat % 2 === 1 ? sizes : [...sizes].reverse();
    for (const size of order) steps.push(...unitSteps(repeat, size));
  }
  return [...steps, capacity('conclude-capacity', 'conclude')];
}

/** The AWS metadata blog's run: one mdtest over all clients, one file system after the other. */
export function publishedMetadataSteps(
  parameters: PublishedMetadataParameters,
  arms: readonly PlanArm[],
  clients: number,
): Step[] {
  const { filesPerRank, iterations, ranksPerClient, stripeCount } = parameters;
  const unit = 'r1-published';
  const files = clients * ranksPerClient * filesPerRank * iterations;
  const run: Action = {
    kind: 'workload',
    tool: 'mdtest',
    operation: 'all',
    command: publishedMdtestCommand(filesPerRank, iterations),
    ranksPerClient,
    pattern: 'files-0',
  };
  const ofArm = (arm: PlanArm): Step[] => {
    const base = { repeat: 1, target: null, fileBytes: 0, unit, arms: [arm], group: () => 'all' };
    const chore = (name: string, phase: Step['phase'], action: Action): Step =>
      step({ ...base, id: `${unit}-${name}-${arm.name}`, phase, action });
    // Stat and open are taken to be as fast as a creation; a removal is documented at half of it.
    const seconds = Math.max(1, Math.round((5 * files) / supposedCreates(arm)));
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

function everyArm(id: string, phase: 'setup' | 'conclude', arms: readonly PlanArm[]): Step {
  const action: Action = { kind: 'measure-capacity' };
  return step({ id, phase, repeat: 0, target: null, unit: phase, arms, group: () => 'all', action });
}

/** The arms' names, another one first in each repeat. */
function rotated(arms: readonly PlanArm[], repeat: number): string[] {
  const names = arms.map(({ name }) => name);
  return names.map((_, index) => names[(index + repeat) % names.length] as string);
}
