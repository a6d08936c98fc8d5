import { instanceType } from '../fleet/instanceTypes';
import { storageOf, storageOrNone } from '../storage/lookup';
import type { Storage, StorageConfiguration } from '../storage/storage';
import { isLab, type RunRecord } from '../store/record';

/** One arm, joined from plan, manifest and samples. */
export interface AnalysedArm {
  readonly name: string;
  /** Configuration as deployed; as planned if the service did not report it. `null` with a reason. */
  readonly configuration: StorageConfiguration | null;
  readonly reason: string | null;
  /** Its kind; `null` for one that this release does not know. */
  readonly storage: Storage | null;
}

/** The clients' hardware, as reported or documented. `null` where unknown. */
export interface AnalysedClients {
  readonly instanceType: string | null;
  readonly memoryBytes: number | null;
  readonly networkBaselineMbps: number | null;
  /** Documented EBS bandwidth of the instance type. */
  readonly toEbs: { readonly ebsBaselineMBps?: number | undefined; readonly ebsBurstMBps?: number | undefined };
  readonly networkBurstMbps: number | null;
}

/** The algorithm that compresses an arm's data, as claims name it: `LZ4`, or `NONE` (also if unknown). */
export function compressionOf(arm: Pick<AnalysedArm, 'storage' | 'configuration'> | undefined): string {
  return (arm?.configuration && arm.storage?.configuration.compression?.(arm.configuration)) ?? NOTHING;
}

const NOTHING = 'NONE';

/** True if something compresses the data of an arm. */
export function compresses(arm: Pick<AnalysedArm, 'storage' | 'configuration'> | undefined): boolean {
  return compressionOf(arm) !== NOTHING;
}

/** The arms that plan, manifest and samples name, in this order. */
export function armsOf({ plan, manifest, samples }: RunRecord): AnalysedArm[] {
  const names = new Set([
    ...(plan?.arms ?? []).map(({ name }) => name),
    ...(manifest?.arms ?? []).map(({ name }) => name),
    ...samples.map(({ arm }) => arm),
  ]);
  return [...names].map((name) => {
    const planned = plan?.arms.find((arm) => arm.name === name)?.configuration ?? null;
    const deployed = manifest?.arms.find((arm) => arm.name === name) ?? null;
    const storage = (deployed === null ? storageOf(planned ?? {}) : storageOrNone(deployed.kind)) ?? null;
    if (storage?.local)
      return { name, storage, configuration: null, reason: 'it is a directory, not a file system of Amazon FSx' };
    const configuration = storage?.account.fromDescription(deployed?.describe ?? null, planned) ?? null;
    const reason = configuration === null ? 'neither plan nor service describes it' : null;
    return { name, storage, configuration, reason };
  });
}

/** Clients' hardware by the instance type if the fleet has one, else by the clients' own description. */
export function clientsOf({ plan, manifest, environment }: RunRecord): AnalysedClients {
  const name = isLab({ manifest, plan }) ? null : (manifest?.fleet.instanceType ?? plan?.fleet.instanceType ?? null);
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
