import { isRegion } from '../common/aws/regions';
import { type Confidence, EVERY_REGION, type Price } from '../schema/cost';
import published from './prices.json';

/** AWS's own examples use 720 or 730; prices here are always divided by 730. */
export const HOURS_PER_MONTH = 730;

/** The Region with the most known prices. */
export const DEFAULT_REGION = 'us-east-1';

export const CURRENCY = 'USD';

interface Origin {
  readonly region: string;
  readonly source: string;
  readonly asOf: string | null;
  readonly confidence: Confidence;
}

/** Range of prices in a Region without one, as multiples of the cheapest exact price of the same item in any Region. */
interface RegionalEstimate extends Omit<Origin, 'region'> {
  /** Beginning of the items' names. */
  readonly items: string;
  /** Beginnings of the names of Regions outside the range: other currencies, no public list, or storage that is dearer still (São Paulo). */
  readonly exceptRegions: readonly string[];
  readonly low: number;
  readonly high: number;
}

/** `fsxbench.prices/1`: what `cost --refresh` writes, and each command reads. */
export interface PriceFile {
  readonly schema: 'fsxbench.prices/1';
  readonly currency: typeof CURRENCY;
  /** Date of its newest price. */
  readonly asOf: string;
  readonly prices: readonly (Origin & {
    readonly item: string;
    readonly unit: string;
    readonly price: number;
    /** Lower end of a range, whose upper end is the price. */
    readonly low?: number;
  })[];
  readonly estimates?: readonly RegionalEstimate[];
  /** Hourly prices of instances, on demand, Linux. */
  readonly instances: readonly (Origin & { readonly prices: Readonly<Record<string, number>> })[];
}

/** All known prices. A Region's price is never silently used for another Region: a range from others is called an estimate. */
export class PriceBook {
  /** Date of its newest price. */
  readonly asOf: string;
  private readonly items = new Map<string, Price>();
  private readonly instances = new Map<string, Price>();
  private readonly estimates: readonly RegionalEstimate[];
  /** Estimates that were asked for: a search for advice asks for the same ones thousands of times. */
  private readonly estimated = new Map<string, Price | null>();

  /** @param files later ones override earlier ones */
  constructor(files: readonly PriceFile[]) {
    this.estimates = files.flatMap(({ estimates = [] }) => estimates);
    for (const { prices, instances } of files) {
      for (const { item, region, ...price } of prices) this.items.set(`${region} ${item}`, price);
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

  /** The price of an item in a Region, or the range in which it is estimated; `null` if neither is known. */
  priceOf(item: string, region: string): Price | null {
    const key = `${region} ${item}`;
    const known = this.items.get(key) ?? this.items.get(`${EVERY_REGION} ${item}`);
    if (known === undefined && !this.estimated.has(key)) this.estimated.set(key, this.estimateOf(item, region));
    return known ?? this.estimated.get(key) ?? null;
  }

  private estimateOf(item: string, region: string): Price | null {
    const rule = this.estimates.find(({ items }) => item.startsWith(items));
    if (rule === undefined || !isRegion(region) || rule.exceptRegions.some((begin) => region.startsWith(begin)))
      return null;
    const known = [...this.items].flatMap(([key, price]) => (key.endsWith(` ${item}`) ? [price] : []));
    if (known.length === 0) return null;
    const cheapest = known.reduce((low, price) => (price.price < low.price ? price : low));
    const usd = (factor: number, price = cheapest.price) => Number((price * factor).toPrecision(4));
    const low = usd(rule.low, cheapest.low);
    const { source, asOf, confidence } = rule;
    return { ...cheapest, price: usd(rule.high), low, source, asOf, confidence };
  }

  /** The hourly price of an instance: on demand, Linux. */
  instancePriceOf(type: string, region: string): Price | null {
    return this.instances.get(`${region} ${type}`) ?? null;
  }
}

export const PUBLISHED_PRICES = published as PriceFile;
export const PUBLISHED = new PriceBook([PUBLISHED_PRICES]);

/** The built-in prices, overridden by those of a file, if there is one. */
export const bookWith = (own: PriceFile | null): PriceBook =>
  own === null ? PUBLISHED : new PriceBook([PUBLISHED_PRICES, own]);
