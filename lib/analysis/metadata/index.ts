import { isDeepStrictEqual } from 'node:util';
import { keyOf, known, ownValue, unknown, type ValueOrReason } from '../../common/collections';
import { listed } from '../../common/format/text';
import { meanOf } from '../../common/statistics';
import { HOURS_PER_MONTH } from '../../price/prices';
import { seriesOf, tooShort, type Window, within } from '../../schema/metrics';
import { armNamed } from '../../schema/plan';
import type { Sample } from '../../schema/sample';
import { storageOf } from '../../storage/lookup';
import type { MetricRole } from '../../storage/storage';
import type { RunArm } from '../arm';
import { statistics } from '../figures/statistics';
import type { Run } from '../run';
import { documentedOf, isMetadataOperation, metricOf, ofKey, substitute, windowsOf } from './subject';

/** Rate of an arm in one operation, compared with AWS's documentation for its metadata IOPS. */
export type OperationRate = ReturnType<typeof rateOf>;

/** Metadata efficiency of each operation and size, in the order of the samples, on one arm after the other. */
function operationRates({ counted, arms, lab }: Run): OperationRate[] {
  const wanted = counted.filter(
    ({ phase, metric, operation }) => phase === 'measure' && metric === 'rate' && isMetadataOperation(operation),
  );
  const groups = Map.groupBy(wanted, ({ arm, operation, fileBytes }) => keyOf(arm, operation, fileBytes ?? null));
  const rates = [...groups.values()].map((group) => rateOf(group, arms, lab));
  return inOrder(rates, arms);
}

function rateOf(group: readonly Sample[], arms: readonly RunArm[], lab: boolean) {
  const { arm, operation, fileBytes = null } = group[0] as Sample;
  const { median, min, max, count } = statistics(group.flatMap(({ value }) => value ?? []));
  // Operations a second of all clients: median over rounds and repeats.
  const rate = median === null ? unknown(reasonsOf(group)) : known(median);
  // Operations a second that are documented for the provisioned IOPS.
  const documented = documentedRate(operation, armNamed(arms, arm), lab);
  // 1 is what is promised.
  const efficiency =
    rate.value === null || documented.value === null
      ? unknown(rate.reason ?? documented.reason ?? 'unknown')
      : known(rate.value / documented.value);
  return { arm, operation, fileBytes, rate, min, max, count, documented, efficiency };
}

function inOrder(rates: readonly OperationRate[], arms: readonly RunArm[]): OperationRate[] {
  const nameOf = ({ operation, fileBytes }: OperationRate): string => JSON.stringify([fileBytes, operation]);
  const names = [...new Set(rates.map(nameOf))];
  const order = arms.map(({ name }) => name);
  const rank = (rate: OperationRate): number => names.indexOf(nameOf(rate)) * order.length + order.indexOf(rate.arm);
  return [...rates].sort((a, b) => rank(a) - rank(b));
}

/** AWS documents no rate for these (https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html), so they are reported, not scored. */
const WITHOUT_RATE: Readonly<Record<string, string>> = {
  file_stat: 'AWS publishes no rate for stat',
  dir_stat: 'AWS publishes no rate for stat',
  // "Create, open and close" are documented together, and mdtest's read is an open and a close.
  file_read: 'AWS publishes no rate for an open and a close together, which this is',
  dir_read: 'AWS publishes no rate for reading directories',
  file_rename: 'AWS publishes no rate for renaming files',
};

function documentedRate(operation: string, arm: RunArm, lab: boolean): ValueOrReason {
  const local = substitute(arm, lab);
  if (local !== null) return unknown(local);
  const without = ownValue(WITHOUT_RATE, operation);
  if (without !== undefined) return unknown(without);
  const rates = documentedOf(arm)?.rates ?? null;
  if (rates === null) return unknown('AWS publishes no rate for a file system without a metadata configuration');
  const rate = ownValue(rates, operation);
  if (rate !== undefined) return known(rate);
  return unknown(
    arm.deployed?.model?.metadata === undefined
      ? `AWS publishes no rate for ${operation}`
      : 'the scale model limits only file creates',
  );
}

