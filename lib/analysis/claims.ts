import { BENCHMARKS } from '../benchmark/registry';
import {
  type Claim,
  claimsOf,
  conversion,
  type Judgement,
  judge,
  normalStorage,
  type Observation,
  type RunConditions,
  studies,
} from '../claims';
import { entryOf, keyOf } from '../common/collections';
import { listed } from '../common/format/text';
import { bytes } from '../common/format/units';
import { meanInterval, meanOf } from '../common/statistics';
import type { Validity } from '../schema/issue';
import { armNamed } from '../schema/plan';
import type { Sample } from '../schema/sample';
import { LAYOUT_PARAMETERS } from '../storage/filesystems';
import { compresses, compressionOf } from './arm';
import { isSameWork } from './figures/operationKind';
import { spaceAt } from './figures/space';
import type { Level } from './limits/levels';
import type { Subject } from './subject';
import type { MeasuredTask } from './task';

/** Every published figure against the run: those of the benchmark's own study first, then those of the others. */
export function verdicts(subject: Subject, validity: Validity): Judgement[] {
  const own = BENCHMARKS.find(({ name }) => name === subject.benchmark)?.study;
  const names = studies().map(({ study }) => study);
  const ordered = own === undefined ? names : [own, ...names.filter((study) => study !== own)];
  const seen = memoisedLookup(subject);
  return ordered
    .flatMap((study) => claimsOf(study))
    .map((claim) => {
      const { tasks, arms, conditions } = seen(claim);
      const observation = observe(subject, claim, tasks, arms);
      return judge(claim, observation, { ...conditions, elsewhere: subject.elsewhere?.claims ?? null, validity });
    });
}

/** Conditions by which {@link memoisedLookup} tells apart the parts of a run. */
const PARTS = ['layer', 'storage', 'compression', 'operation', 'threads', 'clients', 'pattern', 'window', 'dataSet'];

/** Looks up the part of a run that a claim is about: a figure for LZ4 is compared with an arm with LZ4. Without a match it is the whole run. */
function memoisedLookup(subject: Subject): (claim: Claim) => ReturnType<typeof findFor> {
  const patterns = new Map<string, string>();
  for (const { step, pattern } of subject.samples) if (pattern !== null) patterns.set(step, pattern);
  const known = new Map<string, ReturnType<typeof findFor>>();
  return (claim) => {
    const key = JSON.stringify({ ...claim.conditions, layer: claim.layer }, PARTS);
    return entryOf(known, key, () => findLayer(subject, claim, patterns) ?? findFor(subject, claim, patterns));
  };
}

type Arms = Subject['arms'];

/** A layer below the file system is measured once, before anything else, on one of the arms; `null` if it was not, on storages that have none. */
function findLayer(subject: Subject, claim: Claim, patterns: ReadonlyMap<string, string>) {
  const { layer } = claim;
  if (layer === undefined) return null;
  const tasks = subject.tasks.filter(
    ({ phase, superseded, step }) => phase === 'setup' && !superseded && patterns.get(step) === layer,
  );
  const measured = subject.arms.filter(({ name }) => tasks.some(({ arm }) => arm === name));
  const having = subject.arms.filter(
    ({ storage, configuration }) =>
      // A layer has a name of its own in place of the file system's.
      configuration !== null && 'storage' in (storage?.documented.conditions?.(configuration, layer) ?? {}),
  );
  const arms = measured.length > 0 ? measured : having;
  if (arms.length === 0) return null;
  return { tasks, arms, conditions: conditionsOf(subject, tasks, claim, arms) };
}

function findFor(subject: Subject, claim: Claim, patterns: ReadonlyMap<string, string>) {
  const { storage, compression, operation, threads, clients, pattern } = claim.conditions;
  const [compressions, storages] = [listOf(compression), listOf(storage).map(normalStorage)];
  const compressing = subject.arms.filter((arm) => isAmong(compressions, compressionOf(arm)));
  const ofStorage = compressing.filter((arm) => isAmong(storages, normalStorage(storageOf(arm))));
  // Most studies are of one storage. A run of another storage must show all other differences as well.
  const fitting = ofStorage.length > 0 ? ofStorage : compressing;
  const arms = fitting.length > 0 ? fitting : subject.arms;
  const names = new Set(arms.map(({ name }) => name));
  const onArms = subject.measured.filter((task) => names.has(task.arm));
  const ofOperation = onArms.filter((task) => operation === undefined || task.operation === operation);
  const ofThreads = ofOperation.filter(
    (task) =>
      (task.threads === null || isAmong(listOf(threads), String(task.threads))) &&
      (task.plannedNodes === null || isAmong(listOf(clients), String(task.plannedNodes))),
  );
  const tasks = ofThreads.filter(({ step }) => pattern === undefined || patterns.get(step) === String(pattern));
  const nearest = [tasks, ofThreads, ofOperation, onArms].find(({ length }) => length > 0) ?? [];
  return { tasks, arms: fitting, conditions: conditionsOf(subject, nearest, claim, arms) };
}

