/** One fio command of the paired plan: sequential, time-bounded, a file per job, data kept for the read. */
export interface FioOptions {
  readonly operation: 'write' | 'read';
  /** `buffer_compress_percentage`, see {@link fioPattern}. */
  readonly percent: number;
  readonly seconds: number;
  readonly maxBytesPerJob: number;
  readonly jobs: number;
  readonly direct: boolean;
}

const MIB = 2 ** 20;

/**
 * fio's arguments for one client in one phase of the paired plan.
 *
 * - `buffer_compress_chunk=4k` spreads the compressible part evenly, so that the ratio does not depend on a file system's record size.
 * - `refill_buffers` makes new data for every write; one buffer written again and again would be found by compression.
 * - A read names no size: fio then reads each file to the end that the time-bounded write left.
 */
export function fioCommand(options: FioOptions): string[] {
  const { operation, percent, seconds, maxBytesPerJob, jobs, direct } = options;
  const sizeMiB = Math.max(1, Math.floor(maxBytesPerJob / MIB));
  const data =
    operation === 'write'
      ? [
          `--size=${sizeMiB}m`,
          '--fallocate=none',
          '--end_fsync=1',
          '--refill_buffers',
          `--buffer_compress_percentage=${percent}`,
          '--buffer_compress_chunk=4k',
        ]
      : [];
  return [
    'fio',
    '--name=data',
    '--directory={dir}',
    '--filename_format=client{client}.$jobnum',
    `--rw=${operation}`,
    '--bs=1m',
    '--ioengine=psync',
    '--thread',
    `--numjobs=${jobs}`,
    `--direct=${direct ? 1 : 0}`,
    `--runtime=${seconds}`,
    '--group_reporting',
    '--output-format=json',
    ...data,
  ];
}
