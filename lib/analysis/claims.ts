import { BENCHMARKS } from '../benchmark/all';
import { type Claim, claimsOf, type Judgement, judge, type Observation, type RunConditions } from '../claims';
import type { Validity } from '../model/issue';
import { groupBy, keyOf } from '../report/statistics';
import { meanInterval } from '../statistics';
import { metadataIopsOf } from '../storage/limits';
import type { Subject } from './subject';
import type { Task } from './task';

/** What a run found that a claim can be held against, and under which conditions. */
interface Seen {
  readonly observation: Observation | null;
  readonly conditions: Omit<RunConditions, 'lab' | 'validity'>;
}

/** Every measured or derived figure of the benchmark's study, against the run. Figures that nobody measures are left out. */
export function verdicts(subject: Subject, validity: Validity): Judgement[] {
  const { plan, manifest, status } = subject.record;
  const name = plan?.benchmark ?? manifest?.benchmark ?? status?.benchmark;
  const benchmark = BENCHMARKS.find((one) => one.name === name);
  if (benchmark === undefined) return [];
  // What was calculated from documented limits without a run is nothing that a run can show.
  const claims = claimsOf(benchmark.study).filter(
    ({ kind, quantity }) => kind === 'measured' || (kind === 'calculated' && !quantity.startsWith('calculated')),
  );
  return claims.map((claim) => {
    const { observation, conditions } = seenFor(subject, claim);
    return judge(claim, observation, { ...conditions, lab: subject.lab, validity });
  });
}

/** What the run has for a claim: by the claim's own conditions, so that a figure of LZ4 meets an arm with LZ4. */
function seenFor(subject: Subject, claim: Claim): Seen {
  const wanted = listOf(claim.conditions.compression);
  const arms = subject.arms.filter(
    ({ configuration }) => wanted.length === 0 || wanted.includes(configuration?.dataCompressionType ?? 'NONE'),
  );
  const operation = claim.conditions.operation;
  const pattern = claim.conditions.pattern === undefined ? null : String(claim.conditions.pattern);
  const tasks = subject.measured.filter(
    (task) =>
      arms.some(({ name }) => name === task.arm) &&
      (operation === undefined || task.operation === operation) &&
      (pattern === null || patternOf(subject, task) === pattern),
  );
  const conditions = conditionsOf(subject, tasks, claim, arms);
  return { observation: observe(subject, claim, tasks, arms), conditions };
}

const listOf = (value: unknown): string[] =>
  value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(String);

type Arms = Subject['arms'];

function patternOf({ record }: Subject, { step }: Task): string | null {
  return record.samples.find((sample) => sample.step === step && sample.pattern !== null)?.pattern ?? null;
}

/** The quantity of a claim, from what the run measured; `null` for one that it did not. */
function observe(subject: Subject, claim: Claim, tasks: readonly Task[], arms: Arms): Observation | null {
  const { unit, quantity, conditions } = claim;
  const window = conditions.window === undefined ? null : String(conditions.window);
  const [arm] = arms;
  if (tasks.length === 0 || arm === undefined || conditions.dataSet !== undefined) return null;
  if (/^time until/.test(quantity)) {
    const change = levelOf(subject, tasks)?.changes?.find(({ relative }) => relative < 0);
    return change?.hours == null ? null : { value: change.hours, unit: 'h', interval: null };
  }
  if (listOf(conditions.compression).length > 1) return observeRatio(subject, claim, tasks, window);
  if (unit === 'MB/s' && conditions.operation !== undefined) return observeRate(subject, tasks, window);
  if (/^compression ratio|^space/.test(quantity)) {
    const cell = subject.space.find((one) => one.arm === arm.name && one.target === tasks[0]?.target);
    const values = (cell?.readings ?? []).flatMap(({ ratio }) => ratio ?? []);
    const found = observation(values, 'n:1');
    if (unit !== '%' || found === null) return found;
    const saved = (ratio: number): number => (1 - 1 / ratio) * 100;
    return {
      value: saved(found.value),
      unit: '%',
      interval: found.interval && {
        ...found.interval,
        low: saved(found.interval.low),
        high: saved(found.interval.high),
      },
    };
  }
  return null;
}

function levelOf(subject: Subject, tasks: readonly Task[]): Subject['levels'][number] | undefined {
  const [first] = tasks;
  return subject.levels.find(
    ({ arm, operation, target, source }) =>
      source !== 'repeats' && arm === first?.arm && operation === first.operation && target === first.target,
  );
}

function observeRate(subject: Subject, tasks: readonly Task[], window: string | null): Observation | null {
  const arms = new Set(tasks.map(({ arm }) => arm));
  if (arms.size !== 1) return null;
  if (window === 'burst' || window === 'baseline') {
    const level = levelOf(subject, tasks);
    const value = level?.[window] ?? null;
    return value === null ? null : { value, unit: 'MB/s', interval: null };
  }
  return observation(ratesOf(tasks), 'MB/s');
}

