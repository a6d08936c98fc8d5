import { type Claim, conversion, type Observation } from '../../claims';
import { meanInterval, meanOf } from '../../common/statistics';
import { armNamed } from '../../schema/plan';
import { compresses } from '../arm';
import { isSameWork } from '../figures/operationKind';
import { spaceAt } from '../figures/space';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import { levelAt } from './conditions';

type Arms = Subject['arms'];

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
