import { groupBy } from '../analysis/figures/statistics';
import { type MetadataArm, type MetadataResults, metadataResults } from '../benchmark/metadata/analysis';
import { bytes } from '../kit/format/units';
import type { Sample } from '../schema/sample';
import { asLustre } from '../storage/lustre/configuration';
import { isLab, type RunRecord } from '../store/record';

/** What the run says of metadata; `null` for a run about data. */
export function metadataOf({ plan, manifest, metrics }: RunRecord, counted: readonly Sample[]): MetadataResults | null {
  const names = [
    ...new Set([...(plan?.arms ?? []), ...counted.map(({ arm: name }) => ({ name }))].map(({ name }) => name)),
  ];
  const arms = names.map((name): MetadataArm => {
    const deployed = manifest?.arms.find((arm) => arm.name === name);
    const configuration = asLustre(plan?.arms.find((arm) => arm.name === name)?.configuration);
    const hourlyUsd = deployed?.hourlyUsd ?? null;
    const reason = deployed?.hourlyReason ?? (manifest === null ? 'the run has no manifest' : undefined);
    return { name, configuration, hourlyUsd, ...(reason === undefined ? {} : { reason }) };
  });
  const fleet = manifest?.fleet;
  return metadataResults({
    arms,
    samples: counted,
    metrics: metrics.flatMap(({ series }) => series),
    fleetHourlyUsd: fleet?.hourlyUsd ?? null,
    ...(fleet?.hourlyReason === undefined ? {} : { fleetReason: fleet.hourlyReason }),
    lab: isLab({ manifest, plan }),
  });
}

/** The same operation on files of another size is another operation, in tables and charts: `file_create of 4 KiB`. */
export function nameBySize(sample: Sample): Sample {
  const { operation, fileBytes } = sample;
  return fileBytes && /^(file|dir)_/.test(operation)
    ? { ...sample, operation: sizedName(operation, fileBytes) }
    : sample;
}

/** An operation with the size of its files, where they are not empty. */
export function sizedName(operation: string, fileBytes: number | null): string {
  return fileBytes ? `${operation} of ${bytes(fileBytes)}` : operation;
}

const DONE: Readonly<Record<string, string>> = {
  file_create: 'created files',
  file_stat: 'ran stat on files',
  file_read: 'opened files',
  file_remove: 'removed files',
  file_rename: 'renamed files',
  dir_create: 'created directories',
  dir_stat: 'ran stat on directories',
  dir_remove: 'removed directories',
  dir_rename: 'renamed directories',
};

/** What an arm did, in words: `created files of 4 KiB`; `null` for what is no operation on files. */
export function fileVerb(operation: string): string | null {
  const [name = '', ...size] = operation.split(' of ');
  const verb = DONE[name];
  return verb === undefined ? null : [verb, ...size].join(' of ');
}

/** One reason why figures are missing, and of which operations. */
export interface MissingFigures {
  readonly what: string;
  readonly reason: string;
  /** `file_stat`, or `file_stat on p250-12000` where it is so on some arms only; empty where it is so everywhere. */
  readonly where: readonly string[];
}

interface Entry {
  readonly arm: string | null;
  readonly operation: string;
  readonly fileBytes: number | null;
  readonly reason: string | null;
}

function placesOf(without: readonly Entry[], all: readonly Entry[]): string[] {
  const named = (entries: readonly Entry[]) =>
    groupBy(entries, ({ operation, fileBytes }) => sizedName(operation, fileBytes));
  const everywhere = named(all);
  return [...named(without)].map(([name, entries]) => {
    const arms = entries.flatMap(({ arm }) => arm ?? []);
    return entries.length === everywhere.get(name)?.length || arms.length === 0
      ? name
      : `${name} on ${arms.join(', ')}`;
  });
}

/** Why figures of the results are `null`: each reason once. */
export function missingFigures({ rates, prices, balance, bounds, needs }: MetadataResults): MissingFigures[] {
  const of = (what: string, entries: readonly Entry[]): MissingFigures[] => {
    const reasons = [...new Set(entries.flatMap(({ reason }) => reason ?? []))];
    return reasons.map((reason) => {
      const without = entries.filter((entry) => entry.reason === reason);
      return { what, reason, where: without.length === entries.length ? [] : placesOf(without, entries) };
    });
  };
  return [
    ...of(
      'rate',
      rates.map((one) => ({ ...one, reason: one.rate.reason })),
    ),
    ...of(
      'efficiency',
      rates.map((one) => ({ ...one, reason: one.efficiency.reason })),
    ),
    ...of(
      'price of an operation',
      prices.map((one) => ({ ...one, reason: one.perMillion.reason })),
    ),
    ...of(
      'price by the month',
      prices.map((one) => ({ ...one, reason: one.perThousandMonthly.reason })),
    ),
    ...of(
      'price of the extra rate',
      prices.map((one) => ({ ...one, reason: one.perExtraThousandMonthly.reason })),
    ),
    ...of(
      'metadata IOPS needed',
      needs.map((one) => ({ ...one, arm: null, reason: one.iops.reason })),
    ),
    ...of('what set the pace', bounds),
    ...of(
      'balance',
      balance.map((one) => ({ ...one, reason: one.evenness.reason })),
    ),
  ];
}
