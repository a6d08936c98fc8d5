import { statfsSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { Surroundings } from '../../benchmark/plan';
import { instanceType } from '../../fleet/instanceTypes';
import type { StorageConfiguration } from '../../schema/storage';
import { storageOf } from '../../storage/lookup';

/** Documented data of the plan's clients and servers; arms are comparable, so the first represents all. */
export function documentedSurroundings(
  arms: readonly StorageConfiguration[],
  clientType: string,
  startsAt: Date,
): Surroundings {
  const [arm] = arms;
  const client = instanceType(clientType);
  const storage = arm && storageOf(arm);
  const capacityBytes = arm && storage?.documented.capacityBytes?.(arm);
  const disk = arm && storage?.documented.limits(arm).find((limit) => limit.name === 'disk');
  return {
    startsAt,
    clientMemoryBytes: client ? client.memoryMiB * 2 ** 20 : undefined,
    clientCpus: client?.vcpus,
    serverMemoryBytes: arm && (storage?.documented.serverMemoryBytes?.(arm) ?? 0),
    capacityBytes: capacityBytes ?? undefined,
    documentedBytesPerSecond: disk && disk.burstMBps * 1e6,
  };
}

/** This machine's resources for a run on local directories; the fullest directory decides. */
export function localSurroundings(directories: readonly string[], lab: boolean): Surroundings {
  const free = directories.map((directory) => {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  });
  return { clientMemoryBytes: totalmem(), clientCpus: cpus().length, capacityBytes: Math.min(...free), lab };
}
