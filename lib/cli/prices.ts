import { priceBook } from '../cost/priceFile';
import { DEFAULT_REGION, type PriceBook } from '../cost/prices';
import { type CliContext, UsageError } from './context';
import { regionOf } from './quantity';

/** Options that say whose prices. */
export interface PriceOptions {
  readonly region?: string;
  readonly prices?: string;
}

/** The Region that a command is about: the one named, else the one that the environment names for AWS. @throws UsageError */
export function regionNamed({ environment }: CliContext, region: string | undefined): string {
  const { AWS_REGION, AWS_DEFAULT_REGION } = environment;
  return regionOf(region ?? (AWS_REGION || AWS_DEFAULT_REGION || DEFAULT_REGION));
}

/** The prices that a command reckons with. @throws UsageError naming a file that has none */
export function bookNamed({ root }: CliContext, { prices }: PriceOptions): PriceBook {
  try {
    return priceBook(root, prices);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
