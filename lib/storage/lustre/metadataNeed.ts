import type { Bound } from '../../benchmark/metadata/analysis/bound';
import type { OperationRate } from '../../benchmark/metadata/analysis/rates';
import {
  known,
  type MetadataArm,
  type MetadataFigure,
  standIn,
  unknown,
} from '../../benchmark/metadata/analysis/subject';
import { METADATA_IOPS, nextMetadataIops } from './documented';
import { metadataRates } from './limits';

/** How many metadata IOPS the fastest rate of an operation takes, by the documented rates. */
export interface Need {
  readonly operation: string;
  readonly fileBytes: number | null;
  /** The fastest rate that an arm reached, and which arm. */
  readonly rate: number | null;
  readonly arm: string | null;
  /** The smallest number that AWS provisions for it. */
  readonly iops: MetadataFigure;
  /** More would not be used by these clients: `null` where it is not known what set the pace. */
  readonly enough: boolean | null;
}

/** Documented operations a second for one metadata IOPS; `null` where none is published. */
export function operationsPerIops(operation: string): number | null {
  const probe = METADATA_IOPS.step;
  const rates = metadataRates({ deploymentType: 'PERSISTENT_2', metadata: { mode: 'USER_PROVISIONED', iops: probe } });
  const rate = (rates as Readonly<Record<string, number>> | null)?.[operation];
  return rate === undefined ? null : rate / probe;
}

/** The metadata IOPS that so many operations a second need, as AWS provisions them. */
export function neededIops(operation: string, perSecond: number): MetadataFigure {
  const factor = operationsPerIops(operation);
  if (factor === null) return unknown(`AWS publishes no rate for ${operation}`);
  const iops = perSecond / factor;
  if (iops > METADATA_IOPS.max)
    return unknown(
      `it takes ${Math.round(iops)} metadata IOPS, and ${METADATA_IOPS.max} are the most that AWS provisions`,
    );
  return known(nextMetadataIops(iops));
}

/** What the workload as it was run needs, by operation and size. */
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
      rate === null || local !== null ? unknown(local ?? 'no rate was measured') : neededIops(operation, rate);
    const enough = bound?.by == null ? null : bound.by === 'client';
    return { operation, fileBytes, rate, arm: fastest?.arm ?? null, iops, enough };
  });
}
