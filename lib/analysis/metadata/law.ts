import { isDeepStrictEqual } from 'node:util';
import { keyOf } from '../../common/keyOf';
import { storageOf } from '../../storage/lookup';
import type { RunArm } from '../arm';
import type { Run } from '../run';
import type { Bound, IopsLaw, OperationRate } from './results';

/** Allowed deviation of the operations per IOPS: that of predicted and measured rates. A convention of fsxbench. */
const TOLERANCE = 0.1;

type Point = IopsLaw['points'][number];

/** The law of metadata IOPS on the arms that are scale models, for each operation that has a documented rate for each of them. */
export function laws(rates: readonly OperationRate[], bounds: readonly Bound[], { arms }: Run): IopsLaw[] {
  const comparable = armsByIops(arms.filter(({ deployed }) => deployed?.model?.metadata !== undefined));
  if (comparable.length < 2) return [];
  const documented = new Set(comparable.flatMap(({ operations }) => operations));
  const byOperation = Map.groupBy(
    rates.filter(({ operation }) => documented.has(operation)),
    ({ operation, fileBytes }) => keyOf(operation, fileBytes),
  );
  return [...byOperation.values()].map((own): IopsLaw => {
    const { operation, fileBytes } = own[0] as OperationRate;
    const points = comparable.flatMap(({ arm, iops }): Point[] => {
      const perSecond = own.find((one) => one.arm === arm)?.rate.value ?? null;
      return perSecond === null ? [] : [{ arm, iops, perSecond }];
    });
    const base = { operation, fileBytes, points };
    if (points.length < 2)
      return { ...base, verdict: 'undecided', furthest: null, reason: 'fewer than two arms have a rate for it' };
    const [least, ...others] = points as [Point, ...Point[]];
    const furthest = others
      .map(({ iops, perSecond }) => perSecond / iops / (least.perSecond / least.iops))
      .reduce((most, one) => (Math.abs(Math.log(one)) > Math.abs(Math.log(most)) ? one : most));
    if (Math.abs(furthest - 1) <= TOLERANCE) return { ...base, furthest, verdict: 'reproduced', reason: null };
    const paced = points.filter(({ arm }) =>
      bounds.some(
        (one) => one.arm === arm && one.operation === operation && one.fileBytes === fileBytes && one.by === 'client',
      ),
    );
    return paced.length === 0
      ? { ...base, furthest, verdict: 'not reproduced', reason: null }
      : {
          ...base,
          furthest,
          verdict: 'undecided',
          reason: `the clients set the pace on ${paced.map(({ arm }) => arm).join(', ')}`,
        };
  });
}

/** The arms that differ from the first in their metadata IOPS alone, those with the least first. */
function armsByIops(arms: readonly RunArm[]) {
  const known = arms.flatMap(({ name, planned: configuration }) => {
    const metadata = configuration === null ? undefined : storageOf(configuration).documented.metadata;
    const iops = configuration === null ? null : (metadata?.iops(configuration) ?? null);
    if (configuration === null || metadata === undefined || iops === null) return [];
    const { metadata: _, ...others } = configuration as typeof configuration & { metadata?: unknown };
    return [{ arm: name, iops, others, operations: Object.keys(metadata.rates(configuration) ?? {}) }];
  });
  return known
    .filter(({ others }) => isDeepStrictEqual(others, known[0]?.others))
    .sort((a, b) => a.iops - b.iops)
    .filter(({ iops }, index, all) => iops !== all[index - 1]?.iops);
}
