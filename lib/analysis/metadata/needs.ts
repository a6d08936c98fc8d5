import { storageOf } from '../../storage/lookup';
import { type Bound, type MetadataArm, type MetadataFigure, type Need, type OperationRate, unknown } from './results';
import { standIn } from './subject';

/** Returns the metadata IOPS that the workload needs, by operation and size. */
export function needs(
  rates: readonly OperationRate[],
  bounds: readonly Bound[],
  arms: readonly MetadataArm[],
  lab: boolean,
): Need[] {
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
    const local = fastest === null ? 'no rate was measured' : standIn(arms, fastest.arm, lab);
    const iops =
      rate === null || local !== null
        ? unknown(local ?? 'no rate was measured')
        : neededIops(arms, fastest?.arm ?? '', operation, rate);
    const enough = bound?.by == null ? null : bound.by === 'client';
    return { operation, fileBytes, rate, arm: fastest?.arm ?? null, iops, enough };
  });
}

function neededIops(arms: readonly MetadataArm[], name: string, operation: string, perSecond: number): MetadataFigure {
  const { configuration = null, held } = arms.find((arm) => arm.name === name) ?? {};
  if (held !== undefined) return unknown('rates in a scale model are those of the model, not of your workload');
  const metadata = configuration && storageOf(configuration).documented.metadata;
  return metadata ? metadata.needed(operation, perSecond) : unknown(`nothing is documented of ${operation}`);
}
