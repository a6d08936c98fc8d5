import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import type { RunEntry } from '../../../lib/analysis/compare/runEntries';
import { summarise as summariseRun } from '../../../lib/analysis/summary';
import { figuresOf, type RunFigures } from '../../../lib/report';
import { indexTable, renderIndex } from '../../../lib/report/list/page';
import { folderOf } from '../../../lib/store/library';
import { fsxbenchIn } from '../../cli/support';
import { cpuMs } from '../../support/patience';
import { writeRun } from '../writeRun';
import { faster, figuresAt, runAt } from './runs';

const entryOf = (figures: RunFigures): RunEntry => ({
  benchmark: figures.benchmark,
  run: figures.run,
  where: 'here',
  state: figures.state ?? 'planned',
  startedAt: figures.startedAt,
  stepsDone: 3,
  stepsTotal: 3,
  figures,
  reason: null,
  next: null,
  folder: null,
  report: `/results/runs/${figures.run}/report/index.html`,
});
const index = (entries: readonly RunEntry[]) =>
  renderIndex({ entries, source: 'Runs of a test', linkTo: ({ report }) => report, table: 'index.csv' });
const documentOf = async (entries: readonly RunEntry[]) => new JSDOM(await index(entries)).window.document;
const text = (element: Element | null | undefined): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

