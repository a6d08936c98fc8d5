import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { JSDOM } from 'jsdom';
import { chromium } from 'playwright-core';
import { type Metric, parts } from '../../../lib/dashboard/expression';
import { type Dashboard, graph, type Line, type Panel, text } from '../../../lib/dashboard/graph';
import { renderDashboard } from '../../../lib/observe/draw';
import { drawnGraph, graphsOf } from '../../../lib/observe/draw/graph';
import { markdown } from '../../../lib/observe/draw/page';
import { Collected } from '../../../lib/observe/draw/source';
import type { CollectedAlarm } from '../../../lib/schema/metrics';
import { executablePath } from '../../support/chromium';
import { HANG_MS } from '../../support/patience';
import { collected } from './source';
import { dashboardOfTwoArms, FILE_SYSTEMS, syntheticMetrics, WINDOW } from './syntheticMetrics';

const NOTE = 'The values are synthetic: made up for this picture, and measured on no file system.';

const dashboard = dashboardOfTwoArms();
const series = syntheticMetrics();
const picture = { title: 'MetadataBench: dashboard', dashboard, series, window: WINDOW, note: NOTE };
const source = new Collected(series);

function drawn(title: string) {
  const found = graphsOf(dashboard).find((one) => one.title === title);
  if (found === undefined) throw new Error(`no graph ${title}`);
  return drawnGraph(found, source);
}

const at = (title: string, label: string, minute: number): number | undefined =>
  drawn(title)
    .lines.find((line) => line.label === label)
    ?.series.points.get(Date.parse(WINDOW.from) + minute * 60_000);

test('evaluates every line of the dashboard of MetadataBench', () => {
  const graphs = graphsOf(dashboard).map((one) => drawnGraph(one, source));
  expect(graphs.flatMap(({ refused }) => refused)).toEqual([]);
});

test('adds up targets, and divides the minute by its seconds', () => {
  const targets = series.filter(({ metric, arm }) => metric === 'FileCreateOperations' && arm === 'p1000-192000');
  expect(targets).toHaveLength(16);
  const sum = targets.reduce((total, { points }) => total + (points[8]?.[1] ?? 0), 0);
  expect(sum).toBeGreaterThan(0);
  expect(at('Files created', 'p1000-192000', 8)).toBeCloseTo(sum / 60, 6);
  expect(at('Files created', 'p250-12000', 8)).toBe(0);
});

test('says in percent what the targets use of the provisioned metadata IOPS', () => {
  const used = at('Metadata IOPS used: all targets together', 'p1000-192000', 8) ?? 0;
  expect(used).toBeGreaterThan(80);
  expect(used).toBeLessThan(95);
  expect(at('Metadata IOPS used: the busiest target, at most', 'p1000-192000', 8)).toBeGreaterThan(used);
});

test('names each target by the dynamic label', () => {
  const labels = drawn('Metadata servers: CPU').lines.map(({ label }) => label);
  expect(labels.slice(0, 3)).toEqual(['p250-12000 MDS0000', 'p1000-192000 MDS0000', 'p1000-192000 MDS0001']);
});

test('says what was not collected', () => {
  expect(drawn('Clients: CPU')).toEqual({
    lines: [],
    missing: [
      { label: 'mean', why: 'CPUUtilization: not collected' },
      { label: 'busiest', why: 'CPUUtilization: not collected' },
    ],
    partial: [],
    refused: [],
  });
});

const metric = (name: string, fileSystem: string, stat: string): Metric => ({
  kind: 'metric',
  namespace: 'AWS/FSx',
  metric: name,
  dimensions: { FileSystemId: fileSystem },
  stat,
});

test('names a line whose metric was collected with another statistic, and draws the others', () => {
  const collectedSums = new Collected([collected('Reads', { FileSystemId: 'fs-1' }, [1, 2])]);
  const left = ['Maximum', 'Sum'].map((stat) => ({ label: stat, of: metric('Reads', 'fs-1', stat) }));
  const { lines, refused } = drawnGraph(graph({ title: 'a', width: 6, unit: '', left }), collectedSums);
  expect(refused).toEqual([{ label: 'Maximum', why: 'Reads was collected as Sum, and this asks for Maximum' }]);
  expect(lines.map(({ label }) => label)).toEqual(['Sum']);
});

