import * as z from 'zod';
import { memberBy } from '../../../common/collections';
import { described, field } from '../../../common/field';
import { IN_SECONDS } from '../../../common/quantity';
import type { Action, Plan, PlanArm, Step } from '../../../schema/plan';
import { storageOf } from '../../../storage/lookup';
import { IOR_VERSIONS } from '../../../workload/common/iorRelease';
import { FILES_WORKLOADS, idsOf, verbsOn } from '../../../workload/lookup';
import type { FilesPhase, Items } from '../../../workload/workload';
import { filesAction } from '../../common/filesRounds';
import { choice, flag, numbers, whole } from '../../common/parameters';
import { DROP_CACHES, NEW_DIRECTORY, REMOVE_DATA, stepsOf, type Unit } from '../../common/steps';
import type { PlanScale } from '../../plan';

/** Items that are created, read by stat and removed. */
const OPERATIONS = ['files', 'directories', 'both'] as const;

/** Operations on each file or directory, in this order. Creations come first: without them there is nothing to work on. */
const PHASES = ['create', 'stat', 'read', 'remove'] as const satisfies readonly FilesPhase['operation'][];

const phasesIn = (text: string): string[] => text.split(',');
const isPhase = (text: string): boolean => PHASES.some((phase) => phase === text);

/** The workloads that can do this, the one that is taken first. */
const FILES_TOOLS = idsOf(FILES_WORKLOADS);

export const metadataParameters = z.strictObject({
  repeats: whole(1, 1000),
  /** Minimum length of a phase: one-minute metrics need 300 s to see it (facts-peers, section 1, 6). */
  seconds: whole(0, 172_800, IN_SECONDS),
  fileBytes: numbers(
    z
      .int()
      .min(0)
      .max(2 ** 20),
    'sizes in bytes from 0 to 1048576',
  ),
  /** Operations on files, on directories, or on each after the other. */
  operations: choice(OPERATIONS),
  /** Phases to measure; the rest is left out. Tools without a read phase leave it out as well. */
  phases: described(
    field(
      z.string().refine((text) => {
        const list = phasesIn(text);
        return list.includes('create') && new Set(list).size === list.length && list.every((one) => isPhase(one));
      }),
      `create, alone or with some of ${PHASES.slice(1).join(', ')}, separated by commas, each once`,
    ),
  ),
  tool: choice(FILES_TOOLS),
  /** mdtest comes with IOR and has its version. */
  iorVersion: choice(IOR_VERSIONS),
  ranksPerClient: whole(1, 1024),
  /** Files, or directories, of a rank in a round. `null`: what the documented rate of the arm creates in `roundSeconds`. */
  filesPerRank: whole(1, 10_000_000).nullable(),
  /** Target length of a round. A phase has several rounds: its length then does not depend on the arm's speed. */
  roundSeconds: whole(1, 3600, IN_SECONDS),
  /** Divisor of the documented rates: above 1 in the lab's scale model. */
  modelScale: whole(1, 10_000),
  /** The most files per directory; each directory belongs to one rank. */
  filesPerDirectory: whole(1, 10_000_000),
  /** The most rounds of a phase, even if it is shorter than requested. */
  maxRounds: whole(1, 1000),
  /** A directory on each metadata target, and the ranks' directories below them in turn. */
  spread: flag(),
  /** All arms at the same time, on disjoint clients. Otherwise all clients work on one arm after the other, as in the blog. */
  simultaneous: flag(),
});
export type MetadataParameters = z.infer<typeof metadataParameters>;

export const publishedParameters = z.strictObject({
  /** The blog's are `files`. */
  operations: choice(OPERATIONS),
  filesPerRank: whole(1, 10_000_000),
  iterations: whole(1, 100_000),
  iorVersion: choice(IOR_VERSIONS),
  ranksPerClient: whole(1, 1024),
});
export type PublishedMetadataParameters = z.infer<typeof publishedParameters>;

const AT_SCALE = {
  published: { repeats: 3, seconds: 300 },
  smoke: { repeats: 2, seconds: 60, roundSeconds: 20 },
  lab: { fileBytes: [0, 4096], repeats: 5, seconds: 1, filesPerRank: 1000, maxRounds: 3, spread: false },
} satisfies Record<PlanScale, Partial<MetadataParameters>>;

/** Current practice; in the lab, sized for a coffee break. */
export const metadataDefaults = (scale: PlanScale, { ranksPerClient }: Plan['fleet']): MetadataParameters => ({
  fileBytes: [0],
  operations: 'files',
  phases: PHASES.join(','),
  tool: FILES_TOOLS[0],
  iorVersion: '3.3.0',
  ranksPerClient,
  filesPerRank: null,
  roundSeconds: 100,
  modelScale: 1,
  filesPerDirectory: 50_000,
  maxRounds: 20,
  spread: true,
  simultaneous: false,
  ...AT_SCALE[scale],
});

/** Creations a second that are taken for an arm of which nothing is documented: those of 12,000 metadata IOPS. */
const SUPPOSED_CREATES = { files: 24_000, directories: 1200 } as const;
/** Fewest files per process: with fewer MPI's start-up dominates. */
const LEAST_FILES = 100;