const reasonsOf = (group: readonly Sample[]): string =>
  [...new Set(group.map(({ reason }) => reason ?? 'no reason was given'))].join('; ');

/** Prices of each rate. The file system and the clients cost by the hour, whatever they do. */
function operationPrices(rates: readonly OperationRate[], { arms, manifest, lab }: Run) {
  const { hourlyUsd: fleetHourlyUsd = null, hourlyReason: fleetReason } = manifest?.fleet ?? {};
  const hourly = (name: string): ValueOrReason => {
    if (lab) return unknown('nothing in the lab costs money');
    if (manifest === null) return unknown('the run has no manifest');
    const { hourlyUsd = null, hourlyReason } = armNamed(arms, name).deployed ?? {};
    return hourlyUsd === null ? unknown(hourlyReason ?? 'its list price is not known') : known(hourlyUsd);
  };
  return rates.map((each) => {
    const { arm, operation, fileBytes, rate } = each;
    const storage = hourly(arm);
    const fleet =
      fleetHourlyUsd === null ? unknown(fleetReason ?? 'the price of the clients is not known') : known(fleetHourlyUsd);
    const together = (figureOf: (usd: number, opsPerSecond: number) => number): ValueOrReason => {
      const reason = rate.reason ?? storage.reason ?? fleet.reason;
      if (reason !== null) return unknown(reason);
      const usd = (storage.value ?? 0) + (fleet.value ?? 0);
      return usd > 0 ? known(figureOf(usd, rate.value as number)) : unknown('it costs nothing');
    };
    const cheapest = cheapestOf(each, rates, hourly);
    return {
      arm,
      operation,
      fileBytes,
      /** Operations for a dollar, and dollars for a million of them, clients included: what this run's load cost. */
      perDollar: together((usd, perSecond) => (perSecond * 3600) / usd),
      perMillion: together((usd, perSecond) => (usd * 1e6) / (perSecond * 3600)),
      /** Dollars a month of the file system alone for each thousand operations per second that it did; a month is 730 hours. */
      perThousandMonthly:
        rate.value === null || storage.value === null
          ? unknown(rate.reason ?? storage.reason ?? 'no price is known')
          : known((storage.value * HOURS_PER_MONTH) / (rate.value / 1000)),
      /** Dollars a month for each thousand beyond those of the cheapest arm; nothing for that arm itself. */
      perExtraThousandMonthly: extra(each, storage, cheapest),
    };
  });
}

interface Priced {
  readonly arm: string;
  readonly usd: number;
  readonly rate: number;
}

function cheapestOf(
  { operation, fileBytes }: OperationRate,
  rates: readonly OperationRate[],
  hourly: (arm: string) => ValueOrReason,
): Priced | null {
  const priced = rates.flatMap(({ arm, rate, ...other }): Priced[] => {
    const usd = hourly(arm).value;
    const same = other.operation === operation && other.fileBytes === fileBytes;
    return same && usd !== null && rate.value !== null ? [{ arm, usd, rate: rate.value }] : [];
  });
  return priced.sort((a, b) => a.usd - b.usd)[0] ?? null;
}

function extra({ arm, rate }: OperationRate, storage: ValueOrReason, cheapest: Priced | null): ValueOrReason {
  if (rate.value === null || storage.value === null || cheapest === null)
    return unknown(rate.reason ?? storage.reason ?? 'no arm has a price');
  if (cheapest.arm === arm) return unknown('the cheapest arm, which the others are compared with');
  const more = rate.value - cheapest.rate;
  if (more <= 0) return unknown(`it was not faster than ${cheapest.arm}, which costs less`);
  return known(((storage.value - cheapest.usd) * HOURS_PER_MONTH) / (more / 1000));
}

