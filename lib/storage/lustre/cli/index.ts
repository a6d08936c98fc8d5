import type { StorageCommands } from '../../../cli/storageCommands';

/** What FSx for Lustre adds to the command line. */
export const lustreCommands: StorageCommands = {
  kind: 'lustre',
  configuration: {
    options: [
      ['--deployment <type>', 'SCRATCH_2, PERSISTENT_1 or PERSISTENT_2'],
      ['--storage-type <type>', 'SSD, HDD or INTELLIGENT_TIERING; default: SSD'],
      ['--per-unit <MB/s>', 'MB/s per TiB, such as 200'],
      ['--capacity <GiB>', 'storage capacity, such as 14400'],
      ['--throughput-capacity <MB/s>', 'throughput capacity of Intelligent-Tiering'],
      ['--drive-cache <type>', 'NONE or READ; HDD'],
      ['--read-cache <size>', 'none, proportional or GiB; Intelligent-Tiering'],
      ['--metadata-iops <number>', 'automatic or a number; PERSISTENT_2'],
      ['--compression <type>', 'NONE or LZ4; default: LZ4 with a ratio, NONE without'],
    ],
    load: async () => (await import('./configurationOptions')).lustreOptions,
  },
};
