import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readWhole } from '../common/files';
import { bookWith, CURRENCY, type PriceBook, type PriceFile } from '../price/prices';
import { CONFIDENCES } from '../schema/cost';

const price = z.number().positive();
const origin = {
  region: z.string().min(1),
  source: z.string().min(1),
  asOf: z
    .string()
    .regex(/^20\d\d(-\d\d(-\d\d)?)?$/)
    .nullable(),
  confidence: z.enum(CONFIDENCES),
};

/** Written by hand, it may have one of the two lists alone. */
const priceFileSchema = z.looseObject({
  schema: z.literal('fsxbench.prices/1'),
  currency: z.literal(CURRENCY),
  asOf: z.string(),
  prices: z
    .array(z.looseObject({ item: z.string().min(1), unit: z.string().min(1), price, low: price.optional(), ...origin }))
    .default([]),
  instances: z.array(z.looseObject({ prices: z.record(z.string(), price), ...origin })).default([]),
});

/** A file next to cdk.json: written by `cost --refresh`. */
export const PRICES_FILE = 'prices.json';

/** Reads a price file. @throws Error in one line that names the file, what is wrong and the next step */
export function readPriceFile(path: string): PriceFile {
  const must = (got: string): Error =>
    new Error(
      `'${path}' must be a price file (fsxbench.prices/1), got ${got}. Write one with: npx fsxbench cost --refresh`,
    );
  let value: unknown;
  try {
    value = JSON.parse(readWhole(path));
  } catch (error) {
    throw must((error as Error).message);
  }
  const parsed = priceFileSchema.safeParse(value);
  if (!parsed.success) throw must(z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, ' '));
  return parsed.data;
}

/** The prices of the project that override the built-in ones; `null` without such a file. */
export function ownPrices(root: string): PriceFile | null {
  const file = join(root, PRICES_FILE);
  return existsSync(file) ? readPriceFile(file) : null;
}

/** The built-in prices, overridden by those of {@link ownPrices}. */
export const priceBook = (root: string): PriceBook => bookWith(ownPrices(root));
