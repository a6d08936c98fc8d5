import type { CostOptions } from '../../price/line';
import type { CostLine, OfferSelector } from '../../schema/cost';
import type { StorageConfiguration } from '../../schema/deployment';
import type { CandidatesCapability } from '../candidates';

/** Cost of a configuration, and the configurations that could be bought. */
export interface PriceSlice<C extends StorageConfiguration = StorageConfiguration> {
  cost(configuration: C, options: CostOptions): readonly CostLine[];
  /** Rows of AWS's price lists that price it, by the code of the service. @default - none is read */
  readonly offers?: Readonly<Record<string, OfferSelector>>;
  /** Key of what arms share, such as servers: one of it is made, paid for and counted once for all of them. @default - each has its own */
  shared?(configuration: C): string;
  /** @default - it is not among what `advise` can choose */
  readonly candidates?: CandidatesCapability<C>;
  /** Why `advise` cannot choose it, to complete "… is not considered:". @default - it has candidates, or nothing of it is bought */
  readonly notAdvised?: string;
}
