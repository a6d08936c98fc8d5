import type { StorageConfiguration } from '../../schema/deployment';
import { storageOf } from '../../storage/lookup';

/** The most that the setting `clients` takes. */
const MOST_CLIENTS = 1000;

/** Returns at least this many clients, in two equal halves if possible. */
export const evenClients = (needed: number): number => Math.min(MOST_CLIENTS, Math.max(2, Math.ceil(needed / 2) * 2));

/** A fifth more than required: the clients must not be the bottleneck. */
export const SPARE = 1.2;

/** A need and the file system that was advised for it. */
export interface ProofNeed {
  readonly storage: StorageConfiguration;
  /** Rate that the clients must be able to reach to make the storage the limit. */
  readonly throughputMBps: number;
  readonly createsPerSecond?: number;
  /** The clients that the workload has. @default - not known */
  readonly clients?: { readonly count: number; readonly instanceType?: string; readonly efa?: boolean };
}

/** The clients of a bandwidth that reach a rate on a storage, with something to spare. */
export function clientsFor({ throughputMBps, storage }: ProofNeed, networkBaselineMbps = 1, efa = false): number {
  const one = storageOf(storage)
    .documented.limits(storage, { clients: { count: 1, networkBaselineMbps, efa } })
    .filter(({ name }) => name.startsWith('client_'));
  return Math.ceil((throughputMBps * SPARE) / Math.min(...one.map(({ baselineMBps }) => baselineMBps)));
}
