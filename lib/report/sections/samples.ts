import { keyOf } from '../../common/collections';
import { compressibilityLabel } from '../../common/format/text';
import { counted, grouped, moment, NO_VALUE } from '../../common/format/units';
import type { Sample } from '../../schema/sample';
import { columns, details, joined, line, remark, type Text, table, text } from '../blocks';
import { rawLinks } from './raw';
import type { Section } from './section';

/** Number of samples from which only the first of each task is shown, up to a limit. The link leads to all. */
const MOST = 2000;
const SHOWN = 1000;

/** The first occasion of each task; of many tasks the first ones. */
function firstOnes(occasions: readonly (readonly Sample[])[]): readonly (readonly Sample[])[] {
  const tasks = Map.groupBy(occasions, ([{ step, arm, attempt, operation, source, raw } = {} as Sample]) =>
    keyOf(step, arm, attempt, operation, source, raw),
  );
  return [...tasks.values()].slice(0, SHOWN).map(([first = []]) => first);
}

/** All that was recorded. */
export const samples: Section = {
  id: 'samples',
  title: 'Every sample',
  blocks({ record }) {
    if (record.samples.length === 0) return [];
    const superseded = new Set(record.superseded);
    const link = rawLinks(record.raw);
    const occasions = Map.groupBy(record.samples, ({ step, arm, attempt, operation, iteration, source, raw }) =>
      keyOf(step, arm, attempt, operation, iteration, source, raw),
    );
    const all = [...occasions.values()];
    const shown = all.length > MOST ? firstOnes(all) : all;
    const rows = shown.map((group): Text[] => {
      const { step, arm, compressibility, operation, iteration, attempt, startedAt, source, phase, raw } =
        group[0] as Sample;
      const again = superseded.has(group[0] as Sample);
      const remarks = [
        again ? `attempt ${attempt}, superseded` : attempt > 1 ? `attempt ${attempt}` : '',
        phase === 'measure' ? '' : phase,
        ...new Set(group.flatMap(({ problems, cautions }) => [...problems, ...cautions])),
      ].filter((remark) => remark !== '');
      return [
        step,
        arm,
        compressibility === null ? '' : compressibilityLabel(compressibility),
        iteration === null ? operation : `${operation} ${iteration}`,
        joined(group.map(recorded), ' · '),
        moment(startedAt),
        link(raw, source),
        remarks.join(', '),
      ];
    });
    return [
      text(
        'All that the driver recorded, including warm-up and attempts that were repeated later. A number after the operation is the tool’s own iteration.',
      ),
      details(
        counted(record.samples.length, 'sample'),
        ...(shown === all
          ? []
          : [
              remark(
                line`Shown are ${grouped(shown.length)} of ${grouped(all.length)} rows, the tool’s first iteration of each task. All samples are in ${{ link: '../samples.jsonl', text: 'samples.jsonl' }}, next to this report; ${{ code: 'fsxbench report --csv' }} prints them as a table.`,
              ),
            ]),
        table({
          caption: 'samples.jsonl: what was recorded on one occasion stands in one row',
          columns: columns('Step', 'Arm', 'Data', 'Operation', 'Values', 'Started', 'Source', 'Remarks'),
          rows,
        }),
      ),
    ];
  },
};

/** `throughput 3,560 MB/s` */
function recorded({ metric, value, unit, reason }: Sample): Text {
  const name = metric.replaceAll('_', ' ');
  if (value === null) return line`${name} ${NO_VALUE} ${{ soft: reason ?? 'no reason was given' }}`;
  return `${name} ${inFull(value)}${unit === '1' ? '' : ` ${unit}`}`;
}

/** Whole numbers in full, others to six digits: enough to find a value again in the file. */
const inFull = (value: number): string =>
  Number.isInteger(value) ? grouped(value) : String(Number(value.toPrecision(6)));
