import type { RunEntry } from '../../analysis/compare/runEntries';
import { settingOf, type Trend, type TrendPoint, trendsOf } from '../../analysis/compare/trends';
import { counted } from '../../common/format/units';
import { keyOf } from '../../common/keyOf';
import { ArmLook } from '../../common/page/arms';
import { type Drawing, loadDrawing } from '../../common/page/drawing';
import { framed } from '../../common/page/frame';
import { html, type Markup, trusted } from '../../common/page/markup';
import { SCRIPT } from '../../common/page/script';
import type { RunFigures } from '../../schema/summary';
import { type Block, heading, printed, type Text, text } from '../blocks';
import { type Columns, csvTable, propertiesOf } from '../csvText';
import { blocksHtml } from '../render/html';
import { settingWords } from './labels';
import { type Room, roomOf } from './room';
import { invalid, keyTrends, type LinkTo, type Reported, runName, runTable, withoutTable } from './runTable';
import { latestOf, trendBlocks } from './trendBlocks';

interface Row {
  readonly trend: Trend;
  readonly point: TrendPoint;
}

const COLUMNS: Columns<Row> = [
  ['benchmark', ({ trend }) => trend.benchmark],
  ...propertiesOf(({ trend }: Row) => trend.setting, 'platform', 'plan', 'scale'),
  ...propertiesOf(({ trend }: Row) => trend, 'operation', 'compressibility', 'metric'),
  ['run', ({ point }) => point.run],
  ['started_at', ({ point }) => point.startedAt],
  ...propertiesOf(({ point }: Row) => point, 'validity', 'arm'),
  ['median', ({ point }) => point.value],
  ['unit', ({ trend }) => trend.unit],
  ...propertiesOf(({ point }: Row) => point, 'reason', 'least', 'most', 'repeats', 'conditions'),
  ['against', ({ point }) => point.change?.against ?? null],
  ['quotient', ({ point }) => point.change?.ratio ?? null],
  ['real', ({ point }) => point.change?.real ?? null],
  ['change_reason', ({ point }) => point.changeReason],
];

/** The figures of all runs: one row for each run, arm and figure, in the order of the page's charts. */
const indexCsv = (runs: readonly RunFigures[]): string =>
  csvTable(
    COLUMNS,
    trendsOf(runs).flatMap((trend) => trend.points.map((point) => ({ trend, point }))),
  );

/** Content of an index page. */
export interface Index {
  readonly entries: readonly RunEntry[];
  /** Origin of the runs, such as `Runs of s3://results and of this machine`. */
  readonly source: string;
  readonly linkTo: LinkTo;
  /** The name of a file beside the page that has what {@link indexTable} gives. */
  readonly table: string;
}

/** The figures of all runs as a table, where the page has no room for them; `null` where it has. */
export function indexTable(entries: readonly RunEntry[]): string | null {
  const figures = entries.flatMap((entry) => entry.figures ?? []);
  return roomOf(figures.length, 1, '').table === null ? null : indexCsv(figures);
}

/** Every run as one self-contained HTML page. The same runs give the same bytes. */
export async function renderIndex({ entries, source, linkTo, table }: Index): Promise<string> {
  const drawing = await loadDrawing();
  const benchmarks = [...Map.groupBy(entries, ({ benchmark }) => benchmark)].sort(([a], [b]) => (a < b ? -1 : 1));
  const reported = entries.flatMap(({ figures }) => figures ?? []);
  const settings = Map.groupBy(reported, (figures) => keyOf(figures.benchmark, ...Object.values(settingOf(figures))));
  const room = roomOf(reported.length, settings.size, table);
  const body = html`<a class="skip" href="#b0">Skip to the runs</a>
<main>
<header>
<p class="kicker">fsxbench</p>
<h1>Runs</h1>
<p class="meta">${source}</p>
</header>
<div class="findings"><p>${tally(entries)}</p></div>
${benchmarks.length > 1 && html`<nav aria-label="Contents"><ul>${benchmarks.map(([name], index) => html`<li><a href="#b${index}">${name}</a></li>\n`)}</ul></nav>`}
${benchmarks.map(([name, own], index) => benchmarkSection({ name, linkTo, drawing, room, id: `b${index}` }, own))}
</main>
<footer><p>Made by fsxbench from what the reports of these runs say, and from nothing else. Changes are against the last valid run before under the same conditions; they are tested as <code>fsxbench compare</code> tests them, so that between two alike runs none is called real in 95 % of cases.</p></footer>
<script>${trusted(SCRIPT)}</script>`;
  return framed({ title: 'Runs – fsxbench', body, style: INDEX_STYLE });
}

