import { priceBook } from '../../cost/priceFile';
import { DEFAULT_REGION, type PriceBook } from '../../price/prices';
import { type CliContext, UsageError } from '../context';
import { regionOf } from './quantity';

/** Options that select the price list. */
export interface PriceOptions {
  readonly region?: string;
  readonly prices?: string;
}

/** The Region of a command: the one given, else that of the AWS environment. @throws UsageError */
export function regionNamed({ environment }: CliContext, region: string | undefined): string {
  const { AWS_REGION, AWS_DEFAULT_REGION } = environment;
  return regionOf(region ?? (AWS_REGION || AWS_DEFAULT_REGION || DEFAULT_REGION));
}

/** The prices that a command uses. @throws UsageError naming a file that has none */
export function bookNamed({ root }: CliContext, { prices }: PriceOptions): PriceBook {
  try {
    return priceBook(root, prices);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
