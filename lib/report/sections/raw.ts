import { groupBy } from '../../analysis/figures/statistics';
import { bytes, counted } from '../../kit/format/units';
import { details } from '../../kit/page/layout';
import { html, type Markup } from '../../kit/page/markup';
import type { RunRecord } from '../../store/record';
import type { PageSection } from './section';

/** With more files than these, only the first ones of each folder are named: the list would outweigh the report. */
const MOST = 3000;
const SHOWN = 100;

export const raw: PageSection = {
  id: 'raw',
  title: 'Raw files',
  render({ record }) {
    if (record.raw.length === 0) return null;
    const listed = record.raw.length > MOST ? SHOWN : record.raw.length;
    const folders = [...groupBy(record.raw, ({ path }) => path.slice(0, path.lastIndexOf('/')))];
    return html`<p>What the tools printed, as it was kept. The links lead into the run’s folder, beside this report.</p>
${folders.map(([folder, files]) =>
  details(
    html`<code>${folder}</code> <span class="soft">${counted(files.length, 'file')}</span>`,
    html`<ul class="plain">${files.slice(0, listed).map(({ path, bytes: size }) => html`<li><a href="${address(path)}">${path.slice(folder.length + 1)}</a> <span class="soft">${bytes(size)}</span></li>\n`)}</ul>
${files.length > listed && html`<p class="soft">And ${counted(files.length - listed, 'more file')} in <a href="${address(`${folder}/`)}">this folder</a>.</p>`}`,
  ),
)}`;
  },
};

/** Links the source of a sample to what the tool printed, or to the first of several files, where they are there. */
export function rawLinks(files: RunRecord['raw']): (stem: string | null, text: string) => Markup {
  const paths = new Set(files.map(({ path }) => path));
  // A tool that runs once on each client leaves a file for each: `STEM.CLIENT.out`.
  const first = new Map<string, string>();
  for (const { path } of files) {
    for (let dot = path.indexOf('.', path.lastIndexOf('/')); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      const stem = path.slice(0, dot);
      if (!first.has(stem)) first.set(stem, path);
    }
  }
  return (stem, text) => {
    if (stem === null) return html`${text}`;
    const path = ['out', 'json', 'cmd'].map((ending) => `${stem}.${ending}`).find((candidate) => paths.has(candidate));
    const part = path ?? first.get(stem);
    return part === undefined ? html`${text}` : html`<a href="${address(part)}">${text}</a>`;
  };
}

/** From `report/index.html` to a file of the run folder. Always relative, whatever the name of the file is. */
function address(path: string): string {
  return `../${path.split('/').map(encodeURIComponent).join('/')}`;
}
