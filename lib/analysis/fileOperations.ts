import type { MetadataArm, MetadataResults, MetadataSubject } from '../benchmark/operations';
import { BENCHMARKS } from '../benchmark/registry';
import type { Sample } from '../schema/sample';
import { isLab, type RunRecord } from '../store/record';
import { modelOf } from './limits/modelled';

/** Returns the metadata results of a run; `null` for a run about data. */
export function metadataOf(record: RunRecord, counted: readonly Sample[]): MetadataResults | null {
  const { plan, manifest, metrics } = record;
  const names = [
    ...new Set([...(plan?.arms ?? []), ...counted.map(({ arm: name }) => ({ name }))].map(({ name }) => name)),
  ];
  const arms = names.map((name): MetadataArm => {
    const deployed = manifest?.arms.find((arm) => arm.name === name);
    const configuration = plan?.arms.find((arm) => arm.name === name)?.configuration ?? null;
    const hourlyUsd = deployed?.hourlyUsd ?? null;
    const reason = deployed?.hourlyReason ?? (manifest === null ? 'the run has no manifest' : undefined);
    const held = modelOf(record, name)?.metadata;
    return { name, configuration, hourlyUsd, ...(reason === undefined ? {} : { reason }), ...(held ? { held } : {}) };
  });
  const fleet = manifest?.fleet;
  const subject: MetadataSubject = {
    arms,
    samples: counted,
    metrics: metrics.flatMap(({ series }) => series),
    fleetHourlyUsd: fleet?.hourlyUsd ?? null,
    ...(fleet?.hourlyReason === undefined ? {} : { fleetReason: fleet.hourlyReason }),
    lab: isLab({ manifest, plan }),
  };
  for (const { analyse } of BENCHMARKS) {
    const results = analyse?.(subject) ?? null;
    if (results !== null) return results;
  }
  return null;
}
