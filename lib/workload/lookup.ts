import type { WorkloadAction } from '../schema/plan';
import type { Better, Operation } from './operation';
import { OTHER_TOOLS, WORKLOADS } from './registry';
import type { Tool } from './tool';
import type { DataCapability, FilesCapability, ProgramCapability, Workload } from './workload';

/** Every tool that is known here; their order gives a log of several its tool. */
export const TOOLS: readonly Tool[] = [...WORKLOADS, ...OTHER_TOOLS];

function named<Kind extends Tool>(kinds: readonly Kind[], id: string): Kind {
  const found = kinds.find((each) => each.id === id);
  if (found) return found;
  throw new Error(
    `'tool' must be one of ${kinds.map((each) => each.id).join(', ')}, got '${id}'. A plan with it was made by another release of fsxbench: run it with that one.`,
  );
}

/**
 * What is known of a tool.
 * @throws Error for one that is not known here: a plan of another release, or a spelling mistake
 */
export const toolNamed = (id: string): Tool => named(TOOLS, id);

/** A tool that plans can run. @throws Error for one that is not known here, as {@link toolNamed} */
export const workloadNamed = (id: string): Workload => named(WORKLOADS, id);

/** The same, where a tool that is not known has nothing to add: that of a sample of another release. */
export const workloadOrNone = (id: string | null): Workload | undefined => WORKLOADS.find((each) => each.id === id);

/** The first word of a tool's commands; of one that is not known here, its name. */
export const executableOf = (tool: string): string => workloadOrNone(tool)?.executable ?? tool;

/** What an action of a plan is measured by; `undefined` for one that its tool cannot do. */
export function operationOrNone({ tool, operation, items }: WorkloadAction): Operation | undefined {
  const { operations } = workloadOrNone(tool) ?? { operations: [] };
  const verb = operation === 'all' ? 'create' : operation;
  const alike = operations.filter((each) => each.verb === verb);
  return (
    alike.find(({ on }) => on === (items === 'directories' ? 'directories' : 'data')) ??
    alike.find(({ on }) => on !== 'directories' || items === 'directories')
  );
}

/**
 * The same.
 * @throws Error for a tool that is not known here, or an operation that it does not have
 */
export function operationOf(action: WorkloadAction): Operation {
  const { operations } = workloadNamed(action.tool);
  const found = operationOrNone(action);
  if (found) return found;
  const known = [...new Set(operations.map(({ verb }) => verb))].join(', ');
  throw new Error(`'operation' of ${action.tool} must be one of ${known}, got '${action.operation}'`);
}

/** Workloads that have what a plan needs, in the order in which it takes them. */
export const DATA_WORKLOADS = WORKLOADS.filter(
  (workload): workload is Workload & { readonly data: DataCapability } => workload.data !== undefined,
);
export const FILES_WORKLOADS = WORKLOADS.filter(
  (workload): workload is Workload & { readonly files: FilesCapability } => workload.files !== undefined,
);

export const PROGRAM_WORKLOADS = WORKLOADS.filter(
  (workload): workload is Workload & { readonly program: ProgramCapability } => workload.program !== undefined,
);

/** The names that a parameter takes. */
export const idsOf = (workloads: readonly Workload[]): [string, ...string[]] =>
  workloads.map(({ id }) => id) as [string, ...string[]];

/** The highest compression ratio that data of any workload have. */
export const MAX_TARGET = Math.max(...DATA_WORKLOADS.map(({ data }) => data.maxTarget));

/** The release of a tool that a plan's parameters ask for; `undefined` where any will do, or none is named. */
export function releaseIn({ release }: Workload, parameters: Readonly<Record<string, unknown>>): string | undefined {
  const wanted = release === undefined ? undefined : parameters[release.parameter];
  return typeof wanted === 'string' ? wanted : undefined;
}

/** What a metric of an operation is to its workload; `undefined` for one that only explains another, or is not known here. */
export function measureNamed(operation: string, metric: string): Operation | undefined {
  return WORKLOADS.flatMap(({ operations }) => operations).find(
    (each) => each.id === operation && each.metric === metric,
  );
}

/** Of two values of a metric, the better one. Rates are better when they are higher, of whichever workload they are. */
export function betterOf({ operation, metric }: { readonly operation: string; readonly metric: string }): Better {
  return measureNamed(operation, metric)?.better ?? 'higher';
}
