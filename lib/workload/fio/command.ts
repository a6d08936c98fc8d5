import { type DataPhase, MAX_TARGET, type Pattern } from '../workload';

/**
 * fio's `buffer_compress_percentage` against the ratio that LZ4 reached on what it wrote: 16 MiB each by fio 3.33 with
 * `--refill_buffers --buffer_compress_chunk=4k`, cut into records of 128 KiB, rounded up to 4 KiB, kept raw when they save less than
 * one eighth; then the same on records of 1 MiB, by `estimate compression --on zfs` on what it wrote. Up to 10 % nothing is saved for that
 * reason. The steps are those of the sectors, so nothing is interpolated.
 */
const MEASURED: readonly (readonly [percent: number, ratio: number, ratioOn1MiB: number])[] = [
  [0, 1, 1],
  [15, 1.143, 1.164],
  [20, 1.231, 1.237],
  [25, 1.28, 1.319],
  [30, 1.391, 1.415],
  [35, 1.524, 1.523],
  [40, 1.6, 1.641],
  [42, 1.684, 1.706],
  [46, 1.778, 1.828],
  [50, 1.882, 1.968],
  [55, 2.133, 2.187],
  [60, 2.462, 2.46],
  [64, 2.667, 2.721],
  [67, 2.909, 2.974],
  [70, 3.2, 3.237],
  [73, 3.556, 3.601],
  [76, 4, 4.057],
  [80, 4.571, 4.821],
  [85, 6.4, 6.383],
  [90, 8, 9.168],
];

interface FioPattern extends Pattern {
  readonly percent: number;
}

const PATTERNS = MEASURED.map(([percent, expectedRatio, ratioOn1MiB]): FioPattern => {
  return { id: `fio-${percent}`, percent, expectedRatio, ratioOn1MiB };
});

export const INCOMPRESSIBLE = PATTERNS[0] as FioPattern;

/** The pattern nearest to a target ratio (by ratio); `null` outside 1…8. */
export function fioPattern(target: number): FioPattern | null {
  if (!(target >= 1 && target <= MAX_TARGET)) return null;
  const distance = ({ expectedRatio }: FioPattern): number => Math.abs(Math.log(expectedRatio / target));
  return PATTERNS.reduce((best, next) => (distance(next) < distance(best) ? next : best));
}

/** A pattern by its id in samples; `null` for one that was never measured. */
export const knownFioPattern = (id: string): FioPattern | null => PATTERNS.find((pattern) => pattern.id === id) ?? null;

const MIB = 2 ** 20;

const COMMON = ['--ioengine=psync', '--thread', '--group_reporting', '--output-format=json'] as const;

/** New data for every write: one buffer written again and again would be found by compression. */
const dataOf = (percent: number): string[] => [
  '--refill_buffers',
  `--buffer_compress_percentage=${percent}`,
  '--buffer_compress_chunk=4k',
];

/** A data phase on many small files of each process: all of them, without a limit of time. */
interface SmallFilesPhase extends Pick<DataPhase, 'operation' | 'processesPerClient' | 'direct'> {
  readonly percent: number;
  readonly files: number;
  readonly fileBytes: number;
}

/** fio's arguments for many small files of each job: one after the other, each in one piece, synced at close to exclude client memory. */
export function fioSmallFilesCommand(phase: SmallFilesPhase): string[] {
  const { operation, percent, files, fileBytes, processesPerClient, direct } = phase;
  return [
    ...['fio', '--name=files', '--directory={dir}', '--filename_format=client{client}.$jobnum.$filenum'],
    ...[`--rw=${operation}`, `--nrfiles=${files}`, `--filesize=${fileBytes}`, `--bs=${fileBytes}`, '--openfiles=1'],
    ...['--file_service_type=sequential', `--numjobs=${processesPerClient}`, `--direct=${direct ? 1 : 0}`],
    ...COMMON,
    ...(operation === 'write'
      ? ['--create_on_open=1', '--fallocate=none', '--fsync_on_close=1', ...dataOf(percent)]
      : []),
  ];
}

/**
 * fio's arguments for one client in one phase of the paired plan.
 *
 * - `buffer_compress_chunk=4k` spreads the compressible part evenly: the ratio does not depend on a file system's record size.
 * - `create_on_open` opens each file once, to write it: some storages take a file only in one piece.
 * - A read names no size: fio then reads each file to the end that the time-bounded write left.
 */
export function fioCommand(phase: DataPhase & Pick<FioPattern, 'percent'>): string[] {
  const { operation, percent, seconds, maxBytesPerProcess, processesPerClient, direct } = phase;
  const sizeMiB = Math.max(1, Math.floor(maxBytesPerProcess / MIB));
  const data =
    operation === 'write'
      ? [`--size=${sizeMiB}m`, '--create_on_open=1', '--fallocate=none', '--end_fsync=1', ...dataOf(percent)]
      : [];
  return [
    ...['fio', '--name=data', '--directory={dir}', '--filename_format=client{client}.$jobnum'],
    ...[`--rw=${operation}`, '--bs=1m', '--ioengine=psync', '--thread', `--numjobs=${processesPerClient}`],
    ...[`--direct=${direct ? 1 : 0}`, `--runtime=${seconds}`, '--group_reporting', '--output-format=json'],
    ...data,
  ];
}
