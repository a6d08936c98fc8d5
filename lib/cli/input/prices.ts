import { REGION_VARIABLES } from '../../common/aws/environment';
import { ownPrices } from '../../cost/priceFile';
import { bookWith, DEFAULT_REGION, type PriceBook, type PriceFile } from '../../price/prices';
import { type CliContext, UsageError } from '../context';
import { regionOf } from './quantity';

/** Options that select the price list. */
export interface PriceOptions {
  readonly region?: string;
  readonly prices?: string;
}

/** The Region of a command: the one given, else that of the AWS environment. @throws UsageError */
export function regionNamed({ environment }: CliContext, region: string | undefined): string {
  if (region !== undefined) return regionOf(region);
  const variable = REGION_VARIABLES.find((name) => environment[name]);
  return variable === undefined ? DEFAULT_REGION : regionOf(environment[variable] as string, variable);
}

/** The prices that a command uses. @throws UsageError naming a file that has none */
export const bookNamed = (context: CliContext, options: PriceOptions): PriceBook =>
  bookWith(pricesNamed(context, options));

/** Their part that is not built in; `null` where there is none. @throws UsageError naming a file that has none */
export function pricesNamed({ root }: CliContext, { prices }: PriceOptions): PriceFile | null {
  try {
    return ownPrices(root, prices);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
