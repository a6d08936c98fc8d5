import { bytes, duration, plain } from '../../../common/format/units';
import { meanInterval } from '../../../common/statistics';
import { columns, numbers, quantity, table, text } from '../../blocks';
import type { Section } from '../../sections/section';
import { arms, ofStorage } from './cells';

const PIPELINE = [
  ['seconds', 'Wall time', duration],
  ['user_seconds', 'User time', duration],
  ['system_seconds', 'System time', duration],
  ['bytes_read', 'Read by its programs', bytes],
  ['bytes_written', 'Written by its programs', bytes],
  ['output_bytes', 'Declared outputs', bytes],
] as const;

/** A real pipeline: what it took on each storage. */
export const pipelineSection: Section = {
  id: 'pipeline',
  title: 'Pipeline',
  isResult: true,
  after: 'study',
  blocks(run) {
    if (!ofStorage(run)) return [];
    const cells = run.cells.filter(({ operation }) => operation === 'run');
    if (cells.length === 0) return [];
    const rows = PIPELINE.flatMap(([metric, label, words]) => {
      const own = cells.filter((cell) => cell.metric === metric);
      if (own.every(({ count }) => count === 0)) return [];
      return [
        [
          label,
          ...run.arms.map(({ name }) => {
            const cell = own.find(({ arm }) => arm === name);
            const interval = meanInterval(cell?.samples.flatMap(({ value }) => value ?? []) ?? []);
            const range =
              metric === 'seconds' && interval !== null && `${plain(interval.low)}–${plain(interval.high)} s`;
            const reason = cell?.samples.find(({ value }) => value === null)?.reason;
            return quantity(cell?.mean ?? null, words, { below: range || reason });
          }),
        ],
      ];
    });
    return [
      text(
        'Means over the repeats, for wall time with the 95 % interval. The inputs were made, and caches dropped, before the clock started.',
      ),
      table({
        caption: 'A pipeline on each storage',
        captionHidden: true,
        columns: [...columns('Measure'), ...numbers(...arms(run))],
        rows,
      }),
    ];
  },
};
