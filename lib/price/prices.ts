import { type Confidence, EVERY_REGION, type Price, type Prices } from '../schema/cost';
import published from './prices.json';

/** AWS's own examples use 720 or 730; prices here are always divided by 730. */
export const HOURS_PER_MONTH = 730;

/** The Region with the most known prices. */
export const DEFAULT_REGION = 'us-east-1';

export const CURRENCY = 'USD';

/** Source and date of a price. */
interface Origin {
  readonly region: string;
  readonly source: string;
  readonly asOf: string | null;
  readonly confidence: Confidence;
}

/** `fsxbench.prices/1`: what `cost --refresh` writes and `--prices` reads. */
export interface PriceFile {
  readonly schema: 'fsxbench.prices/1';
  readonly currency: typeof CURRENCY;
  /** Date of its newest price. */
  readonly asOf: string;
  readonly prices: readonly (Origin & { readonly item: string; readonly unit: string; readonly price: number })[];
  /** Hourly prices of instances, on demand, Linux. */
  readonly instances: readonly (Origin & { readonly prices: Readonly<Record<string, number>> })[];
}

/** All known prices. A Region's price is never silently used for another Region. */
export class PriceBook implements Prices {
  /** Date of its newest price. */
  readonly asOf: string;
  private readonly items = new Map<string, Price>();
  private readonly instances = new Map<string, Price>();

  /** @param files later ones override earlier ones */
  constructor(files: readonly PriceFile[]) {
    for (const { prices, instances } of files) {
      for (const { item, region, price, unit, source, asOf, confidence } of prices)
        this.items.set(`${region} ${item}`, { price, unit, source, asOf, confidence });
      for (const { region, source, asOf, confidence, prices: types } of instances)
        for (const [type, price] of Object.entries(types))
          this.instances.set(`${region} ${type}`, { price, unit: 'hour', source, asOf, confidence });
    }
    this.asOf =
      files
        .map(({ asOf }) => asOf)
        .sort()
        .at(-1) ?? '';
  }

  /** The price of an item in a Region. */
  priceOf(item: string, region: string): Price | null {
    return this.items.get(`${region} ${item}`) ?? this.items.get(`${EVERY_REGION} ${item}`) ?? null;
  }

  /** The hourly price of an instance: on demand, Linux. */
  instancePriceOf(type: string, region: string): Price | null {
    return this.instances.get(`${region} ${type}`) ?? null;
  }
}

/** The built-in prices. */
export const PUBLISHED_PRICES = published as PriceFile;
export const PUBLISHED = new PriceBook([PUBLISHED_PRICES]);
