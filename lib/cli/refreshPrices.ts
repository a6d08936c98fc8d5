import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRICES_FILE, readPriceFile } from '../cost/priceFile';
import { mergedPrices, type Refreshed, refreshPrices } from '../cost/refresh';
import { type CliContext, Unsuccessful, UsageError } from './context';
import type { PriceOptions } from './prices';

/** `fsxbench cost --refresh`: AWS's own prices of a Region into a file, which all other commands then reckon with. */
export async function refreshCommand(context: CliContext, region: string, { prices }: PriceOptions): Promise<void> {
  const path = prices ?? join(context.root, PRICES_FILE);
  let old = null;
  try {
    old = existsSync(path) ? readPriceFile(path) : null;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}, after removing what is there`);
  }
  let refreshed: Refreshed;
  try {
    refreshed = await refreshPrices(region, {
      // As the AWS SDK names the address of a service.
      from: context.environment.AWS_ENDPOINT_URL_PRICING,
      onProgress: (code) => context.err(`reading AWS's price list ${code} of ${region}\n`),
    });
  } catch (error) {
    throw new Unsuccessful(
      `${(error as Error).message}. No price was changed; where the lists can be reached, write a file there and name it here with --prices`,
    );
  }
  const { file, ambiguous } = refreshed;
  writeFileSync(path, `${JSON.stringify(mergedPrices(old, file, region), null, 2)}\n`);
  const instances = Object.keys(file.instances[0]?.prices ?? {}).length;
  context.err(
    `${path}: ${file.prices.length} prices and those of ${instances} instance types of ${region}, published by AWS on ${file.asOf}\n`,
  );
  if (ambiguous.length > 0) context.err(`not taken, since AWS lists several prices of each: ${ambiguous.join(', ')}\n`);
}
