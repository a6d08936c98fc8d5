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

/** Default path of a price file, next to cdk.json: written by `cost --refresh`. */
export const PRICES_FILE = 'prices.json';

/** Reads a price file. @throws Error in one line that names the file, what is wrong and the next step */
export function readPriceFile(path: string): PriceFile {
  const must = (got: string): Error =>
    new Error(
      `'${path}' must be a price file (fsxbench.prices/1), got ${got}. Write one with: npx fsxbench cost --refresh --prices ${path}`,
    );
  let value: unknown;
  try {
    value = JSON.parse(readWhole(path));
  } catch (error) {
    throw must((error as NodeJS.ErrnoException).code === 'ENOENT' ? 'nothing' : (error as Error).message);
  }
  const parsed = priceFileSchema.safeParse(value);
  if (!parsed.success) throw must(z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, ' '));
  return parsed.data;
}

/** The file whose prices override the built-in ones, or `null`. @param path must exist. @default - `prices.json` of the project, if it exists */
export function ownPrices(root: string, path?: string): PriceFile | null {
  const file = path ?? join(root, PRICES_FILE);
  return path === undefined && !existsSync(file) ? null : readPriceFile(file);
}

/** The built-in prices, overridden by those of {@link ownPrices}. */
export const priceBook = (root: string): PriceBook => bookWith(ownPrices(root));
