import { Calibration } from '../kit/calibration';

/**
 * fio's `buffer_compress_percentage` against the ratio that LZ4 reached on what it wrote: 16 MiB each by fio 3.33 with
 * `--refill_buffers --buffer_compress_chunk=4k`, cut into records of 128 KiB, rounded up to 4 KiB, kept raw when they save less than
 * one eighth; then the same on records of 1 MiB, by `estimate compression --on zfs` on what it wrote. Up to 10 % nothing is saved for that
 * reason. The steps are those of the sectors, so nothing is interpolated.
 */
export const FIO_DATA = new Calibration('fio', [
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
]);