/** The storage of an arm, as studies name it. */
function storageOf({ storage, configuration }: Arms[number]): string {
  const said = configuration === null ? undefined : storage?.documented.conditions?.(configuration).storage;
  return String(said ?? storage?.label ?? '');
}

const isAmong = (wanted: readonly string[], value: string): boolean => wanted.length === 0 || wanted.includes(value);

const listOf = (value: unknown): string[] => [value ?? []].flat().map(String);

/** The quantity of a claim, as the run measured it or as it is documented for its arms; `null` if neither is known. */
export function observe(
  subject: Subject,
  claim: Claim,
  tasks: readonly MeasuredTask[],
  arms: Arms,
): Observation | null {
  const { unit, quantity, conditions, kind } = claim;
  const [arm] = arms;
  if (arm === undefined) return null;
  if (kind === 'documented' || /^calculated/.test(quantity)) return fromDocumentation(claim, arms);
  if (/^metadata IOPS above default/.test(quantity)) return metadataGain(subject);
  if (tasks.length === 0) return null;
  const window = conditions.window === undefined ? null : String(conditions.window);
  if (/^time until/.test(quantity)) {
    const change = levelAt(subject, tasks)?.changes?.find(({ relative }) => relative < 0);
    return change === undefined ? null : { value: change.hours, unit: 'h', interval: null };
  }
  if ([conditions.compression].flat().length > 1) return observeRatio(subject, claim, tasks, window);
  if (unit !== null) {
    if (conversion(unit, 'MB/s') !== null) return observeRate(subject, tasks, window, /\bmax\b/.test(quantity));
    if (conversion(unit, 's') !== null) return observation(tasks, ({ seconds }) => seconds, 's');
  }
  return observeSpace(subject, claim, tasks, arm.name);
}

/** Returns AWS's current documentation for the arms' configuration. It needs no run, and no run can show it. */
function fromDocumentation({ quantity, conditions }: Claim, arms: Arms): Observation | null {
  const { configuration = null, storage = null } = arms.find((one) => one.configuration !== null) ?? {};
  if (configuration === null || storage === null) return null;
  const documented = (value: number | null | undefined, unit: string, figures = {}): Observation | null =>
    value == null ? null : { value, unit, interval: null, figures, documented: true };
  const figure = storage.documented.metadata?.figure({ quantity, conditions }) ?? null;
  if (figure !== null) return documented(figure.value, figure.unit);
  const ratio = /^calculated disk x ([\d.]+)/.exec(quantity)?.[1];
  const name = ratio !== undefined ? 'disk_compressed' : /network/.test(quantity) ? 'server_network' : 'disk';
  const options = { ratio: ratio === undefined ? undefined : Number(ratio) };
  const limit = storage.documented.limits(configuration, options).find((one) => one.name === name);
  return documented(limit?.baselineMBps, 'MB/s', { burst: limit?.burstMBps });
}

/** Returns the gain from the most metadata IOPS over the IOPS that a file system of this size includes, for the operation that gains most. */
function metadataGain({ arms, cells }: Subject): Observation | null {
  const known = arms.flatMap(({ name, configuration, storage }) => {
    const metadata = storage?.documented.metadata;
    if (configuration === null || metadata === undefined) return [];
    const iops = metadata.iops(configuration);
    if (iops === null) return [];
    const tier = JSON.stringify(storage?.documented.limits(configuration));
    return [{ name, iops, usual: metadata.automaticIops(configuration), tier }];
  });
  const gains = known.flatMap((base) => {
    if (base.iops !== base.usual) return [];
    const others = known.filter(({ tier, iops }) => tier === base.tier && iops > base.usual);
    return others.flatMap((other) => gainsOf(cells, base.name, other.name));
  });
  return gains.length === 0 ? null : { value: Math.max(...gains), unit: 'x', interval: null };
}

