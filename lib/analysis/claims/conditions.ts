import type { Claim, RunConditions } from '../../claims';
import { keyOf } from '../../common/collections';
import { listed } from '../../common/format/text';
import { bytes } from '../../common/format/units';
import type { Sample } from '../../schema/sample';
import { LAYOUT_PARAMETERS } from '../../storage/filesystems';
import type { Level } from '../limits/levels';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';

type Conditions = Omit<RunConditions, 'elsewhere' | 'validity'>;

/** Returns the conditions of some tasks of a run, named as those of published figures are. */
export function conditionsOf(
  subject: Subject,
  tasks: readonly MeasuredTask[],
  { layer, conditions: { window, dataSet } }: Pick<Claim, 'layer' | 'conditions'>,
  arms: Subject['arms'],
): Conditions {
  const { clients, plan, manifest, environment, place } = subject;
  const described = arms.flatMap(({ storage, configuration }) =>
    storage === null || configuration === null
      ? []
      : { label: storage.label, ...storage.documented.conditions?.(configuration, layer) },
  );
  const onAws = described.length > 0 && place === 'aws';
  const steps = new Set(tasks.map(({ step }) => step));
  const actions = (plan?.steps ?? [])
    .filter(({ id }) => steps.has(id))
    .flatMap((step) => step.tasks.flatMap(({ action }) => (action.kind === 'workload' ? action : [])));
  const samples = toolsOf(subject).filter(({ step }) => steps.has(step));
  const processes = one(actions.map(({ ranksPerClient }) => ranksPerClient));
  const pattern = one(samples.map((sample) => sample.pattern));
  return {
    ...sharedConditions(described),
    ...layoutIn(subject),
    clients: one(tasks.map((task) => task.clients)),
    instanceType: clients.instanceType,
    ranks: one(tasks.map(({ ranks }) => ranks)),
    ranksPerClient: processes,
    // A loop of dd is what the studies call a thread.
    threads: processes,
    tool: one(tasks.map(({ tool }) => tool)),
    toolVersion: one(samples.map(({ toolVersion }) => toolVersion)),
    arguments: one(actions.map(({ command }) => command.slice(1).join(' '))),
    operation: one(tasks.map(({ operation }) => operation)),
    pattern,
    dataSet: dataSetOf(tasks, pattern, dataSet),
    network: onAws ? 'Ethernet of EC2' : undefined,
    region: manifest?.region,
    os: one(environment.map(({ facts }) => facts.os?.name)),
    window: windowOf(subject, tasks, window),
  };
}

function layoutIn({ plan }: Subject): Conditions {
  const made: Readonly<Record<string, unknown>>[] = (plan?.steps ?? []).flatMap((step) =>
    step.tasks.flatMap(({ action }) => (action.kind === 'make-directory' ? [action] : [])),
  );
  const found = Object.keys(LAYOUT_PARAMETERS).map((name) => [name, one(made.map((each) => each[name]))] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** Conditions of the arms' storages; one that they do not share is a list. */
function sharedConditions(all: readonly Readonly<Record<string, unknown>>[]): Conditions {
  const names = [...new Set(all.flatMap((each) => Object.keys(each)))];
  const found = Object.fromEntries(names.map((name) => [name, one(all.map((each) => each[name]))]));
  const { label, ...rest } = found;
  return { storage: label, ...rest };
}

type ToolUse = Pick<Sample, 'step' | 'toolVersion' | 'pattern'>;
const known = new WeakMap<Subject, readonly ToolUse[]>();

/** Tools and patterns of each step, without duplicates: every claim asks for them, and a run may have hundreds of thousands of samples. */
function toolsOf(subject: Subject): readonly ToolUse[] {
  const before = known.get(subject);
  if (before !== undefined) return before;
  const used = subject.samples.filter(({ tool }) => tool !== null);
  const found = [...Map.groupBy(used, ({ step, toolVersion, pattern }) => keyOf(step, toolVersion, pattern)).values()];
  const tools = found.flatMap(([first]) => first ?? []);
  known.set(subject, tools);
  return tools;
}

/** The value that all have in common, or the list of their different values. */
function one<T>(values: readonly (T | null | undefined)[]): T | T[] | undefined {
  const found = [...new Set(values.filter((value): value is T => value !== null && value !== undefined))];
  return found.length > 1 ? found : found[0];
}

/** Returns the data set of tasks by size and origin: a benchmark generates its data, or names a study's own data as its pattern. */
function dataSetOf(
  tasks: readonly MeasuredTask[],
  pattern: string | string[] | undefined,
  wanted: unknown,
): string | undefined {
  if (tasks.length === 0) return undefined;
  if (typeof wanted === 'string' && pattern === wanted) return wanted;
  const amounts = tasks.flatMap(({ bytes: moved }) => moved ?? []);
  const size = amounts.length === 0 ? '' : `${bytes(Math.max(...amounts))} of `;
  return `${size}${pattern === undefined ? 'unnamed data' : listed([pattern].flat())}`;
}

/** The part of the run that was observed: burst and baseline are distinguished only if the end of the burst was seen. */
function windowOf(subject: Subject, tasks: readonly MeasuredTask[], wanted: unknown): unknown {
  if (wanted !== 'burst' && wanted !== 'baseline') return wanted;
  const arms = [...Map.groupBy(tasks, ({ arm }) => arm).values()];
  const seen = arms.some((own) => (levelAt(subject, own)?.burst ?? null) !== null);
  return seen ? wanted : 'whole (no end of a burst was seen)';
}

/** Returns the level found for tasks of one kind, within a phase. */
export const levelAt = ({ levels }: Subject, [first]: readonly MeasuredTask[]): Level | undefined =>
  levels.find(
    ({ arm, operation, compressibility, source }) =>
      source !== 'repeats' &&
      arm === first?.arm &&
      operation === first.operation &&
      compressibility === first.compressibility,
  );
