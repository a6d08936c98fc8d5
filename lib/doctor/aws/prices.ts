import { deploymentLines, partsOf } from '../../cost/deployment';
import { costDocument } from '../../price/cost';
import { type AccountFinding, type CheckedDeployment, ok, wrong } from './check';

/** List prices change a few times a year. */
const OLD_DAYS = 90;
const DAY = 86_400_000;

/** The cost of the deployment and the age of the prices. */
export function prices({ configuration, region, now, book }: CheckedDeployment): AccountFinding[] {
  const NAME = 'prices';
  const { hourly, reason, pricesAsOf } = costDocument(
    region,
    deploymentLines(partsOf(configuration), region, book),
    book,
  );
  const days = Math.floor((now.getTime() - Date.parse(pricesAsOf)) / DAY);
  const cost = hourly === null ? `unknown: ${reason}` : `${hourly.toFixed(2)} USD/h`;
  const found = `${cost}; list prices of ${pricesAsOf}, ${days} days old`;
  const refresh = `npx fsxbench cost ${configuration.definition.name} --refresh`;
  if (hourly === null) return [wrong(NAME, 'limited', found, 'fetch the price lists of the Region', refresh)];
  if (days > OLD_DAYS) return [wrong(NAME, 'limited', found, 'fetch the price lists again', refresh)];
  return [ok(NAME, found)];
}
