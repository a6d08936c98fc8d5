import { METRICS_PERIOD, SECONDS_FOR_METRICS } from '../../../schema/metrics';
import type { ScaleModel } from '../../../schema/model';
import type { Action, PlanArm, Step } from '../../../schema/plan';
import { metadataRatesOf, metadataTargetsOf } from '../../../storage/lookup';
import { FILES_PER_DIRECTORY } from '../../../workload/common/asked';
import { fio } from '../../../workload/fio';
import { FILES_WORKLOADS } from '../../../workload/lookup';
import { KIND, mdtest } from '../../../workload/mdtest';
import type { Workload } from '../../../workload/workload';
import { armsTakeTurns, check, fewRepeats, inTheLab, oversubscribed, phaseTooShort } from '../../common/checks';
import { meetsMaintenance } from '../../common/maintenance';
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
import type { Check, Checked, PlanDefinition, PlanTools } from '../../plan';
import {
  contentName,
  contentsOf,
  filesPerRound,
  type MetadataParameters,
  metadataDefaults,
  metadataParameters,
  type PublishedMetadataParameters,
  publishedParameters,
  refuseWithoutEngine,
  supposedCreates,
  unitSteps,
} from './unit';

const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');

const ranksOf = ({ fleet, parameters }: Checked): number =>
  fleet.clients * (typeof parameters.ranksPerClient === 'number' ? parameters.ranksPerClient : 1);

/** The published plan's files are counted, so its length follows from the arm: the blog's take 8.3 s at 192,000 IOPS (facts-peers, section 1, 6). */
const creationTooShort = check('creation-too-short', 'warning', (checked) => {
  const { asStudied, parameters, arms } = checked;
  const { filesPerRank, operations } = parameters;
  if (!asStudied || typeof filesPerRank !== 'number' || operations === 'directories') return null;
  const files = ranksOf(checked) * filesPerRank;
  const lengths = arms.flatMap((arm) => {
    const rate = documentedCreates(arm);
    return rate === null ? [] : [{ arm, rate, seconds: files / rate }];
  });
  const [shortest] = lengths.sort((a, b) => a.seconds - b.seconds);
  if (shortest === undefined || shortest.seconds >= SECONDS_FOR_METRICS) return null;
  const { arm, rate, seconds } = shortest;
  return {
    message: `${count(files)} creates take ${seconds.toFixed(1)} s on ${arm.name}, at the documented 2 per second for each of its ${count(rate / 2)} metadata IOPS. The service’s metrics have one point per minute.`,
    expected: `at least ${SECONDS_FOR_METRICS} s`,
    actual: `${seconds.toFixed(1)} s`,
    suggestion: 'the paired plan (--plan paired), whose phases last equally long on every arm',
    where: arm.name,
  };
});

const documentedCreates = ({ configuration }: PlanArm): number | null =>
  (configuration && metadataRatesOf(configuration)?.file_create) ?? null;

const tooManyFiles = check('files-per-directory', 'warning', (checked) => {
  const { asStudied, parameters, arms, fleet } = checked;
  const { filesPerRank, filesPerDirectory } = parameters;
  const max =
    asStudied === true
      ? Number(filesPerRank)
      : typeof filesPerDirectory === 'number'
        ? Math.max(...arms.map((arm) => filesPerRound(roundParameters(checked), arm, fleet.clients, itemsOf(checked))))
        : 0;
  if (max < FILES_PER_DIRECTORY) return null;
  return {
    message: 'Large directories are slow in themselves, so this measures more than metadata IOPS.',
    expected: `fewer than ${count(FILES_PER_DIRECTORY)} files per directory`,
    actual: count(max),
    suggestion: asStudied ? '--set filesPerRank=50000' : '--set filesPerDirectory=50000',
  };
});

/** Files are created in larger numbers than directories. */
const itemsOf = ({ parameters }: Checked) => (parameters.operations === 'directories' ? 'directories' : 'files');

/** A parameter without value is not recorded. */
const roundParameters = ({ parameters }: Checked): MetadataParameters =>
  ({ filesPerRank: null, modelScale: 1, ...parameters }) as unknown as MetadataParameters;

/** Bytes for each rank and iteration that mdtest 3.3.0 keeps on its stack until the summary, and the usual limit (facts-tools, section 4). */
const STACK = { bytes: 80, limit: 8 * 2 ** 20 } as const;

const stackOverflow = check('mdtest-stack', 'error', (checked) => {
  const { iterations, iorVersion } = checked.parameters;
  if (typeof iterations !== 'number' || iorVersion !== '3.3.0') return null;
  const ranks = ranksOf(checked);
  const needed = ranks * iterations * STACK.bytes;
  if (needed <= STACK.limit) return null;
  return {
    message: 'mdtest 3.3.0 keeps every rank’s results on its stack and crashes at the summary, after all the work.',
    expected: `at most ${Math.floor(STACK.limit / STACK.bytes / ranks)} iterations with ${ranks} ranks under a stack of 8 MiB`,
    actual: String(iterations),
    suggestion: '--set iorVersion=4.0.0, or fewer iterations',
  };
});