test('gives the same bytes for the same input, and asks nothing of a network', async () => {
  const page = await renderDashboard(picture);
  expect(await renderDashboard({ ...picture, series: syntheticMetrics() })).toBe(page);
  expect(page).not.toMatch(/(src|href)="(?!data:)/);
  expect(page).toContain(NOTE);
  const { document } = new JSDOM(page).window;
  const empty = graphsOf(dashboard).filter((one) => drawnGraph(one, source).lines.length === 0);
  expect(document.querySelectorAll('.widget')).toHaveLength(dashboard.rows.flat().length - empty.length);
  // Each that has no data is named once, at the end.
  const named = document.querySelector('main > .meta:last-child')?.textContent ?? '';
  for (const { title } of empty) expect(named).toContain(title);
  expect(document.querySelector('main')?.textContent).not.toContain('No data:');
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('escapes whatever the dashboard and the metrics say', async () => {
  const evil = '<img src=x onerror=alert(1)>"\'';
  const hostile: Dashboard = {
    rows: [
      [
        text(`# ${evil}\n- **${evil}**\n\`${evil}\``, 6, 3),
        { kind: 'alarms', alarms: [`arn:aws:cloudwatch:us-east-1:123456789012:alarm:${evil}`], width: 6, height: 3 },
      ],
      [
        graph({
          title: evil,
          width: 6,
          unit: evil,
          rightUnit: evil,
          ceilings: [{ label: evil, value: 3 }],
          left: [
            { label: evil, colour: '"><b>', of: metric('Reads', evil, 'Sum') },
            { label: evil, of: metric('Reads', evil, evil) },
          ],
        }),
      ],
    ],
  };
  const metrics = [collected('Reads', { FileSystemId: evil }, [1, 2, 3])];
  const page = await renderDashboard({ title: evil, dashboard: hostile, series: metrics, window: WINDOW, note: evil });
  const { document } = new JSDOM(page).window;
  expect(document.querySelectorAll('img, script, b')).toHaveLength(0);
  expect(document.querySelectorAll('svg.chart')).toHaveLength(1);
});

test('says which alarms went off, what to do about them, and which did not', async () => {
  const arn = (name: string) => `arn:aws:cloudwatch:us-east-1:123456789012:alarm:${name}`;
  const name = (title: string) => `${title} (MetadataBench)`;
  const names = ['Disk: of one', 'Network of one', 'Metadata CPU of one', 'Space of one'].map(name);
  const panel: Panel = { kind: 'alarms', alarms: names.map(arn), width: 24, height: 3 };
  const alarm = (id: string, state: CollectedAlarm['state'], description = '') => ({
    name: name(id),
    state,
    since: null,
    description,
  });
  const alarms = [
    alarm('Disk: of one', 'OK'),
    alarm('Network of one', 'INSUFFICIENT_DATA'),
    alarm('Metadata CPU of one', 'ALARM', 'Arm one: raise <the> metadata IOPS'),
  ];
  const shown = async (states?: readonly CollectedAlarm[]) => {
    const page = await renderDashboard({
      title: 'a',
      dashboard: { rows: [[panel]] },
      series: [],
      window: WINDOW,
      ...(states && { alarms: states }),
    });
    const { document } = new JSDOM(page).window;
    return document.querySelector('.widget')?.textContent?.replace(/\s+/g, ' ') ?? '';
  };
  expect(await shown(alarms)).toBe(
    'AlarmsWhen this was collected: 1 in alarm, 1 without enough data, 1 OK, 1 not there any more. Arm one: raise <the> metadata IOPSDisk: of oneNetwork of oneSpace of one',
  );
  expect(await shown()).toMatch(
    /^AlarmsStates were not collected.*Disk: of oneNetwork of oneMetadata CPU of oneSpace of one$/,
  );
});

test('knows the little Markdown of our text widgets', () => {
  expect(markdown('# A `b`\none\n**two**\n\n- x\n- *y*\n\nend').toString()).toBe(
    '<h2>A <code>b</code></h2><p>one <strong>two</strong></p><ul><li>x</li><li><em>y</em></li></ul><p>end</p>',
  );
  expect(markdown('one\n\ntwo\n- x\n- y').toString()).toBe('<p>one</p><p>two</p><ul><li>x</li><li>y</li></ul>');
});

test('draws hundreds of targets over half a day, more values than a call takes arguments', async () => {
  const [targets, minutes] = [200, 720];
  const many = Array.from({ length: targets }, (_, target) => ({
    ...collected('Reads', { FileSystemId: 'fs-1', StorageTargetId: `OST${target}` }, []),
    points: Array.from({ length: minutes }, (_, minute): [string, number] => [
      new Date(Date.parse(WINDOW.from) + minute * 60_000).toISOString(),
      minute + target,
    ]),
  }));
  const [{ namespace = '', statistic: stat = '' } = {}] = many;
  const search = { namespace, metric: 'Reads', dimensions: ['FileSystemId', 'StorageTargetId'], resource: {}, stat };
  const line: Line = { label: 'one', by: 'StorageTargetId', of: parts(search) };
  const page = await renderDashboard({
    title: 'a',
    dashboard: { rows: [[graph({ title: 'Targets', width: 12, unit: 'reads', left: [line] })]] },
    series: many,
    window: { from: WINDOW.from, to: new Date(Date.parse(WINDOW.from) + minutes * 60_000).toISOString() },
  });
  expect(page).toContain('one: 200 lines, <span class="most">max 719 to 918 (OST199)</span>');
});

test('refuses a window without length', async () => {
  await expect(renderDashboard({ ...picture, window: { from: WINDOW.from, to: WINDOW.from } })).rejects.toThrow(
    /'window' must begin before it ends/,
  );
});

test('has the file systems of the arms in place of what a template leaves open', () => {
  const all = JSON.stringify(dashboardOfTwoArms());
  for (const id of Object.values(FILE_SYSTEMS)) expect(all).toContain(id);
});

/** `FSXBENCH_SCREENSHOTS` names a folder for pictures, for people to look at. */
(executablePath === undefined ? test.skip : test)(
  'is laid out in a browser without an error, a request or sideways scrolling, wide and narrow',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fsxbench-dashboard-'));
    const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
    const browser = await chromium.launch({
      executablePath,
      timeout: HANG_MS,
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
    try {
      const file = join(folder, 'index.html');
      writeFileSync(file, await renderDashboard(picture));
      for (const [name, width, colorScheme] of [
        ['light', 1440, 'light'],
        ['dark', 1440, 'dark'],
        ['phone', 360, 'light'],
      ] as const) {
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
        page.setDefaultTimeout(HANG_MS);
        const said: string[] = [];
        page.on('console', (message) => said.push(message.text()));
        page.on('pageerror', (error) => said.push(error.message));
        page.on('request', (request) => {
          if (!/^(file|data):/.test(request.url())) said.push(request.url());
        });
        await page.goto(pathToFileURL(file).href);
        const pictures = process.env.FSXBENCH_SCREENSHOTS;
        if (pictures) await page.screenshot({ path: join(pictures, `dashboard-${name}.png`), fullPage: true });
        await page.evaluate(axe);
        const violations = await page.evaluate(async () => {
          // biome-ignore lint/suspicious/noExplicitAny: axe puts itself on the window
          const results = await (globalThis as any).axe.run(document, { resultTypes: ['violations'] });
          // biome-ignore lint/suspicious/noExplicitAny: as above
          return results.violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].html.slice(0, 120)}`);
        });
        expect(violations).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(said).toEqual([]);
        await page.close();
      }
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
