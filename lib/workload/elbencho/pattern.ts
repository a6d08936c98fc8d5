import { Calibration } from '../kit/calibration';

/**
 * elbencho's `--blockvarpct` against the ratio that LZ4 reached on what it wrote: 64 MiB each by elbencho 2.3-1,
 * `elbencho -w -t 2 -s 32m -b 1m --blockvarpct P --blockvaralgo balanced FILE FILE`, then
 * `fsxbench estimate compression --on zfs --exact --record 128K` and `--record 1M` on them.
 *
 * So many percent of each block are random, at its beginning, and the rest repeats eight bytes. Before 2.0-7 it was so many of a hundred
 * blocks that were new at all, and nothing compressed (https://github.com/breuner/elbencho/blob/master/CHANGELOG.md).
 */
export const ELBENCHO_DATA = new Calibration('elbencho', [
  [100, 1, 1],
  [86, 1.136, 1.153],
  [80, 1.241, 1.242],
  [75, 1.318, 1.319],
  [69, 1.428, 1.438],
  [64, 1.54, 1.542],
  [59, 1.649, 1.672],
  [57, 1.704, 1.729],
  [54, 1.8, 1.828],
  [50, 1.936, 1.968],
  [47, 2.044, 2.097],
  [44, 2.183, 2.244],
  [40, 2.387, 2.46],
  [37, 2.528, 2.665],
  [34, 2.745, 2.874],
  [31, 3.003, 3.158],
  [28, 3.314, 3.504],
  [26, 3.543, 3.761],
  [25, 3.644, 3.875],
  [22, 4.047, 4.409],
  [20, 4.395, 4.824],
  [17, 5.094, 5.681],
  [15, 5.657, 6.389],
  [12, 6.522, 7.983],
  [10, 7.698, 9.458],
  [8, 9.061, 11.601],
]);
