import { JSDOM } from 'jsdom';
import type { Advice, Option } from '../../lib/advise';
import { describeOption, gigabytes, headroomDemand } from '../../lib/advise/wording';
import { type Drawing, loadDrawing } from '../../lib/common/page/drawing';
import type { Markup } from '../../lib/common/page/markup';
import { answerSections, answerSentence, changeList } from '../../lib/explore/answer';
import { fieldName, fieldsOf } from '../../lib/explore/page';
import type { StorageConfiguration } from '../../lib/schema/deployment';

let drawing: Drawing;
beforeAll(async () => {
  drawing = await loadDrawing();
});

const scratch = (storageCapacityGiB: number, dataCompressionType: 'NONE' | 'LZ4' = 'NONE'): StorageConfiguration => ({
  ...{ kind: 'lustre', deploymentType: 'SCRATCH_2', storageType: 'SSD', storageCapacityGiB, dataCompressionType },
});
const flow = { demand: 'read', MBps: 1000, headroom: 0.253, throughputMBps: { baseline: 1234, burst: 5678 } };
const option = (given: object = {}, capacityGiB = 1200): Option =>
  ({
    ...{ configuration: scratch(capacityGiB), monthlyUsd: 1234.4, knownUsd: 1234.4, lowUsd: 1234.4, pareto: true },
    ...{ throughputMBps: { baseline: 1234, burst: 5678 }, binding: { baseline: 'disk', burst: 'server_network' } },
    ...{ flows: [flow], headroom: 0.253, checks: [{ demand: 'read', met: true }], unmet: [], meets: true },
    ...{ why: 'the cheapest that meets it', reason: null, unpriced: ['IOPS', 'backups'], ...given },
  }) as unknown as Option;
const missing = (reason: string, met: boolean | null) => ({ demand: 'read', met, reason });
const adviceOf = (options: readonly Option[], more: object = {}): Advice =>
  ({ requirement: { readMBps: 1000 }, options, nearest: [], rejected: [], changes: [], ...more }) as unknown as Advice;

const pageOf = (markup: Markup | null): Document => new JSDOM(String(markup ?? '')).window.document;
const textOf = (markup: Markup | null): string => pageOf(markup).body.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
const rowsOf = (page: Document, within: string): string[][] =>
  [...page.querySelectorAll(`${within} tbody tr`)].map((row) =>
    [...row.children].map((cell) => cell.textContent?.replaceAll(/\s+/g, ' ').trim() ?? ''),
  );
const words = describeOption(scratch(1200));

test.each<[string, Advice, string | RegExp]>([
  [
    'what to buy, with its rates and its limit',
    adviceOf([option()]),
    `1,234 USD per month for ${words}, which meets the requirement: 1.23 GB/s sustained, 5.68 GB/s in a burst, limited by the disks; the cheapest that meets it.`,
  ],
  [
    'no burst where there is none',
    adviceOf([option({ throughputMBps: { baseline: 1234, burst: 1234 } })]),
    /: 1\.23 GB\/s sustained, limited by/,
  ],
  ['a price of less than 100 USD has cents', adviceOf([option({ monthlyUsd: 99.5, lowUsd: 99.5 })]), /^99\.50 USD per/],
  ['a price that is a range', adviceOf([option({ lowUsd: 1000 })]), /^1,000–1,234 USD per month for/],
  ['an unknown price', adviceOf([option({ monthlyUsd: null, reason: 'x' })]), /^Price not fully known for/],
  [
    'others that may cost less, from the lower end of the first',
    adviceOf([option()], { nearest: [option({ lowUsd: 700 }), option({ lowUsd: 600 })] }),
    /\. 2 others may cost less, from 700 USD per month; what is unknown about them is listed below\.$/,
  ],
  [
    'nothing, and what comes closest, with what it misses',
    adviceOf([], {
      nearest: [option({ unmet: [missing('too slow (https://a.b)', false), missing('creates', null)] })],
    }),
    `Nothing that AWS sells meets these requirements (considered: FSx for Lustre). Closest: ${words} for 1,234 USD per month; too slow. unknown: creates.`,
  ],
  ['nothing at all', adviceOf([]), 'Nothing that AWS sells meets these requirements (considered: FSx for Lustre).'],
])('the answer says %s', (_, advice, expected) => {
  const text = textOf(answerSentence(advice));
  if (typeof expected === 'string') expect(text).toBe(expected);
  else expect(text).toMatch(expected);
});

test('the table has eight options in their order, the others on demand, each with its figures', () => {
  const options = Array.from({ length: 10 }, (_, at) =>
    option({ monthlyUsd: 1000 + at, lowUsd: 1000 + at }, 1200 * (at + 2)),
  );
  const page = pageOf(answerSections(adviceOf(options), drawing));
  const ranks = (within: string) => rowsOf(page, within).map(([first]) => first?.split(' · ')[0]);
  expect(ranks('section > .table')).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
  expect(ranks('details')).toEqual(['9', '10']);
  expect(page.querySelector('details summary')?.textContent).toBe('2 more options');
  expect(rowsOf(page, 'section > .table')[1]).toEqual([
    `2 · ${describeOption(scratch(3600))}the cheapest that meets it`,
    ...['1,001', '1.23', '5.68', '25 %', 'disk'],
  ]);
  expect(pageOf(answerSections(adviceOf(options.slice(0, 8)), drawing)).querySelector('details')).toBeNull();
});

