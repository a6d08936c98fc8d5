import type { MetricSeries } from '../schema/metrics';
import type { HeldMetadata } from '../schema/model';
import type { Sample } from '../schema/sample';
import type { StorageConfiguration } from '../schema/storage';

/** What the results of metadata are made from: plain facts of a run, whoever read them. */
export interface MetadataSubject {
  readonly arms: readonly MetadataArm[];
  /** Samples that count: of each step and arm the latest attempt. */
  readonly samples: readonly Sample[];
  readonly metrics: readonly MetricSeries[];
  /** List price of all clients; `null` with a reason. */
  readonly fleetHourlyUsd: number | null;
  readonly fleetReason?: string;
  /** True when local file systems stood in for Amazon's. */
  readonly lab: boolean;
}

/** One file system of the run. */
export interface MetadataArm {
  readonly name: string;
  /** `null` for what is no file system of FSx, or not described by the plan. */
  readonly configuration: StorageConfiguration | null;
  /** List price; `null` with a reason. */
  readonly hourlyUsd: number | null;
  readonly reason?: string;
  /** What the lab's scale model holds of its metadata server. @default - there is no model, or it holds nothing of it */
  readonly held?: HeldMetadata;
}

/** A figure, or why there is none: exactly one of `value` and `reason` is null. */
export interface MetadataFigure {
  readonly value: number | null;
  readonly reason: string | null;
}

/** One operation on files of one size on one arm. */
export interface OperationKey {
  readonly arm: string;
  /** `file_create`, `file_stat`, … as in samples. */
  readonly operation: string;
  /** Size of the files; `null` where the run does not say. */
  readonly fileBytes: number | null;
}

/** What an arm reached in one operation, held against what AWS documents for its metadata IOPS. */
export interface OperationRate extends OperationKey {
  /** Operations a second of all clients: median over rounds and repeats; `null` with a reason. */
  readonly rate: MetadataFigure;
  readonly least: number | null;
  readonly most: number | null;
  /** How many values these are of. */
  readonly count: number;
  /** Operations a second that are documented for the provisioned IOPS. */
  readonly documented: MetadataFigure;
  /** `rate` ÷ `documented`: 1 is what is promised. */
  readonly efficiency: MetadataFigure;
}

/** What operations cost on an arm, at list prices. */
export interface OperationPrice extends OperationKey {
  /** Operations for a dollar, clients included: what this run's load cost. */
  readonly perDollar: MetadataFigure;
  /** Dollars for a million of them, clients included. */
  readonly perMillion: MetadataFigure;
  /** Dollars a month of the file system alone for each thousand operations a second that it did; a month is 730 hours. */
  readonly perThousandMonthly: MetadataFigure;
  /** The same for what it did beyond the cheapest arm; nothing for that arm itself. */
  readonly perExtraThousandMonthly: MetadataFigure;
}

/** How an operation was shared between the metadata targets of an arm, by the service's own count. */
export interface Balance extends OperationKey {
  /** Metric of CloudWatch that counts it. */
  readonly metric: string | null;
  readonly targets: readonly { readonly target: string; readonly operations: number; readonly share: number }[];
  /** Mean over targets ÷ the busiest: 1 is even, 1 ÷ targets is all on one. The busiest bounds the whole. */
  readonly evenness: MetadataFigure;
}

/** Whether the clients or the metadata servers set the pace of an operation. */
export interface Bound extends OperationKey {
  /** `null` with a reason where the service's metrics do not tell. */
  readonly by: 'server' | 'client' | 'neither' | null;
  readonly reason: string | null;
  /** CPU of the busiest metadata server, 0 to 1. */
  readonly cpu: MetadataFigure;
  /** Disk operations of the busiest metadata target ÷ the metadata IOPS provisioned for it. */
  readonly iops: MetadataFigure;
}

/** How many metadata IOPS the fastest rate of an operation takes, by the documented rates. */
export interface Need {
  readonly operation: string;
  readonly fileBytes: number | null;
  /** The fastest rate that an arm reached, and which arm. */
  readonly rate: number | null;
  readonly arm: string | null;
  /** The smallest number that AWS provisions for it. */
  readonly iops: MetadataFigure;
  /** More would not be used by these clients: `null` where it is not known what set the pace. */
  readonly enough: boolean | null;
}

/**
 * Whether an operation is as many times faster as there are more metadata IOPS: what AWS's rates for each of them come to. Judged in the
 * lab's scale model alone, where the IOPS are held and nothing else differs.
 */
export interface IopsLaw {
  readonly operation: string;
  readonly fileBytes: number | null;
  /** The arms that differ in metadata IOPS alone, from the least of them to the most. */
  readonly points: readonly { readonly arm: string; readonly iops: number; readonly perSecond: number }[];
  /** `undecided` with a reason where the run cannot tell. */
  readonly verdict: 'reproduced' | 'not reproduced' | 'undecided';
  readonly reason: string | null;
  /** Furthest from the law: operations a second for each of the IOPS, against those of the arm with the least. 1 is the law. */
  readonly furthest: number | null;
}

/** What a run says of metadata. Everything that is not known is `null` with a reason beside it. */
export interface MetadataResults {
  readonly rates: readonly OperationRate[];
  readonly prices: readonly OperationPrice[];
  readonly balance: readonly Balance[];
  readonly bounds: readonly Bound[];
  readonly needs: readonly Need[];
  /** Of each operation with a documented rate for each of the IOPS. @default - no two arms are scale models that differ in them alone */
  readonly laws?: readonly IopsLaw[];
}

export const known = (value: number): MetadataFigure => ({ value, reason: null });
export const unknown = (reason: string): MetadataFigure => ({ value: null, reason });
