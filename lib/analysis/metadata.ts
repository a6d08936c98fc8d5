import { type MetadataArm, type MetadataResults, metadataResults } from '../benchmark/metadata/analysis';
import type { Sample } from '../schema/sample';
import { asLustre } from '../storage/lustre/configuration';
import { isLab, type RunRecord } from '../store/record';

/** What the run says of metadata; `null` for a run about data. */
export function metadataOf({ plan, manifest, metrics }: RunRecord, counted: readonly Sample[]): MetadataResults | null {
  const names = [
    ...new Set([...(plan?.arms ?? []), ...counted.map(({ arm: name }) => ({ name }))].map(({ name }) => name)),
  ];
  const arms = names.map((name): MetadataArm => {
    const deployed = manifest?.arms.find((arm) => arm.name === name);
    const configuration = asLustre(plan?.arms.find((arm) => arm.name === name)?.configuration);
    const hourlyUsd = deployed?.hourlyUsd ?? null;
    const reason = deployed?.hourlyReason ?? (manifest === null ? 'the run has no manifest' : undefined);
    return { name, configuration, hourlyUsd, ...(reason === undefined ? {} : { reason }) };
  });
  const fleet = manifest?.fleet;
  return metadataResults({
    arms,
    samples: counted,
    metrics: metrics.flatMap(({ series }) => series),
    fleetHourlyUsd: fleet?.hourlyUsd ?? null,
    ...(fleet?.hourlyReason === undefined ? {} : { fleetReason: fleet.hourlyReason }),
    lab: isLab({ manifest, plan }),
  });
}
