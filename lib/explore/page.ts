import { STORAGE_KINDS } from '../advise/requirement';
import { REGIONS } from '../common/aws/regions';
import { framed } from '../common/page/frame';
import { html, type Markup, trusted } from '../common/page/markup';
import { instanceTypeNames } from '../fleet/instanceTypes';
import type { PriceFile } from '../price/prices';
import type { MeasuredRate } from './measured';
import style from './page.css';

/** Fields of the page: an option of `advise` each, by its name there. */
export interface PageField {
  readonly flag: string;
  readonly label: string;
  readonly slider?: {
    readonly min: number;
    readonly max: number;
    /** Significant digits of what it sets. @default 3 */
    readonly digits?: number;
    readonly whole?: true;
  };
  readonly list?: 'instances' | 'regions' | 'storages';
  readonly check?: true;
  /** True for fields that the user's files answer if the page has them. */
  readonly ofData?: true;
}

/** All fields, the most important first. Sliders are logarithmic. */
const FIELDS: readonly PageField[] = [
  { flag: 'capacity', label: 'Data, TB', slider: { min: 1, max: 2000 } },
  { flag: 'read', label: 'Reads, GB/s', slider: { min: 0.1, max: 200 } },
  { flag: 'write', label: 'Writes, GB/s', slider: { min: 0.1, max: 200 } },
  { flag: 'burst', label: 'Bursts, such as 2TB/60s/30min' },
  { flag: 'fileSize', label: 'Mean file, such as 64KiB', ofData: true },
  { flag: 'ratio', label: 'Compression ratio (x:1)', slider: { min: 1, max: 10 }, ofData: true },
  { flag: 'clients', label: 'Clients', slider: { min: 1, max: 1000, digits: 2, whole: true } },
  { flag: 'instance', label: 'Type of the clients', list: 'instances' },
  { flag: 'processes', label: 'Processes per client', slider: { min: 1, max: 256, digits: 2, whole: true } },
  { flag: 'metadata', label: 'Files created per second', slider: { min: 100, max: 200_000 } },
  { flag: 'scan', label: 'All data read once, GB/s', slider: { min: 0.1, max: 200 } },
  { flag: 'workingSet', label: 'Working set, such as 500GB' },
  { flag: 'maxMonthly', label: 'At most USD per month', slider: { min: 100, max: 1e6 } },
  { flag: 'hoursPerDay', label: 'Hours per day', slider: { min: 1, max: 24, digits: 2 } },
  { flag: 'loadWithin', label: 'Loaded within, such as 1h' },
  { flag: 'region', label: 'Region', list: 'regions' },
  { flag: 'headroom', label: 'Head-room, such as 20%' },
  { flag: 'storage', label: 'Storage', list: 'storages' },
  { flag: 'together', label: 'reads and writes at the same time', check: true },
  { flag: 'efa', label: 'clients over EFA', check: true },
];

const FIRST = 6;

/** The label of the field that stands for an option of `advise`, such as `--read`. */
export function fieldName(option: string): string {
  const flag = option.replace(/^--/, '').replace(/-[a-z]/g, (letter) => letter.slice(1).toUpperCase());
  const label = FIELDS.find((field) => field.flag === flag)?.label;
  return label?.split(/[,(]/)[0]?.trim() ?? option;
}

/** The fields of a page. @param found results of `estimate` on the user's files; `null` without files */
export const fieldsOf = (found: object | null): readonly PageField[] =>
  FIELDS.filter(({ ofData }) => found === null || !ofData);

function field({ flag, label, slider, list, check }: PageField): Markup {
  if (check) return html`<div><label><input type="checkbox" id="f-${flag}"> ${label}</label></div>`;
  if (list === 'storages')
    return html`<div><label for="f-${flag}">${label}</label><select id="f-${flag}"><option value="">FSx for Lustre</option><option>all</option>${STORAGE_KINDS.map((kind) => html`<option>${kind}</option>`)}</select></div>`;
  const more = list === undefined ? null : html` list="${list}"`;
  const range =
    slider &&
    html`<input type="range" id="s-${flag}" min="${Math.log(slider.min)}" max="${Math.log(slider.max)}" step="any" aria-label="${label}: slider">`;
  return html`<div><label for="f-${flag}">${label}</label><input id="f-${flag}" autocomplete="off" placeholder=" "${more}>${range}</div>`;
}

const listOf = (id: string, names: readonly string[]): Markup =>
  html`<datalist id="${id}">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>`;

/**
 * The page: fields, a place for the answer, and the bundle of bin/explore.ts, which fills it. Its state is behind `#` in its address: a link keeps it.
 * @param found results of `estimate` on the user's files; `null` without files @param prices those that override the built-in ones
 */
export function explorePage(
  program: string,
  found: object | null,
  prices: PriceFile | null,
  measured: readonly MeasuredRate[],
): string {
  // `</script` and `<!--` also count within a string, so both are escaped as JSON allows.
  const safe = (text: string): Markup => trusted(text.replaceAll('</', '<\\/').replaceAll('<!--', '<\\u0021--'));
  const fields = fieldsOf(found);
  const body = html`<main>
<header><h1>Which file system do you need?</h1>
<p class="meta">Documented limits and list prices; ${measured.length === 0 ? 'nothing here was measured' : `measured is what ${[...new Set(measured.map(({ run }) => run))].join(', ')} measured, and nothing else`}.${found === null ? '' : ' Ratio and space are of your files.'} This page is self-contained.</p></header>
<p class="headline" id="headline" role="status"></p>
<p class="problem" id="problem" role="status"></p>
<form id="requirement" aria-label="Requirement">
<div class="fields">${fields.slice(0, FIRST).map(field)}</div>
<details id="more"><summary>More: clients, files, cost, Region</summary><div class="fields">${fields.slice(FIRST).map(field)}</div></details>
${listOf('instances', instanceTypeNames())}${listOf('regions', REGIONS)}
</form>
<div class="notes" id="notes"></div>
<div class="actions"><label for="option">Option</label> <select id="option"></select>
<button type="button" id="copy-command">Copy command</button><button type="button" id="copy-json">Copy cdk.json</button><button type="button" id="copy-ticket">Copy for a ticket</button><span id="copied" role="status"></span></div>
<div class="two"><div id="answer"></div>
<div id="detail"></div></div>
</main>
<footer><p>Generated by fsxbench.</p></footer>
<script type="application/json" id="found">${safe(JSON.stringify(found))}</script>
<script type="application/json" id="prices">${safe(JSON.stringify(prices))}</script>
<script type="application/json" id="measured">${safe(JSON.stringify(measured))}</script>
<script>${safe(program)}</script>`;
  return framed({ title: 'Which file system do you need?', body, style: `\n${style}` });
}
