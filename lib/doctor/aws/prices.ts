import { sumOf } from '../../cost/cost';
import { deploymentLines, partsOf } from '../../cost/deployment';
import { PRICES_AS_OF } from '../../cost/prices';
import { type AccountFinding, ok, type Subject, wrong } from './check';

/** List prices change a few times a year. */
const OLD_DAYS = 90;
const DAY = 86_400_000;

/** What the deployment costs, and how far that can be trusted. */
export function prices({ configuration, region, now }: Subject): AccountFinding[] {
  const NAME = 'prices';
  const days = Math.floor((now.getTime() - Date.parse(PRICES_AS_OF)) / DAY);
  const { hourlyUsd, reason } = sumOf(deploymentLines(partsOf(configuration), region));
  const cost = hourlyUsd === null ? `not known: ${reason}` : `${hourlyUsd.toFixed(2)} USD/h`;
  const found = `${cost}; list prices of ${PRICES_AS_OF}, ${days} days old`;
  const refresh = `npx fsxbench cost ${configuration.definition.name} --refresh`;
  if (hourlyUsd === null) return [wrong(NAME, 'limited', found, 'fetch the price lists of the Region', refresh)];
  if (days > OLD_DAYS) return [wrong(NAME, 'limited', found, 'fetch the price lists anew', refresh)];
  return [ok(NAME, found)];
}
