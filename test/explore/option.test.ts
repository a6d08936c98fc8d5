import { JSDOM } from 'jsdom';
import { advise, type Option, sustaining } from '../../lib/advise';
import { type Requirement, resolve } from '../../lib/advise/requirement';
import { describeOption, dollars } from '../../lib/advise/wording';
import { plain } from '../../lib/common/format/units';
import { type Drawing, loadDrawing } from '../../lib/common/page/drawing';
import { type MeasuredRate, measuredSpots } from '../../lib/explore/measured';
import { optionSections, ticketOf } from '../../lib/explore/option';
import { explorePage } from '../../lib/explore/page';
import { predict } from '../../lib/predict';
import { PUBLISHED } from '../../lib/price/prices';
import { limitLabel } from '../../lib/storage/limitNames';

let drawing: Drawing;
beforeAll(async () => {
  drawing = await loadDrawing();
});

/** The part of the page on the first option with such words. */
function shown(asked: Requirement, words: RegExp, measured: readonly MeasuredRate[] = []): Document {
  const { options, requirement } = advise(asked);
  const at = options.findIndex(({ configuration }) => words.test(describeOption(configuration)));
  const sections = optionSections(options[at] as Option, at + 1, requirement, { drawing, measured, book: PUBLISHED });
  return new JSDOM(sections.toString()).window.document;
}

const ladderOf = (page: Document): string[] =>
  [...(page.querySelector('#ladder + .table')?.querySelectorAll('tbody tr') ?? [])].map(
    ({ textContent }) => textContent ?? '',
  );

test('limits that are the lowest together bind both; the disks do not where compression spares them', () => {
  const same = ladderOf(shown({ readMBps: 500 }, /^SCRATCH_2.*no compression$/));
  expect(same.map((row) => row.includes(', the lowest limit'))).toEqual([true, true]);
  const rows = ladderOf(shown({ readMBps: 500, ratio: 2 }, /^SCRATCH_2.*LZ4$/));
  expect(rows.find((row) => row.startsWith(limitLabel('disk')))).toContain('Not a limit: data are compressed');
});

test('each limit has its rates, the lowest first, and what a file system costs that reaches it', () => {
  const asked = { writeMBps: 3000, capacityTB: 40, ratio: 2 };
  const option = advise(asked).options[0] as Option;
  const { limits, binding } = predict({ configuration: option.configuration, ratio: 2 });
  const rows = ladderOf(shown(asked, /./));
  const rising = [...limits].sort((a, b) => a.baselineMBps - b.baselineMBps);
  expect(rows).toHaveLength(rising.length);
  rising.forEach(({ name, baselineMBps, burstMBps }, at) => {
    const row = rows[at] ?? '';
    const binds = name === binding.baseline;
    const [flow] = option.flows as readonly [Option['flows'][number]];
    const next = sustaining(option, resolve(asked), flow, binds ? baselineMBps * 1.001 : baselineMBps, PUBLISHED);
    const usd = next?.monthlyUsd ?? 0;
    const more = usd - (option.monthlyUsd ?? 0);
    const price =
      next === null ? 'no size' : `${dollars(usd)} USD per month${more < 1 ? '' : `, ${dollars(more)} more`}: `;
    expect(row.startsWith(limitLabel(name))).toBe(true);
    expect(row).toContain(`${plain(baselineMBps)}${plain(burstMBps)}`);
    if (binds) expect(row).toContain(`More: ${price}`);
    else if (baselineMBps > option.throughputMBps.baseline) expect(row).toContain(`This much: ${price}`);
  });
});

test('beyond the rate of the clients no larger file system helps', () => {
  const clients = { count: 2, instanceType: 'c5n.9xlarge' };
  const rows = ladderOf(shown({ writeMBps: 1000, capacityTB: 40, clients }, /./));
  const ofClients = rows.findIndex((row) => row.startsWith(limitLabel('client_nic')));
  const kinds = rows.map((row) => /more takes more or faster clients/.test(row));
  expect(ofClients).toBeGreaterThan(0);
  expect([kinds.indexOf(true) > ofClients, kinds.lastIndexOf(false) >= ofClients]).toEqual([true, true]);
});

test('of reads and writes at different times the slower ones are shown', () => {
  const asked = { readMBps: 3000, writeMBps: 3000, capacityTB: 40, workingSetGiB: 100 };
  const page = shown(asked, /./);
  expect(page.querySelector('#ladder')?.textContent).toBe('Limits, writes');
  const [option] = advise(asked).options as [Option];
  const rows = ladderOf(page).filter((row) => row.includes(', the lowest limit'));
  expect(rows[0]).toContain(plain(option.throughputMBps.baseline));
});

