import { summarise } from '../../../lib/analysis/summary';
import type { Block } from '../../../lib/report/blocks';
import { claims } from '../../../lib/report/sections/claims';
import { deployment } from '../../../lib/report/sections/deployment';
import { limits } from '../../../lib/report/sections/limits';
import { pairs } from '../../../lib/report/sections/pairs';
import { plan } from '../../../lib/report/sections/plan';
import { predicted } from '../../../lib/report/sections/predicted';
import { program } from '../../../lib/report/sections/program';
import { provenance } from '../../../lib/report/sections/provenance';
import { rates } from '../../../lib/report/sections/rates';
import type { Section } from '../../../lib/report/sections/section';
import { space } from '../../../lib/report/sections/space';
import { stragglers } from '../../../lib/report/sections/stragglers';
import { isQuantity, isShown, plainText, quantityText } from '../../../lib/report/shown';
import { soundRun } from '../../analysis/runs';

const RUN = summarise(soundRun({ compressibilities: [1] }));
type Summary = typeof RUN;
type Lines = (string | string[])[];

/** Returns what a section says and what it opens on demand: a line for each text, and for each row of a table. */
const said = (section: Section, change: object): Lines =>
  section
    .blocks({ ...RUN, ...change } as Summary)
    .filter(isShown)
    .flatMap(linesOf);
function linesOf(block: Block): Lines {
  const all = (blocks: readonly (Block | null | false)[]): Lines => blocks.filter(isShown).flatMap(linesOf);
  switch (block.kind) {
    case 'text':
      return [plainText(block.text)];
    case 'details':
      return [plainText(block.summary), ...all(block.blocks)];
    case 'table':
      return block.rows.map((row) => row.map((field) => plainText(isQuantity(field) ? quantityText(field) : field)));
    case 'charts':
      return [...block.charts.map(({ caption }) => plainText(caption)), ...all(block.figures ?? [])];
    case 'list':
      return block.items.map(plainText);
    case 'facts':
      return block.facts.flatMap(([name, value]) => (value === null ? [] : `${plainText(name)}: ${plainText(value)}`));
    default:
      return [];
  }
}

describe('paired differences', () => {
  const withComparison = (change: object) => ({
    comparisons: RUN.comparisons.slice(0, 1).map((one) => ({ ...one, ...change })),
  });
  const PAIRS = [
    { repeat: 1, baseline: 1, value: 2, ratio: 2 },
    { repeat: 2, baseline: null, value: 1, ratio: null, reason: 'none: killed' },
    { repeat: 10, baseline: 2, value: 5, ratio: 2.5 },
  ];

  test.each([
    ['higher', 'rate', 'write: ratios by repeat'],
    ['lower', 'figure', 'write: ratios by repeat (lower is better)'],
  ])('of a figure that is better when %s', (better, what, caption) => {
    const change = withComparison({ better });
    expect(said(pairs, change)[0]).toContain(`Each ratio divides an arm’s ${what} by that of none in the same repeat`);
    expect(pairs.blocks({ ...RUN, ...change } as Summary)).toContainEqual(expect.objectContaining({ caption }));
  });

  test('have a row for each arm, with its repeats in order', () => {
    const lines = said(
      pairs,
      withComparison({
        ...{ pairs: PAIRS, count: 2, estimate: 2.236, minimumDetectable: 0.2, compressibility: 2.6 },
        interval: { ...RUN.comparisons[0]?.interval, low: 1.5, high: 3.25 },
        outliers: [{ repeat: 10, value: 2.5 }],
      }),
    );
    const row = lines.find((one) => Array.isArray(one) && one[1] === 'lz4');
    expect(row).toEqual([
      ...['2.6:1', 'lz4', '2.24', '1.50–3.25', expect.stringContaining('(repeat 10 is an outlier, and is counted)')],
      ...['20 %', '2.00 · – (none: killed) · 2.50'],
    ]);
  });

  test('without an interval are too few, and none at all are no section', () => {
    const row = (change: object) =>
      said(pairs, withComparison({ interval: null, different: null, ...change })).find((one) => Array.isArray(one));
    expect(row({ count: 1, pairs: PAIRS.slice(0, 1) })?.slice(3, 5)).toEqual(['–', 'one pair is too few']);
    expect(said(pairs, withComparison({ count: 0 }))).toEqual([]);
  });

  test('explain how far the intervals can be trusted', () => {
    const inflated = (varianceInflation: number) => ({ dependence: { varianceInflation } });
    const [first] = RUN.comparisons;
    const text = (...inflations: number[]) =>
      said(pairs, {
        comparisons: inflations.map((one) => ({ ...first, interval: { ...first?.interval, ...inflated(one) } })),
      }).find((one) => String(one).startsWith('The interval shows')) as string;
    expect(text(1.5, 2.5)).toContain('(variance inflation 1.50 to 2.50)');
    expect(text(1.5, 2.5)).toContain('The 2 intervals are widened together (Holm’s method)');
    expect(text(1.5)).toContain('(variance inflation 1.50)');
    expect(text(1.5)).not.toContain('Holm');
  });
});