/** Utilisation from which a server sets the pace, and below which it does not: values in between are inconclusive. A convention of fsxbench. */
const BUSY = 0.9;
const IDLE = 0.7;

/** Limit of each operation: the CPU of the busiest metadata server, or the disk operations of the busiest target as a share of its IOPS; 0 to 1. */
const bounds = ({ counted, arms, lab }: Run) =>
  windowsOf(counted).map(({ arm, operation, fileBytes, windows, shared }) => {
    const own = armNamed(arms, arm);
    const local = substitute(own, lab) ?? (shared ? 'several operations ran in one command' : null);
    const cpu = local === null ? cpuOf(own, windows) : unknown(local);
    const iops = local === null ? iopsOf(own, windows) : unknown(local);
    return { arm, operation, fileBytes, cpu, iops, ...verdict(cpu, iops) };
  });

type Bounds = ReturnType<typeof bounds>;

/** One busy resource is enough for the server; for the client both must be known to be idle. */
function verdict(
  cpu: ValueOrReason,
  iops: ValueOrReason,
): { by: 'server' | 'client' | 'neither' | null; reason: string | null } {
  const busiest = Math.max(cpu.value ?? 0, iops.value ?? 0);
  if (busiest >= BUSY) return { by: 'server', reason: null };
  const missing = [cpu.reason, iops.reason].filter((reason) => reason !== null);
  if (missing.length > 0) return { by: null, reason: [...new Set(missing)].join('; ') };
  return { by: busiest < IDLE ? 'client' : 'neither', reason: null };
}

function cpuOf(arm: RunArm, windows: readonly Window[]): ValueOrReason {
  const { name } = metricOf(arm, 'metadata_cpu');
  if (name === undefined) return unknown('no metric shows how busy the metadata servers are');
  const { series, reason } = seriesOf(arm.series, name);
  if (reason !== null) return unknown(reason);
  const means = series.flatMap((one) => meanOf(within(one, windows)) ?? []);
  return means.length === 0 ? unknown(tooShort(name)) : known(Math.max(...means) / 100);
}

/** Disk reads and writes per second of each metadata target, and its share of the IOPS (https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html). */
function iopsOf(arm: RunArm, windows: readonly Window[]): ValueOrReason {
  const { iops = null, targets = null } = documentedOf(arm) ?? {};
  if (iops === null || targets === null) return unknown('no metadata IOPS are provisioned');
  const perTarget = new Map<string, number>();
  const found = (['disk_read_operations', 'disk_write_operations'] as const).map((role) => metricOf(arm, role));
  const names = found.flatMap(({ name = [] }) => name);
  if (names.length === 0) return unknown('no metric counts what the disks of metadata targets do');
  for (const { name = '', targetOf } of found) {
    const { series } = seriesOf(arm.series, name);
    for (const one of series) {
      const target = targetOf(one.dimensions);
      const average = meanOf(within(one, windows));
      if (target === null || average === null) continue;
      perTarget.set(target, (perTarget.get(target) ?? 0) + average / one.periodSeconds);
    }
  }
  if (perTarget.size === 0) return unknown(`${listed(names)}: none of a metadata target within the phase`);
  return known(Math.max(...perTarget.values()) / (iops / targets));
}

/** Allowed deviation of the operations per IOPS: that of predicted and measured rates. A convention of fsxbench. */
const TOLERANCE = 0.1;

/** Test that an operation's rate is proportional to the metadata IOPS, as documented. Only for the scale model, in which nothing else differs. */
export type IopsScalingModel = ReturnType<typeof scalingModels>[number];

