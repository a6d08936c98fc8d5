import { isCoarse, type SpaceCell } from '../../analysis/figures/space';
import { compressibilityLabel } from '../../common/format/text';
import { bytes, ratio } from '../../common/format/units';
import { armColumn, column, line, method, number, quantity, remark, type TableBlock, tableOf } from '../blocks';
import { spaceChart } from '../charts';
import type { Section } from './section';

/** Space used by the data, against the ratio that a tool was asked for. */
export const space: Section = {
  id: 'space',
  title: 'Space',
  isResult: true,
  blocks(run) {
    const { space: cells, arms } = run;
    if (cells.length === 0) return [];
    const noFreeSpace = run.record.elsewhere?.space ?? null;
    const drawn = cells.some(({ compressibility, count }) => compressibility !== null && count > 0);
    const sources = [...new Set(cells.flatMap(({ readings }) => readings.map(({ source }) => source)))];
    const caption = line`${{ strong: 'Measured ratio' }} against requested ratio. ${arms.map(({ name }) => [{ arm: name }, ' '])}`;
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
        line`The ratio is the size of the data over the space that they take, measured with ${sources.join(', ')} after they were written. ${{ onPage: 'The dashed line is the amount that a tool was asked to write. ' }}Data and space are those of the first reading${noFreeSpace === null ? '; the ratio by free space uses the growth of the file system’s used space, which is less precise' : ''}.`,
      ),
      {
        kind: 'charts',
        charts: drawn ? [spaceChart(run, 'space-chart', caption)] : [],
        beside: [ratios(cells, noFreeSpace === null), ...missing, ...unread],
      },
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
