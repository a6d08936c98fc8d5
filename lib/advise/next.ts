import { type PriceBook, PUBLISHED } from '../price/prices';
import type { AnyConfiguration } from '../schema/storage';
import { storageOf, withKind } from '../storage/lookup';
import type { Option } from './option';
import { headroomOf, neededSpace, type Requirement } from './requirement';
import { cheapestOf } from './sizes';

/** A configuration that sustains more than another one. */
export type Faster = Pick<Option, 'configuration' | 'monthlyUsd' | 'lowUsd' | 'throughputMBps'>;

/** Series of a chart that a configuration belongs to: its deployment type and kind of disks. */
export function seriesOf(configuration: AnyConfiguration): string {
  const known = withKind(configuration);
  return `${known.kind} ${storageOf(known).price.candidates?.seriesOf(known)}`;
}

/** The requirement with the rates of a demand raised to what a limit allows; head-room stays within that. */
function raised(
  requirement: Requirement,
  { mode, requiredMBps }: Option['demands'][number],
  MBps: number,
): Requirement {
  const target = MBps / (1 + headroomOf(requirement));
  const { readMBps, writeMBps } = requirement;
  if (mode === 'mixed') {
    const times = target / requiredMBps;
    return { ...requirement, readMBps: (readMBps ?? 0) * times, writeMBps: (writeMBps ?? 0) * times };
  }
  return { ...requirement, [mode === 'read' ? 'readMBps' : 'writeMBps']: target };
}

/**
 * The cheapest configuration of an option's kind that meets the requirement and sustains a rate; by list price, whatever the budget.
 *
 * @param demand the one whose rate is raised
 * @param MBps a limit of the option, or a little more than one
 * @returns `null` where no size of the kind does, or no price is known
 */
export function cheapestSustaining(
  option: Option,
  requirement: Requirement,
  demand: Option['demands'][number],
  MBps: number,
  book: PriceBook = PUBLISHED,
): Faster | null {
  const asked = raised(requirement, demand, MBps);
  const known = withKind(option.configuration);
  const { candidates } = storageOf(known).price;
  const families = candidates?.families(neededSpace(asked, candidates)) ?? [];
  return families
    .filter((family) => seriesOf(family.at(0)) === seriesOf(known))
    .flatMap((family) => cheapestOf(family, asked, book) ?? [])
    .reduce<Faster | null>(
      (low, one) =>
        one.monthlyUsd !== null && one.monthlyUsd < (low?.monthlyUsd ?? Number.POSITIVE_INFINITY) ? one : low,
      null,
    );
}
