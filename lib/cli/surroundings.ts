import { statfsSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { BenchmarkDefinition, Scale } from '../benchmark/definition';
import { instanceType } from '../fleet/instanceTypes';
import type { Surroundings } from '../plan/checks';
import { limitsOf, serverMemoryBytes } from '../storage/limits';

/** What is documented of the machines of a benchmark at a scale. */
export function documentedSurroundings(definition: BenchmarkDefinition, scale: Scale): Surroundings {
  const [arm] = definition.arms(scale);
  const client = instanceType(definition.fleet(scale).instanceType);
  const capacityGiB = arm?.lustre.storageCapacityGiB;
  const disk = arm ? limitsOf(arm.lustre).find((limit) => limit.name === 'disk') : undefined;
  return {
    ...(client ? { clientMemoryBytes: client.memoryMiB * 2 ** 20, clientCpus: client.vcpus } : {}),
    ...(arm ? { serverMemoryBytes: serverMemoryBytes(arm.lustre) ?? 0 } : {}),
    ...(capacityGiB === undefined ? {} : { capacityBytes: capacityGiB * 2 ** 30 }),
    ...(disk ? { documentedBytesPerSecond: disk.burstMBps * 1e6 } : {}),
  };
}

/** What this machine has for a run on local directories; the fullest of them decides. */
export function localSurroundings(directories: readonly string[], lab: boolean): Surroundings {
  const free = directories.map((directory) => {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  });
  return { clientMemoryBytes: totalmem(), clientCpus: cpus().length, capacityBytes: Math.min(...free), lab };
}