/** Files or directories that an arm creates per second as documented; without a published number, the rate that AWS would set for its capacity. */
export function supposedCreates({ configuration }: PlanArm, items: Items = 'files'): number {
  const metadata = configuration && storageOf(configuration).documented.metadata;
  if (configuration === undefined || metadata === undefined) return SUPPOSED_CREATES[items];
  const rates = metadata.ratesAt(metadata.iops(configuration) ?? metadata.automaticIops(configuration));
  return (items === 'files' ? rates.file_create : rates.dir_create) ?? SUPPOSED_CREATES[items];
}

/** Files, or directories, of each rank in a round on this arm. */
export function filesPerRound(parameters: MetadataParameters, arm: PlanArm, clients: number, items: Items): number {
  const { filesPerRank, filesPerDirectory, roundSeconds, modelScale, ranksPerClient } = parameters;
  const perSecond = supposedCreates(arm, items) / modelScale;
  const wanted = filesPerRank ?? Math.round((perSecond * roundSeconds) / (clients * ranksPerClient));
  return Math.min(filesPerDirectory, Math.max(filesPerRank === null ? LEAST_FILES : 1, wanted));
}

/** Expected relative length of a phase: removing files is documented at half the rate of creating them, removing directories at twice that rate. */
const LENGTH: Readonly<Record<FilesPhase['operation'], number>> = { create: 1, stat: 1, read: 1, remove: 2 };

/** The items of a unit: files of one size, or directories. */
export interface Content {
  readonly items: Items;
  /** `null` for directories. */
  readonly fileBytes: number | null;
}

export const contentsOf = ({ operations, fileBytes }: MetadataParameters): Content[] => [
  ...(operations === 'directories' ? [] : fileBytes.map((bytes): Content => ({ items: 'files', fileBytes: bytes }))),
  ...(operations === 'files' ? [] : [{ items: 'directories', fileBytes: null } as const]),
];

/** `s4096` or `dirs`: what is behind the repeat in the name of a unit. */
export const contentName = ({ items, fileBytes }: Content): string => (items === 'files' ? `s${fileBytes}` : 'dirs');

/** @throws Error for a tool that cannot do what the parameters request */
export function refuseWithoutEngine({ tool, fileBytes, operations }: MetadataParameters): void {
  const workload = filesWorkload(tool);
  const { id, files } = workload;
  if (operations !== 'files' && verbsOn(workload, 'directories').length === 0) {
    const other = FILES_WORKLOADS.find((each) => verbsOn(each, 'directories').length > 0)?.id;
    throw new Error(
      `${id} has no engine for directories: 'operations' must be files with tool=${id}, got ${operations}; install ${other} (npx fsxbench doctor says how), or set operations=files`,
    );
  }
  if (!files.fills && fileBytes.some((size) => size > 0)) {
    const others = FILES_WORKLOADS.flatMap((each) => (each.files.fills ? each.id : []));
    throw new Error(
      `${id}'s engines create empty files only: 'fileBytes' must be 0 with tool=${id}, got ${fileBytes.join(',')}; set tool=${others.join(' or tool=')}`,
    );
  }
}

/** @throws Error for a tool that does not work on files */
const filesWorkload = (tool: string) => memberBy(FILES_WORKLOADS, 'id', tool, "'tool'");

/** Steps of a unit: an empty directory, each operation as its own step with client caches dropped between, and the removal. @param clients of one arm */
export function unitSteps(
  parameters: MetadataParameters,
  content: Content,
  clients: number,
  unit: Pick<Unit, 'arms' | 'unit' | 'repeat' | 'group'>,
): Step[] {
  const { seconds, spread, tool } = parameters;
  const { items, fileBytes } = content;
  const phases = phasesIn(parameters.phases);
  const operations = verbsOn(filesWorkload(tool), items).filter((operation) => phases.includes(operation));
  const made = stepsOf({ ...unit, compressibility: null, fileBytes: fileBytes ?? undefined });
  return [
    made('directory', 'prepare', { ...NEW_DIRECTORY, spread }),
    ...operations.flatMap((operation, index) => [
      ...(index === 0 ? [] : [made(`drop-caches-${index}`, 'prepare', DROP_CACHES)]),
      made(
        operation,
        'measure',
        (arm) => workload(parameters, operation, content, filesPerRound(parameters, arm, clients, items)),
        { expectedSeconds: (items === 'directories' ? 1 : LENGTH[operation]) * Math.max(1, seconds) },
      ),
      ...(operation === 'create' && spread ? [made('spread', 'conclude', { kind: 'verify-spread' })] : []),
    ]),
    made('clean', 'clean up', REMOVE_DATA),
  ];
}

function workload(
  { tool, ranksPerClient, maxRounds, seconds }: MetadataParameters,
  operation: FilesPhase['operation'],
  { items, fileBytes }: Content,
  count: number,
): Action {
  const rounds = { seconds, max: maxRounds };
  const work = { operation, items, count, fileBytes: fileBytes ?? 0, processesPerClient: ranksPerClient, rounds };
  return filesAction(filesWorkload(tool), work);
}
