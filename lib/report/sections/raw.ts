import { details } from '../layout';
import { html, type Markup } from '../markup';
import { groupBy } from '../statistics';
import { bytes, counted } from '../units';
import type { Section } from './section';

export const raw: Section = {
  id: 'raw',
  title: 'Raw files',
  render({ record }) {
    if (record.raw.length === 0) return null;
    const folders = [...groupBy(record.raw, ({ path }) => path.slice(0, path.lastIndexOf('/')))];
    return html`<p>What the tools printed, as it was kept. The links lead into the run’s folder, beside this report.</p>
${folders.map(([folder, files]) =>
  details(
    html`<code>${folder}</code> <span class="soft">${counted(files.length, 'file')}</span>`,
    html`<ul class="plain">${files.map(({ path, bytes: size }) => html`<li><a href="${address(path)}">${path.slice(folder.length + 1)}</a> <span class="soft">${bytes(size)}</span></li>\n`)}</ul>`,
  ),
)}`;
  },
};

/** The source of a sample, linked to what the tool printed, or to the first of several files, where they are there. */
export function rawLink(stem: string | null, files: ReadonlySet<string>, text: string): Markup {
  const path = ['out', 'json', 'cmd'].map((ending) => `${stem}.${ending}`).find((candidate) => files.has(candidate));
  const part = path ?? (stem === null ? undefined : [...files].find((file) => file.startsWith(`${stem}.`)));
  return part === undefined ? html`${text}` : html`<a href="${address(part)}">${text}</a>`;
}

/** From `report/index.html` to a file of the run folder. Always relative, whatever the name of the file is. */
function address(path: string): string {
  return `../${path.split('/').map(encodeURIComponent).join('/')}`;
}
