import { memberBy } from '../../../common/collections';
import type { Action, PlanArm, Step } from '../../../schema/plan';
import { storageOf } from '../../../storage/lookup';
import { FILES_WORKLOADS, verbsOn } from '../../../workload/lookup';
import type { FilesPhase, Items } from '../../../workload/workload';
import { filesAction } from '../../common/filesRounds';
import { DROP_CACHES, NEW_DIRECTORY, REMOVE_DATA, stepsOf, type Unit } from '../../common/steps';
import { type MetadataParameters, phasesIn } from './parameters';

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

type RoundParameters = Pick<
  MetadataParameters,
  'filesPerRank' | 'filesPerDirectory' | 'roundSeconds' | 'modelScale' | 'ranksPerClient'
>;

/** Files, or directories, of each rank in a round on this arm. */
export function filesPerRound(parameters: RoundParameters, arm: PlanArm, clients: number, items: Items): number {
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

export interface UnitOptions extends Pick<Unit, 'arms' | 'unit' | 'repeat' | 'group'> {
  readonly parameters: MetadataParameters;
  readonly content: Content;
  /** Clients that work on one arm. */
  readonly clients: number;
}

/** Steps of a unit: an empty directory, each operation as its own step with client caches dropped between, and the removal. */
export function unitSteps({ parameters, content, clients, ...unit }: UnitOptions): Step[] {
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
