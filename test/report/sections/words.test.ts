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

  test.each<[string, object, string]>([
    ['all prices are known', {}, '$12.00 at list price for 2 h.'],
    ['two prices are missing', { hourlyUsd: null, runUsd: null }, 'Not known as a whole: a price is missing.'],
    [
      'nobody knows how long it took',
      { hours: null, runUsd: null },
      'The deployment lists at $6.00 per hour; how long the run took is not known.',
    ],
  ])('%s', (_, change, words) => {
    const all = said(deployment, { ...cost(change), lab: false, record });
    expect(all.some((one) => typeof one === 'string' && one.startsWith(words))).toBe(true);
  });

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

  test('in the lab is nothing, next to what AWS lists', () => {
    const text = (change: object) => said(deployment, { ...cost(change), lab: true, record }).join('\n');
    expect(text({})).toContain('Nothing. On AWS this deployment lists at $6.00 per hour.');
    expect(text({ hourlyUsd: null })).toContain('Nothing. On AWS this deployment has no complete list price.');
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

  test.each<[Section, object, string[]]>([
    [
      program,
      analysis({ programs: [{ arm: 'lz4', nodes: [{ ...node, client: null }] }] }),
      [
        'Counters are read on every node before and after each repeat; a row has the mean of the repeats. “Waiting for I/O” is the share of time in which at least one process waited for I/O (the kernel’s pressure stall information). “Idle, waiting” is the share of CPU time without work during such waits.',
        'lz4 | this computer | 25 % | 50 % | –',
      ],
    ],
    [
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
      [
        'Counters are read on every node before and after each repeat; a row has the mean of the repeats. “Waiting for I/O” is the share of time in which at least one process waited for I/O (the kernel’s pressure stall information). “Idle, waiting” is the share of CPU time without work during such waits.',
        'none | a | 25 % | 50 % | –',
        'none | b | 25 % | 50 % | –',
        'lz4 | c | 25 % | 50 % | –',
        'bytes read | 2 KiB | – lost | –',
        'opens | 1,500 | – lost | 1,500',
        'wait | 2 s | – lost | 2 s',
        'Not every counter was read on a: too old.',
        'No counter was read on b: lost.',
        'c is the same computer as a: it counts for both.',
      ],
    ],
    [
      limits,
      { ...limitsOf({}), place: 'model' },
      [
        'Each figure is the measured rate as a share of a limit; 100 % is the sustained rate that AWS documents, divided by the scale. The lowest limit is bold. It is named as the bottleneck if the service’s utilisation confirms it (confirmed), or if the rate reached 85 % of it and no metric shows spare capacity in the servers.',
        'write at 1:1 | none | 3,499 | 14 % | 23 % | 32 % | 122 % | disk, bursting',
      ],
    ],
    [
      limits,
      limitsOf(
        { limitedBy: 'disk', because: 'utilisation' },
        { arm: 'lz4', limitedBy: null, contradiction: { metric: 'CPU', value: 0.4 } },
        { operation: 'read', limitedBy: null },
      ),
      [
        'write at 1:1 | none | 3,499 | 14 % | 23 % | 32 % | 122 % | disk, bursting (confirmed)',
        'write at 1:1 | lz4 | 3,499 | 14 % | 23 % | 32 % | 122 % | none: CPU at most 40 %',
        'read at 1:1 | none | 3,499 | 14 % | 23 % | 32 % | 122 % | none reached',
        'write at 1:1 | lz4 | 17 % | – FileServerDiskThroughputUtilization: not collected; run npx fsxbench collect | – DiskIopsUtilization: not collected; run npx fsxbench collect',
        'read at 1:1 | none | 17 % | – FileServerDiskThroughputUtilization: not collected; run npx fsxbench collect | – DiskIopsUtilization: not collected; run npx fsxbench collect',
      ],
    ],
    [
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
      [
        'write at 1:1 | none | 3,499 | 14 % | 23 % | 32 % | 122 % | disk, bursting',
        'write at 1:1 | lz4 | 3,499 | 14 % | 23 % | 32 % | 122 % | disk, bursting',
        'write at 1:1 | none | 50 % | – no | ',
        'write at 1:1 | lz4 | 25 % |  | 75 %',
        'x: unknown.',
        'y: unknown.',
      ],
    ],
    [
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
      [
        'write at 1:1 | lz4 | 1.50 h (21 Nov 2026, 09:10:00 UTC) | 3,000 MB/s | 2,000 MB/s | −33 % | 9 periods of the service’s metric',
        'write at 1:1 | lz4 | 1.50 h (21 Nov 2026, 09:10:00 UTC, from 21 Nov 2026, 09:08:00 UTC to 21 Nov 2026, 09:11:00 UTC) | 3,000 MB/s | 2,000 MB/s | −33 % | 9 iterations of the tool',
        'write at 1:1 | lz4 | 1.50 h (21 Nov 2026, 09:10:00 UTC) | 3,000 × | 2,000 × | −33 % | 9 repeats',
      ],
    ],
    [
      stragglers,
      analysis({
        stragglers: [
          { ...level, work: 'write', readings: [], reason: 'no times' },
          { ...level, operation: 'read', work: 'read', readings: [], reason: 'no times' },
        ],
      }),
      ['Not available for write and read: no times.'],
    ],
    [
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
      [
        'A rate is based on the time of the last process. The wait is the time from the first process that finished to the last. “Fastest ÷ slowest” compares the bytes that two processes had moved at the time limit. Both ratios are those of the worst measurement.',
        'write | 1:1 | none |  | – | – | – | 2.00',
        'write | 1:1 | lz4 | processes | 2 s | 1 min 30 s | 1.50 | –',
        'Not available for write: in part.',
      ],
    ],
    [
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
      [
        'write throughput NONE (Erratum: Typo.) | 3560 MB/s | 2 (1–3) | +10 % | reproduced (it fits; without the erratum (4 GB): not reproduced)',
        '1 figure of this study that cannot be compared, and why',
        'the data pattern is ior-incompressible (study: ior-default); the number of processes is 144 (study: 576); the arguments are -w -t 1m -o {dir}/data (study: --posix.odirect -t 1m -b 1m -s 12000 -g -v -w -i 1000 -F -k -D 0 -T 720); and more (1): 1 figure of the AWS compression blog.',
      ],
    ],
    [
      pairs,
      { record: { ...RUN.record, plan: precise }, converged: [] },
      [
        'The plan asks for ± 3 % in at most 24 repeats. No work reached that precision earlier.',
        'The interval shows how far the ratio may be off by chance. The ratio of a row is the geometric mean of its pairs; its interval is computed from the logarithms of the pairs’ ratios (method: t). Each interval contains the true ratio in at least 95 % of runs. The 2 intervals are widened together (Holm’s method), so at least 95 % of runs report no false difference. After every repeat from 8 on, an interim analysis stopped work whose intervals were narrow enough. Each interval therefore has 99.0 % confidence (Pocock’s boundary): the intervals of all analyses miss the true ratio in at most 5 % of runs. With fewer than 8 repeats, the intervals assume independent repeats; with more, this is checked. A difference is real if its interval excludes 1. “Smallest detectable” is the difference that as many pairs with the same variance would detect in 80 % of runs.',
      ],
    ],
    [
      pairs,
      {
        record: { ...RUN.record, plan: precise },
        converged: [
          { ...work, arm: 'none' },
          work,
          { ...work, compressibility: 2, threads: undefined, plannedNodes: 2, repeats: 1 },
        ],
      },
      [
        'The plan asks for ± 3 % in at most 24 repeats. Work stopped once all of its intervals were that narrow: lz4 on all data by 4 threads after 8 repeats, lz4 on 2:1 on 2 nodes after 1 repeat. Other work got all repeats.',
        'The interval shows how far the ratio may be off by chance. The ratio of a row is the geometric mean of its pairs; its interval is computed from the logarithms of the pairs’ ratios (method: t). Each interval contains the true ratio in at least 95 % of runs. The 2 intervals are widened together (Holm’s method), so at least 95 % of runs report no false difference. After every repeat from 8 on, an interim analysis stopped work whose intervals were narrow enough. Each interval therefore has 99.0 % confidence (Pocock’s boundary): the intervals of all analyses miss the true ratio in at most 5 % of runs. With fewer than 8 repeats, the intervals assume independent repeats; with more, this is checked. A difference is real if its interval excludes 1. “Smallest detectable” is the difference that as many pairs with the same variance would detect in 80 % of runs.',
      ],
    ],
    [
      pairs,
      {
        place: 'model',
        record: {
          ...RUN.record,
          samples: [],
          plan: { ...made, parameters: { ...made?.parameters, smallestDifferencePercent: 3 } },
        },
      },
      [
        'Each ratio divides an arm’s rate by that of none in the same repeat, on the same data. Influences on both arms, such as a slow hour, cancel out. Here the arms took turns within a repeat.',
        'The interval shows how far the ratio may be off by chance. The ratio of a row is the geometric mean of its pairs; its interval is computed from the logarithms of the pairs’ ratios (method: t). Each interval contains the true ratio in at least 95 % of runs. The 2 intervals are widened together (Holm’s method), so at least 95 % of runs report no false difference. With fewer than 8 repeats, the intervals assume independent repeats; with more, this is checked. A difference is real if its interval excludes 1 by more than 5 %, by which two scale models may differ. A difference is not meaningful if, by the whole interval, neither arm is 3 % slower than the other (smallestDifferencePercent of the plan). “Smallest detectable” is the difference that as many pairs with the same variance would detect in 80 % of runs.',
      ],
    ],
    [
      rates,
      wholeCell({
        samples: [sample(1), sample(null, 'lost')],
        outliers: [{ value: 1, repeat: 3 }],
        coefficientOfVariation: null,
      }),
      [
        'write, MB/s. none lz4  A cross at zero is a sample without a value; its reason is in the table.',
        '1:1 | none | 3,499 | 3,495 | 3,507 | – | 1 · – (lost) Outliers, which are counted: 1 in repeat 3. | ior 3.3.0 (ior-incompressible)',
      ],
    ],
    [
      rates,
      wholeCell({ samples: Array(41).fill(sample(1)), unit: 'op/s', metric: 'rate' }),
      [
        '“Varies by” is the standard deviation over the mean.',
        'write rate, op/s. none lz4 ',
        'Figures: write rate, op/s',
        '1:1 | none | 3,499 | 3,495 | 3,507 | 0.138 % | 41 samples, under “Every sample” | ior 3.3.0 (ior-incompressible)',
      ],
    ],
    [
      rates,
      {},
      [
        '“Varies by” is the standard deviation over the mean. MB is 10⁶ bytes: a rate that a tool prints in MiB/s is multiplied by 1.048576 here, and unchanged in the raw files.',
        'write, MB/s. none lz4 ',
        'read, MB/s. none lz4 ',
        'Figures: write, MB/s',
        '1:1 | none | 3,499 | 3,495 | 3,507 | 0.138 % | 3,507 · 3,499 · 3,495 · 3,500 | ior 3.3.0 (ior-incompressible)',
        '1:1 | lz4 | 3,393 | 3,389 | 3,402 | 0.159 % | 3,392 · 3,402 · 3,394 · 3,389 | ior 3.3.0 (ior-incompressible)',
        'Figures: read, MB/s',
        '1:1 | none | 3,849 | 3,846 | 3,852 | 0.0605 % | 3,852 · 3,849 · 3,846 · 3,848 | ior 3.3.0 (ior-incompressible)',
        '1:1 | lz4 | 3,736 | 3,729 | 3,738 | 0.112 % | 3,738 · 3,734 · 3,729 · 3,738 | ior 3.3.0 (ior-incompressible)',
        'write | 3.82 TiB | 3.70 TiB',
        'read | 4.20 TiB | 4.08 TiB',
      ],
    ],
    [
      rates,
      {
        cells: [
          { ...cell, tools: [] },
          { ...cell, compressibility: 2, tools: ['fio 3', 'fio 4'] },
          { ...cell, operation: 'read', compressibility: 2, tools: ['ior 4', 'fio 3'] },
        ],
      },
      [
        '1:1 | none | 3,499 | 3,495 | 3,507 | 0.138 % | 3,507 · 3,499 · 3,495 · 3,500 | ',
        '2:1 | none | 3,499 | 3,495 | 3,507 | 0.138 % | 3,507 · 3,499 · 3,495 · 3,500 | fio 3, fio 4',
        '2:1 | none | 3,499 | 3,495 | 3,507 | 0.138 % | 3,507 · 3,499 · 3,495 · 3,500 | ior 4, fio 3',
      ],
    ],
    [deployment, withFleet({}), ['Clients: 1 × c6in', 'i-1 10.0.0.1']],
    [
      deployment,
      { ...withFleet({ machines: { names: ['x', 'y'] } }), lab: true },
      ['Clients: x, y × c6in', 'Nothing. On AWS this deployment lists at $26.99 per hour.'],
    ],
    [
      deployment,
      { ...withFleet({}), lab: true },
      [
        'Clients: this computer, as 8 clients, in place of 1 × c6in',
        'Nothing. On AWS this deployment lists at $26.99 per hour.',
      ],
    ],
    [
      deployment,
      { ...withFleet({ clients: [], instanceType: null }), cost: { ...RUN.cost, idleUsd: 2, idleHours: 3 } },
      [
        'Clients: this computer',
        '$19.03 at list price for 42 min 18 s. The 3 h between its sessions cost $2.00 more if all stayed deployed.',
      ],
    ],
    [
      plan,
      {
        seconds: null,
        record: { ...RUN.record, plan: { ...made, totals: { ...made?.totals, bytesRead: 0 }, steps: [] } },
      },
      ['Steps: 19 of 0 done', 'Every step (0)', 'The plan runs no tool.'],
    ],
    [
      space,
      {},
      [
        'The ratio is the size of the data over the space that they take, measured with du after they were written. Data and space are those of the first reading; the ratio by free space uses the growth of the file system’s used space, which is less precise.',
        '1:1 | none | 1.00 | – | 400 GiB | 400 GiB',
        '1:1 | lz4 | 1.00 | – | 400 GiB | 400 GiB',
      ],
    ],
    [
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
      [
        '1:1 | none | 2.00 (1.90–2.10) | 1.50 | 400 GiB | 400 GiB',
        'none at 1:1, repeat 2: lost.',
        'none at 1:1, by free space: busy.',
      ],
    ],
    [
      space,
      { record: { ...RUN.record, elsewhere: { space: 'a shared disk', cost: 'nothing' } } },
      [
        'The ratio is the size of the data over the space that they take, measured with du after they were written. Data and space are those of the first reading.',
        '1:1 | none | 1.00 | 400 GiB | 400 GiB',
        '1:1 | lz4 | 1.00 | 400 GiB | 400 GiB',
        'No ratio by free space: a shared disk.',
      ],
    ],
    [
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
      ['r. q. The predicted limit was the bottleneck in 1 of 1 case.', 'Not predicted for 1 rate of none: unknown.'],
    ],
    [
      predicted,
      { ...analysis({ predicted: { ...RUN.analysis.predicted, ratios: [], operations: [] } }), place: 'model' },
      [
        'The error is predicted ÷ measured − 1; above 0, the prediction was too high. 2 of 4 rates are as predicted: within 5 % of the throttled limits. The predicted limit was the bottleneck in 4 of 4 cases.',
      ],
    ],
    [provenance, { record: { ...RUN.record, samples: [], environment: [] } }, []],
    [
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
                  },
                  other: {},
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
      [
        'fsxbench: 1.2, commit abc',
        'fio: 3.1',
        'And 2 more clients that are the same: b, c.',
        'Kernel: 6.1',
        'Instance: c6in a',
        'Processors: 4 × Xeon',
        'Memory: 1 GiB',
        'none | /m | lustre | Lustre 2.15, 2 object and 1 metadata target, stripe count -1 | ',
        'x | 64 | 32 | Differs. too big',
        'y | 1 | nothing | Differs. ',
        'z | 1 | 1, 1 | ',
        'hot',
        'All that a said of itself',
        'Problem: it is down',
        'All that d said of itself',
      ],
    ],
  ])('%#', (section, told, words) => {
    const lines = (change: object) => said(section, change).map((one) => (Array.isArray(one) ? one.join(' | ') : one));
    const usual = Object.keys(told).length === 0 ? [] : lines({});
    expect(lines(told).filter((one) => !usual.includes(one))).toEqual(words);
  });
});
