import type { Prediction, Rate } from '../predict';
import type { AnyConfiguration } from '../schema/storage';
import type { Warning } from '../storage/slices/configuration';
import type { Assessment } from './assess';
import type { Fragment } from './fragment';
import type { MonthlyCost } from './monthly';

/** A cheaper configuration and what it would miss. */
export interface Cheaper<C extends AnyConfiguration = AnyConfiguration> {
  readonly configuration: C;
  readonly monthlyUsd: number | null;
  /** Why a price is unknown; `null` if all are known. */
  readonly reason: string | null;
  /** {@link Option.lowUsd}. */
  readonly lowUsd: number;
  readonly misses: readonly string[];
}

/** A configuration that meets the requirement, the cheapest of its kind. */
export interface Option<C extends AnyConfiguration = AnyConfiguration> extends Omit<Assessment, 'misses'>, MonthlyCost {
  readonly configuration: C;
  /** List price of the file system, without clients; `null` with a reason if a price is unknown. */
  readonly monthlyUsd: number | null;
  /** The lowest of the requested rates: reads, writes or both together. */
  readonly throughputMBps: Rate;
  /** Its limits. */
  readonly binding: Prediction['binding'];
  /**
   * Throughput beyond the requirement: 0.25 is a quarter more. Where none is required, that of the creations, else of the capacity, each of
   * which stands in {@link Option.headrooms}.
   */
  readonly headroom: number | null;
  /** Shortcomings of the next cheaper sizes; empty for the smallest size that AWS sells. */
  readonly cheaper: readonly Cheaper<C>[];
  /** True if no other option is both cheaper and at least as fast. `null` without a price. */
  readonly pareto: boolean | null;
  /** Reasons against it, and points that need care. */
  readonly warnings: readonly Warning[];
  /** The reason for its rank, in a sentence. */
  readonly why: string;
  readonly cdkJson: Fragment;
}

/** An option before it is compared with the others. */
export type Ranked = Omit<Option, 'pareto' | 'why'>;

/** A configuration that was considered, and why it is no option. */
export interface Rejected<C extends AnyConfiguration = AnyConfiguration> {
  readonly configuration: C;
  readonly monthlyUsd: number | null;
  readonly reason: string;
}
