import { bytes, counted } from '../../common/format/units';
import type { RunRecord } from '../../store/record';
import { details, line, remark, type Text, text } from '../blocks';
import type { Section } from './section';

/** From this number of files on, only the first ones of each folder are named, because a full list is larger than the report. */
const MOST = 3000;
const SHOWN = 100;

/** The tools' output, unchanged. */
export const raw: Section = {
  id: 'raw',
  title: 'Raw files',
  blocks({ record }) {
    if (record.raw.length === 0) return [];
    const listed = record.raw.length > MOST ? SHOWN : record.raw.length;
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
