import type { DeployedArm } from '../schema/run';
import { changingOf, storageNamed } from '../storage/lookup';

/** Sentences about arms that their services are still changing, before anything is measured. */
export function changeWarnings(arms: readonly DeployedArm[]): string[] {
  return arms.flatMap((arm) => {
    const changing = changingOf(arm);
    return changing === null
      ? []
      : `${storageNamed(arm.kind).label} is still changing ${arm.fileSystemId} (${arm.name}): ${changing}. That takes throughput from what is measured: stop this run, and start it again when the change is complete`;
  });
}
