import { BENCHMARKS } from '../benchmark/registry';
import type { AnyConfiguration } from '../schema/storage';
import { storageOf, withKind } from '../storage/lookup';
import type { Assessment } from './assess';
import type { Requirement } from './requirement';

/** Fragment of a cdk.json that deploys a configuration with a fleet to test it. */
export interface Fragment {
  readonly context: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;
}

/**
 * The settings in cdk.json (docs/settings.md) that test a configuration, for each benchmark with arms of its kind that can show what the
 * requirement asks for.
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
    // Includes arms that are deployed only on request.
    arms('published', { arms: [] }).some((arm) => arm.storage.kind === storage.kind),
  ).map(({ name, proof }) => ({ name, fleet: proof?.(need) ?? null }));
  return {
    context: Object.fromEntries(
      sections.flatMap(({ name, fleet }) => (fleet === null ? [] : [[name, { ...settings, ...fleet }]])),
    ),
  };
}
