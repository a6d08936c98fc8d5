import type { Stragglers } from '../../analysis/stragglers';
import { compressibilityLabel, listed } from '../../common/format/text';
import { duration, ratio } from '../../common/format/units';
import { describeOperation } from '../../workload/lookup';
import { armColumn, column, method, number, remark, tableOf } from '../blocks';
import { byWorkAndArm } from '../title';
import type { Section } from './section';

/** When the first and when the last one was done: of no interest to a manager, and the first thing that an engineer asks. */
export const stragglers: Section = {
  id: 'stragglers',
  title: 'Stragglers',
  isResult: true,
  blocks({ analysis: { stragglers: all }, arms }) {
    const known = byWorkAndArm(all, arms).filter(({ readings }) => readings.length > 0);
    const reasons = [...Map.groupBy(all, ({ reason }) => reason ?? '')].filter(([reason]) => reason !== '');
    const unknown = reasons.map(([reason, own]) => remark(`Not available for ${operations(own)}: ${reason}.`));
    if (known.length === 0) return unknown;
    return [
      method(
        'A rate is based on the time of the last process. The wait is the time from the first process that finished to the last. “Fastest ÷ slowest” compares the bytes that two processes had moved at the time limit. Both ratios are those of the worst measurement.',
      ),
      tableOf(known, { caption: 'When the first and the last process finished', captionHidden: true }, [
        column('Operation', ({ work }) => describeOperation(work)),
        column('Data', ({ compressibility }) => compressibilityLabel(compressibility)),
        armColumn(),
        column('Between', ({ of }) => of ?? ''),
        number('Median wait', ({ waited }) => waited.median, duration),
        number('Longest wait', ({ waited }) => waited.max, duration),
        number('Last ÷ first', (one) => one.ratio, ratio),
        number('Fastest ÷ slowest', ({ bytesRatio }) => bytesRatio, ratio),
      ]),
      ...unknown,
    ];
  },
};

const operations = (own: readonly Stragglers[]): string =>
  listed([...new Set(own.map(({ operation }) => describeOperation(operation)))]);
