import type { PredictRequest } from '../predict';
import { MOST_RATIO, problemsOf, regionProblems } from '../predict/request';
import type { LustreConfiguration } from '../storage/lustre/configuration';

/** What a file system is to do. At least one of rates, capacity and metadata. */
export interface Requirement {
  /** MB/s (10^6 bytes), for good. @default - no reads are asked for */
  readonly readMBps?: number;
  /** MB/s, for good. @default - no writes are asked for */
  readonly writeMBps?: number;
  /** Reads and writes at the same time; otherwise each has the file system for itself. @default false */
  readonly together?: boolean;
  /** TB (10^12 bytes) of data, as large as applications see them. @default - whatever there is */
  readonly capacityTB?: number;
  /** Files created a second. @default - none are asked for */
  readonly createsPerSecond?: number;
  /** Size before ÷ size after compression. @default - LZ4 is not considered: nobody knows what it would save */
  readonly ratio?: number;
  /** GiB that is read again and again. @default - reads find nothing in caches; of Intelligent-Tiering, all data */
  readonly workingSetGiB?: number;
  /** USD. @default - no limit */
  readonly maxMonthlyUsd?: number;
  /** Client instances that share the load. @default - as many as it takes */
  readonly clients?: PredictRequest['clients'];
  /** Whose prices, and whose network burst. @default us-east-1 */
  readonly region?: string;
}

/** One thing that is asked of the data path. */
export interface Demand {
  readonly mode: 'read' | 'write' | 'mixed';
  readonly readShare: number;
  readonly requiredMBps: number;
}

/** What the data path has to do; where no rate is asked for, writes are looked at, with nothing required. */
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

/** Nothing larger is sold in one Region; more is a typing error. */
export const MOST = { gigabytesPerSecond: 10_000, terabytes: 20_000, createsPerSecond: 1e9, usd: 1e9 } as const;

/** What is wrong with a requirement, a line each. */
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
    problems.push(`'ratio' must be from 1 to ${MOST_RATIO}, as size before ÷ size after compression, got ${ratio}`);
  if ([readMBps, writeMBps, capacityTB, createsPerSecond].every((value) => value === undefined))
    problems.push(
      "'readMBps', 'writeMBps', 'capacityTB' or 'createsPerSecond' must be given, got none: say what is needed",
    );
  return [...problems, ...regionProblems(requirement.region), ...clientProblems(requirement)];
}

/** Any file system that can have EFA. */
const WITH_EFA: LustreConfiguration = {
  deploymentType: 'PERSISTENT_2',
  storageCapacityGiB: 4800,
  perUnitStorageThroughput: 1000,
  metadata: { mode: 'AUTOMATIC' },
  efaEnabled: true,
};

/** What is wrong with the clients, whatever the file system. */
function clientProblems({ clients }: Requirement): readonly string[] {
  return clients === undefined ? [] : problemsOf({ configuration: WITH_EFA, clients });
}