function gainsOf(cells: Subject['cells'], base: string, other: string): number[] {
  const rates = cells.filter(({ metric }) => metric === 'rate');
  return rates.flatMap((cell) => {
    if (cell.arm !== other || cell.median === null) return [];
    const usual = rates.find((one) => isSameWork(one, { ...cell, arm: base }));
    return usual?.median ? [cell.median / usual.median] : [];
  });
}

function observeSpace(
  { space }: Subject,
  { quantity, unit }: Claim,
  tasks: readonly MeasuredTask[],
  arm: string,
): Observation | null {
  const cell = tasks[0] && spaceAt(space, { arm, compressibility: tasks[0].compressibility });
  const readings = cell?.readings ?? [];
  if (/^apparent size/.test(quantity)) return observation(readings, ({ apparentBytes }) => apparentBytes, 'B');
  if (/^disk usage/.test(quantity)) return observation(readings, ({ allocatedBytes }) => allocatedBytes, 'B');
  if (!/^compression ratio|^space/.test(quantity)) return null;
  const found = observation(readings, ({ ratio }) => ratio, 'n:1');
  if (unit !== '%' || found === null) return found;
  const saved = (ratio: number): number => (1 - 1 / ratio) * 100;
  const { interval } = found;
  return {
    value: saved(found.value),
    unit: '%',
    interval: interval && { ...interval, low: saved(interval.low), high: saved(interval.high) },
  };
}

function observeRate(
  subject: Subject,
  tasks: readonly MeasuredTask[],
  window: string | null,
  max = false,
): Observation | null {
  const arms = new Set(tasks.map(({ arm }) => arm));
  if (arms.size !== 1) return null;
  if (window === 'burst' || window === 'baseline') {
    const value = levelAt(subject, tasks)?.[window] ?? null;
    return value === null ? null : { value, unit: 'MB/s', interval: null };
  }
  const rates = tasks.flatMap(({ rateMBps }) => rateMBps ?? []);
  if (max && rates.length > 0) return { value: Math.max(...rates), unit: 'MB/s', interval: null };
  return observation(tasks, ({ rateMBps }) => rateMBps, 'MB/s');
}

/** The gain by compression. The study divides it by the larger figure (its erratum), so the run does as well; `withoutErratum` divides by the smaller one. */
function observeRatio(
  subject: Subject,
  { unit, quantity }: Claim,
  tasks: readonly MeasuredTask[],
  window: string | null,
): Observation | null {
  const byArm = [...Map.groupBy(tasks, ({ arm }) => arm)];
  const [plain, compressed] = [false, true].map(
    (wanted) => byArm.find(([arm]) => compresses(armNamed(subject.arms, arm)) === wanted)?.[1],
  );
  if (plain === undefined || compressed === undefined) return null;
  const fast = observeRate(subject, compressed, window);
  const slow = observeRate(subject, plain, 'whole');
  if (fast === null || slow === null) return null;
  const gain = fast.value - slow.value;
  if (unit === '%')
    return { value: (gain / fast.value) * 100, withoutErratum: (gain / slow.value) * 100, unit: '%', interval: null };
  return /ratio/.test(quantity) ? { value: fast.value / slow.value, unit: 'n:1', interval: null } : null;
}

function observation<T>(
  all: readonly T[],
  figureOf: (one: T) => number | null | undefined,
  unit: string,
): Observation | null {
  const values = all.flatMap((one) => figureOf(one) ?? []);
  const value = meanOf(values);
  return value === null ? null : { value, unit, interval: meanInterval(values) };
}

type Conditions = Omit<RunConditions, 'elsewhere' | 'validity'>;

/** Returns the conditions of some tasks of a run, named as those of published figures are. */
function conditionsOf(
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
const levelAt = ({ levels }: Subject, [first]: readonly MeasuredTask[]): Level | undefined =>
  levels.find(
    ({ arm, operation, compressibility, source }) =>
      source !== 'repeats' &&
      arm === first?.arm &&
      operation === first.operation &&
      compressibility === first.compressibility,
  );