describe('published figures that cannot be compared', () => {
  const [verdict] = RUN.analysis.verdicts.filter(({ verdict }) => verdict === 'not comparable');
  const since = (because: string, count: number) =>
    Array.from({ length: count }, () => ({ ...verdict, differences: [], because }));

  test.each([
    [since('the run is INVALID', 2), 'None of 2 published figures can be compared since the run is INVALID.'],
    [
      [...since('it is a price', 1), ...since('the run is INVALID', 3)],
      'None of 4 published figures can be compared, for 3 of them since the run is INVALID.',
    ],
  ])('for one reason have it, for several the most frequent with its number: %#', (verdicts, sentence) => {
    expect(said(claims, { analysis: { ...RUN.analysis, verdicts } })[0]).toBe(sentence);
  });
});

describe('what a run cost', () => {
  const lines = [
    { item: 'a', hourlyUsd: 4, runUsd: 8 },
    { item: 'b', hourlyUsd: null, runUsd: null, reason: 'Spot' },
    { item: 'c', hourlyUsd: null, runUsd: null, reason: 'unknown' },
  ];
  const cost = (change: object) => ({
    cost: { ...RUN.cost, lines, hourlyUsd: 6, runUsd: 12, hours: 2, idleHours: null, idleUsd: null, ...change },
  });
  const record = { ...RUN.record, elsewhere: null };

  test('has a row for each line, and their sum with what is missing', () => {
    const rows = said(deployment, { ...cost({ hourlyUsd: null, runUsd: null }), lab: false, record }).filter((one) =>
      Array.isArray(one),
    );
    expect(rows).toEqual(
      expect.arrayContaining([
        ['a', '$4.00', '$8.00'],
        ['b', '– Spot', '–'],
        ['c', '– unknown', '–'],
        ['All', '– a price is missing', '–'],
      ]),
    );
  });
});