function scalingModels(rates: readonly OperationRate[], bounds: Bounds, { arms }: Run) {
  const comparable = armsByIops(arms.filter(({ deployed }) => deployed?.model?.metadata !== undefined));
  if (comparable.length < 2) return [];
  const documented = new Set(comparable.flatMap(({ operations }) => operations));
  const byOperation = Map.groupBy(
    rates.filter(({ operation }) => documented.has(operation)),
    ({ operation, fileBytes }) => keyOf(operation, fileBytes),
  );
  return [...byOperation.values()].map((own) => {
    const { operation, fileBytes } = own[0] as OperationRate;
    // Of the arms that differ in metadata IOPS alone, from the least of them to the most.
    const points = comparable.flatMap(({ arm, iops }) => {
      const perSecond = own.find((one) => one.arm === arm)?.rate.value ?? null;
      return perSecond === null ? [] : [{ arm, iops, perSecond }];
    });
    const [min, ...others] = points;
    const judged = (
      verdict: 'reproduced' | 'not reproduced' | 'inconclusive',
      furthest: number | null,
      reason: string | null,
    ) => ({ operation, fileBytes, points, verdict, furthest, reason });
    if (min === undefined || others.length === 0)
      return judged('inconclusive', null, 'fewer than two arms have a rate for it');
    // Furthest from the scaling model: operations per second for each of the IOPS, against those of the arm with the least.
    const furthest = others
      .map(({ iops, perSecond }) => perSecond / iops / (min.perSecond / min.iops))
      .reduce((max, one) => (Math.abs(Math.log(one)) > Math.abs(Math.log(max)) ? one : max));
    if (Math.abs(furthest - 1) <= TOLERANCE) return judged('reproduced', furthest, null);
    const paced = points.filter(({ arm }) => ofKey(bounds, { arm, operation, fileBytes })?.by === 'client');
    if (paced.length === 0) return judged('not reproduced', furthest, null);
    const reason = `the clients were the bottleneck on ${paced.map(({ arm }) => arm).join(', ')}`;
    return judged('inconclusive', furthest, reason);
  });
}

/** The arms that differ from the first in their metadata IOPS alone, those with the least first. */
function armsByIops(arms: readonly RunArm[]) {
  const known = arms.flatMap(({ name, planned: configuration }) => {
    const metadata = configuration === null ? undefined : storageOf(configuration).documented.metadata;
    const iops = configuration === null ? null : (metadata?.iops(configuration) ?? null);
    if (configuration === null || metadata === undefined || iops === null) return [];
    const { metadata: _, ...others } = configuration as typeof configuration & { metadata?: unknown };
    return [{ arm: name, iops, others, operations: Object.keys(metadata.ratesAt(iops)) }];
  });
  return known
    .filter(({ others }) => isDeepStrictEqual(others, known[0]?.others))
    .sort((a, b) => a.iops - b.iops)
    .filter(({ iops }, index, all) => iops !== all[index - 1]?.iops);
}

const COUNTED_BY: Readonly<Record<string, MetricRole>> = {
  file_create: 'file_creates',
  file_stat: 'stats',
  file_read: 'file_opens',
  file_remove: 'file_deletes',
  dir_create: 'dir_creates',
  dir_stat: 'stats',
  dir_rename: 'renames',
  dir_remove: 'dir_deletes',
};

