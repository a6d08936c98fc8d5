import { STORAGES } from './registry';
import type { LimitName } from './slices/documented';

/** Limits that several storages have, or that are the clients' own. */
const COMMON: Readonly<Record<string, LimitName>> = {
  client_nic: { words: 'the clients’ network cards', short: 'client NIC' },
  client_cpu: { words: 'the clients’ processors', short: 'client CPU' },
  server_network: { words: 'the file servers’ network', short: 'server network' },
  metadata_servers: { words: 'the metadata servers', short: 'metadata IOPS' },
  disk: { words: 'the disks', short: 'disk' },
  disk_compressed: { words: 'the disks behind compression', short: 'disk × ratio' },
};

const nameOf = (name: string): LimitName | undefined =>
  COMMON[name] ??
  STORAGES.find(({ documented: { limitNames } }) => limitNames?.[name] !== undefined)?.documented.limitNames?.[name];

/** The same for the head of a column. */
export const limitLabel = (name: string): string => nameOf(name)?.short ?? name;

/** A limit in words. */
export const limitWords = (name: string): string => nameOf(name)?.words ?? name;
