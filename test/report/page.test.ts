import { JSDOM } from 'jsdom';
import { summarise as summariseRun } from '../../lib/analysis/summary';
import { type RunRecord, renderHtml, toJson } from '../../lib/report';
import { provenance } from '../../lib/report/sections/provenance';
import { drawn } from '../support/drawn';
import { recordOf, sampleOf } from '../support/records';
import { type SyntheticOptions, syntheticRun } from './syntheticRun';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>'&\u0000`;
const RUNS: Readonly<Record<string, SyntheticOptions>> = {
  'on AWS': {},
  'in the lab': { lab: true, seed: 4 },
  interrupted: { stopAfter: 24 },
  'with failures': { failing: ['r2-c2.6-write', 'r1-c1-space', 'r1-c1-read', 'r2-c1-read', 'r3-c1-read'] },
  'with a second attempt': { retried: ['r1-c2.6-write'] },
  'without samples': { stopAfter: 0 },
  'of hostile names': { hostile: HOSTILE, armNames: ['<b>none</b>', 'lz4" onload="alert(1)'] },
};

async function pageOf(record: RunRecord): Promise<{ html: string; document: Document }> {
  const html = await renderHtml(summariseRun(record));
  return { html, document: new JSDOM(html).window.document };
}
const textOf = (element: Element | null | undefined): string =>
  (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
const all = (document: Document, selector: string): Element[] => [...document.querySelectorAll(selector)];

describe.each(drawn(Object.entries(RUNS)))('the page of a run %s', (_, options) => {
  const record = syntheticRun(options);
  let html: string;
  let document: Document;
  beforeAll(async () => {
    ({ html, document } = await pageOf(record));
  });

  test('loads nothing from anywhere', () => {
    const loading = all(document, '[src], link[href], [srcset], object, iframe, embed, base, form, meta[http-equiv]');
    expect(loading.map((element) => element.outerHTML)).toEqual(['<link rel="icon" href="data:,">']);
    // Links that a reader may follow load nothing.
    expect(html.replace(/<a href="https:[^"]*">/g, '')).not.toMatch(/https?:\/\/|@import|url\(/);
  });

  test('runs no script but its own, and has no handler in its markup', () => {
    expect(all(document, 'script')).toHaveLength(1);
    const handlers = all(document, '*').flatMap((element) =>
      [...element.attributes].filter(({ name }) => /^on/i.test(name)),
    );
    expect(handlers).toEqual([]);
    expect(all(document, 'main img, main b')).toEqual([]);
  });

  test('has one h1, and skips no level of headings', () => {
    const levels = all(document, 'h1, h2, h3, h4').map(({ tagName }) => Number(tagName[1]));
    expect(levels[0]).toBe(1);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
  });

  test('has every id once, and every inner reference leads to one', () => {
    const ids = all(document, '[id]').map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const references = all(document, 'a[href^="#"]').map((link) => link.getAttribute('href')?.slice(1));
    const labels = all(document, '[aria-labelledby], [aria-describedby]').flatMap((element) =>
      [element.getAttribute('aria-labelledby'), element.getAttribute('aria-describedby')].filter((id) => id !== null),
    );
    for (const id of [...references, ...labels]) expect(ids).toContain(id);
  });

  test('gives every chart a name and a description of what it shows', () => {
    for (const chart of all(document, 'svg.chart')) {
      expect(chart.getAttribute('role')).toBe('img');
      expect(textOf(chart.querySelector(':scope > title'))).not.toBe('');
      expect(textOf(chart.querySelector(':scope > desc'))).toMatch(/\d/);
      expect(chart.innerHTML).not.toContain('NaN');
    }
    for (const mark of all(document, 'svg:not(.chart)')) expect(mark.getAttribute('aria-hidden')).toBe('true');
  });

  test('shows every sample with its value, or with the reason why there is none', () => {
    const rows = all(document, '#samples ~ details tbody tr').map((row) => [...row.children].map(textOf));
    let figures = 0;
    for (const [step, arm, , , values = ''] of rows) figures += step && arm ? values.split(' · ').length : 0;
    expect(figures).toBe(record.samples.length);
    for (const { step, arm, metric, value, reason } of record.samples) {
      const own = rows.filter((row) => row[0] === step && row[1] === textOf(shown(arm))).map((row) => row[4] ?? '');
      const said = own
        .flatMap((values) => values.split(' · '))
        .filter((text) => text.startsWith(metric.replaceAll('_', ' ')));
      const wanted = value === null ? textOf(shown(`– ${reason}`)) : null;
      const shows = (text: string): boolean => {
        const rest = text.slice(metric.length + 1);
        if (wanted !== null) return rest === wanted;
        return Math.abs(Number(rest.split(' ')[0]?.replaceAll(',', '')) / (value as number) - 1) < 1e-5;
      };
      expect(said.some(shows)).toBe(true);
    }
  });

  test('plots every measured rate that counts, and marks those without a value', () => {
    const { cells } = toJson(summariseRun(record));
    const rates = cells.filter(({ unit }) => unit === 'MB/s').flatMap(({ samples }) => samples);
    const titles = all(document, 'svg[aria-labelledby^="rate-"] g title').map(textOf);
    expect(titles).toHaveLength(rates.length);
    expect(titles.filter((title) => title.includes('not measured'))).toHaveLength(
      rates.filter(({ value }) => value === null).length,
    );
  });

  test('links every raw file, relative to the run’s folder', () => {
    const links = all(document, '#raw ~ details a').map((link) => decodeURIComponent(link.getAttribute('href') ?? ''));
    expect(links.sort()).toEqual(record.raw.map(({ path }) => `../${path}`).sort());
  });

  test('promises nothing that is not there', () => {
    expect(textOf(document.querySelector('main'))).not.toMatch(/coming soon|undefined|\bNaN\b|\[object|Infinity/i);
    for (const section of all(document, 'main section')) expect(textOf(section).length).toBeGreaterThan(40);
  });

  /** A text as an HTML parser gives it back: what HTML forbids is replaced. */
  function shown(text: string): Element {
    const element = document.createElement('p');
    element.textContent = text.replaceAll('\u0000', '\ufffd');
    return element;
  }
});

describe('the first screen', () => {
  const first = async (options: SyntheticOptions) => {
    const { document } = await pageOf(syntheticRun(options));
    return {
      findings: all(document, '.findings p').map(textOf),
      notice: textOf(document.querySelector('aside.lab')),
      validity: textOf(document.querySelector('.validity')),
      document,
    };
  };

  test('says in words how fast, on what data, against what, in how many pairs', async () => {
    const { findings, notice } = await first({ seed: 7 });
    const quotient = String.raw`\d\.\d+ × \(\d\.\d\d–\d\.\d\d\)`;
    expect(findings).toEqual([
      expect.stringMatching(
        new RegExp(
          `^On data that compressed 3\\.4:1, lz4 wrote ${quotient} and read ${quotient} as fast as none, in 3 pairs: real differences\\.$`,
        ),
      ),
      expect.stringMatching(
        new RegExp(
          `^On data that did not compress, lz4 wrote ${quotient} and read ${quotient} as fast as none, in 3 pairs: inconclusive\\.$`,
        ),
      ),
      'lz4 stored 400 GiB in 119 GiB: 3.4:1 by du, on data made for 3.5:1.',
    ]);
    expect(notice).toBe('');
  });

  test('says what was not measured, and why', async () => {
    const { findings, validity } = await first({ failing: ['r1-c1-read', 'r2-c1-read', 'r3-c1-read'] });
    expect(findings[1]).toMatch(/; read was not measured in pairs \(lz4: write failed: no space left on device\)\.$/);
    expect(validity).toMatch(/^INVALID Validity .*error: .*lz4, read at 1:1: no value at all\./);
  });

  test('says of a lab run, before any number, that it is one, and what the arms really were', async () => {
    const { notice, document } = await first({ lab: true });
    expect(notice).toMatch(/^Lab run\. An emulator answered for AWS\./);
    expect(notice).toContain('lz4 ran on btrfs compress-force=lzo on a loop device.');
    const [place, verdict] = all(document, '.place, .verdict, .findings');
    expect(textOf(place)).toBe('Lab run Local file systems replaced those of AWS: no figure says how AWS’s perform.');
    expect(place?.querySelector('a')?.getAttribute('href')).toBe(`#${document.querySelector('aside.lab')?.id}`);
    expect(textOf(verdict)).toMatch(/^(VALID|WARN|INVALID) /);
    expect(document.title).toMatch(/^Lab: /);
    expect(textOf(document.querySelector('main'))).toContain(
      'Nothing. On AWS this deployment lists at $26.99 per hour.',
    );
  });

  test('of a run without samples says that nothing was measured', async () => {
    expect((await first({ stopAfter: 0 })).findings).toEqual(['Nothing was measured.']);
  });

  test('names data by their compressibility where the ratio was not measured', async () => {
    const record = syntheticRun({ compressibilities: [2.6] });
    const samples = record.samples.filter(({ operation }) => operation !== 'space');
    const { document } = await pageOf({ ...record, samples });
    const [speed, space] = all(document, '.findings p').map(textOf);
    expect(speed).toMatch(/^On data made to compress 2\.6:1 \(not measured\), lz4 wrote /);
    expect(space).toBe('lz4: its used space was not measured: the run holds no reading.');
  });
});

test('links files whose names mean something in an address', async () => {
  const path = 'raw/a b/100% #1?/x&y.out';
  const { document } = await pageOf({
    ...syntheticRun({ repeats: 1, compressibilities: [1] }),
    raw: [{ path, bytes: 1 }],
  });
  const link = document.querySelector('#raw ~ details a')?.getAttribute('href') ?? '';
  const url = new URL(link, 'file:///run/report/index.html');
  expect([decodeURIComponent(url.pathname), url.search, url.hash]).toEqual([`/run/${path}`, '', '']);
});

test('shows what a client wanted and did not get', async () => {
  const { document } = await pageOf(syntheticRun());
  const rows = all(document, '#provenance ~ .table tbody tr').map(textOf);
  expect(rows).toContain('llite.*.max_read_ahead_mb51264Differs. refused by the server');
});

test('leaves out the section of what the run does not have', async () => {
  const { document } = await pageOf({
    ...syntheticRun({ withMetrics: false }),
    raw: [],
    environment: [],
    manifest: null,
  });
  const titles = all(document, 'main > section > h2').map(({ id }) => id);
  expect(titles).toEqual(
    'validity throughput pairs limits space predicted claims stragglers checks plan provenance samples rerun'.split(
      ' ',
    ),
  );
});

test('clients that differ in their name, time and instance alone are described once, after data of unknown ratio', () => {
  const described = (node: string, type: string, at: string): RunRecord['environment'][number] => ({
    node,
    facts: { node, at, kernel: '6.1', instance: { id: `i-${node}`, type } } as never,
  });
  const environment = [
    described('node-1', 'c5.large', '2026-11-28T10:00:00Z'),
    described('node-10', 'c5.large', '2026-11-28T10:00:01Z'),
    described('node-2', 'c5n.large', '2026-11-28T10:00:00Z'),
  ];
  const samples = [null, 4, 1, 10].map((compressibility) => sampleOf({ phase: 'measure', compressibility }));
  const run = summariseRun(recordOf({ environment, samples }));
  expect(run.compressibilities).toEqual([1, 4, 10, null]);
  const blocks = provenance.blocks(run);
  expect(JSON.stringify(blocks).match(/"kind":"heading"/g)).toHaveLength(2);
  expect(JSON.stringify(blocks)).toContain('And 1 more client that is the same: node-10.');
});
