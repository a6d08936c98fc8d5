import { isCoarse, type SpaceCell } from '../../analysis/figures/space';
import { compressibilityLabel } from '../../common/format/text';
import { bytes, ratio } from '../../common/format/units';
import { armColumn, column, line, method, number, quantity, remark, type TableBlock, tableOf } from '../blocks';
import type { Section } from './section';

/** Space used by the data, against the ratio that a tool was asked for. */
export const space: Section = {
  id: 'space',
  title: 'Space',
  isResult: true,
  blocks(run) {
    const { space: cells } = run;
    if (cells.length === 0) return [];
    const noFreeSpace = run.record.elsewhere?.space ?? null;
    const sources = [...new Set(cells.flatMap(({ readings }) => readings.map(({ source }) => source)))];
    const missing = cells.flatMap(({ arm, compressibility, readings }) =>
      readings.flatMap(({ ratio: value, repeat, reason }) =>
        value === null
          ? [remark(line`${{ arm }} at ${compressibilityLabel(compressibility)}, repeat ${repeat}: ${reason}.`)]
          : [],
      ),
    );
    const unread =
      noFreeSpace === null
        ? cells.flatMap(({ arm, compressibility, freeSpaceReasons }) =>
            freeSpaceReasons.map((reason) =>
              remark(line`${{ arm }} at ${compressibilityLabel(compressibility)}, by free space: ${reason}.`),
            ),
          )
        : [remark(line`No ratio by free space: ${noFreeSpace}.`)];
    return [
      method(
        line`The ratio is the size of the data over the space that they take, measured with ${sources.join(', ')} after they were written. Data and space are those of the first reading${noFreeSpace === null ? '; the ratio by free space uses the growth of the file system’s used space, which is less precise' : ''}.`,
      ),
      ratios(cells, noFreeSpace === null),
      ...missing,
      ...unread,
    ];
  },
};

function ratios(cells: readonly SpaceCell[], withFreeSpace: boolean): TableBlock {
  const whole = ({ readings }: SpaceCell) =>
    readings.find(({ logicalBytes, allocatedBytes }) => logicalBytes !== null && allocatedBytes !== null);
  return tableOf(cells, { caption: 'Space taken: compression ratio by what was requested', captionHidden: true }, [
    column('Requested', ({ compressibility }) => compressibilityLabel(compressibility)),
    armColumn(),
    number('Measured', ({ median, min, max }) =>
      quantity(median, ratio, { below: ratio(min) === ratio(max) ? null : `${ratio(min)}–${ratio(max)}` }),
    ),
    withFreeSpace &&
      number('By free space', (cell) => {
        const coarse = cell.readings.some((reading) => isCoarse(cell, reading));
        const below = coarse && cell.freeSpaceStepBytes !== null && `in steps of ${bytes(cell.freeSpaceStepBytes)}`;
        return quantity(cell.byFreeSpace, ratio, { below });
      }),
    number('Data', (cell) => whole(cell)?.logicalBytes ?? null, bytes),
    number('Space', (cell) => whole(cell)?.allocatedBytes ?? null, bytes),
  ]);
}
