import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { advise, sustaining } from '../../lib/advise';
import { resolve } from '../../lib/advise/requirement';
import { dollars } from '../../lib/advise/wording';
import { requirementOf } from '../../lib/cli/input/requirement';
import { bookWith, type PriceFile, PUBLISHED } from '../../lib/price/prices';
import { readRun, summariseRun } from '../../lib/report';
import { describeLimit, limitLabel } from '../../lib/storage/limitNames';
import { fsxbenchIn } from '../cli/support';
import { executablePath } from '../support/chromium';
import { drawn } from '../support/drawn';
import { HANG_MS } from '../support/patience';

const ROOT = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-explore-'));
const file = join(folder, 'explore.html');
const url = pathToFileURL(file).href;
const made = (...argv: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'dist/fsxbench.js'), 'explore', ...argv], { cwd: folder, encoding: 'utf8' });

beforeAll(() => {
  expect(made()).toMatchObject({ status: 0, stdout: `${url}\n`, stderr: '' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('is below 1.5 MB', () => expect(statSync(file).size).toBeLessThan(1.5e6));

const AWS_RUN = join(ROOT, 'test/fixtures/runs/aws-compression');

test('a run without throughput, one of a model and one that is not there are refused', () => {
  for (const run of [join(ROOT, 'test/fixtures/runs/aws-metadata'), join(ROOT, 'test/fixtures/model/compression')])
    expect(made('--run', run)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("'--run' must be a run on AWS"),
    });
  expect(made('--run', 'none').status).toBe(1);
});

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function randomFlags(random: () => number): Record<string, string> {
  const between = (low: number, high: number) => String(Number((low * (high / low) ** random()).toPrecision(3)));
  const some = <T>(share: number, value: T): T | undefined => (random() < share ? value : undefined);
  const storage = ['all', 'efs', 'openzfs', 'lustre'][Math.floor(random() * 4)];
  const capacity = some(0.7, between(1, 2000));
  const flags = {
    write: between(0.1, 100),
    capacity,
    workingSet: capacity && some(0.2, `${Math.ceil(100 * Number(capacity))}GB`),
    scan: capacity && some(0.2, between(0.1, 20)),
    fileSize: capacity && some(0.3, `${Math.ceil(Number(between(10, 100_000)))}kB`),
    burst: some(0.2, `${between(0.1, 5)}TB/${between(30, 600)}s/30min`),
    read: some(0.5, between(0.1, 100)),
    metadata: some(0.3, between(100, 100_000)),
    ratio: some(0.5, between(1, 8)),
    region: some(0.3, 'eu-central-1'),
    hoursPerDay: some(0.2, between(1, 24)),
    maxMonthly: some(0.2, between(1000, 1e6)),
    headroom: some(0.2, '50%'),
    storage: some(0.3, storage),
    ...(random() < 0.4 && { clients: String(1 + Math.floor(random() * 100)), instance: 'c5n.9xlarge' }),
  };
  return Object.fromEntries(Object.entries(flags).filter((one): one is [string, string] => one[1] !== undefined));
}

const suite = executablePath === undefined ? describe.skip : describe;
suite('in a browser', () => {
  let browser: Browser;
  let page: Page;
  const said: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, timeout: HANG_MS, args: ['--no-sandbox'] });
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', ({ message }) => said.push(message));
    page.on('request', (request) => request.url().startsWith(url) || said.push(request.url()));
    await page.goto(url);
  });
  afterAll(() => browser?.close());

  const shown = () => page.evaluate('JSON.stringify(advice)') as Promise<string>;

  test('200 random requirements have the answers of advise --json', async () => {
    const random = randomFrom(31);
    const asked = Array.from({ length: 200 }, () => randomFlags(random));
    const states = asked.map(({ storage, ...flags }) => ({ ...flags, ...(storage && { storage }) }));
    const hashes = states.map((state) => `#${new URLSearchParams(state)}`);
    // All in one go: the browser need not paint each.
    const answers = (await page.evaluate(`${JSON.stringify(hashes)}.map((hash) => {
      history.replaceState(null, '', hash);
      dispatchEvent(new Event('hashchange'));
      return JSON.stringify(advice);
    })`)) as string[];
    asked.forEach(({ storage, ...flags }, turn) => {
      const expected = advise(
        requirementOf({ ...flags, ...(storage && { storage: [storage] }) }, flags.region ?? 'us-east-1'),
      );
      expect([states[turn], JSON.parse(answers[turn] as string)]).toEqual([
        states[turn],
        JSON.parse(JSON.stringify(expected)),
      ]);
    });
  });

  test('each of forty changes is shown', async () => {
    await page.evaluate("location.hash = 'write=3&capacity=40&ratio=2'; dispatchEvent(new Event('hashchange'))");
    await page.evaluate('performance.clearMeasures()');
    for (let turn = 0; turn < 40; turn += 1) await page.fill('#f-write', String(4 + turn / 10));
    expect(await page.evaluate("performance.getEntriesByName('shown').length")).toBe(40);
  });

  test('by keyboard: a field, a slider, an option; the address keeps the state, and a second page shows it', async () => {
    await page.focus('#f-capacity');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('100');
    await page.keyboard.press('Tab');
    const before = await page.inputValue('#f-capacity');
    await page.keyboard.press('ArrowRight');
    expect(Number(await page.inputValue('#f-capacity'))).toBeGreaterThan(Number(before));
    await page.focus('#option');
    await page.keyboard.press('ArrowDown');
    expect(await page.textContent('#chosen')).toMatch(/^2 · /);
    const second = await browser.newPage();
    await second.goto(page.url());
    expect(await second.evaluate('JSON.stringify(advice)')).toBe(await shown());
    expect(await second.textContent('#chosen')).toBe(await page.textContent('#chosen'));
    await second.close();
    // The first needs no name: who opens the link with other prices gets what is first then.
    await page.focus('#option');
    await page.keyboard.press('ArrowUp');
    expect(await page.textContent('#chosen')).toMatch(/^1 · /);
    expect(page.url()).not.toContain('option=');
  });

  test('the ladder of limits says which one binds, and what raising it costs', async () => {
    await page.evaluate("location.hash = 'write=3&capacity=40&ratio=2'; dispatchEvent(new Event('hashchange'))");
    const asked = { writeMBps: 3000, capacityTB: 40, ratio: 2 };
    const [option] = advise(asked).options;
    if (option === undefined) throw new Error('no option');
    const [flow] = option.flows as readonly [(typeof option.flows)[number]];
    const next = sustaining(option, resolve(asked), flow, 6006, PUBLISHED);
    const words = next?.monthlyUsd == null ? '' : `${dollars(next.monthlyUsd)} USD per month`;
    const bound = page.locator('#detail tr', { hasText: `${limitLabel(option.binding.baseline)}, the lowest limit` });
    expect(await bound.textContent()).toContain(`More: ${words}`);
    expect(await page.textContent('#headline')).toContain(`limited by ${describeLimit(option.binding.baseline)}`);
  });

  test('estimated prices are ranges wherever they stand, and no ratio is called yours that was not given', async () => {
    await page.evaluate(
      "location.hash = 'write=3&capacity=40&region=eu-central-1'; dispatchEvent(new Event('hashchange'))",
    );
    const [range = 'none'] = /[\d,]+–[\d,]+(?= USD per month)/.exec((await page.textContent('#headline')) ?? '') ?? [];
    const rows = (await page.locator('#detail table').last().locator('tr').allTextContents()).slice(1);
    expect(rows.map((row) => row.endsWith(range))).toEqual([true, true]);
    expect(await page.textContent('#detail')).toMatch(/More: [\d,]+–[\d,]+ USD per month/);
    expect(await page.textContent('#detail')).toContain('MB/s at 1:1, since none is given');
    await page.evaluate("location.hash = 'write=3&capacity=40&ratio=2'; dispatchEvent(new Event('hashchange'))");
    expect(await page.textContent('#detail')).toContain('MB/s at your ratio of 2:1');
  });

  test('what is wrong with a value names its field, and an unmet demand is red next to the price', async () => {
    await page.fill('#f-ratio', '0.5');
    expect(await page.textContent('#problem')).toContain("'Compression ratio' must be");
    await page.fill('#f-ratio', '2');
    expect(await page.textContent('#problem')).toBe('');
    await page.evaluate("location.hash = 'capacity=30&read=60&fileSize=150kB'; dispatchEvent(new Event('hashchange'))");
    const unmet = page.locator('#headline .unmet').last();
    expect(await unmet.textContent()).toContain('reach 384,000 of 400,000 per second');
    const colourOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).color`) as Promise<string>;
    expect(await colourOf('#headline .unmet')).toBe(await colourOf('#problem'));
    expect(await colourOf('#headline .unmet')).not.toBe(await colourOf('#headline'));
    expect(await page.textContent('#headline')).toContain('51,780 USD per month');
    expect(await page.textContent('#notes')).toContain('pack the files into archives of at least 190 kB');
    // There is no option whose settings could be copied.
    expect(await page.locator('.actions :is(select, button):visible').allTextContents()).toEqual(['Copy command']);
    await page.evaluate("location.hash = 'burst=2TB/60s/30min&ratio=1.3'; dispatchEvent(new Event('hashchange'))");
    expect(await page.textContent('#headline')).toMatch(/\d others may cost less, from [\d,]+ USD per month;/);
    expect(await page.textContent('#answer')).toContain('AWS publishes no number of credits');
    await page.evaluate("location.hash = 'write=3&capacity=40&ratio=2'; dispatchEvent(new Event('hashchange'))");
  });

  test('copies the command, the settings and a text for a ticket', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (button: string) => {
      await page.fill('#f-write', '3');
      await page.click(button);
      await page.waitForFunction("document.getElementById('copied').textContent !== ''");
      return (await page.evaluate('navigator.clipboard.readText()')) as string;
    };
    // AWS_REGION of whoever runs it may be another one.
    const command = /^npx fsxbench advise --capacity \S+ --write 3 --ratio 2 --region us-east-1$/;
    expect(await copied('#copy-command')).toMatch(command);
    expect(JSON.parse(await copied('#copy-json'))).toHaveProperty('context');
    expect(await copied('#copy-ticket')).toMatch(
      /^File system: .*, LZ4\n[\s\S]*with LZ4 they take [\s\S]*Check: npx fsxbench advise/,
    );
    await page.fill('#f-ratio', '');
    expect(await copied('#copy-ticket')).toMatch(/\nData: [\d.]+ TB, at most 80 % full\n/);
    await page.fill('#f-ratio', '2');
  });

  test('a page with an estimate of files answers for them, and asks for neither ratio nor size', async () => {
    const files = join(folder, 'files');
    mkdirSync(files);
    writeFileSync(join(files, 'text'), 'all work and no play\n'.repeat(9000));
    const own = join(folder, 'own.html');
    expect(made('--data', files, '--html', own).status).toBe(0);
    const second = await browser.newPage();
    second.on('pageerror', ({ message }) => said.push(message));
    await second.goto(`${pathToFileURL(own).href}#capacity=40`);
    expect(await second.locator('#f-ratio, #f-fileSize').count()).toBe(0);
    expect(await second.textContent('#headline')).toContain(', LZ4');
    await second.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await second.click('#copy-command');
    await second.waitForFunction("document.getElementById('copied').textContent !== ''");
    const words = `npx fsxbench advise --capacity 40 --region us-east-1 --data ${files}`;
    expect(await second.evaluate('navigator.clipboard.readText()')).toBe(words);
    await second.close();
  });

  test('clients over EFA are asked for, and in the command: a note of the page says what that would change', async () => {
    const at = async (hash: string) => {
      await page.evaluate(`location.hash = '${hash}'; dispatchEvent(new Event('hashchange'))`);
      return shown();
    };
    const clients = { count: 2, instanceType: 'c6in.32xlarge' };
    const hash = 'read=3&capacity=10&workingSet=4TB&clients=2&instance=c6in.32xlarge';
    await at(hash);
    expect(await page.textContent('#notes')).toContain('clients over EFA considers it');
    const workingSetGiB = 4e12 / 2 ** 30;
    const asked = { readMBps: 3000, capacityTB: 10, workingSetGiB, region: 'us-east-1' };
    expect(JSON.parse(await at(`${hash}&efa=yes`)).options).toEqual(
      JSON.parse(JSON.stringify(advise({ ...asked, clients: { ...clients, efa: true } }).options)),
    );
    expect(await page.textContent('#notes')).not.toContain('over EFA considers');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('#copy-command');
    await page.waitForFunction("document.getElementById('copied').textContent !== ''");
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      ' --instance c6in.32xlarge --working-set 4TB --efa',
    );
    await at('write=3&capacity=40&ratio=2');
  });

  test('prices of your own are those of the page', async () => {
    const root = mkdtempSync(join(folder, 'root-'));
    symlinkSync(join(ROOT, 'dist'), join(root, 'dist'));
    const own = join(root, 'prices.json');
    const origin = { region: 'eu-central-1', source: 'a contract', asOf: '2026-11-01', confidence: 'aws' };
    const items = ['125', '250', '500', '1000'].map((tier) => `fsx/PERSISTENT_2_SSD/${tier}`);
    const prices = items.map((item) => ({ item, unit: 'GB-month', price: 0.01, ...origin }));
    const file = { schema: 'fsxbench.prices/1', currency: 'USD', asOf: '2026-11-01', prices, instances: [] };
    writeFileSync(own, JSON.stringify(file));
    const priced = join(folder, 'priced.html');
    expect(await fsxbenchIn({ root }, ['explore', '--html', priced])).toMatchObject({ status: 0 });
    const second = await browser.newPage();
    second.on('pageerror', ({ message }) => said.push(message));
    await second.goto(`${pathToFileURL(priced).href}#write=3&capacity=40&region=eu-central-1`);
    const asked = { writeMBps: 3000, capacityTB: 40, region: 'eu-central-1' };
    const expected = advise(asked, bookWith(file as unknown as PriceFile));
    expect(JSON.parse((await second.evaluate('JSON.stringify(advice)')) as string)).toEqual(
      JSON.parse(JSON.stringify(expected)),
    );
    const total = dollars(expected.options[0]?.monthlyUsd ?? 0);
    const rows = (await second.locator('#detail table').last().locator('tr').allTextContents()).slice(1);
    expect(rows.map((row) => row.endsWith(total))).toEqual([true, true]);
    expect(await second.textContent('#detail')).not.toMatch(/\d–\d/);
    await second.close();
  });

  const screens = [
    ['light', { width: 1440, height: 900 }],
    ['dark', { width: 1440, height: 900 }],
    ['light', { width: 390, height: 844 }],
  ] as const;
  test.each(drawn(screens))(
    'axe finds nothing, and nothing is wider than the screen: %s %o',
    async (colorScheme, viewport) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
      const { violations } = (await page.evaluate('axe.run()')) as {
        violations: { id: string; nodes: { html: string }[] }[];
      };
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`),
      ).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
      // The answer is above six fields, and the others are on demand.
      const top = (id: string) =>
        page.evaluate(`document.getElementById('${id}').getBoundingClientRect().top`) as Promise<number>;
      expect(await top('headline')).toBeLessThan(await top('f-capacity'));
      await page.evaluate("document.getElementById('more').open = false");
      expect(await page.locator('form input:not([type=range]):visible, form select:visible').count()).toBe(6);
      if (process.env.FSXBENCH_SCREENSHOTS)
        await page.screenshot({
          path: join(process.env.FSXBENCH_SCREENSHOTS, `explore-${colorScheme}-${viewport.width}.png`),
          fullPage: true,
        });
    },
  );

  test('a run on AWS is on the axes of the predictions', async () => {
    const measured = join(folder, 'measured.html');
    expect(made('--run', AWS_RUN, '--html', measured).status).toBe(0);
    expect(statSync(measured).size).toBeLessThan(1.5e6);
    const second = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    second.on('request', (request) => request.url().startsWith('file:') || said.push(request.url()));
    second.on('pageerror', ({ message }) => said.push(message));
    await second.goto(`${pathToFileURL(measured).href}#write=3&capacity=40&ratio=2`);
    const crosses = (chart: string) => second.locator(`#${chart} title`).filter({ hasText: 'Measured in' }).count();
    const { limits } = summariseRun(await readRun(AWS_RUN)).analysis;
    const written = limits.filter(({ operation, measuredMBps }) => operation === 'write' && measuredMBps !== null);
    expect(await crosses('answer')).toBe(written.length);
    await second.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
    const { violations } = (await second.evaluate('axe.run()')) as { violations: { id: string }[] };
    expect(violations.map(({ id }) => id)).toEqual([]);
    if (process.env.DRAW === '1')
      await second.screenshot({
        path: join(ROOT, 'docs/pictures/explore.png'),
        clip: { x: 0, y: 0, width: 1440, height: 1090 },
        fullPage: true,
      });
    await second.close();
  });

  test('asks nothing of a network, and nothing went wrong', () => expect(said).toEqual([]));
});
