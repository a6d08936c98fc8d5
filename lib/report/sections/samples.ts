import { keyOf } from '../../common/collections';
import { compressibilityLabel } from '../../common/format/text';
import { bytes, counted, grouped, moment, NO_VALUE } from '../../common/format/units';
import type { Sample } from '../../schema/sample';
import type { RunRecord } from '../../store/record';
import { describeOperation } from '../../workload/lookup';
import { columns, details, joined, line, remark, type Text, table, text } from '../blocks';

import type { Section } from './section';

/** Rows that are shown; the link leads to all. */
const MOST = 1000;

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
    const shown = all.slice(0, MOST);
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
        `${describeOperation(operation)}${iteration === null ? '' : ` ${iteration}`}`,
        joined(group.map(recorded), ' · '),
        moment(startedAt),
        link(raw, source),
        remarks.join(', '),
      ];
    });
    const note = line`Shown are ${grouped(shown.length)} of ${grouped(all.length)} rows. All samples are in ${{ link: '../samples.jsonl', text: 'samples.jsonl' }}, next to this report; ${{ code: 'fsxbench report --csv' }} prints them as a table.`;
    return [
      text(
        'All that the driver recorded, including warm-up and attempts that were repeated later. A number after the operation is the tool’s own iteration.',
      ),
      details(
        counted(record.samples.length, 'sample'),
        ...(shown.length < all.length ? [remark(note)] : []),
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

/** From this number of files on, only the first ones of each folder are named, because a full list is larger than the report. */
const MOST_FILES = 3000;
const FILES_SHOWN = 100;

export const raw: Section = {
  id: 'raw',
  title: 'Raw files',
  blocks({ record }) {
    if (record.raw.length === 0) return [];
    const listed = record.raw.length > MOST_FILES ? FILES_SHOWN : record.raw.length;
    const folders = [...Map.groupBy(record.raw, ({ path }) => path.slice(0, path.lastIndexOf('/')))];
    return [
      text('The unchanged output of the tools. The links lead into the run’s folder, next to this report.'),
      ...folders.map(([folder, files]) => {
        const items = files
          .slice(0, listed)
          .map(
            ({ path, bytes: size }): Text =>
              line`${{ link: address(path), text: path.slice(folder.length + 1) }} ${{ soft: bytes(size) }}`,
          );
        const left = files.length - listed;
        const more = line`And ${counted(left, 'more file')} in ${{ link: address(`${folder}/`), text: 'this folder' }}.`;
        return details(
          line`${{ code: folder }} ${{ soft: counted(files.length, 'file') }}`,
          { kind: 'list', style: 'plain', items },
          ...(left > 0 ? [remark(more)] : []),
        );
      }),
    ];
  },
};

/** Links the source of a sample to the tool's output, or to the first of several files. Without a file it stays text. */
export function rawLinks(files: RunRecord['raw']): (stem: string | null, words: string) => Text {
  const paths = new Set(files.map(({ path }) => path));
  // A tool that runs once on each client leaves a file for each: `STEM.CLIENT.out`.
  const first = new Map<string, string>();
  for (const { path } of files) {
    for (let dot = path.indexOf('.', path.lastIndexOf('/')); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      const stem = path.slice(0, dot);
      if (!first.has(stem)) first.set(stem, path);
    }
  }
  return (stem, words) => {
    if (stem === null) return words;
    const path = ['out', 'json', 'cmd'].map((ending) => `${stem}.${ending}`).find((candidate) => paths.has(candidate));
    const part = path ?? first.get(stem);
    return part === undefined ? words : { link: address(part), text: words };
  };
}

/** Returns the path from `report/index.html` to a file of the run folder. Always relative, whatever the name of the file. */
const address = (path: string): string => `../${path.split('/').map(encodeURIComponent).join('/')}`;
