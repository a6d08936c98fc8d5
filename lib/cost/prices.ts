import data from './prices.json';

/** How far a price can be trusted: AWS's own page or price list, somebody else's reading of it, or taken over from another Region. */
type Confidence = 'aws' | 'third-party' | 'assumed';

/** A list price. */
export interface Price {
  /** USD. */
  readonly price: number;
  /** What it is paid for: `hour`, `month`, `GB-month` … */
  readonly unit: string;
  readonly source: string;
  /** Day, month or year that the source tells the price of; `null` where it names none. */
  readonly asOf: string | null;
  readonly confidence: Confidence;
}

/** AWS's own examples use 720 or 730; prices here are always divided by 730. */
export const HOURS_PER_MONTH = 730;

/** The Region that most prices are known of. */
export const DEFAULT_REGION = 'us-east-1';

/** The youngest of the prices. */
export const PRICES_AS_OF = data.asOf;

export const CURRENCY = data.currency;

const REGIONS: Readonly<Record<string, Readonly<Record<string, number>>>> = data.ec2.regions;

/** The price of an item in a Region, or `null`: a price is never carried over without a word. */
export function priceOf(item: string, region: string): Price | null {
  const found = data.prices.find((price) => price.item === item && price.region === region);
  return found === undefined ? null : { ...found, confidence: found.confidence as Confidence };
}

/** The price of an instance an hour: on demand, Linux. */
export function instancePriceOf(type: string, region: string): Price | null {
  const prices = REGIONS[region];
  const price = prices !== undefined && Object.hasOwn(prices, type) ? prices[type] : undefined;
  if (price === undefined) return null;
  const { source, asOf, confidence } = data.ec2;
  return { price, unit: 'hour', source, asOf, confidence: confidence as Confidence };
}
