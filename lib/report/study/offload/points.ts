import { isSameWork } from '../../../analysis/figures/operationKind';
import { spaceAt } from '../../../analysis/figures/space';
import type { RunSummary } from '../../../analysis/summary';
import { keyOf, type ValueOrReason } from '../../../common/collections';
import { medianOf } from '../../../common/statistics';
import type { Sample } from '../../../schema/sample';

/** Result of an arm for data of one compressibility. */
export interface TradePoint {
  /** Benchmark of the other run that the point is from. @default - of this run */
  readonly from?: string;
  readonly arm: string;
  /** Arms that differ in their level alone: lines join them. */
  readonly family: string;
  readonly level: number | null;
  readonly compressibility: number | null;
  /** Medians over the repeats, each computed within its repeat. */
  readonly throughputMBps: ValueOrReason;
  /** Bytes of user data ÷ bytes that they took. */
  readonly ratio: ValueOrReason;
  /** Seconds of CPU time for 10⁹ bytes of user data. */
  readonly serverCpuPerGB: ValueOrReason;
  readonly clientCpuPerGB: ValueOrReason;
  /** Seconds in which 99 % of the writes were complete. */
  readonly latencyP99: ValueOrReason;
}

/** `gzip-6-r128`: gzip with records of 128 KiB, of the level 6. */
export function familyOf(arm: string): Pick<TradePoint, 'family' | 'level'> {
  const [, before, level, after = ''] = /^(.*?)-(\d+)(-.*)?$/.exec(arm) ?? [];
  return before === undefined ? { family: arm, level: null } : { family: before + after, level: Number(level) };
}

/** Samples of a metric by repeat; those without a value give a reason. */
interface Series {
  readonly values: ReadonlyMap<number, number>;
  readonly reason: string | null;
}

function seriesOf(samples: readonly Sample[], operation: string, metric: string): Series {
  const own = samples.filter((sample) => sample.operation === operation && sample.metric === metric);
  return {
    values: new Map(own.flatMap(({ repeat, value }) => (value === null ? [] : [[repeat, value] as const]))),
    reason: own.find(({ value }) => value === null)?.reason ?? (own.length === 0 ? 'not measured' : null),
  };
}

/** The median of what a GB took, within the repeats that have both. */
function perGB(amounts: Series, bytes: Series): ValueOrReason {
  const values = [...amounts.values].flatMap(([repeat, value]) => {
    const moved = bytes.values.get(repeat);
    return moved !== undefined && moved > 0 ? [(value * 1e9) / moved] : [];
  });
  const value = medianOf(values);
  return { value, reason: value === null ? (amounts.reason ?? bytes.reason ?? 'not measured') : null };
}

const ofSeries = ({ values, reason }: Series): ValueOrReason => {
  const value = medianOf([...values.values()]);
  return { value, reason: value === null ? reason : null };
};

/** Operations that write: plain, or compressed by a storage's clients. */
const WRITES: readonly string[] = ['write', 'stream_write'];

const isWritten = ({ operation, metric, phase }: Sample): boolean =>
  phase === 'measure' && WRITES.includes(operation) && metric === 'throughput';

export function pointsOf(run: RunSummary): TradePoint[] {
  const counted = run.record.counted.filter(({ repeat }) => repeat > 0);
  const written = new Set(counted.filter(isWritten).map(({ arm, compressibility }) => keyOf(arm, compressibility)));
  const groups = Map.groupBy(counted, ({ arm, compressibility }) => keyOf(arm, compressibility));
  const points = [...groups].flatMap(([key, samples]): TradePoint[] => {
    const [first] = samples;
    if (!written.has(key) || first === undefined) return [];
    const operation = samples.find((sample) => isWritten(sample))?.operation ?? '';
    const write = (metric: string): Series => seriesOf(samples, operation, metric);
    // By their unit, as all figures: a tool may print MiB/s.
    const cell = run.cells.find((one) => one.metric === 'throughput' && isSameWork(one, { ...first, operation }));
    const rate = cell?.median ?? null;
    const bytes = write('bytes');
    const clientCpu = write('client_cpu_seconds');
    const space = spaceAt(run.space, first);
    const ratio: ValueOrReason = {
      value: space?.median ?? null,
      reason: space?.median == null ? (space?.readings[0]?.reason ?? 'not measured') : null,
    };
    return [
      {
        arm: first.arm,
        compressibility: first.compressibility,
        ...familyOf(first.arm),
        ratio,
        throughputMBps: {
          value: rate,
          reason:
            rate === null ? (cell?.samples.find(({ reason }) => reason !== null)?.reason ?? 'not measured') : null,
        },
        serverCpuPerGB: perGB(write('server_cpu_seconds'), bytes),
        clientCpuPerGB: perGB(clientCpu, bytes),
        latencyP99: ofSeries(write('completion_latency_p99')),
      },
    ];
  });
  const order = run.arms.map(({ name }) => name);
  return points.sort(
    (a, b) => (a.compressibility ?? 0) - (b.compressibility ?? 0) || order.indexOf(a.arm) - order.indexOf(b.arm),
  );
}

/** The points of a run and of those that were given next to it. */
export function allPoints(run: RunSummary): TradePoint[] {
  const others = (run.beside ?? []).flatMap((other) =>
    pointsOf(other).map((point): TradePoint => ({ ...point, from: other.benchmark })),
  );
  return [...pointsOf(run), ...others];
}

/** CPU time that compression and the servers' other work took; `null` if it was not counted. */
export function cpuPerGB({ serverCpuPerGB, clientCpuPerGB }: TradePoint): number | null {
  if (serverCpuPerGB.value === null) return null;
  return serverCpuPerGB.value + (clientCpuPerGB.value ?? 0);
}