/** Lines of the usual run are those of the case without a change; the others add these. */
describe('each section, by what it is told of', () => {
  const { plan: made, manifest } = RUN.record;
  const analysis = (change: object) => ({ analysis: { ...RUN.analysis, ...change } });
  const [limit, cell, claim] = [RUN.analysis.limits[0], RUN.cells[0], RUN.analysis.verdicts[0]];
  const [rate] = RUN.analysis.predicted.rates;
  const limitsOf = (...changes: object[]) => analysis({ limits: changes.map((change) => ({ ...limit, ...change })) });
  const node = { client: 'a', busy: 0.25, ioStall: 0.5, ioWait: null, counters: [], reason: null };
  const counters = [
    { name: 'bytes_read', unit: 'B', value: 2048 },
    { name: 'opens', unit: '1', value: 1500 },
    { name: 'wait', unit: 's', value: 2 },
  ];
  const change = { at: '2026-11-21T09:10:00Z', hours: 1.5, before: 3000, after: 2000, relative: -1 / 3, values: 9 };
  const between = ['2026-11-21T09:10:00Z', '2026-11-21T09:10:00Z'];
  const level = { arm: 'lz4', operation: 'write', kind: { id: 'write' }, compressibility: 1, unit: 'MB/s' };
  const precise = { ...made, parameters: { ...made?.parameters, precision: 3, repeats: 24 } };
  const work = { arm: 'lz4', operation: 'write', repeats: 8, compressibility: null, threads: 4 };
  const fleet = { ...manifest?.fleet, clients: [{ instanceId: 'i-1', privateIp: '10.0.0.1' }], instanceType: 'c6in' };
  const withFleet = (change: object) => ({
    record: { ...RUN.record, manifest: { ...manifest, fleet: { ...fleet, ...change } } },
  });
  const wholeCell = (change: object) => ({ cells: [{ ...cell, ...change }] });
  const sample = (value: number | null, reason?: string) => ({ value, repeat: 1, reason });
  const [reading] = RUN.space[0]?.readings ?? [];

  test.each<[string, Section, object]>([
    [
      'program: one node, this computer',
      program,
      analysis({ programs: [{ arm: 'lz4', nodes: [{ ...node, client: null }] }] }),
    ],
    [
      'program: several nodes, and counters as far as they were read',
      program,
      analysis({
        programs: [
          {
            arm: 'none',
            nodes: [
              { ...node, counters, reason: 'too old' },
              { ...node, client: 'b', counters: null, reason: 'lost' },
            ],
          },
          { arm: 'lz4', nodes: [{ ...node, client: 'c', sameAs: 'a', counters: counters.slice(1) }] },
        ],
      }),
    ],
    ['limits: of a scale model', limits, { ...limitsOf({}), place: 'model' }],
    [
      'limits: confirmed, contradicted and not reached',
      limits,
      limitsOf(
        { limitedBy: 'disk', because: 'utilisation' },
        { arm: 'lz4', limitedBy: null, contradiction: { metric: 'CPU', value: 0.4 } },
        { operation: 'read', limitedBy: null },
      ),
    ],
    [
      'limits: evidence of several metrics, and limits that are not known',
      limits,
      {
        ...limitsOf(
          {
            evidence: [
              { limit: 'client_network', metric: 'EC2', value: 0.5 },
              { limit: 'disk', metric: 'D', value: null, reason: 'no' },
            ],
          },
          {
            arm: 'lz4',
            evidence: [
              { limit: 'client_network', metric: 'In', value: 0.75 },
              { limit: 'client_network', metric: 'EC2', value: 0.25 },
            ],
          },
          { arm: 'x', limits: [], reason: 'unknown' },
          { arm: 'y', limits: [], reason: 'unknown', evidence: [] },
        ),
      },
    ],
    [
      'limits: levels that changed, by their source',
      limits,
      analysis({
        levels: [
          {
            ...level,
            changes: [
              { ...change, between, source: 'service' },
              { ...change, between: ['2026-11-21T09:08:00Z', '2026-11-21T09:11:00Z'], source: 'iterations' },
            ],
          },
          { ...level, unit: 'x', changes: [{ ...change, between, source: 'repeats' }] },
          { ...level, changes: null },
        ],
      }),
    ],
    [
      'stragglers: operations without times',
      stragglers,
      analysis({
        stragglers: [
          { ...level, work: 'write', readings: [], reason: 'no times' },
          { ...level, operation: 'read', work: 'read', readings: [], reason: 'no times' },
        ],
      }),
    ],
    [
      'stragglers: waits and ratios',
      stragglers,
      analysis({
        stragglers: [
          {
            ...level,
            work: 'write',
            readings: [1],
            reason: null,
            of: 'processes',
            waited: { median: 2, max: 90 },
            ratio: 1.5,
            bytesRatio: null,
          },
          {
            ...level,
            arm: 'none',
            work: 'write',
            readings: [1],
            reason: 'in part',
            waited: { median: null, max: null },
            ratio: null,
            bytesRatio: 2,
          },
        ],
      }),
    ],
    [
      'claims: reproduced, with an erratum, and not comparable',
      claims,
      analysis({
        verdicts: [
          {
            ...claim,
            verdict: 'reproduced',
            measured: 2,
            deviation: 0.1,
            interval: { low: 1, high: 3 },
            because: 'it fits',
            errata: ['Typo.'],
            corrected: { value: 4, unit: 'GB', verdict: 'not reproduced' },
          },
          { ...claim, verdict: 'not comparable', because: 'it is a price', errata: ['Typo.'] },
        ],
      }),
    ],
    [
      'pairs: a precision that no work reached early',
      pairs,
      { record: { ...RUN.record, plan: precise }, converged: [] },
    ],
    [
      'pairs: work that stopped early',
      pairs,
      {
        record: { ...RUN.record, plan: precise },
        converged: [
          { ...work, arm: 'none' },
          work,
          { ...work, compressibility: 2, threads: undefined, plannedNodes: 2, repeats: 1 },
        ],
      },
    ],
    [
      'pairs: a scale model, and a smallest difference',
      pairs,
      {
        place: 'model',
        record: {
          ...RUN.record,
          samples: [],
          plan: { ...made, parameters: { ...made?.parameters, smallestDifferencePercent: 3 } },
        },
      },
    ],
    [
      'rates: an outlier and a lost sample',
      rates,
      wholeCell({
        samples: [sample(1), sample(null, 'lost')],
        outliers: [{ value: 1, repeat: 3 }],
        coefficientOfVariation: null,
      }),
    ],
    [
      'rates: many samples, in another unit',
      rates,
      wholeCell({ samples: Array(41).fill(sample(1)), unit: 'op/s', metric: 'rate' }),
    ],
    ['rates: of the usual run', rates, {}],
    [
      'rates: none, one and several tools',
      rates,
      {
        cells: [
          { ...cell, tools: [] },
          { ...cell, compressibility: 2, tools: ['fio 3', 'fio 4'] },
          { ...cell, operation: 'read', compressibility: 2, tools: ['ior 4', 'fio 3'] },
        ],
      },
    ],
    ['deployment: clients of a fleet', deployment, withFleet({})],
    [
      'deployment: machines of others, in the lab',
      deployment,
      { ...withFleet({ machines: { names: ['x', 'y'] } }), lab: true },
    ],
    ['deployment: one computer as several clients', deployment, { ...withFleet({}), lab: true }],
    [
      'deployment: no clients, and idle time',
      deployment,
      { ...withFleet({ clients: [], instanceType: null }), cost: { ...RUN.cost, idleUsd: 2, idleHours: 3 } },
    ],
    [
      'plan: without steps',
      plan,
      {
        seconds: null,
        record: { ...RUN.record, plan: { ...made, totals: { ...made?.totals, bytesRead: 0 }, steps: [] } },
      },
    ],
    ['space: of the usual run', space, {}],
    [
      'space: a range, by free space, and lost readings',
      space,
      {
        space: [
          {
            ...RUN.space[0],
            median: 2,
            min: 1.9,
            max: 2.1,
            freeSpaceReasons: ['busy'],
            freeSpaceStepBytes: 2 ** 30,
            byFreeSpace: 1.5,
            readings: [{ ...reading, ratio: null, reason: 'lost', repeat: 2, freeSpaceRatio: 1.5 }, reading],
          },
        ],
      },
    ],
    [
      'space: of a shared disk',
      space,
      { record: { ...RUN.record, elsewhere: { space: 'a shared disk', cost: 'nothing' } } },
    ],
    [
      'predicted: rates that are not predicted',
      predicted,
      analysis({
        predicted: {
          ...RUN.analysis.predicted,
          ratios: [],
          operations: [],
          rates: [{ ...rate, predictedMBps: null, fromUncompressed: null, reason: 'unknown' }],
          reason: 'r',
          ratioReason: 'q',
        },
      }),
    ],
    [
      'predicted: on a scale model',
      predicted,
      { ...analysis({ predicted: { ...RUN.analysis.predicted, ratios: [], operations: [] } }), place: 'model' },
    ],
    ['provenance: nothing is known', provenance, { record: { ...RUN.record, samples: [], environment: [] } }],
    [
      'provenance: what nodes say of themselves',
      provenance,
      {
        record: {
          ...RUN.record,
          manifest: { ...manifest, fsxbench: { version: '1.2', commit: 'abc' }, tools: { fio: '3.1' } },
          environment: [
            ...['a', 'b', 'c'].map((node) => ({
              node,
              facts: {
                node,
                kernel: '6.1',
                cpus: 4,
                cpuModel: 'Xeon',
                memoryBytes: 2 ** 30,
                notices: ['hot'],
                instance: { id: node, type: 'c6in' },
                arms: {
                  none: {
                    mountPoint: '/m',
                    type: 'lustre',
                    version: '2.15',
                    objectTargets: 2,
                    metadataTargets: 1,
                    layout: 'stripe_count:  -1',
                    options: 'rw,flock',
                  },
                  ofAnother: { mountPoint: '/o', type: 'xfs', options: 'rw' },
                },
                tuning: {
                  settings: [
                    { name: 'x', wanted: '64', effective: ['32'], applied: false, message: 'too big' },
                    { name: 'y', wanted: '1', effective: [], applied: false, message: null },
                    { name: 'z', wanted: '1', effective: ['1', '1'], applied: true, message: null },
                  ],
                },
              },
            })),
            { node: 'd', facts: { reason: 'it is down' } },
          ],
        },
      },
    ],
  ])('%s', (_, section, told) => {
    const lines = (change: object) => said(section, change).map((one) => (Array.isArray(one) ? one.join(' | ') : one));
    const usual = Object.keys(told).length === 0 ? [] : lines({});
    expect(
      `\n${lines(told)
        .filter((one) => !usual.includes(one))
        .join('\n')}\n`,
    ).toMatchSnapshot();
  });
});
