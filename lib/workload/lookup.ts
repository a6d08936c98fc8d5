import { memberBy } from '../common/collections';
import type { WorkloadAction } from '../schema/plan';
import type { Operation } from './operation';
import { OTHER_BENCHMARKS, OTHER_TOOLS, WORKLOADS } from './registry';
import type { Tool } from './tool';
import type { FilesPhase, Items, Workload } from './workload';

/** All known tools, in the order in which they claim a mixed log. */
export const TOOLS: readonly Tool[] = [...OTHER_BENCHMARKS, ...WORKLOADS, ...OTHER_TOOLS];

const OTHER_RELEASE = '. The plan was created by another release of fsxbench: run it with that release.';

const named = <Kind extends Tool>(kinds: readonly Kind[], id: string): Kind =>
  memberBy(kinds, 'id', id, "'tool'", OTHER_RELEASE);

/** The tool with this id. @throws Error for an unknown tool: a plan of another release, or a typo */
export const toolNamed = (id: string): Tool => named(TOOLS, id);

/** The workload with this id. @throws Error for an unknown one, like {@link toolNamed} */
export const workloadNamed = (id: string): Workload => named(WORKLOADS, id);

/** The workload with this id; `undefined` for an unknown one, as in a sample of another release. */
export const workloadOrNone = (id: string | null): Workload | undefined => WORKLOADS.find((each) => each.id === id);

/** The first word of a tool's commands; for an unknown tool, its name. */
export const executableOf = (tool: string): string => workloadOrNone(tool)?.launch.executable ?? tool;

/** The operation of a plan's action; `undefined` if its tool lacks it. */
export function operationOrNone({ tool, operation, operationId, items }: WorkloadAction): Operation | undefined {
  const { operations } = workloadOrNone(tool) ?? { operations: [] };
  if (operationId !== undefined) return operations.find(({ id }) => id === operationId);
  const verb = operation === 'all' ? 'create' : operation;
  const alike = operations.filter((each) => each.verb === verb);
  return (
    alike.find(({ on }) => on === (items === undefined || items === 'both' ? 'data' : items)) ??
    alike.find(({ on }) => on !== 'directories' || items === 'directories')
  );
}

/** The operation of a plan's action. @throws Error for an unknown tool, or an operation that it lacks */
export function operationOf(action: WorkloadAction): Operation {
  const { operations } = workloadNamed(action.tool);
  const found = operationOrNone(action);
  if (found) return found;
  const known = [...new Set(operations.map(({ verb }) => verb))].join(', ');
  throw new Error(`'operation' of ${action.tool} must be one of ${known}, got '${action.operation}'`);
}

/** The verbs of a workload's operations on files or on directories, in the order of a unit; none if it does not support these items. */
export const verbsOn = ({ operations }: Pick<Workload, 'operations'>, items: Items): FilesPhase['operation'][] =>
  operations.flatMap(({ on, verb }) => (on === items && verb !== 'write' && verb !== 'run' ? verb : []));

const OPERATIONS = WORKLOADS.flatMap(({ operations }) => operations);

/** Workloads with a capability that some plans need, in order of preference. */
const having = <K extends 'data' | 'files'>(capability: K) =>
  WORKLOADS.filter(
    (workload): workload is Workload & { readonly [P in K]-?: NonNullable<Workload[P]> } =>
      workload[capability] !== undefined,
  );

export const DATA_WORKLOADS = having('data');
export const FILES_WORKLOADS = having('files');

/** Layers below a file system that can be measured, each with its tool, and whether each arm has its own. */
export const BASELINES = WORKLOADS.flatMap(({ id: tool, baselines = [] }) =>
  baselines.map((baseline) => ({
    ...baseline,
    tool,
    ofEachArm: baseline.command({ seconds: 1, processes: 1 }).includes('{fileSystem}'),
  })),
);

/** The allowed values of a parameter. */
export const idsOf = (workloads: readonly Workload[]): [string, ...string[]] =>
  workloads.map(({ id }) => id) as [string, ...string[]];

/** The release of a tool that a plan's parameters request; `undefined` if any will do. */
export function releaseIn({ version }: Workload, parameters: Readonly<Record<string, unknown>>): string | undefined {
  const release = version?.release;
  const wanted = release === undefined ? undefined : parameters[release.parameter];
  return typeof wanted === 'string' ? wanted : undefined;
}

/** Workloads whose data have a compression ratio, in order of preference, each with its commands. @param parameters of the plan, for releases */
export const writersOf = (ratio: number, parameters: Readonly<Record<string, unknown>>) =>
  DATA_WORKLOADS.flatMap((workload) => {
    const data = workload.data.ofRatio(ratio, releaseIn(workload, parameters));
    return data === null ? [] : [{ workload, data }];
  });

/** An operation's label for people: `create large file of 32 MiB by 1 thread`, `directory delete`. */
export const describeOperation = (operation: string): string =>
  operation.replace(/^dir_/, 'directory_').replace('_remove', '_delete').replaceAll('_', ' ');

/** The verb of an operation in a sentence: `wrote`; `undefined` for one that no workload has. */
export const pastOf = (id: string): string | undefined => OPERATIONS.find((each) => each.id === id)?.past;

/** The operation that a metric measures; `undefined` for an auxiliary or unknown metric. */
export const measureOf = (id: string, metric: string): Operation | undefined =>
  OPERATIONS.find((each) => each.id === id && each.metric === metric);

export type Better = 'higher' | 'lower';

/** The better of two values of a metric: higher rates are better, and lower times of operations that are timed. */
export const betterOf = (id: string, metric: string): Better =>
  measureOf(id, metric)?.metric === 'seconds' ? 'lower' : 'higher';
