import { BENCHMARKS } from '../benchmark/registry';
import { type AnyConfiguration, storageOf, withKind } from '../storage/lookup';
import type { Assessment } from './assess';
import type { Requirement } from './requirement';

/** Fragment of a cdk.json that deploys a configuration with a fleet to test it. */
export interface Fragment {
  readonly context: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;
}

/**
 * The part of cdk.json (docs/settings.md) to prove a configuration, of every benchmark whose arms are of its kind and that has something to
 * say of the requirement.
 */
export function fragmentOf(
  configuration: AnyConfiguration,
  requirement: Requirement,
  { demands, capacityTB }: Pick<Assessment, 'demands' | 'capacityTB'>,
): Fragment {
  const isElastic = capacityTB === null;
  const storage = withKind(configuration);
  const settings = storageOf(storage).price.candidates?.settings(storage);
  const { createsPerSecond, clients } = requirement;
  const need = {
    storage,
    // What grows with the data has ceilings that no workload needs; the others are proven by reaching theirs.
    throughputMBps: Math.max(
      ...demands.map(({ requiredMBps, storageMBps }) =>
        isElastic ? requiredMBps : Math.max(requiredMBps, storageMBps),
      ),
    ),
    createsPerSecond,
    clients,
  };
  const sections = BENCHMARKS.filter(({ arms }) =>
    // Also the arms that are there only where they are asked for.
    arms('published', { arms: [] }).some((arm) => arm.storage.kind === storage.kind),
  ).map(({ name, proof }) => ({ name, fleet: proof?.(need) ?? null }));
  return {
    context: Object.fromEntries(
      sections.flatMap(({ name, fleet }) => (fleet === null ? [] : [[name, { ...settings, ...fleet }]])),
    ),
  };
}