/** Directories go to the targets in turn, so ranks should be a multiple of them. */
const unevenSpread: Check = (checked) => {
  const { parameters, arms, fleet } = checked;
  if (parameters.spread !== true) return null;
  const { ranksPerClient, simultaneous } = parameters;
  const clients = simultaneous === true ? Math.floor(fleet.clients / arms.length) : fleet.clients;
  const ranks = clients * Number(ranksPerClient);
  const uneven = arms.flatMap(({ name, configuration }) => {
    const targets = (configuration && metadataTargetsOf(configuration)) ?? 1;
    return ranks % targets === 0 ? [] : [{ name, targets }];
  });
  const [first] = uneven;
  if (first === undefined) return null;
  return {
    id: 'uneven-spread',
    severity: ranks < first.targets ? 'warning' : 'note',
    message: `Ranks cannot be shared evenly between the metadata targets of ${first.name}, so not all of its IOPS can be used.`,
    expected: `a multiple of ${first.targets} ranks`,
    actual: `${ranks}`,
    where: first.name,
  };
};

/** Equal groups may leave clients over: 200 clients on six arms are 33 each, and two have nothing to do. */
const idleClients = check('idle-clients', 'note', ({ parameters, fleet, arms }) => {
  const idle = fleet.clients % arms.length;
  if (parameters.simultaneous !== true || idle === 0) return null;
  const each = Math.floor(fleet.clients / arms.length);
  return {
    message: `${idle} of ${fleet.clients} clients ${idle === 1 ? 'has' : 'have'} nothing to do: each of the ${arms.length} arms gets ${each}.`,
    expected: `a multiple of ${arms.length} clients`,
    actual: `${fleet.clients}`,
    suggestion: `clients=${each * arms.length} costs less and measures the same; or set simultaneous=false`,
  };
});

/** mdtest renames directories in a command of all operations only, and 3.3.0 not at all (tried with 3.3.0 and 4.0.0). */
const noRename = check('no-rename', 'note', ({ asStudied, parameters }) => {
  const { operations, iorVersion } = parameters;
  if (operations === undefined || operations === 'files') return null;
  if (asStudied && iorVersion !== '3.3.0') return null;
  return {
    message:
      'Renaming of directories is not measured: mdtest has it from 4.0.0 on, in a command of all operations only.',
    expected: 'dir_rename',
    actual: asStudied ? `mdtest ${iorVersion}` : 'each operation by its own command',
    suggestion: '--plan published --set iorVersion=4.0.0, on clients that were deployed with it',
  };
});

const substitute = check(`${fio.id}-instead-of-${mdtest.id}`, 'note', ({ parameters }) =>
  parameters.tool === fio.id
    ? {
        message:
          'fio replaces mdtest: no phase opens files, all files are empty, and no MPI barrier keeps processes in step.',
        expected: mdtest.id,
        actual: 'fio filecreate, filestat and filedelete',
      }
    : null,
);

const oneArmAtATime = check('one-arm-at-a-time', 'note', ({ parameters, fleet, arms }) =>
  parameters.simultaneous === false && fleet.clients > 1 && arms.length > 1
    ? {
        message: 'All clients work on one arm at a time, in an order that changes from repeat to repeat.',
        expected: 'as many ranks on each arm as the study had',
        actual: `${fleet.clients} clients on each`,
        suggestion: '--set simultaneous=true compares arms in the same minutes, with fewer clients on each',
      }
    : null,
);

export const CHECKS: readonly Check[] = [
  creationTooShort,
  tooManyFiles,
  stackOverflow,
  unevenSpread,
  fewRepeats,
  oversubscribed,
  armsTakeTurns,
  meetsMaintenance,
  oneArmAtATime,
  idleClients,
  noRename,
  substitute,
  inTheLab,
];

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
      const own = unitSteps(parameters, content, clientsPerArm, { arms, unit, repeat, group });
      return simultaneous ? own : takingTurns(own, arms, repeat);
    }),
  );
  return betweenCapacities(arms, units);
}

/** Phases of two periods of the lab's metrics, with empty files, the only ones that the model throttles; few rounds of work without limits. */
function modelledOperations(models: readonly ScaleModel[]): string[] {
  const scales = models.flatMap(({ metadata, scale }) => (metadata === undefined ? [] : scale));
  if (scales.length === 0) return [];
  const seconds = 2 * METRICS_PERIOD.lab;
  return [
    'fileBytes=0',
    // Phases whose bottleneck is the throttled writes: a stat writes nothing, and a read changes an access time at most.
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
  defaults: metadataDefaults,
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
  // The blog: 4,000 files a rank, three iterations, the file system's own layout.
  defaults: (scale, { ranksPerClient }) => ({
    operations: 'files',
    filesPerRank: scale === 'lab' ? 1000 : 4000,
    iterations: 3,
    iorVersion: '3.3.0',
    ranksPerClient,
  }),
  steps: (parameters, { arms, fleet }) => publishedSteps(parameters, arms, fleet.clients),
  checks: CHECKS,
  tools: { preferred: mdtest, substitutes: [] },
};
