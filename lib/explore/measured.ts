import { type Requirement, resolve } from '../advise/requirement';
import { priceOf } from '../advise/search';
import { plain } from '../common/format/units';
import type { Rate } from '../predict';
import type { PriceBook } from '../price/prices';
import type { StorageConfiguration } from '../schema/deployment';
import { storageOf } from '../storage/lookup';
import type { ChartPoint } from './answer';

/** A rate that a run on AWS measured, next to what was documented for its arm. */
export interface MeasuredRate {
  readonly run: string;
  readonly arm: string;
  readonly configuration: StorageConfiguration | null;
  readonly operation: string;
  readonly mode: string;
  readonly ratio: number | null;
  readonly predictedMBps: Rate | null;
  /** Median of the repeats. */
  readonly measuredMBps: number;
}

/** Marks for cost against throughput: of each arm with a known configuration the rates that the requirement asks for. */
export function measuredSpots(rates: readonly MeasuredRate[], requirement: Requirement, book: PriceBook): ChartPoint[] {
  const need = resolve(requirement);
  const modes = need.flows.map(({ demand }) => demand as string);
  return rates.flatMap(({ configuration, mode, measuredMBps, arm, operation, ratio, run }) => {
    if (configuration === null || !(modes.length === 0 ? ['write'] : modes).includes(mode)) return [];
    const series = storageOf(configuration).price.candidates?.seriesOf(configuration) ?? null;
    const { monthlyUsd } = priceOf(configuration, need, book);
    if (series === null || need.storages.every(({ kind }) => kind !== configuration.kind) || !monthlyUsd) return [];
    const title = `Measured in ${run}: ${arm}, ${operation}${ratio === null ? '' : ` at ${plain(ratio)}:1`}: ${plain(measuredMBps)} MB/s`;
    const compressed = ratio !== null;
    return [{ rank: null, usd: monthlyUsd, rate: measuredMBps / 1000, series, compressed, pareto: false, title }];
  });
}
