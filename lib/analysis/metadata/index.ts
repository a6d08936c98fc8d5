import { type Known, unknown } from '../../common/known';
import { armNamed } from '../../schema/plan';
import { storageOf } from '../../storage/lookup';
import type { RunArm } from '../arm';
import type { Run } from '../run';
import { balances } from './balance';
import { bounds } from './bound';
import { laws } from './law';
import { operationPrices } from './price';
import { operationRates } from './rates';
import type { Bound, MetadataResults, Need, OperationRate } from './results';
import { isMetadataOperation, standIn } from './subject';

/** Derives the results from a run; `null` where it did no operation on files. Of a plan that varies the nodes, by the most of them. Pure. */
export function metadataResults(run: Run): MetadataResults | null {
  const nodes = mostNodes(run);
  const subject = { ...run, counted: run.counted.filter(({ plannedNodes = nodes }) => plannedNodes === nodes) };
  const rates = operationRates(subject);
  if (rates.length === 0) return null;
  const bound = bounds(subject);
  const law = laws(rates, bound, subject);
  return {
    rates,
    prices: operationPrices(rates, subject),
    balance: balances(subject),
    bounds: bound,
    needs: needs(rates, bound, subject),
    ...(law.length === 0 ? {} : { laws: law }),
    nodes,
  };
}

/** The most nodes that operations on files were planned on; `undefined` where their number does not vary. */
const mostNodes = ({ counted }: Run): number | undefined =>
  counted.reduce<number | undefined>(
    (most, { operation, plannedNodes }) =>
      plannedNodes !== undefined && isMetadataOperation(operation) ? Math.max(most ?? 0, plannedNodes) : most,
    undefined,
  );

/** Returns the metadata IOPS that the workload needs, by operation and size. */
function needs(rates: readonly OperationRate[], bounds: readonly Bound[], { arms, lab }: Run): Need[] {
  const keys = new Map(
    rates.map(({ operation, fileBytes }) => [JSON.stringify([operation, fileBytes]), { operation, fileBytes }]),
  );
  return [...keys.values()].map(({ operation, fileBytes }): Need => {
    const own = rates.filter(
      (one) => one.operation === operation && one.fileBytes === fileBytes && one.rate.value !== null,
    );
    const fastest = own.sort((a, b) => (b.rate.value ?? 0) - (a.rate.value ?? 0))[0] ?? null;
    const rate = fastest?.rate.value ?? null;
    const bound = bounds.find(
      (one) => one.arm === fastest?.arm && one.operation === operation && one.fileBytes === fileBytes,
    );
    const iops =
      fastest === null || rate === null
        ? unknown('no rate was measured')
        : neededIops(armNamed(arms, fastest.arm), lab, operation, rate);
    const enough = bound?.by == null ? null : bound.by === 'client';
    return { operation, fileBytes, rate, arm: fastest?.arm ?? null, iops, enough };
  });
}

function neededIops(arm: RunArm, lab: boolean, operation: string, perSecond: number): Known {
  const local = standIn(arm, lab);
  if (local !== null) return unknown(local);
  const { planned, deployed } = arm;
  if (deployed?.model?.metadata !== undefined)
    return unknown('rates in a scale model are those of the model, not of your workload');
  const metadata = planned && storageOf(planned).documented.metadata;
  return metadata ? metadata.needed(operation, perSecond) : unknown(`nothing is documented of ${operation}`);
}
