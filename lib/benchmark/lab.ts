import type { Benchmark } from './benchmark';

/** What the lab can deploy: with the settings of the benchmark for it, and as the study was. */
export function labDeployments({ arms, lab: { settings } }: Benchmark) {
  const study = { settings: {}, arms: arms('published') };
  return settings === undefined ? [study] : [{ settings, arms: arms('published', settings) }, study];
}

/** The first of these that has all chosen arms. */
export function labDeploymentOf(definition: Benchmark, chosen: readonly string[]) {
  const found = labDeployments(definition).find(({ arms }) =>
    chosen.every((name) => arms.some((arm) => arm.name === name)),
  );
  return found ?? { settings: {}, arms: [] };
}
