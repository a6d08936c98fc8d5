import type { Plan } from '../schema/plan';
import type { Benchmark } from './benchmark';

/** The clients of a benchmark in the lab. */
export const labFleet = ({ lab: { slurmNodes } }: Benchmark): Plan['fleet'] =>
  slurmNodes === undefined
    ? { clients: 1, instanceType: null, ranksPerClient: 2 }
    : { clients: slurmNodes, instanceType: null, ranksPerClient: 1 };

/** Scope of a scale model: `servers` with disk and link, the same for every arm, or only the `disks` of stand-ins where arms differ in their kind of storage. */
export const modelledIn = ({ arms }: Benchmark): 'servers' | 'disks' =>
  new Set(arms('published').map(({ storage }) => storage.kind)).size === 1 ? 'servers' : 'disks';

/** Deployments possible in the lab: with the benchmark's lab settings, as in the study, and with arms available only through the setting `arms`. */
export function labDeployments({ arms, lab: { settings } }: Benchmark, chosen: readonly string[] = []) {
  const study = { settings: {}, arms: arms('published') };
  const named = { settings: { arms: chosen }, arms: arms('published', { arms: chosen }) };
  return [
    ...(settings === undefined ? [] : [{ settings, arms: arms('published', settings) }]),
    study,
    ...(named.arms.length > study.arms.length ? [named] : []),
  ];
}

/** The first of these that has all chosen arms. */
export function labDeploymentOf(definition: Benchmark, chosen: readonly string[]) {
  const found = labDeployments(definition, chosen).find(({ arms }) =>
    chosen.every((name) => arms.some((arm) => arm.name === name)),
  );
  return found ?? { settings: {}, arms: [] };
}
