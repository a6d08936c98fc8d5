/** One file server, or two of which one stands by, in the zone of the clients. */
export const DEPLOYMENT_TYPES = ['SINGLE_AZ_2', 'SINGLE_AZ_HA_2'] as const;

export const COMPRESSIONS = ['none', 'lz4', 'zstd'] as const;

/** A file system of FSx for OpenZFS on SSD, as it is asked for. */
export interface OpenZfsStorage {
  readonly kind: 'openzfs';
  readonly deploymentType: (typeof DEPLOYMENT_TYPES)[number];
  readonly storageCapacityGiB: number;
  /** MB/s. */
  readonly throughputMBps: number;
  /** Of the root volume, which is what clients mount. @default none */
  readonly compression?: (typeof COMPRESSIONS)[number];
  /** SSD IOPS. @default - 3 per GiB, which the price includes */
  readonly iops?: number;
  /** Of the root volume. @default 128 */
  readonly recordKiB?: number;
}

/** In a line, for people: `OpenZFS SINGLE_AZ_2 1200 GiB, 640 MB/s, LZ4`. */
export function describeOpenZfs(configuration: OpenZfsStorage): string {
  const { deploymentType, storageCapacityGiB, throughputMBps, compression = 'none', iops, recordKiB } = configuration;
  return [
    `OpenZFS ${deploymentType} ${storageCapacityGiB} GiB`,
    `${throughputMBps} MB/s`,
    ...(iops === undefined ? [] : [`${iops} IOPS`]),
    ...(recordKiB === undefined ? [] : [`records of ${recordKiB} KiB`]),
    ...(compression === 'none' ? [] : [compression === 'lz4' ? 'LZ4' : 'zstd']),
  ].join(', ');
}
