import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../common/writeWhole';
import { PRICES_FILE, readPriceFile } from '../cost/priceFile';
import { mergedPrices, type Refreshed, refreshPrices } from '../cost/refresh';
import { type CliContext, Unsuccessful, UsageError } from './context';
import type { PriceOptions } from './input/prices';

/** `fsxbench cost --refresh`: writes AWS's own prices of a Region to a file that all other commands then use. */
export async function refreshPriceFile(context: CliContext, region: string, { prices }: PriceOptions): Promise<void> {
  const path = prices ?? join(context.root, PRICES_FILE);
  let old = null;
  try {
    old = existsSync(path) ? readPriceFile(path) : null;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}, after removing the existing file`);
  }
  let refreshed: Refreshed;
  try {
    refreshed = await refreshPrices(region, {
      // Named like the AWS SDK's endpoint variables.
      from: context.environment.AWS_ENDPOINT_URL_PRICING,
      onProgress: (code) => context.err(`reading AWS's price list ${code} of ${region}\n`),
    });
  } catch (error) {
    throw new Unsuccessful(
      `${(error as Error).message}. No price was changed; on a machine that can reach the lists, write a file there and pass it here with --prices`,
    );
  }
  const { file, ambiguous } = refreshed;
  writeWhole(path, `${JSON.stringify(mergedPrices(old, file, region), null, 2)}\n`);
  const instances = Object.keys(file.instances[0]?.prices ?? {}).length;
  context.err(
    `${path}: ${file.prices.length} prices and those of ${instances} instance types of ${region}, published by AWS on ${file.asOf}\n`,
  );
  if (ambiguous.length > 0) context.err(`skipped, since AWS lists several prices for each: ${ambiguous.join(', ')}\n`);
}
