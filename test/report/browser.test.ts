import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { summarise as summariseRun } from '../../lib/analysis/summary';
import { renderHtml } from '../../lib/report';
import { executablePath } from '../support/chromium';
import { SEED } from '../support/drawn';
import { HANG_MS } from '../support/patience';
import { LAB_RUNS, labRun } from './labRuns';
import { largeRun } from './largeRun';
import { type SyntheticOptions, syntheticRun } from './syntheticRun';
import { writeRun } from './writeRun';

/**
 * The page in a real browser. `FSXBENCH_SCREENSHOTS` names a folder for pictures of every page, for people to look at.
 */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const RUNS: Readonly<Record<string, SyntheticOptions>> = {
  aws: {},
  lab: { lab: true, seed: 4, retried: ['r1-c2.6-write'] },
  failures: { failing: ['r2-c2.6-write', 'r1-c1-space', 'r1-c1-read', 'r2-c1-read', 'r3-c1-read'] },
  empty: { stopAfter: 0 },
  invalid: { failing: ['r1-c1-write', 'r2-c1-write', 'r3-c1-write'] },
  hostile: {
    hostile: `"><script>alert(1)</script><img src=x onerror=alert(2)>${'x'.repeat(200)}`,
    armNames: ['<b>none</b>', `lz4" onload="alert(1)${'y'.repeat(60)}`],
  },
};
/** Pages that are not of a synthetic run by its options: twelve hours on 200 clients. */
const OTHERS: Readonly<Record<string, () => Promise<string>>> = { large: () => renderHtml(summariseRun(largeRun())) };

/** A recorded run of the lab for each benchmark. */
const LAB_REPORTS = LAB_RUNS.map((name) => [name, async () => renderHtml(summariseRun(await labRun(name)))] as const);

const SCREENS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'light', hasTouch: true },
};

/** Pixels, of a desk's and of a phone's. */
const WIDTHS = [1440, 390];