/** Both arms: what the study calls improvement is taken over the larger figure (its erratum), so the run is, too. */
function observeRatio(
  subject: Subject,
  { unit, quantity }: Claim,
  tasks: readonly Task[],
  window: string | null,
): Observation | null {
  const byArm = [...groupBy(tasks, ({ arm }) => keyOf(arm)).values()];
  const of = (compression: string) =>
    byArm.find(([first]) => {
      const arm = subject.arms.find(({ name }) => name === first?.arm);
      return (arm?.configuration?.dataCompressionType ?? 'NONE') === compression;
    });
  const [none, lz4] = [of('NONE'), of('LZ4')];
  if (none === undefined || lz4 === undefined) return null;
  const fast = observeRate(subject, lz4, window);
  const slow = observeRate(subject, none, 'whole');
  if (fast === null || slow === null) return null;
  if (unit === '%') return { value: ((fast.value - slow.value) / fast.value) * 100, unit: '%', interval: null };
  return /ratio/.test(quantity) ? { value: fast.value / slow.value, unit: 'n:1', interval: null } : null;
}

function ratesOf(tasks: readonly Task[]): number[] {
  return tasks.flatMap(({ rateMBps }) => rateMBps ?? []);
}

function observation(values: readonly number[], unit: string): Observation | null {
  if (values.length === 0) return null;
  const value = values.reduce((sum, each) => sum + each, 0) / values.length;
  return { value, unit, interval: meanInterval(values) };
}

function conditionsOf(
  subject: Subject,
  tasks: readonly Task[],
  { conditions: { window } }: Claim,
  arms: Arms,
): Seen['conditions'] {
  const { clients, record } = subject;
  const configurations = arms.flatMap(({ configuration }) => configuration ?? []);
  const steps = new Set(tasks.map(({ step }) => step));
  const actions = (record.plan?.steps ?? [])
    .filter(({ id }) => steps.has(id))
    .flatMap((step) => step.tasks.map(({ action }) => action))
    .flatMap((action) => (action.kind === 'workload' ? [action] : []));
  const samples = record.samples.filter(({ step, tool }) => steps.has(step) && tool !== null);
  const one = <T>(values: readonly (T | null | undefined)[]): T | T[] | undefined => {
    const found = [...new Set(values.filter((value): value is T => value !== null && value !== undefined))];
    return found.length > 1 ? found : found[0];
  };
  const stripes = (record.plan?.steps ?? []).flatMap((step) =>
    step.tasks.flatMap(({ action }) => (action.kind === 'make-directory' ? [action.stripeCount] : [])),
  );
  return {
    storage: configurations.length > 0 ? 'FSx for Lustre' : undefined,
    deploymentType: one(configurations.map(({ deploymentType }) => deploymentType)),
    storageType: one(configurations.map(({ storageType }) => storageType ?? 'SSD')),
    capacityGiB: one(configurations.map(({ storageCapacityGiB }) => storageCapacityGiB)),
    perUnitMBps: one(configurations.map(({ perUnitStorageThroughput }) => perUnitStorageThroughput)),
    compression: one(configurations.map(({ dataCompressionType }) => dataCompressionType ?? 'NONE')),
    metadataIops: one(configurations.map(metadataIopsOf)),
    clients: one(tasks.map((task) => task.clients)),
    instanceType: clients.instanceType,
    ranks: one(tasks.map(({ ranks }) => ranks)),
    ranksPerClient: one(actions.map(({ ranksPerClient }) => ranksPerClient)),
    tool: one(tasks.map(({ tool }) => tool)),
    toolVersion: one(samples.map(({ toolVersion }) => toolVersion)),
    arguments: one(actions.map(({ command }) => command.slice(1).join(' '))),
    operation: one(tasks.map(({ operation }) => operation)),
    pattern: one(samples.map(({ pattern }) => pattern)),
    stripeCount: one(stripes),
    lustreVersion: one(configurations.map(({ version }) => version)),
    region: record.manifest?.region,
    window: windowOf(subject, tasks, window),
  };
}

/** The part of the run that an observation is of: burst and baseline are told apart only where an end of the burst was seen. */
function windowOf(subject: Subject, tasks: readonly Task[], wanted: unknown): unknown {
  if (wanted !== 'burst' && wanted !== 'baseline') return wanted;
  const arms = [...groupBy(tasks, ({ arm }) => keyOf(arm)).values()];
  const seen = arms.some((own) => (levelOf(subject, own)?.burst ?? null) !== null);
  return seen ? wanted : 'whole (no end of a burst was seen)';
}
