import { instanceType } from '../fleet/instanceTypes';
import { labelsOf, placeOf } from '../store/platform';
import { sessionsOf } from '../store/readRun';
import type { RunRecord } from '../store/record';
import { armsIn } from './arm';
import { splitAttempts } from './task';

/** A run with its files joined: analysis and report take this, and join nothing themselves. */
export type Run = ReturnType<typeof runOf>;

export function runOf(record: RunRecord) {
  const { plan, manifest, status, samples } = record;
  const place = placeOf(record);
  const lab = place === 'lab' || place === 'model';
  return {
    ...record,
    benchmark: plan?.benchmark ?? manifest?.benchmark ?? status?.benchmark ?? 'unknown benchmark',
    place,
    /** True where an emulator replaced AWS. */
    lab,
    /** Why something is not known of the run; `null` on AWS. */
    elsewhere: labelsOf(place),
    /** The first is the baseline that the others are compared with. */
    arms: armsIn(record, place),
    clients: clientsOf(record, lab),
    /** One for each driver: several if the run was resumed. */
    sessions: sessionsOf(status, samples),
    ...splitAttempts(samples),
  };
}

/** Clients' hardware and its documented bandwidth by the instance type if the fleet has one, else by the clients' own description. */
function clientsOf({ plan, manifest, environment }: RunRecord, lab: boolean) {
  const name = lab ? null : (manifest?.fleet.instanceType ?? plan?.fleet.instanceType ?? null);
  const type = name === null ? null : instanceType(name);
  const said = environment.flatMap(({ facts }) => facts.memoryBytes ?? []);
  return {
    instanceType: name,
    memoryBytes: type === null ? (said.length === 0 ? null : Math.max(...said)) : type.memoryMiB * 2 ** 20,
    networkBaselineMbps: type?.networkBaselineMbps ?? null,
    networkBurstMbps: type?.networkBurstMbps ?? type?.networkBaselineMbps ?? null,
    toEbs: { ebsBaselineMBps: type?.ebsBaselineMBps, ebsBurstMBps: type?.ebsBurstMBps },
  };
}
