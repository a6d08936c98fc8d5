import type { StorageConfiguration } from '../schema/deployment';
import type { DeployedArm } from '../schema/run';
import { isNeverDeployed, storageOrNone } from '../storage/lookup';
import { labelsOf, type Place } from '../store/platform';
import type { RunRecord } from '../store/record';

/** One arm of a run: all that plan, manifest, samples and metrics say of it. */
export type RunArm = ReturnType<typeof armsIn>[number];

export function armsIn({ plan, manifest, samples, metrics }: RunRecord, place: Place) {
  const planned = new Map(plan?.arms.map((arm) => [arm.name, arm]));
  const deployed = new Map(manifest?.arms.map((arm) => [arm.name, arm]));
  const series = Map.groupBy(
    metrics.flatMap(({ series: own }) => own),
    ({ arm }) => arm,
  );
  const names = new Set([...planned.keys(), ...deployed.keys(), ...samples.map(({ arm }) => arm)]);
  return [...names].map((name) => {
    const [wanted, found = null] = [planned.get(name), deployed.get(name)];
    return {
      name,
      description: found?.description ?? wanted?.description ?? 'not described by plan or manifest',
      /** The manifest's entry: the service's description, its price, its scale model. */
      deployed: found,
      planned: wanted?.configuration ?? null,
      ...settingsOf(found, wanted?.configuration ?? null),
      /** Why something is not known of it; `null` on AWS. In a run on a scale model, an arm without a model is a plain arm of the lab. */
      elsewhere: labelsOf(place === 'model' && found?.model === undefined ? 'lab' : place),
      series: series.get(name) ?? [],
    };
  });
}

/** The configuration as deployed; as planned if the service did not report it. `null` with a reason. */
function settingsOf(deployed: DeployedArm | null, planned: StorageConfiguration | null) {
  const { kind } = deployed ?? planned ?? {};
  const storage = (kind === undefined ? undefined : storageOrNone(kind)) ?? null;
  if (isNeverDeployed(storage))
    return { storage, configuration: null, reason: 'it is a directory, not a file system of Amazon FSx' };
  const configuration = storage?.account.fromDescription(deployed?.describe ?? null, planned) ?? null;
  return { storage, configuration, reason: configuration === null ? 'neither plan nor service describes it' : null };
}

/** The algorithm that compresses an arm's data, as claims name it: `LZ4`, or `NONE` (also the value for an unknown one). */
export const compressionOf = ({ storage, configuration }: Pick<RunArm, 'storage' | 'configuration'>): string =>
  (configuration && storage?.configuration.compression?.(configuration)) ?? NOTHING;

const NOTHING = 'NONE';

export const compresses = (arm: Pick<RunArm, 'storage' | 'configuration'>): boolean => compressionOf(arm) !== NOTHING;

type OfArm = { readonly arm: string };

const grouped = new WeakMap<readonly OfArm[], Map<string, readonly OfArm[]>>();

/** Members of a list that belong to an arm, in their order. Each list is grouped once: a search for each arm would take the square of their number. */
export function ofArm<T extends OfArm>(list: readonly T[], arm: string): readonly T[] {
  const groups = grouped.get(list) ?? Map.groupBy<string, OfArm>(list, (one) => one.arm);
  grouped.set(list, groups);
  return (groups.get(arm) ?? []) as readonly T[];
}
