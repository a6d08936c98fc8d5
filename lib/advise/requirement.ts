import type { PredictRequest } from '../predict';
import { MOST_RATIO, problemsOf, regionProblems } from '../predict/request';
import type { LustreConfiguration } from '../storage/lustre/configuration';

/** Requirements of a file system: at least one of rates, capacity and metadata. */
export interface Requirement {
  /** Sustained MB/s (10^6 bytes). @default - no read requirement */
  readonly readMBps?: number;
  /** Sustained MB/s. @default - no write requirement */
  readonly writeMBps?: number;
  /** True if reads and writes happen at the same time. @default false */
  readonly together?: boolean;
  /** TB (10^12 bytes) of data, as applications see them. @default - any capacity */
  readonly capacityTB?: number;
  /** File creations per second. @default - no requirement */
  readonly createsPerSecond?: number;
  /** Uncompressed ÷ compressed size. @default - LZ4 is not considered, since its savings are unknown */
  readonly ratio?: number;
  /** GiB that is read repeatedly. @default - no cache hits; for Intelligent-Tiering, all data */
  readonly workingSetGiB?: number;
  /** Budget in USD. @default - no limit */
  readonly maxMonthlyUsd?: number;
  /** Client instances that share the load. @default - as many as it takes */
  readonly clients?: PredictRequest['clients'];
  /** Region of the prices and of the network burst. @default us-east-1 */
  readonly region?: string;
}

/** One demand on the data path. */
export interface Demand {
  readonly mode: 'read' | 'write' | 'mixed';
  readonly readShare: number;
  readonly requiredMBps: number;
}

/** Demands on the data path; without any requested rate, writes with nothing required. */
export function demandsOf({ readMBps = 0, writeMBps = 0, together = false }: Requirement): readonly Demand[] {
  if (together && readMBps > 0 && writeMBps > 0) {
    const requiredMBps = readMBps + writeMBps;
    return [{ mode: 'mixed', readShare: readMBps / requiredMBps, requiredMBps }];
  }
  const read: Demand = { mode: 'read', readShare: 1, requiredMBps: readMBps };
  const write: Demand = { mode: 'write', readShare: 0, requiredMBps: writeMBps };
  if (readMBps > 0) return writeMBps > 0 ? [read, write] : [read];
  return [write];
}

/** GiB of data, as applications see them. */
export function dataGiB({ capacityTB = 0 }: Requirement): number {
  return (capacityTB * 1e12) / 2 ** 30;
}

/** Higher values are typos: nothing larger is sold in one Region. */
export const MOST = { gigabytesPerSecond: 10_000, terabytes: 20_000, createsPerSecond: 1e9, usd: 1e9 } as const;

/** The problems of a requirement, one line each. */
export function requirementProblems(requirement: Requirement): readonly string[] {
  const { readMBps, writeMBps, capacityTB, createsPerSecond, ratio, workingSetGiB, maxMonthlyUsd } = requirement;
  const bounds: readonly (readonly [string, number | undefined, number])[] = [
    ['readMBps', readMBps, MOST.gigabytesPerSecond * 1000],
    ['writeMBps', writeMBps, MOST.gigabytesPerSecond * 1000],
    ['capacityTB', capacityTB, MOST.terabytes],
    ['createsPerSecond', createsPerSecond, MOST.createsPerSecond],
    ['workingSetGiB', workingSetGiB, Number.MAX_VALUE],
    ['maxMonthlyUsd', maxMonthlyUsd, MOST.usd],
  ];
  const problems = bounds.flatMap(([name, value, most]) =>
    value === undefined || (value > 0 && value <= most)
      ? []
      : [`'${name}' must be above 0 and at most ${most}, got ${value}`],
  );
  if (ratio !== undefined && !(ratio >= 1 && ratio <= MOST_RATIO))
    problems.push(`'ratio' must be from 1 to ${MOST_RATIO}, as uncompressed ÷ compressed size, got ${ratio}`);
  if ([readMBps, writeMBps, capacityTB, createsPerSecond].every((value) => value === undefined))
    problems.push(
      "at least one of 'readMBps', 'writeMBps', 'capacityTB' and 'createsPerSecond' must be given, got none",
    );
  return [...problems, ...regionProblems(requirement.region), ...clientProblems(requirement)];
}

/** Any file system that supports EFA. */
const WITH_EFA: LustreConfiguration = {
  deploymentType: 'PERSISTENT_2',
  storageCapacityGiB: 4800,
  perUnitStorageThroughput: 1000,
  metadata: { mode: 'AUTOMATIC' },
  efaEnabled: true,
};

/** The problems of the clients, independent of the file system. */
function clientProblems({ clients }: Requirement): readonly string[] {
  return clients === undefined ? [] : problemsOf({ configuration: WITH_EFA, clients });
}
