/** Reliability of a price: AWS's own page or price list, a third party's reading of it, assumed equal to another Region's, or a range from others. */
export const CONFIDENCES = ['aws', 'third-party', 'assumed', 'estimated'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export interface Price {
  /** USD; of a range its upper end. */
  readonly price: number;
  /** Lower end of a range. @default - the price is known exactly */
  readonly low?: number;
  /** Unit that the price is for: `hour`, `month`, `GB-month` … */
  readonly unit: string;
  readonly source: string;
  /** Day, month or year of the price in its source; `null` if the source names none. */
  readonly asOf: string | null;
  readonly confidence: Confidence;
}

/** One thing that costs money while it is there, in USD. */
export interface CostLine {
  readonly item: string;
  readonly quantity: number | null;
  readonly unit: string;
  readonly unitPrice: number | null;
  /** quantity × unitPrice, a month taken as 730 hours; `null` with a `reason` where one of them is not known. */
  readonly hourly: number | null;
  /** Lower end of `hourly` if the price is a range, whose upper end is the unit price. @default - the price is known exactly */
  readonly hourlyLow?: number;
  /** The range of the unit price, in words. @default - the price is known exactly */
  readonly range?: string;
  /** Cost once per deployment; its `hourly` is then 0. `null` if the price is unknown. @default - none */
  readonly onceUsd?: number | null;
  readonly source: string;
  /** Day, month or year of the price; `null` where its source names none, or there is no price. */
  readonly asOf: string | null;
  /** `null` without a price. */
  readonly confidence: Confidence | null;
  readonly reason?: string;
  readonly missingPrice?: string;
}

/** Stands for every Region where AWS has one price for all. */
export const EVERY_REGION = '*';

/** A row of a price list by the names of its columns, in small letters without blanks: AWS writes both `usageType` and `Usage Type`. */
export type OfferRow = Readonly<Record<string, string>>;

/** A price that a row of AWS's lists is. */
export interface Offered {
  /** `fsx/SCRATCH_2` …, or the type of an instance. */
  readonly item: string;
  readonly unit: string;
  readonly instance?: true;
  /** @default - that of the list */
  readonly region?: typeof EVERY_REGION;
}

/** Returns the item that a row is the price of, by its columns and its usage type without Region; `null` for an item that is not needed. */
export type OfferSelector = (row: OfferRow, usage: string) => Offered | null;