test.each([
  ['a range', { lowUsd: 1000 }, '1,000–1,234', '25 %'],
  ['a part that is known', { monthlyUsd: null, knownUsd: 900, lowUsd: 900 }, '900plus IOPS and backups', '25 %'],
  ['nothing that is known', { monthlyUsd: null, knownUsd: 0, lowUsd: 0 }, 'unknown', '25 %'],
  ['head-room of another rate', { flows: [{ ...flow, throughputMBps: { baseline: 2000 } }] }, '1,234', '25 % of reads'],
  ['no head-room', { headroom: null, flows: [] }, '1,234', '–'],
])('an option shows %s', (_, given, usd, headroom) => {
  const [row] = rowsOf(pageOf(answerSections(adviceOf([option(given)]), drawing)), '#options ~ .table');
  expect([row?.[1], row?.[4]]).toEqual([usd, headroom]);
});

test('only what is on the front is set apart, and what comes close and what was rejected has its reason', () => {
  const two = [option(), option({ pareto: false }, 2400)];
  const nearest = [option({ meets: false, unmet: [missing('too slow', false)] })];
  const rejected = [{ configuration: scratch(3600), reason: 'too small (https://a.b)' }];
  const page = pageOf(answerSections(adviceOf(two, { nearest, rejected }), drawing));
  expect([...page.querySelectorAll('#options ~ .table strong')].map(({ textContent }) => textContent)).toEqual([words]);
  expect(page.querySelector('#close')?.textContent).toBe('What may cost less');
  expect(rowsOf(page, '#close ~ .table')).toEqual([[words, '1,234 USD per monthtoo slow.']]);
  expect(rowsOf(page, 'details')).toEqual([[describeOption(scratch(3600)), 'too small']]);
  expect(pageOf(answerSections(adviceOf([], { nearest }), drawing)).querySelector('#close')?.textContent).toBe(
    'What comes closest',
  );
  // Without an option there is no table, and nothing without a price is in the chart.
  expect(pageOf(answerSections(adviceOf([], { nearest }), drawing)).querySelector('#options')).toBeNull();
  const unpriced = adviceOf([option({ monthlyUsd: null, reason: 'nobody knows' })]);
  expect(textOf(answerSections(unpriced, drawing))).toContain(
    'No file system with a known price meets the requirement. No total: nobody knows.',
  );
});

test('the chart names what is on its front, in the order of the price', () => {
  const options = [
    option({ monthlyUsd: 3000, throughputMBps: { baseline: 3000, burst: 3000 } }, 4800),
    option({ monthlyUsd: 500, throughputMBps: { baseline: 600, burst: 900 } }),
    option({ monthlyUsd: 900, pareto: false }, 2400),
  ];
  const page = pageOf(answerSections(adviceOf(options), drawing));
  expect(page.querySelector('svg desc')?.textContent).toBe(
    `On the line, with nothing both cheaper and as fast: 2 · ${words}: 500 USD per month, 0.6 GB/s; 1 · ${describeOption(scratch(4800))}: 3,000 USD per month, 3 GB/s.`,
  );
  expect(textOf(answerSections(adviceOf([option({ configuration: scratch(1200, 'LZ4') })]), drawing))).toContain(
    'Filled: with LZ4; hollow: without.',
  );
  expect(page.body.textContent).not.toContain('Filled: with LZ4');
});

test('changes say what then meets the requirement, and for how much', () => {
  const change = (monthlyUsd: number | null) => ({ words: 'lower --read', configuration: scratch(1200), monthlyUsd });
  expect(textOf(changeList(adviceOf([], { changes: [change(10_400), change(null)] })))).toBe(
    `Possible change: lower Reads. Then ${words} meets the requirements for 10,400 USD per month.Possible change: lower Reads. Then ${words} meets the requirements.`,
  );
  expect(changeList(adviceOf([]))).toBeNull();
});

test.each([
  [123, '0.123'],
  [1000, '1'],
  [1234, '1.23'],
  [12_345, '12.3'],
  [123_456, '123'],
])('%d MB/s are %s GB/s', (MBps, shown) => expect(gigabytes(MBps)).toBe(shown));

// A rate comes before a number per second, and that before the capacity.
test('the head-room is that of the tightest rate, or of the first other demand', () => {
  const of = (given: object) => headroomDemand(option(given) as never);
  const check = (demand: string, unit: string) => ({ demand, unit, met: true });
  const loose = { ...flow, demand: 'write', headroom: 0.9 };
  expect(of({ flows: [loose, { ...flow, throughputMBps: { baseline: 9 } }] })).toBe('reads');
  expect(of({ flows: [], checks: [check('capacity', 'TB'), check('creates', '/s')] })).toBe('creates');
  expect(of({ flows: [], checks: [check('capacity', 'TB')] })).toBe('capacity');
  expect(of({ flows: [], checks: [check('creates', '/s'), check('burst', 'MB/s')] })).toBe('bursts');
});

test('a page with an estimate of your files asks for neither their size nor their ratio, and for all else', () => {
  const flags = (found: object | null) => fieldsOf(found).map(({ flag }) => flag);
  expect(flags(null)).toHaveLength(20);
  expect(flags(null).slice(0, 6)).toEqual(['capacity', 'read', 'write', 'burst', 'fileSize', 'ratio']);
  expect(flags({})).toEqual(flags(null).filter((flag) => flag !== 'fileSize' && flag !== 'ratio'));
});

test.each([
  ['--read', 'Reads'],
  ['--ratio', 'Compression ratio'],
  ['--max-monthly', 'At most USD per month'],
  ['--working-set', 'Working set'],
  ['--efa', 'clients over EFA'],
  ['--unknown', '--unknown'],
])('%s is the field: %s', (flag, name) => expect(fieldName(flag)).toBe(name));
