import { type Known, known, unknown } from '../../common/known';
import { HOURS_PER_MONTH } from '../../price/prices';
import { armNamed } from '../../schema/plan';
import type { Run } from '../run';
import type { OperationPrice, OperationRate } from './results';

/** Prices of each rate. The file system and the clients cost by the hour, whatever they do. */
export function operationPrices(rates: readonly OperationRate[], { arms, manifest, lab }: Run): OperationPrice[] {
  const { hourlyUsd: fleetHourlyUsd = null, hourlyReason: fleetReason } = manifest?.fleet ?? {};
  const hourly = (name: string): Known => {
    if (lab) return unknown('nothing in the lab costs money');
    if (manifest === null) return unknown('the run has no manifest');
    const { hourlyUsd = null, hourlyReason } = armNamed(arms, name).deployed ?? {};
    return hourlyUsd === null ? unknown(hourlyReason ?? 'its list price is not known') : known(hourlyUsd);
  };
  return rates.map((each): OperationPrice => {
    const { arm, operation, fileBytes, rate } = each;
    const storage = hourly(arm);
    const fleet =
      fleetHourlyUsd === null ? unknown(fleetReason ?? 'the price of the clients is not known') : known(fleetHourlyUsd);
    const together = (figureOf: (usd: number, opsPerSecond: number) => number): Known => {
      const reason = rate.reason ?? storage.reason ?? fleet.reason;
      if (reason !== null) return unknown(reason);
      const usd = (storage.value ?? 0) + (fleet.value ?? 0);
      return usd > 0 ? known(figureOf(usd, rate.value as number)) : unknown('it costs nothing');
    };
    const cheapest = cheapestOf(each, rates, hourly);
    return {
      arm,
      operation,
      fileBytes,
      perDollar: together((usd, perSecond) => (perSecond * 3600) / usd),
      perMillion: together((usd, perSecond) => (usd * 1e6) / (perSecond * 3600)),
      perThousandMonthly:
        rate.value === null || storage.value === null
          ? unknown(rate.reason ?? storage.reason ?? 'no price is known')
          : known((storage.value * HOURS_PER_MONTH) / (rate.value / 1000)),
      perExtraThousandMonthly: extra(each, storage, cheapest),
    };
  });
}

interface Priced {
  readonly arm: string;
  readonly usd: number;
  readonly rate: number;
}

/** The cheapest arm with a rate of the same operation on files of the same size. */
function cheapestOf(
  { operation, fileBytes }: OperationRate,
  rates: readonly OperationRate[],
  hourly: (arm: string) => Known,
): Priced | null {
  const priced = rates.flatMap(({ arm, rate, ...other }): Priced[] => {
    const usd = hourly(arm).value;
    const same = other.operation === operation && other.fileBytes === fileBytes;
    return same && usd !== null && rate.value !== null ? [{ arm, usd, rate: rate.value }] : [];
  });
  return priced.sort((a, b) => a.usd - b.usd)[0] ?? null;
}

function extra({ arm, rate }: OperationRate, storage: Known, cheapest: Priced | null): Known {
  if (rate.value === null || storage.value === null || cheapest === null)
    return unknown(rate.reason ?? storage.reason ?? 'no arm has a price');
  if (cheapest.arm === arm) return unknown('the cheapest arm, which the others are compared with');
  const more = rate.value - cheapest.rate;
  if (more <= 0) return unknown(`it was not faster than ${cheapest.arm}, which costs less`);
  return known(((storage.value - cheapest.usd) * HOURS_PER_MONTH) / (more / 1000));
}