describe('the index page', () => {
  test('says of each run when, how valid, what each arm reached and what changed, and leads to its report', async () => {
    const page = await documentOf([figuresAt(9), figuresAt(10, {}, faster(1.2))].map(entryOf));
    expect(text(page.querySelector('.findings'))).toBe('2 runs of 1 benchmark: 2 WARN.');
    const rows = [...page.querySelectorAll('.runs tbody tr')];
    expect(rows).toHaveLength(2);
    expect(text(rows[1])).toMatch(
      /^20261121T100000Z-paired-t10 ?21 Nov 2026, 10:00:00 UTC ?ran 1 h 2 min ?WARN ?3 warnings ?none 3,4\d\d MB\/s.*within chance \(means 3,539 → 3,471 MB\/s\) ?lz4 13,\d\d\d MB\/s ?\+\d+\.\d %, real/,
    );
    expect(rows[0]?.querySelector('a')?.getAttribute('href')).toContain('t09/report/index.html');
  });

  test('has beside each change the means that it is the quotient of', async () => {
    const page = await documentOf([figuresAt(9), figuresAt(10, {}, faster(1.2))].map(entryOf));
    const rates = /([+−±])(\d+\.\d) %, (?:real|within chance) \(means ([\d,]+) → ([\d,]+) MB\/s\)/g;
    const changes = [...text(page.body).matchAll(rates)];
    expect(changes.length).toBeGreaterThan(10);
    for (const [, sign, percent, before = '', after = ''] of changes) {
      const quotient = Number(after.replaceAll(',', '')) / Number(before.replaceAll(',', ''));
      expect(Math.abs(100 * (quotient - 1) - Number(percent) * (sign === '−' ? -1 : 1))).toBeLessThan(0.1);
    }
  });

  test('has a chart with a name and a description, and a table, for each figure', async () => {
    const page = await documentOf([figuresAt(9), figuresAt(10)].map(entryOf));
    const charts = [...page.querySelectorAll('svg.chart')];
    expect(charts).toHaveLength(12);
    expect(text(charts[0]?.querySelector('title'))).toBe('write at 1:1, from run to run');
    expect(text(charts[0]?.querySelector('desc'))).toMatch(
      /^none: 2 runs, 3,4\d\d to 3,5\d\d, last 3,\d\d\d MB\/s\. lz4: 2/,
    );
    expect(page.querySelectorAll('details caption')).toHaveLength(12);
    const ids = [...page.querySelectorAll('[id]')].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('marks every figure of an INVALID run, and no line leads through it', async () => {
    const failing = ['r1-c1-write', 'r2-c1-write', 'r3-c1-write'];
    const runs = [figuresAt(9), figuresAt(10, { failing }), figuresAt(11)];
    const page = await documentOf(runs.map(entryOf));
    const row = [...page.querySelectorAll('.runs tbody tr')][1];
    expect(row?.querySelectorAll('p.figure')).toHaveLength(6);
    expect(row?.querySelectorAll('p.figure .mark-invalid')).toHaveLength(6);
    const cells = [...page.querySelectorAll('details tbody tr')].filter((one) => text(one).includes('-t10'));
    expect(cells).toHaveLength(12);
    for (const cell of cells) expect(text(cell)).toContain('INVALID');
    const titles = [...page.querySelectorAll('svg title')].map(text).filter((title) => title.includes('-t10'));
    for (const title of titles) expect(title).toContain('INVALID');
    // A line of three runs has three points; two, where the one between them is INVALID.
    const lines = [...page.querySelectorAll('svg [aria-label=line] path, svg path[fill=none]')];
    for (const line of lines) expect((line.getAttribute('d') ?? '').match(/[ML]/g)?.length ?? 0).toBeLessThanOrEqual(2);
  });

  test('says where conditions changed, and in what', async () => {
    const page = await documentOf(
      [
        figuresAt(9),
        figuresAt(10, {}, (record) => ({
          ...record,
          plan: record.plan && { ...record.plan, parameters: { ...record.plan.parameters, seconds: 60 } },
        })),
      ].map(entryOf),
    );
    expect(text(page.querySelector('.facts'))).toBe('Conditions B against Aseconds: 300 → 60');
    expect([...page.querySelectorAll('svg text')].filter((one) => text(one) === 'B')).toHaveLength(12);
  });

  test('keeps platforms apart, the one of the last run first', async () => {
    const page = await documentOf([figuresAt(9), figuresAt(10, { lab: true })].map(entryOf));
    expect([...page.querySelectorAll('h3')].map(text)).toEqual([
      'lab · paired plan · lab scale',
      'AWS us-east-1 · paired plan · published scale',
    ]);
  });

  test('names runs without a report with the command that makes one', async () => {
    const entry = {
      ...entryOf(figuresAt(9)),
      figures: null,
      reason: 'not yet reported',
      next: 'npx fsxbench report X',
    };
    const page = await documentOf([entry]);
    expect(text(page.querySelector('tbody'))).toContain('not yet reported: npx fsxbench report X');
    expect(page.querySelectorAll('svg')).toHaveLength(0);
  });

  test('lets no name from a file become markup', async () => {
    const hostile = '"><script>alert(1)</script>';
    const page = await documentOf(
      [figuresOf(summariseRun(runAt(9, { hostile, armNames: ['<b>x</b>', 'y"'] })))].map(entryOf),
    );
    expect(page.querySelectorAll('script')).toHaveLength(1);
    expect(page.querySelectorAll('main b')).toHaveLength(0);
  });

  test('asks nothing of a network', async () => {
    const html = await index([figuresAt(9), figuresAt(10)].map(entryOf));
    expect(html.match(/(src|href)="(?!#|data:,|\/results)[^"]*"|url\(|@import/g)).toBeNull();
  });

  test('of 2,000 runs is made in seconds, stays below 3 MB, and leads to the table of all', async () => {
    const runs = [9, 10, 11, 12].map((hour) => figuresAt(hour));
    const many = Array.from({ length: 2000 }, (_, at) =>
      entryOf({
        ...(runs[at % 4] as RunFigures),
        run: `run-${String(at).padStart(4, '0')}`,
        startedAt: new Date(Date.UTC(2026, 0, 1, 4 * at)).toISOString(),
        validity: at % 500 === 7 ? 'INVALID' : 'VALID',
      }),
    );
    let html = '';
    const ms = await cpuMs(async () => {
      html = await index(many);
    });
    process.stdout.write(`index of 2,000 runs: ${(html.length / 1e6).toFixed(1)} MB in ${(ms / 1000).toFixed(1)} s\n`);
    expect(Buffer.byteLength(html)).toBeLessThan(3e6);
    expect(ms).toBeLessThan(60_000);
    const page = new JSDOM(html).window.document;
    expect(text(page.body)).toContain('The latest 100 of 2,000 runs. index.csv has all.');
    expect(text(page.body)).toContain('A mark stands for up to 10 runs that follow one another.');
    const [chart] = page.querySelectorAll('svg.chart');
    const titles = [...(chart?.querySelectorAll('title') ?? [])].map(text);
    expect(titles.filter((title) => title.startsWith('10 runs from run-0010 to run-0019, none: '))).toHaveLength(1);
    // Four INVALID runs of two arms are in no mark with others.
    expect(titles.filter((title) => title.includes('INVALID'))).toHaveLength(8);
    const table = indexTable(many) ?? '';
    expect(table.split('\r\n').length - 2).toBe(2000 * 2 * 12);
    expect(table).toContain(',run-0007,2026-01-02T04:00:00.000Z,INVALID,none,');
    expect(indexTable(many.slice(0, 200))).toBeNull();
  });
});

describe('fsxbench list', () => {
  const results = mkdtempSync(join(tmpdir(), 'fsxbench-list-'));
  const list = (...more: string[]) => fsxbenchIn({}, ['list', '--here', '--results', results, ...more]);
  beforeAll(() => {
    for (const record of [runAt(9), runAt(10, {}, faster(1.2))])
      writeRun(record, folderOf(results, 'CompressionBench', record.run));
  });
  afterAll(() => rmSync(results, { recursive: true, force: true }));

  test('writes the page beside the runs, twice the same, and prints its path', async () => {
    const { status, out } = await list('--html');
    expect([status, out]).toEqual([0, `${join(results, 'index.html')}\n`]);
    const first = readFileSync(join(results, 'index.html'), 'utf8');
    const other = join(results, 'elsewhere', 'runs.html');
    await list('--html', other);
    expect(readFileSync(other, 'utf8')).toBe(first);
  });

  test('links to the reports that there are, from wherever the page is', async () => {
    await fsxbenchIn({}, ['report', '--results', results, '20261121T090000Z-paired-t09']);
    const other = join(results, 'elsewhere', 'runs.html');
    await list('--html', other);
    const links = [...new JSDOM(readFileSync(other, 'utf8')).window.document.querySelectorAll('tbody a')];
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '../runs/CompressionBench/20261121T090000Z-paired-t09/report/index.html',
    ]);
    expect(existsSync(join(other, '..', links[0]?.getAttribute('href') ?? ''))).toBe(true);
  });

  test('prints the same figures as JSON', async () => {
    const document = JSON.parse((await list('--json')).out);
    expect(document).toMatchObject({ schema: 'fsxbench.list/1', bucket: null, bucketReason: 'not queried' });
    expect(document.runs[1]).toMatchObject({
      run: '20261121T100000Z-paired-t10',
      where: 'here',
      state: 'done',
      validity: 'WARN',
      scale: 'published',
      findings: [expect.stringContaining('lz4 wrote'), expect.anything(), expect.anything()],
    });
    const trend = document.trends.find((one: { compressibility: number }) => one.compressibility === 2.6);
    expect(trend).toMatchObject({ operation: 'write', unit: 'MB/s', setting: { platform: 'AWS us-east-1' } });
    expect(trend.points.at(-1).change).toMatchObject({ against: '20261121T090000Z-paired-t09', real: true });
  });

  test('says how valid each run is in its table, too', async () => {
    expect((await list()).out).toMatch(/t09 +CompressionBench +done +WARN +51\/51/);
  });

  test('rejects a page that cannot be written', async () => {
    const { status, err } = await list('--html', results);
    expect(status).toBe(2);
    expect(err).toContain("'--html' must be a writable file");
  });
});