/** Distribution of each operation over an arm's metadata targets, by the service's own count. */
function balances({ counted, arms, lab }: Run) {
  return windowsOf(counted).map(({ arm, operation, fileBytes, windows }) => {
    const own = armNamed(arms, arm);
    const key = { arm, operation, fileBytes };
    const none = (metric: string | null, reason: string) => ({
      ...key,
      metric,
      targets: [],
      evenness: unknown(reason),
    });
    const { name: metric = null, targetOf } = metricOf(own, ownValue(COUNTED_BY, operation));
    if (metric === null) return none(null, `no metric counts ${operation}`);
    const local = substitute(own, lab);
    if (local !== null) return none(metric, local);
    const { series, reason } = seriesOf(own.series, metric);
    if (reason !== null) return none(metric, reason);
    const sums = series.flatMap((one) => {
      const values = within(one, windows);
      const target = targetOf(one.dimensions);
      return values.length === 0 || target === null ? [] : [{ target, operations: sum(values) }];
    });
    const total = sum(sums.map(({ operations }) => operations));
    if (sums.length === 0) return none(metric, tooShort(metric));
    if (total === 0) return none(metric, `the service counted no ${metric}`);
    const targets = sums
      .map((one) => ({ ...one, share: one.operations / total }))
      .sort((a, b) => (a.target < b.target ? -1 : 1));
    const busiest = Math.max(...targets.map(({ operations }) => operations));
    const provisioned = documentedOf(own)?.targets ?? targets.length;
    // Mean over targets ÷ the busiest: 1 is even, 1 ÷ targets is all on one. The busiest bounds the whole.
    const evenness =
      targets.length < provisioned
        ? // Idle, or not published? On the former the answer would be worse than it looks.
          unknown(`${metric}: ${targets.length} of ${provisioned} metadata targets published it within the phase`)
        : targets.length === 1
          ? unknown('there is one metadata target: nothing to balance')
          : known(total / targets.length / busiest);
    return { ...key, metric, targets, evenness };
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Metadata results of a run. Everything unknown is `null` with a reason next to it. */
export type MetadataResults = NonNullable<ReturnType<typeof metadataResults>>;

/** Derives the results from a run; `null` where it did no operation on files. Of a plan that varies the nodes, by the most of them. Pure. */
export function metadataResults(run: Run) {
  const nodes = maxNodes(run);
  const subject = { ...run, counted: run.counted.filter(({ plannedNodes = nodes }) => plannedNodes === nodes) };
  const rates = operationRates(subject);
  if (rates.length === 0) return null;
  const bound = bounds(subject);
  const scalingModel = scalingModels(rates, bound, subject);
  return {
    rates,
    prices: operationPrices(rates, subject),
    balance: balances(subject),
    bounds: bound,
    needs: needs(rates, bound, subject),
    ...(scalingModel.length === 0 ? {} : { scalingModels: scalingModel }),
    /** The most nodes of a plan that varies them, which the figures are of. */
    nodes,
  };
}

const maxNodes = ({ counted }: Run): number | undefined =>
  counted.reduce<number | undefined>(
    (max, { operation, plannedNodes }) =>
      plannedNodes !== undefined && isMetadataOperation(operation) ? Math.max(max ?? 0, plannedNodes) : max,
    undefined,
  );

function needs(rates: readonly OperationRate[], bounds: Bounds, { arms, lab }: Run) {
  const works = Map.groupBy(rates, ({ operation, fileBytes }) => keyOf(operation, fileBytes));
  return [...works.values()].map((all) => {
    const { operation, fileBytes } = all[0] as OperationRate;
    const own = all.filter(({ rate }) => rate.value !== null);
    const [fastest = null] = own.sort((a, b) => (b.rate.value ?? 0) - (a.rate.value ?? 0));
    const rate = fastest?.rate.value ?? null;
    const bound = fastest && ofKey(bounds, fastest);
    const iops =
      fastest === null || rate === null
        ? unknown('no rate was measured')
        : neededIops(armNamed(arms, fastest.arm), lab, operation, rate);
    // More would not be used by these clients; `null` where the bottleneck is not known.
    const enough = bound?.by == null ? null : bound.by === 'client';
    return { operation, fileBytes, rate, arm: fastest?.arm ?? null, iops, enough };
  });
}

function neededIops(arm: RunArm, lab: boolean, operation: string, perSecond: number): ValueOrReason {
  const local = substitute(arm, lab);
  if (local !== null) return unknown(local);
  const { planned, deployed } = arm;
  if (deployed?.model?.metadata !== undefined)
    return unknown('rates in a scale model are those of the model, not of your workload');
  const metadata = planned && storageOf(planned).documented.metadata;
  return metadata ? metadata.needed(operation, perSecond) : unknown(`nothing is documented of ${operation}`);
}
