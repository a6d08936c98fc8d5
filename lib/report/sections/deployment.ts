import { duration, NO_VALUE, plain, usd } from '../../kit/format/units';
import { type CellContent, code, details, facts, identifier, json, table } from '../../kit/page/layout';
import { html, type Markup } from '../../kit/page/markup';
import { isLocal, wordsOf } from '../../store/place';
import { idleWords } from '../answers';
import type { Context, PageSection } from './section';

export const deployment: PageSection = {
  id: 'deployment',
  title: 'What was deployed, and what it cost',
  render(context) {
    const { record, summary } = context;
    const { manifest } = record;
    if (manifest === null) return null;
    const { fleet, stack } = manifest;
    const clients = fleet.clients.length;
    return html`${armTable(context)}
${facts([
  [
    'Clients',
    `${clients === 0 ? 'this machine' : clients}${fleet.instanceType === null ? '' : ` × ${fleet.instanceType}`}`,
  ],
  ['Image', fleet.image],
  ['Region', manifest.region],
  ['Stack', stack === null ? null : stack.name],
  ['Results bucket', manifest.bucket ?? null],
  ['Dashboard', manifest.dashboard ?? null],
  ['Metrics', `a point every ${duration(manifest.metricsPeriodSeconds ?? null)}`],
])}
${clients > 0 && details('Clients', html`<ul class="plain">${fleet.clients.map(({ instanceId, privateIp }) => html`<li>${code(instanceId)} ${privateIp}</li>\n`)}</ul>`)}
${manifest.arms.map(({ name, describe }) => describe !== null && details(html`What the service said of ${context.look.label(name)}`, json(describe)))}
<h3>Cost</h3>
${cost(context)}
${stack?.priceBasis !== undefined && html`<p class="soft">At ${stack.priceBasis}.</p>`}
${summary.cost.lines.length > 0 && !isLocal(record) && costTable(context)}
${armCosts(context)}`;
  },
};

function armTable({ record, look }: Context): Markup {
  const really = record.manifest?.arms.some(
    ({ actually, description }) => actually !== null && actually !== description,
  );
  return table({
    caption: 'The arms as deployed',
    captionHidden: true,
    columns: [{ label: 'Arm' }, { label: 'Configuration' }, ...(really ? [{ label: 'Really' }] : []), { label: 'Id' }],
    rows: (record.manifest?.arms ?? []).map((arm): CellContent[] => [
      look.label(arm.name),
      arm.description,
      ...(really ? [arm.actually ?? ''] : []),
      arm.fileSystemId === null ? NO_VALUE : identifier(arm.fileSystemId),
    ]),
  });
}

/** Where money was spent, what it was; where none was, what the same would list at. */
function cost({ summary }: Context): Markup {
  const { hourlyUsd, runUsd, hours } = summary.cost;
  const elsewhere = wordsOf(summary.place)?.costSentence ?? null;
  if (elsewhere !== null) return html`<p>${elsewhere}</p>`;
  const unknown = summary.cost.lines.filter((line) => line.hourlyUsd === null).length;
  if (summary.lab) {
    const price = hourlyUsd === null ? 'has no complete list price' : `lists at ${usd(hourlyUsd)} an hour`;
    return html`<p>Nothing. On AWS this deployment ${price}.</p>`;
  }
  if (hourlyUsd === null)
    return html`<p>Not known as a whole: ${unknown} of ${summary.cost.lines.length} prices are missing.</p>`;
  if (hours === null || runUsd === null)
    return html`<p>${usd(hourlyUsd)} an hour at list price; how long the run took is not known.</p>`;
  return html`<p>${usd(runUsd)} at list price for the ${duration(hours * 3600)} of the run, at ${usd(hourlyUsd)} an hour.${idleWords(summary.cost)} Set-up, idle hours, storage of results and traffic come on top.</p>`;
}

/** What moving data cost while it was moved: at the rate of each arm, with its part of the clients. */
function armCosts({ summary, look }: Context): Markup | null {
  const { costs } = summary.analysis;
  if (costs.every(({ perTerabyteUsd }) => perTerabyteUsd === null)) return null;
  return table({
    caption: 'What moving data cost: file system and its share of the clients, over the measured phases alone',
    columns: [
      { label: 'Arm' },
      { label: 'An hour', numeric: true },
      { label: 'The whole run', numeric: true },
      { label: 'Measured', numeric: true },
      { label: 'Moved', numeric: true },
      { label: 'A TB', numeric: true },
    ],
    rows: costs.map(({ arm, hourlyUsd, runUsd, measuredHours, terabytes, perTerabyteUsd, reason }): CellContent[] => [
      look.label(arm),
      usd(hourlyUsd),
      usd(runUsd),
      duration(measuredHours === null ? null : measuredHours * 3600),
      terabytes === null ? NO_VALUE : `${plain(terabytes)} TB`,
      html`${usd(perTerabyteUsd)}${reason && html` <span class="soft">${reason}</span>`}`,
    ]),
  });
}

function costTable({ summary }: Context): Markup {
  return table({
    caption: 'List prices',
    captionHidden: true,
    columns: [
      { label: 'Item' },
      { label: 'An hour', numeric: true },
      { label: summary.lab ? 'The run, had it been on AWS' : 'The run', numeric: true },
    ],
    rows: [...summary.cost.lines, { item: 'All', ...summary.cost, reason: 'a price is missing' }].map(
      ({ item, hourlyUsd, runUsd, reason }): CellContent[] => [
        item,
        hourlyUsd === null ? html`${NO_VALUE} <span class="soft">${reason}</span>` : usd(hourlyUsd),
        usd(runUsd),
      ],
    ),
  });
}
