import { instanceType } from '../fleet/instanceTypes';
import type { Sample } from '../schema/sample';
import { labelsOf, type Place, type PlatformLabels, placeOf } from '../store/platform';
import { type Session, sessionsOf } from '../store/readRun';
import type { RunRecord } from '../store/record';
import { armsIn, type RunArm } from './arm';
import { splitAttempts } from './task';

/** The clients' hardware, as reported or documented. `null` where unknown. */
export interface RunClients {
  readonly instanceType: string | null;
  readonly memoryBytes: number | null;
  readonly networkBaselineMbps: number | null;
  /** Documented EBS bandwidth of the instance type. */
  readonly toEbs: { readonly ebsBaselineMBps?: number | undefined; readonly ebsBurstMBps?: number | undefined };
  readonly networkBurstMbps: number | null;
}

/** A run with its files joined: analysis and report take this, and join nothing themselves. */
export interface Run extends RunRecord {
  readonly benchmark: string;
  readonly place: Place;
  /** True where an emulator replaced AWS. */
  readonly lab: boolean;
  /** Why something is not known of the run; `null` on AWS. */
  readonly elsewhere: PlatformLabels | null;
  /** The first is the baseline that the others are compared with. */
  readonly arms: readonly RunArm[];
  readonly clients: RunClients;
  /** One for each driver: several if the run was resumed. */
  readonly sessions: readonly Session[];
  /** Samples of the latest attempt of each arm at each step. */
  readonly counted: readonly Sample[];
  /** Samples of attempts that a later attempt of the same step replaced. */
  readonly superseded: readonly Sample[];
}

/** Joins the files of a run. */
export function runOf(record: RunRecord): Run {
  const { plan, manifest, status, samples } = record;
  const place = placeOf(record);
  const lab = place === 'lab' || place === 'model';
  return {
    ...record,
    benchmark: plan?.benchmark ?? manifest?.benchmark ?? status?.benchmark ?? 'unknown benchmark',
    place,
    lab,
    elsewhere: labelsOf(place),
    arms: armsIn(record, place),
    clients: clientsOf(record, lab),
    sessions: sessionsOf(status, samples),
    ...splitAttempts(samples),
  };
}

/** Clients' hardware by the instance type if the fleet has one, else by the clients' own description. */
function clientsOf({ plan, manifest, environment }: RunRecord, lab: boolean): RunClients {
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
