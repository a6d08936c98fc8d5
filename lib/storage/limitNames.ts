import { STORAGES } from './registry';
import type { LimitName } from './slices/documented';

/** The words of every limit by its id: of those that several storages have, or that are the clients' own, and of each storage's. */
export const LIMIT_NAMES: Readonly<Record<string, LimitName>> = {
  client_nic: { words: 'the clients’ network cards', short: 'client NIC' },
  client_cpu: { words: 'the clients’ CPUs', short: 'client CPU' },
  server_network: { words: 'the file servers’ network', short: 'server network' },
  streams: { words: 'the requests in flight', short: 'streams' },
  s3_import: { words: 'the import from S3', short: 'S3 import' },
  s3_restore: { words: 'lfs hsm_restore', short: 'S3 restore' },
  s3_export: { words: 'the export to S3', short: 'S3 export' },
  metadata_servers: { words: 'the metadata servers', short: 'metadata IOPS' },
  disk: { words: 'the disks', short: 'disk' },
  disk_compressed: { words: 'the disks behind compression', short: 'disk × ratio' },
  ...Object.assign({}, ...STORAGES.map(({ documented }) => documented.limitNames)),
};

export const describeLimit = (name: string): string => LIMIT_NAMES[name]?.words ?? name;

export const limitLabel = (name: string): string => LIMIT_NAMES[name]?.short ?? name;

/** `the disks sustain`: completes "of what". */
export const limitSustains = (name: string): string =>
  `${describeLimit(name)} sustain${/network$/.test(name) ? 's' : ''}`;
