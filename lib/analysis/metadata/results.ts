import type { ValueOrReason } from '../../common/collections';

export interface OperationKey {
  readonly arm: string;
  /** `file_create`, `file_stat`, … as in samples. */
  readonly operation: string;
  /** Size of the files; `null` if the run does not record it. */
  readonly fileBytes: number | null;
}

/** Rate of an arm in one operation, compared with AWS's documentation for its metadata IOPS. */
export interface OperationRate extends OperationKey {
  /** Operations a second of all clients: median over rounds and repeats; `null` with a reason. */
  readonly rate: ValueOrReason;
  readonly min: number | null;
  readonly max: number | null;
  readonly count: number;
  /** Operations a second that are documented for the provisioned IOPS. */
  readonly documented: ValueOrReason;
  /** `rate` ÷ `documented`: 1 is what is promised. */
  readonly efficiency: ValueOrReason;
}

export interface OperationPrice extends OperationKey {
  /** Operations for a dollar, clients included: what this run's load cost. */
  readonly perDollar: ValueOrReason;
  /** Dollars for a million of them, clients included. */
  readonly perMillion: ValueOrReason;
  /** Dollars a month of the file system alone for each thousand operations per second that it did; a month is 730 hours. */
  readonly perThousandMonthly: ValueOrReason;
  /** Dollars a month for each thousand beyond those of the cheapest arm; nothing for that arm itself. */
  readonly perExtraThousandMonthly: ValueOrReason;
}

/** Distribution of an operation over an arm's metadata targets, by the service's own count. */
export interface Balance extends OperationKey {
  /** Metric of CloudWatch that counts it. */
  readonly metric: string | null;
  readonly targets: readonly { readonly target: string; readonly operations: number; readonly share: number }[];
  /** Mean over targets ÷ the busiest: 1 is even, 1 ÷ targets is all on one. The busiest bounds the whole. */
  readonly evenness: ValueOrReason;
}

export interface Bound extends OperationKey {
  /** `null` with a reason if the service's metrics are inconclusive. */
  readonly by: 'server' | 'client' | 'neither' | null;
  readonly reason: string | null;
  /** CPU of the busiest metadata server, 0 to 1. */
  readonly cpu: ValueOrReason;
  /** Disk operations of the busiest metadata target ÷ the metadata IOPS provisioned for it. */
  readonly iops: ValueOrReason;
}

/** Metadata IOPS needed for the fastest rate of an operation, by the documented rates. */
export interface Need {
  readonly operation: string;
  readonly fileBytes: number | null;
  /** The fastest rate that an arm reached, and which arm. */
  readonly rate: number | null;
  readonly arm: string | null;
  /** The smallest number that AWS provisions for it. */
  readonly iops: ValueOrReason;
  /** More would not be used by these clients: `null` where it is not known what set the pace. */
  readonly enough: boolean | null;
}

/** Test that an operation's rate is proportional to the metadata IOPS, as documented. Only for the scale model, in which nothing else differs. */
export interface IopsScalingModel {
  readonly operation: string;
  readonly fileBytes: number | null;
  /** The arms that differ in metadata IOPS alone, from the least of them to the most. */
  readonly points: readonly { readonly arm: string; readonly iops: number; readonly perSecond: number }[];
  /** `inconclusive` with a reason if the run cannot decide it. */
  readonly verdict: 'reproduced' | 'not reproduced' | 'inconclusive';
  readonly reason: string | null;
  /** Furthest from the scaling model: operations per second for each of the IOPS, against those of the arm with the least. 1 is the scaling model. */
  readonly furthest: number | null;
}

/** Metadata results of a run. Everything unknown is `null` with a reason next to it. */
export interface MetadataResults {
  readonly rates: readonly OperationRate[];
  readonly prices: readonly OperationPrice[];
  readonly balance: readonly Balance[];
  readonly bounds: readonly Bound[];
  readonly needs: readonly Need[];
  /** One for each operation with a documented rate per IOPS. @default - no two arms are scale models that differ in IOPS alone */
  readonly scalingModels?: readonly IopsScalingModel[];
  /** The most nodes of a plan that varies them, which the figures are of. @default - it does not vary them */
  readonly nodes?: number;
}
