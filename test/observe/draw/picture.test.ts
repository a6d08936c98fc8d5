import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
import { chromium } from 'playwright-core';
import { Collected, describeDashboard, renderDashboard } from '../../../lib/observe/draw';
import { executablePath } from '../../support/chromium';
import { HANG_MS } from '../../support/patience';
import { recordedDashboard } from './recordedRun';
import { dashboardOfTwoArms, syntheticMetrics, WINDOW } from './syntheticMetrics';

const PICTURES = join(__dirname, '..', '..', '..', 'docs', 'pictures');
const recorded = recordedDashboard();
const synthetic = {
  title: 'MetadataBench: dashboard',
  dashboard: dashboardOfTwoArms(),
  series: syntheticMetrics(),
  window: WINDOW,
  note: 'The values are synthetic: made up for this picture, and measured on no file system.',
};

/** Pages that docs/pictures shows, and how much of each, in pixels. */
const PAGES = [
  ['metadata-dashboard', recorded, 2200],
  ['metadata-dashboard-scale', synthetic, 2200],
] as const;

/** Keyword of the text in a picture that names the page it shows. */
const KEYWORD = 'fsxbench-page';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A PNG with one more text (PNG specification, tEXt), right behind its head. */
function withText(png: Buffer, text: string): Buffer {
  const data = Buffer.from(`tEXt${KEYWORD}\0${text}`, 'latin1');
  const chunk = Buffer.alloc(data.length + 8);
  chunk.writeUInt32BE(data.length - 4, 0);
  data.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(data), data.length + 4);
  const head = 8 + 25;
  return Buffer.concat([png.subarray(0, head), chunk, png.subarray(head)]);
}

const textIn = (png: Buffer): string | undefined =>
  new RegExp(`tEXt${KEYWORD}\0([0-9a-f]{64})`).exec(png.toString('latin1'))?.[1];

async function inBrowser(page: string, work: (open: (width: number) => Promise<Opened>) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-picture-'));
  const file = join(folder, 'index.html');
  writeFileSync(file, page);
  const args = ['--headless', '--no-sandbox', '--disable-gpu'];
  const browser = await chromium.launch({ executablePath, timeout: HANG_MS, args });
  try {
    await work(async (width) => {
      const opened = await browser.newPage({ viewport: { width, height: 900 } });
      opened.setDefaultTimeout(HANG_MS);
      await opened.goto(pathToFileURL(file).href);
      return opened;
    });
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
type Opened = Awaited<ReturnType<Awaited<ReturnType<typeof chromium.launch>>['newPage']>>;

/** `DRAW=1 npx jest test/observe/draw/picture.test.ts` draws them anew. */
test.each(PAGES)('the picture %s is of the page that is drawn today', async (name, dashboard, height) => {
  const page = await renderDashboard(dashboard);
  const picture = join(PICTURES, `${name}.png`);
  if (process.env.DRAW) {
    await inBrowser(page, async (open) => {
      const clip = { x: 0, y: 0, width: 1440, height };
      writeFileSync(picture, withText(await (await open(1440)).screenshot({ fullPage: true, clip }), sha256(page)));
    });
  }
  expect(textIn(readFileSync(picture))).toBe(sha256(page));
});

test('in the recorded run of the scale model the metadata IOPS reached what the report says, 0.9 of the model’s and more', () => {
  const graphs = describeDashboard(recorded.dashboard, new Collected(recorded.series));
  const used = graphs.find(({ title }) => title === 'Metadata IOPS used: all targets together');
  expect(used?.lines.map(({ label }) => label)).toEqual(['p250-3000', 'p250-6000', 'p250-12000']);
  for (const { max: most } of used?.lines ?? []) {
    expect(most).toBeGreaterThan(90);
    expect(most).toBeLessThan(110);
  }
  // Every graph of the benchmark's dashboard has data: nothing is left out for want of them.
  expect(graphs.filter(({ lines }) => lines.length === 0)).toEqual([]);
  // A gauge has one value in each period, not a count: each arm has the one client that is mounted.
  const connections = graphs.find(({ title }) => title === 'Clients: connections');
  expect(connections?.lines.map(({ max: most }) => most)).toEqual([1, 1, 1]);
});

(executablePath === undefined ? test.skip : test).each([1440, 390])(
  'no element of the recorded dashboard is clipped, and axe finds nothing, at %d px',
  async (width) => {
    const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
    await inBrowser(await renderDashboard(recorded), async (open) => {
      const page = await open(width);
      const pictures = process.env.FSXBENCH_SCREENSHOTS;
      if (pictures) await page.screenshot({ path: join(pictures, `recorded-${width}.png`), fullPage: true });
      const clipped = await page.evaluate(() =>
        [...document.querySelectorAll('main *')]
          .filter(
            (one) =>
              one instanceof HTMLElement &&
              one.scrollWidth > one.clientWidth + 1 &&
              getComputedStyle(one).display !== 'inline',
          )
          .map(({ outerHTML }) => outerHTML.slice(0, 100)),
      );
      expect(clipped).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => {
        // biome-ignore lint/suspicious/noExplicitAny: axe puts itself on the window
        const results = await (globalThis as any).axe.run(document, { resultTypes: ['violations'] });
        // biome-ignore lint/suspicious/noExplicitAny: as above
        return results.violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].html.slice(0, 120)}`);
      });
      expect(violations).toEqual([]);
    });
  },
);
