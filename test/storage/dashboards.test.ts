import type { Graph, Panel, ShownArm } from '../../lib/dashboard/graph';
import { storageOf } from '../../lib/storage/lookup';
import { STORAGES } from '../../lib/storage/registry';
import type { MetricRole } from '../../lib/storage/storage';
import { SMALLEST } from './cases';

/** Two arms of a storage, each of two parts. */
const armsOf = (kind: string): ShownArm[] =>
  ['a', 'b-1'].map((name) => ({
    ...{ name, kind, description: name, configuration: SMALLEST[kind] as never, region: 'us-east-1', key: name },
    ...{ resourceId: `${name}-x`, parts: [`${name}-x`, `${name}-y`], colour: 'red', hourlyUsd: null },
  }));

const ABOUT: MetricRole[][] = [['bytes_read', 'bytes_written'], ['metadata_operations']];
const shown = STORAGES.flatMap(({ kind }) =>
  ABOUT.map((about) => {
    const { rows = [], more = [] } = storageOf({ kind }).monitoring?.dashboard?.(armsOf(kind) as never, about) ?? {};
    return [kind, about[0], [...rows, ...more]] as const;
  }),
);
const isGraph = (panel: Panel): panel is Graph => panel.kind === 'graph';
const graphs = shown.flatMap(([kind, about, rows]) =>
  rows
    .flat()
    .filter(isGraph)
    .map((one) => [kind, about, one.title, one] as const),
);

/** Names of the metrics in an expression, whatever is computed of them. */
function metricsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('metric' in value && typeof value.metric === 'string') return [value.metric];
  return Object.values(value).flatMap(metricsIn);
}

test.each(shown)('each row of %s about %s fills the columns of a dashboard', (_kind, _about, rows) => {
  for (const row of rows) expect(row.reduce((sum, { width }) => sum + width, 0) % 24).toBe(0);
});

/** Units of metrics that a graph may show in its own. */
const SUITS: Readonly<Record<string, RegExp>> = {
  '%': /^(Percent|Bytes|Count)$/,
  'MB/s': /^Bytes(\/Second)?$/,
  bytes: /^Bytes$/,
  'bytes per minute': /^Bytes$/,
  'operations/s': /^Count$/,
  'requests/s': /^Count$/,
  'per minute': /^Count$/,
  operations: /^Count$/,
  connections: /^Count$/,
  ms: /^Milliseconds$/,
  seconds: /^Seconds$/,
  '0 or 1': /^None$/,
};

/** Words of titles, and what the metrics have to be about. */
const TELLS: readonly (readonly [title: RegExp, metric: RegExp, not: RegExp])[] = [
  [/: writes?\b|bytes written|disk writes/i, /Writ|Upload/, /Read|Download/],
  [/: reads?\b|bytes read\b|disk reads/i, /Read|Download/, /Writ|Upload/],
  [/\bsent\b/, /Sent/, /Received/],
  [/\breceived\b/, /Received/, /Sent/],
  [/\bcreated\b/i, /Create/, /Delete/],
  [/\bdeleted\b|: DELETE/i, /Delete/, /Create/],
  [/\bopened\b/i, /Open/, /Create|Delete/],
  [/\brenamed\b/i, /Rename/, /Create|Delete/],
  [/\bstat\b/i, /Stat/, /Open/],
  [/\bCPU\b/, /C[Pp][Uu]/, /Network|Disk/],
  [/\bconnections\b/i, /Connections/, /Bytes/],
  [/^burst credits/i, /Burst|Balance/, /Write/],
  [/: 4xx/, /4xx/, /5xx/],
  [/: 5xx/, /5xx/, /4xx/],
  [/first byte/i, /FirstByte/, /Total/],
];

test.each(graphs)(
  '%s about %s: %s draws the metrics of its title, in their unit, from 0 to all',
  (kind, _, title, one) => {
    const { table = [] } = storageOf({ kind }).monitoring?.metrics ?? {};
    const units = new Map(table.map(({ name, unit }) => [name, unit]));
    const names = [...new Set(metricsIn(one.left))];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names)
      expect([name, units.get(name)]).toEqual([name, expect.stringMatching(SUITS[one.unit] ?? /^$/)]);
    expect(one.max).toBe(one.unit === '%' ? 100 : one.unit === '0 or 1' ? 1 : undefined);
    for (const [said, metric, not] of TELLS)
      if (said.test(title) && !/operations \(/.test(title))
        expect([title, names.filter((name) => !metric.test(name) || not.test(name))]).toEqual([title, []]);
  },
);

/** Value of an expression if each metric is 60 million in each minute; searches have no value here. */
function evaluated(value: unknown): number {
  const { kind, of, left, right, how, ...rest } = value as Record<string, unknown>;
  const all = (Array.isArray(of) ? of : []).map(evaluated);
  switch (kind) {
    case 'metric':
      return 60e6;
    case 'constant':
      return rest.value as number;
    case 'named':
      return evaluated(of);
    case 'sum':
      return all.reduce((sum, each) => sum + each, 0);
    case 'rate':
      return evaluated(of) / 60;
    case 'product':
      return evaluated(left) * evaluated(right);
    case 'ratio':
      return evaluated(left) / evaluated(right);
    case 'extreme':
      return how === 'MAX' ? Math.max(...all) : Math.min(...all);
    default:
      return Number.NaN;
  }
}

// 60 million bytes or operations in a minute are 1 MB/s and a million a second; volumes of EBS are two of each arm.
test.each(
  graphs.filter(([, , title, { unit }]) => /^Clients|^Volumes|^Metadata operations$/.test(title) && /\/s$/.test(unit)),
)('%s about %s: %s is a rate by the second', (kind, _, title, { left, unit }) => {
  const parts = kind === 'ebs' ? 2 : 1;
  const each = (unit === 'MB/s' ? 1 : 1e6) * parts * (/read \+ write \+ metadata/.test(title) ? 3 : 1);
  const values = left.map(({ of }) => evaluated(of)).filter((value) => !Number.isNaN(value));
  expect(values.length).toBeGreaterThan(0);
  for (const value of values) expect(value).toBeCloseTo(each, 6);
});

test.each(
  graphs.filter(([, about, title]) => about === 'bytes_read' && /^Clients: (?:read|write) throughput$/.test(title)),
)('%s about %s: the lines in %s are limits of that direction', (kind, _, title, { ceilings = [] }) => {
  const mode = title.includes('read') ? 'read' : 'write';
  const limits = storageOf({ kind }).documented.limits(SMALLEST[kind] as never, { mode, region: 'us-east-1' });
  const known = limits.flatMap(({ baselineMBps, burstMBps }) => [baselineMBps, burstMBps].map(Math.round));
  expect(known).toEqual(expect.arrayContaining(ceilings.map(({ value }) => Math.round(value))));
});