const suite = executablePath === undefined ? describe.skip : describe;
suite('in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-report-'));
  const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, timeout: HANG_MS, args: FLAGS });
    for (const [name, options] of Object.entries(RUNS)) {
      const record = syntheticRun(options);
      const run = writeRun({ ...record, raw: record.raw.slice(0, 3), environment: [] }, join(folder, name));
      mkdirSync(join(run, 'report'));
      writeFileSync(join(run, 'report', 'index.html'), await renderHtml(summariseRun(record)));
    }
    for (const [name, render] of [...Object.entries(OTHERS), ...LAB_REPORTS]) {
      mkdirSync(join(folder, name, 'report'), { recursive: true });
      writeFileSync(join(folder, name, 'report', 'index.html'), await render());
    }
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Leads a page to a report, and gives what it says and what it asks the network for until the listening ends. */
  async function visit(page: Page, name: string): Promise<{ said: string[]; leave: () => void }> {
    const said: string[] = [];
    const url = pathToFileURL(join(folder, name, 'report', 'index.html')).href;
    page.on('console', (message) => said.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => said.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      said.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (request.url() !== url && request.url() !== 'data:,') said.push(`request: ${request.url()}`);
    });
    await page.goto(url);
    return { said, leave: () => page.removeAllListeners() };
  }

  /** One page for each screen: a report says nothing about the one before it, and a new process for each takes most of the time. */
  const pages = new Map<string, Page>();
  async function pageOf(screen: BrowserContextOptions): Promise<Page> {
    const key = JSON.stringify(screen);
    const page = pages.get(key) ?? (await (await browser.newContext(screen)).newPage());
    page.setDefaultTimeout(HANG_MS);
    pages.set(key, page);
    return page;
  }

  async function open(
    name: string,
    screen: BrowserContextOptions,
  ): Promise<{ page: Page; close: () => Promise<void> }> {
    const page = await pageOf(screen);
    const { leave } = await visit(page, name);
    const close = async () => {
      leave();
      await page.emulateMedia({ media: null });
    };
    return { page, close };
  }

  const openAll = (page: Page) =>
    page.evaluate(() => {
      for (const element of document.querySelectorAll('details')) element.open = true;
    });

  /** Words of a picture that reach out of it. */
  const textsOutside = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll('svg text')].flatMap((text) => {
        const [own, picture] = [text.getBoundingClientRect(), text.closest('svg')?.getBoundingClientRect()];
        const isWithin = picture && own.left >= picture.left - 1 && own.right <= picture.right + 1;
        return own.width === 0 || isWithin ? [] : [text.textContent];
      }),
    );

  /** Elements with more in them than they show, such as a table that scrolls. @param but those that may */
  const clippedIn = (page: Page, but = 'main :not(*)') =>
    page.evaluate(
      (allowed) =>
        [...document.querySelectorAll('main *:not(svg *):not(.unseen)')]
          .filter(
            (one) =>
              one.scrollWidth > one.clientWidth + 1 &&
              !one.matches(allowed) &&
              !/^inline$|^table/.test(getComputedStyle(one).display),
          )
          .map(
            (one) =>
              `${one.tagName} ${one.className} ${one.getAttribute('aria-label') ?? one.textContent?.slice(0, 60)}`,
          ),
      but,
    );

  async function axeFindings(page: Page): Promise<string[]> {
    // Thousands of rows take axe a minute: of those of a table that are made alike, three stay.
    await page.evaluate(() => {
      for (const body of document.querySelectorAll('tbody')) {
        const seen = new Map<string, number>();
        for (const row of [...body.rows]) {
          const made = [row, ...row.querySelectorAll('*')].map((element) =>
            [element.tagName, element.className, ...element.getAttributeNames()].join(' '),
          );
          const times = (seen.get(made.join()) ?? 0) + 1;
          seen.set(made.join(), times);
          if (times > 3) row.remove();
        }
      }
    });
    await page.evaluate(axe);
    return page.evaluate(async () => {
      // biome-ignore lint/suspicious/noExplicitAny: axe puts itself on the window
      const results = await (globalThis as any).axe.run(document, { resultTypes: ['violations'] });
      // biome-ignore lint/suspicious/noExplicitAny: as above
      return results.violations.flatMap(({ id, impact, nodes }: any) =>
        // biome-ignore lint/suspicious/noExplicitAny: as above
        nodes.map((node: any) => `${impact} ${id}: ${node.html.slice(0, 120)}`),
      );
    });
  }

  const cases = [...Object.keys(RUNS), ...Object.keys(OTHERS)].flatMap((run) =>
    Object.keys(SCREENS).map((screen) => [run, screen] as const),
  );

  test.each(cases)('%s on a %s screen: no error, no request, no sideways scrolling', async (run, screen) => {
    const page = await pageOf(SCREENS[screen] ?? {});
    const { said, leave } = await visit(page, run);
    try {
      const pictures = process.env.FSXBENCH_SCREENSHOTS;
      if (pictures) await page.screenshot({ path: join(pictures, `${run}-${screen}.png`), fullPage: true });
      await openAll(page);
      const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(content).toBeLessThanOrEqual(window ?? 0);
      expect(await textsOutside(page)).toEqual([]);
      expect(said).toEqual([]);
    } finally {
      leave();
    }
  });

  const inTurn = <T>(all: readonly T[], index: number): T => all[(SEED + index) % all.length] as T;
  /** axe takes most of the time: it looks at each page once, and at each screen with several pages, other ones in each run. */
  const forAxe = [
    ...[...Object.keys(RUNS), ...Object.keys(OTHERS)].map((run, index) => {
      const [name, screen] = inTurn(Object.entries(SCREENS), index);
      return [run, name, screen] as const;
    }),
    ...LAB_RUNS.map((run, index) => {
      const width = inTurn(WIDTHS, index);
      return [run, `${width} px`, { viewport: { width, height: 900 } }] as const;
    }),
  ];

  test.each(forAxe)('%s on a screen of %s: nothing for axe to mend', async (run, _, screen) => {
    const { page, close } = await open(run, screen);
    try {
      await openAll(page);
      expect(await axeFindings(page)).toEqual([]);
    } finally {
      await close();
    }
  });

  test.each(LAB_RUNS.flatMap((run) => WIDTHS.map((width) => [run, width] as const)))(
    'the recorded lab run of %s at %d px: nothing clipped, no word outside its picture',
    async (run, width) => {
      const { page, close } = await open(run, { viewport: { width, height: 900 } });
      try {
        const pictures = process.env.FSXBENCH_SCREENSHOTS;
        if (pictures) await page.screenshot({ path: join(pictures, `${run}-${width}.png`), fullPage: true });
        await openAll(page);
        // On a phone, tables and the contents scroll by themselves, and the keyboard reaches them.
        expect(await clippedIn(page, width > 640 ? undefined : '.table, nav ul')).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(await textsOutside(page)).toEqual([]);
      } finally {
        await close();
      }
    },
  );

  test.each(
    ['aws', 'lab', 'failures', 'invalid', 'large', ...LAB_RUNS].flatMap((run) => [
      [run, 1440, 900],
      [run, 390, 844],
    ]) as [string, number, number][],
  )('%s: verdict, first sentence and picture are the first screen of %d × %d', async (run, width, height) => {
    const { page, close } = await open(run, { viewport: { width, height } });
    try {
      const ends = await page.evaluate(() =>
        ['h1', '.verdict', '.findings p', 'svg.chart'].flatMap((selector) => {
          const elements = [...document.querySelectorAll(selector)] as HTMLElement[];
          const element = elements.find((one) => one.checkVisibility());
          return element === undefined ? [] : [[selector, element.getBoundingClientRect().bottom] as const];
        }),
      );
      expect(ends.map(([selector]) => selector)).toEqual(['h1', '.verdict', '.findings p', 'svg.chart']);
      expect(ends.filter(([, bottom]) => bottom > height)).toEqual([]);
    } finally {
      await close();
    }
  });

  test.each(['aws', 'lab', 'large', 'hostile', ...LAB_RUNS.filter((name) => name !== 'ClusterBench')])(
    '%s: no word of the first picture reaches into another or out of it',
    async (run) => {
      for (const [width, form] of [
        [1440, '.broad'],
        [390, '.narrow'],
      ] as const) {
        const { page, close } = await open(run, { viewport: { width, height: 900 } });
        try {
          const wrong = await page.evaluate((selector) => {
            const svg = document.querySelector(`${selector} svg`) as SVGElement;
            const box = svg.getBoundingClientRect();
            const words = [...svg.querySelectorAll('text')].map(
              (text) => [text.textContent, text.getBoundingClientRect()] as const,
            );
            const lines = [...svg.querySelectorAll('line, path')].map((line) => line.getBoundingClientRect());
            const meets = (a: DOMRect, b: DOMRect): boolean =>
              a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
            return words.flatMap(([text, rect], index) => [
              ...(rect.left < box.left - 1 || rect.right > box.right + 1 ? [`${text} is cut off`] : []),
              ...words.slice(index + 1).flatMap(([other, its]) => (meets(rect, its) ? [`${text} meets ${other}`] : [])),
              ...(lines.some((line) => meets(rect, line)) ? [`a line crosses ${text}`] : []),
            ]);
          }, form);
          expect(wrong).toEqual([]);
        } finally {
          await close();
        }
      }
    },
  );

  test.each(['aws', 'lab', 'failures', 'invalid', 'large'])(
    '%s: nothing is clipped, and no table scrolls, at 1440 px',
    async (run) => {
      const { page, close } = await open(run, { viewport: { width: 1440, height: 900 } });
      try {
        await openAll(page);
        expect(await clippedIn(page)).toEqual([]);
      } finally {
        await close();
      }
    },
  );

  test.each(Object.keys(OTHERS))('%s is printed without anything cut off', async (name) => {
    const { page, close } = await open(name, { viewport: { width: 680, height: 900 } });
    try {
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await page.emulateMedia({ media: 'print' });
      const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(content).toBeLessThanOrEqual(window ?? 0);
      expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(20_000);
    } finally {
      await close();
    }
  });

  test.each(Object.keys(OTHERS))(
    '%s: the keyboard reaches every link, table and button, and shows where it is',
    async (name) => {
      const { page, close } = await open(name, SCREENS.light ?? {});
      try {
        const steps = 25;
        const seen: string[] = [];
        for (let step = 0; step < steps; step++) {
          await page.keyboard.press('Tab');
          const [what, outline] = await page.evaluate(() => {
            const element = document.activeElement as HTMLElement;
            const all = [...document.querySelectorAll('a, summary, [tabindex="0"], button')].filter((one) =>
              (one as HTMLElement).checkVisibility(),
            );
            return [`${all.indexOf(element)}`, getComputedStyle(element).outlineStyle];
          });
          expect(outline).not.toBe('none');
          seen.push(what ?? '');
        }
        // In the order of the page, none left out.
        expect(seen).toEqual(Array.from({ length: steps }, (_, index) => String(index)));
      } finally {
        await close();
      }
    },
  );

  test('a link to a raw file leads to that file', async () => {
    const { page, close } = await open('aws', SCREENS.light ?? {});
    try {
      await openAll(page);
      await page.locator('#raw ~ details a').first().click();
      expect(await page.locator('body').textContent()).toMatch(/^\.+$/);
    } finally {
      await close();
    }
  });

  test('everything can be reached and opened by keyboard alone', async () => {
    const { page, close } = await open('lab', SCREENS.light ?? {});
    try {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the figures');
      await page.locator('#throughput ~ details summary').first().focus();
      await page.keyboard.press('Enter');
      expect(await page.locator('#throughput ~ details').first().getAttribute('open')).not.toBeNull();
    } finally {
      await close();
    }
  });

  test('shows everything of substance without JavaScript', async () => {
    const { page, close } = await open('lab', { ...SCREENS.light, javaScriptEnabled: false });
    try {
      expect(await page.locator('svg.chart').count()).toBeGreaterThan(6);
      expect(await page.locator('button').count()).toBe(0);
    } finally {
      await close();
    }
  });

  test('opens the tables of figures on paper, and closes them again', async () => {
    const { page, close } = await open('lab', SCREENS.light ?? {});
    try {
      const open = () => page.locator('details[open]').count();
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      expect(await open()).toBe(5);
      await page.emulateMedia({ media: 'print' });
      expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(20_000);
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      expect(await open()).toBe(0);
    } finally {
      await close();
    }
  });
});