const INDEX_STYLE = `
.runs td, .runs th { padding-top: 0.5rem; padding-bottom: 0.5rem; }
.runs tbody th { min-width: 9.5rem; }
.runs p { margin: 0; }
.runs .soft { display: block; }
.runs .figure { white-space: nowrap; }
.runs .figure .soft { white-space: normal; padding-left: 0.95em; }
.state { font: 600 0.75rem/1.4 var(--sans); letter-spacing: 0.05em; }
.state.valid { color: var(--good); } .state.warn { color: var(--warn); } .state.invalid { color: var(--bad); }
h3 { font-size: 1.1875rem; margin-top: 2.4rem; }
@media print { .runs tbody th { min-width: 0; } .runs .figure { white-space: normal; } }
`;

function tally(entries: readonly RunEntry[]): string {
  if (entries.length === 0) return 'There are no runs yet: npm run quickstart makes one.';
  const without = entries.filter(({ figures }) => figures === null).length;
  const parts = (['VALID', 'WARN', 'INVALID'] as const).flatMap((validity) => {
    const count = entries.filter(({ figures }) => figures?.validity === validity).length;
    return count === 0 ? [] : [`${count} ${validity}`];
  });
  const known = [...parts, ...(without === 0 ? [] : [`${without} without a report`])].join(', ');
  const benchmarks = new Set(entries.map(({ benchmark }) => benchmark)).size;
  return `${counted(entries.length, 'run')} of ${counted(benchmarks, 'benchmark')}: ${known}.`;
}

interface Scene {
  readonly name: string;
  readonly linkTo: LinkTo;
  readonly drawing: Drawing;
  readonly room: Room;
  readonly id: string;
}

function benchmarkSection(scene: Scene, entries: readonly RunEntry[]): Markup {
  const { name, id, drawing } = scene;
  const reported = entries.filter((entry): entry is Reported => entry.figures !== null);
  const without = entries.filter(({ figures }) => figures === null);
  const groups = [...Map.groupBy(reported, ({ figures }) => keyOf(...Object.values(settingOf(figures)))).values()];
  const last = (group: readonly Reported[]): number => reported.indexOf(group.at(-1) as Reported);
  // The latest run comes first.
  groups.sort((a, b) => last(b) - last(a));
  const settings = groups.map((group, index) => {
    const arms = group.flatMap(({ figures }) => figures.arms.map((arm) => [arm.name, arm] as const));
    const look = new ArmLook({ arms: [...new Map(arms).values()] });
    return blocksHtml(settingBlocks(scene, group, `${id}-${index}`), { look, drawing });
  });
  const rest = without.length > 0 && [heading('Without a report'), withoutTable(without, name)];
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${name}</h2>
${settings}
${rest && blocksHtml(rest, { look: new ArmLook({ arms: [] }), drawing })}
</section>
`;
}

/** Latest runs that are shown without asking. */
const SHOWN = 12;

function settingBlocks({ name, linkTo, room }: Scene, entries: readonly Reported[], id: string): Block[] {
  const trends = trendsOf(entries.map(({ figures }) => figures));
  const latest = entries.at(-1) as Reported;
  const setting = settingWords(settingOf(latest.figures));
  const keys = keyTrends(trends);
  const [earlier, shown] = [entries.slice(0, -SHOWN), entries.slice(-SHOWN)];
  const listed = earlier.slice(Math.max(0, earlier.length - room.rows));
  const rows = (some: readonly Reported[], which: string): Block =>
    runTable(some, keys, { linkTo, caption: `${name}, ${setting}: ${which}` });
  return [
    heading(setting),
    latestWords(latest, linkTo(latest)),
    {
      kind: 'list',
      style: 'arms',
      items: latest.figures.arms.map(({ name: arm, description }) => [{ arm }, ` ${description}`]),
    },
    ...(earlier.length > 0
      ? [
          printed(
            counted(earlier.length, 'earlier run'),
            ...latestOf(listed.length, earlier.length, room.table),
            rows(listed, 'earlier runs'),
          ),
        ]
      : []),
    rows(shown, 'latest runs'),
    ...(entries.length > 1 ? trendBlocks(trends, id, room) : []),
  ];
}

/** The result of the latest run, in the words of its report. */
function latestWords(entry: Reported, link: string | null): Block {
  const { validity, findings } = entry.figures;
  const words = findings.slice(0, 2).map((finding): Text => [' ', invalid(validity), finding]);
  return text(['The latest, ', runName(entry, link), ', is ', { validity }, '.', words]);
}
