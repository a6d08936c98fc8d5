import type { Confidence, Price, Prices } from '../schema/cost';
import published from './prices.json';

/** AWS's own examples use 720 or 730; prices here are always divided by 730. */
export const HOURS_PER_MONTH = 730;

/** The Region that most prices are known of. */
export const DEFAULT_REGION = 'us-east-1';

/** Stands for every Region where AWS has one price for all. */
export const EVERY_REGION = '*';

export const CURRENCY = 'USD';

/** Where and when a price was found. */
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
  /** The youngest of its prices. */
  readonly asOf: string;
  readonly prices: readonly (Origin & { readonly item: string; readonly unit: string; readonly price: number })[];
  /** Instances an hour, on demand, Linux. */
  readonly instances: readonly (Origin & { readonly prices: Readonly<Record<string, number>> })[];
}

/** Every price that is known. A price of one Region is never taken for another's without a word. */
export class PriceBook implements Prices {
  /** The youngest of its prices. */
  readonly asOf: string;
  private readonly items = new Map<string, Price>();
  private readonly instances = new Map<string, Price>();

  /** @param files a later one counts more than an earlier */
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

  /** The price of an instance an hour: on demand, Linux. */
  instancePriceOf(type: string, region: string): Price | null {
    return this.instances.get(`${region} ${type}`) ?? null;
  }
}

/** What came with fsxbench. */
export const PUBLISHED_PRICES = published as PriceFile;
export const PUBLISHED = new PriceBook([PUBLISHED_PRICES]);