test('the parts of the bill add up to its total, for the hours that are asked for', () => {
  const page = shown({ writeMBps: 3000, capacityTB: 40, hoursPerMonth: 365 }, /./);
  const bill = [...page.querySelectorAll('#bill ~ .table tbody tr')].map(({ children }) =>
    [...children].map(({ textContent }) => textContent ?? ''),
  );
  const usd = bill.map((cells) => Number((cells[2] as string).replace(/,/g, '')));
  const total = usd.pop() as number;
  expect(bill.at(-1)?.[1]).toBe('365 hours');
  expect(Math.abs(usd.reduce((sum, part) => sum + part, 0) - total)).toBeLessThan(usd.length);
  expect(total).toBe(
    Math.round(advise({ writeMBps: 3000, capacityTB: 40, hoursPerMonth: 365 }).options[0]?.monthlyUsd ?? 0),
  );
});

test('any name of a path is one, even what would end a script or begin a comment', () => {
  const found = { paths: ['</script><!--<script>', '--> <\\!--'] };
  const { document } = new JSDOM(explorePage('', found, null, [])).window;
  expect(JSON.parse(document.getElementById('found')?.textContent ?? '')).toEqual(found);
});

const [option] = advise({ writeMBps: 3000, capacityTB: 40, ratio: 2 }).options as readonly [Option];
const RATE: MeasuredRate = {
  run: 'r1',
  arm: 'lz4',
  configuration: option.configuration,
  operation: 'write',
  mode: 'write',
  ratio: 1.9,
  predictedMBps: { baseline: 4000, burst: 5000 },
  measuredMBps: 3200,
};

test('a mark of cost against speed stands at the rate and at the price of the arm, for what is asked for', () => {
  const asked = { writeMBps: 3000, capacityTB: 40, ratio: 2 };
  const { rate, usd } = measuredSpots([RATE], asked, PUBLISHED)[0] ?? {};
  expect([rate, usd]).toEqual([3.2, option.monthlyUsd]);
  const others = [
    { ...RATE, mode: 'read' },
    { ...RATE, configuration: null },
  ];
  expect(measuredSpots(others, asked, PUBLISHED)).toEqual([]);
  expect(measuredSpots([RATE], { ...asked, storages: ['efs'] }, PUBLISHED)).toEqual([]);
});

test('a measured write is a cross over the curve of compression, at its ratio and rate, on its predicted range', () => {
  const asked = { writeMBps: 3000, capacityTB: 40, ratio: 2 };
  const chartOf = (rates: readonly MeasuredRate[]): Element | null =>
    shown(asked, /LZ4/, rates).querySelector('#knee + figure');
  const { baseline, burst } = predict({ configuration: option.configuration, ratio: 2 }).throughputMBps;
  const same = {
    ...RATE,
    ratio: 2,
    measuredMBps: baseline,
    predictedMBps: { baseline: baseline / 2, burst: burst + 1 },
  };
  const chart = chartOf([same]);
  const circle = chart?.querySelector('circle');
  const [first, last] = [/^M[\d.]+,([\d.]+)/, /,([\d.]+)$/].map(
    (y) => y.exec(chart?.querySelector('path')?.getAttribute('d') ?? '')?.[1],
  );
  expect(Number(last)).toBeLessThan(Number(first));
  const cross = chart?.querySelector('path[transform]');
  expect(cross?.getAttribute('transform')).toContain(`(${circle?.getAttribute('cx')},${circle?.getAttribute('cy')})`);
  const range = chart?.querySelector('[stroke-width="5"] line');
  expect(Number(range?.getAttribute('y1'))).toBeGreaterThan(Number(range?.getAttribute('y2')));
  expect(chartOf([{ ...RATE, mode: 'read' }])?.textContent).not.toContain('Crosses');
});

test('the words on compression say up to which ratio it helps, as the curve does', () => {
  const of = (ratio: number) => predict({ configuration: option.configuration, ratio }).throughputMBps.baseline;
  const words = shown({ writeMBps: 3000, capacityTB: 40, ratio: 2 }, /LZ4/).querySelector('#knee + figure figcaption');
  const [, end = ''] =
    /; beyond ([\d.]+):1 the limit is .*, and more compression does not help/.exec(words?.textContent ?? '') ?? [];
  expect([of(Number(end)) > of(Number(end) - 0.2), of(Number(end) + 1) - of(Number(end)) < 1]).toEqual([true, true]);
});

test('the text for a ticket has the size of the data, and with LZ4 what they take', () => {
  const asked = { writeMBps: 3000, capacityTB: 40, ratio: 2 };
  const dataIn = (words: RegExp): string | undefined => {
    const found = advise(asked).options.find(({ configuration }) => words.test(describeOption(configuration)));
    return ticketOf(found as Option, asked, 'command')
      .split('\n')
      .find((line) => line.startsWith('Data: '));
  };
  expect(dataIn(/LZ4$/)).toBe('Data: 40 TB, at most 80 % full; with LZ4 they take 20 TB');
  expect(dataIn(/no compression$/)).toBe('Data: 40 TB, at most 80 % full');
});
