import { armNamed } from '../../schema/plan';
import { storageOf } from '../../storage/lookup';
import type { RunArm } from '../arm';
import type { Run } from '../run';
import { type Bound, type MetadataFigure, type Need, type OperationRate, unknown } from './results';
import { standIn } from './subject';

/** Returns the metadata IOPS that the workload needs, by operation and size. */
export function needs(rates: readonly OperationRate[], bounds: readonly Bound[], { arms, lab }: Run): Need[] {
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

function neededIops(arm: RunArm, lab: boolean, operation: string, perSecond: number): MetadataFigure {
  const local = standIn(arm, lab);
  if (local !== null) return unknown(local);
  const { planned, deployed } = arm;
  if (deployed?.model?.metadata !== undefined)
    return unknown('rates in a scale model are those of the model, not of your workload');
  const metadata = planned && storageOf(planned).documented.metadata;
  return metadata ? metadata.needed(operation, perSecond) : unknown(`nothing is documented of ${operation}`);
}
