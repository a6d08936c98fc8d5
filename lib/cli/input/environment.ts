import { statfsSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { PlanEnvironment } from '../../benchmark/plan';
import { REGION_VARIABLES } from '../../common/aws/environment';
import { ownPrices } from '../../cost/priceFile';
import { instanceType } from '../../fleet/instanceTypes';
import { bookWith, DEFAULT_REGION, type PriceBook, type PriceFile } from '../../price/prices';
import type { StorageConfiguration } from '../../schema/deployment';
import { storageOf } from '../../storage/lookup';
import { type CliContext, usage } from '../context';
import { regionOf } from './quantity';

/** Documented data of the plan's clients and servers; arms are comparable, so the first represents all. */
export function documentedEnvironment(arms: readonly StorageConfiguration[], clientType: string, startsAt: Date) {
  const [arm] = arms;
  const client = instanceType(clientType);
  const documented = arm && storageOf(arm).documented;
  const disk = arm && documented?.limits(arm).find((limit) => limit.name === 'disk');
  return {
    startsAt,
    clientMemoryBytes: client ? client.memoryMiB * 2 ** 20 : undefined,
    clientCpus: client?.vcpus,
    serverMemoryBytes: arm && (documented?.serverMemoryBytes?.(arm) ?? 0),
    capacityBytes: (arm && documented?.capacityBytes?.(arm)) ?? undefined,
    documentedBytesPerSecond: disk && disk.burstMBps * 1e6,
  };
}

/** This computer's resources for a run on local directories; the fullest directory decides. */
export function localEnvironment(directories: readonly string[]): PlanEnvironment {
  const free = directories.map((directory) => {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  });
  return { clientMemoryBytes: totalmem(), clientCpus: cpus().length, capacityBytes: Math.min(...free), lab: false };
}

/** The Region of a command: the one given, else that of the AWS environment. @throws UsageError */
export function regionNamed({ environment }: CliContext, region: string | undefined): string {
  if (region !== undefined) return regionOf(region);
  const variable = REGION_VARIABLES.find((name) => environment[name]);
  return variable === undefined ? DEFAULT_REGION : regionOf(environment[variable] as string, variable);
}

/** The prices that a command uses. @throws UsageError if prices.json has none */
export const bookOf = (context: CliContext): PriceBook => bookWith(pricesOf(context));

/** The part of the prices that is not built in, or `null`. @throws UsageError if prices.json has none */
export const pricesOf = ({ root }: CliContext): PriceFile | null => usage(() => ownPrices(root));
