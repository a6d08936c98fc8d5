import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from '../../bench/shared/field';
import { type Claim, claimById, claimsOf, readStudy, studies } from '../../lib/claims';
import { differencePhrase, differences } from '../../lib/claims/comparable';
import { parseText } from '../../lib/parse';

/** Rows of a table that was published, by the names of its columns; quoted cells may hold commas. */
function table(name: string): Record<string, string>[] {
  const text = readFileSync(join(__dirname, '../fixtures/published', name), 'utf8').trim();
  const [header = [], ...rows] = text
    .split(/\r?\n/)
    .map((line) => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map((cell) => cell[1] ?? cell[2] ?? ''));
  return rows.map((row) => Object.fromEntries(header.map((column, index) => [column, row[index] ?? ''])));
}

const figure = (claim: Claim, quantity: string): number | undefined =>
  claim.figures.find((each) => each.quantity === quantity)?.value;

test.each(table('claims.csv'))(
  '$study: $id has the published value $value',
  ({ id = '', study, quantity, value = '', unit }) => {
    const claim = claimById(id);
    expect(claim).toMatchObject({ study, quantity, quoted: value, unit: unit === '' ? null : unit });
    const numbers = value.match(/\d+(\.\d+)?/g)?.map(Number) ?? [];
    if (/^\d.* to /.test(value)) expect([claim.range?.low, claim.range?.high]).toEqual(numbers);
    else if (numbers.length === 0) expect([claim.value, typeof claim.reason]).toEqual([null, 'string']);
    else expect([claim.value, ...claim.figures.map((each) => each.value)]).toEqual(numbers);
  },
);

test.each(table('claims.csv').filter(({ note = '' }) => note !== ''))(
  '$id tells what a careful reader found',
  ({ id = '', note = '' }) => {
    const { errata, remarks, reason } = claimById(id);
    if (note.startsWith('erratum')) expect(errata).not.toEqual([]);
    else expect([...remarks, ...(reason ? [reason] : [])]).not.toEqual([]);
  },
);

test.each([
  ['one of those that the study accepts', 'c5n.9xlarge', true],
  ['one that it does not', 'c5.large', false],
  ['all of them, in any order', ['c6in.32xlarge', 'C5n.9xlarge'], true],
  ['several, but not all', ['c5n.9xlarge', 'c5n.9xlarge'], false],
])('a run under %s is comparable or not', (_, instanceType, isSame) => {
  const published = { instanceType: ['c5n.9xlarge', 'c6in.32xlarge'] };
  expect(differences(published, { instanceType })).toHaveLength(isSame ? 0 : 1);
});

test('every version and program that a study names is kept with it', () => {
  for (const { study = '', conditions = '' } of table('claims.csv')) {
    const kept = JSON.stringify(studies().find((one) => one.study === study));
    for (const name of conditions.match(/\b\d+\.\d+\.\d+|\bsrun\b|\bdask-jobqueue\b|\bXDD\b/g) ?? [])
      expect(`${study}: ${kept.toLowerCase()}`).toContain(name.toLowerCase());
  }
});

test('each of the 46 sample files is a claim with its sizes, ratio and savings', () => {
  const rows = table('aws-compression-blog-samples.csv');
  expect(rows).toHaveLength(46);
  for (const row of rows) {
    const claim = claimById(`compression.sample.${row.sample_file}`);
    expect(claim).toMatchObject({ value: Number(row.compression_ratio), unit: 'n:1' });
    expect(figure(claim, 'uncompressed size')).toBe(Number(row.uncompressed_mib));
    expect(figure(claim, 'compressed size')).toBe(Number(row.compressed_mib));
    expect(figure(claim, 'space savings')).toBe(Number(row.space_savings_percent));
    expect(claim.quantity).toContain(row.source_table);
  }
});

test('each time of the Cloud Pipeline comparison is a claim', () => {
  const claims = claimsOf('Cloud Pipeline comparison');
  const rows = [
    ...table('cloud-pipeline-times.csv'),
    ...table('cloud-pipeline-cellranger.csv').map((row) => ({ ...row, operation: undefined, threads: undefined })),
  ];
  expect(rows).toHaveLength(52);
  for (const row of rows as Record<string, string | undefined>[]) {
    const found = claims.filter(
      ({ conditions, unit }) =>
        unit === 's' &&
        conditions.storage === row.storage &&
        conditions.operation === row.operation &&
        conditions.threads === (row.threads === undefined ? undefined : Number(row.threads)),
    );
    expect(found).toHaveLength(1);
    expect(found[0]?.value).toBe(Number(row.real_s));
    expect(figure(found[0] as Claim, 'user time')).toBe(Number(row.user_s));
    expect(figure(found[0] as Claim, 'system time')).toBe(Number(row.sys_s));
  }
});

test.each([1, 4, 8])('the times of %d threads, as `time` prints them, are the published figures exactly', (threads) => {
  const printed = (seconds: number): string => `${Math.floor(seconds / 60)}m${(seconds % 60).toFixed(3)}s`;
  const rows = table('cloud-pipeline-times.csv').filter((row) => row.threads === String(threads));
  const figures = rows.map(({ real_s, user_s, sys_s }) => [real_s, user_s, sys_s].map(Number));
  const blocks = figures.map(([real = 0, user = 0, sys = 0]) =>
    ['', `real\t${printed(real)}`, `user\t${printed(user)}`, `sys\t${printed(sys)}`, ''].join('\n'),
  );
  const { samples } = parseText('times.out', blocks.join(''));
  expect(rows).toHaveLength(16);
  expect(samples.map(({ value }) => value)).toEqual(figures.flat());
  for (const [index, { storage, operation }] of rows.entries()) {
    const claim = claimsOf('Cloud Pipeline comparison').find(
      ({ conditions }) =>
        conditions.storage === storage && conditions.operation === operation && conditions.threads === threads,
    );
    expect([claim?.value, ...(claim?.figures ?? []).map(({ value }) => value)]).toEqual(figures[index]);
  }
});

test('nothing is claimed that was not published', () => {
  const rows = ['claims', 'aws-compression-blog-samples', 'cloud-pipeline-times', 'cloud-pipeline-cellranger'].map(
    (name) => table(`${name}.csv`).length,
  );
  const measured = claimsOf('field measurements').length;
  expect(claimsOf()).toHaveLength(rows.reduce((sum, count) => sum + count, measured));
  expect(studies()).toHaveLength(6);
});

test('the measurements of others are claims where a run of fsxbench could be comparable', () => {
  const rows = rowsOf(readFileSync(join(__dirname, '../../claims/field-measurements.csv'), 'utf8'));
  const comparable = rows.filter(
    ({ tool = '', operation = '', grade = '', pattern = '', kind }) =>
      /^(?:ior|fio|dd)\b/i.test(tool) &&
      /^(?:read|write)$/.test(operation) &&
      /[AB]/.test(grade) &&
      kind !== 'latency' &&
      !/inject/.test(pattern),
  );
  const stated = comparable.map((row) => ({
    id: `field.${row.id}`,
    value: Number(row.value),
    unit: row.unit,
    clients: Number(row.clients),
    ranks: Number(row.processes),
    capacityGiB: Number(row.storage_gib),
    perUnitMBps: Number(row.mbps_per_tib),
    operation: row.operation,
  }));
  const claimed = claimsOf('field measurements').map(({ id, value, unit, conditions }) => {
    const { clients, ranks, capacityGiB, perUnitMBps, operation } = conditions;
    return { id, value, unit, clients, ranks, capacityGiB, perUnitMBps, operation };
  });
  expect(claimed).toEqual(stated);
});

test('ids are unique over all studies', () => {
  const ids = claimsOf().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('arithmetic on the published figures', () => {
  const value = (id: string): number => claimById(id).value as number;
  const none = value('compression.none.sustained');

  test.each([
    ['compression.improvement.burst', 'compression.lz4.burst'],
    ['compression.improvement.baseline', 'compression.lz4.baseline'],
  ])('%s divides by the wrong figure, and is corrected', (id, lz4) => {
    expect(value(id)).toBeCloseTo(((value(lz4) - none) / value(lz4)) * 100, 1);
    expect(claimById(id).corrected?.value).toBeCloseTo((value(lz4) / none - 1) * 100, 1);
  });

  test('the ratio of one file is known as well as its rounded sizes allow', () => {
    const written = (12_000 * 2 ** 20) / 2 ** 30;
    const { range } = claimById('compression.ratio.file');
    // du -h rounds up: 3.2G stands for more than 3.1.
    expect(range?.low).toBeCloseTo(written / 3.2, 2);
    expect(range?.high).toBeCloseTo(written / 3.1, 1);
  });

  test.each([
    ['read', 1.28, 3.1],
    ['create', 1.36, 4.2],
  ])('the times of %s give the range that the remark tells', (operation, low, high) => {
    const ratios = [1, 4, 8].flatMap((threads) =>
      claimsOf('Cloud Pipeline comparison')
        .filter(({ id }) => id.startsWith(`cloudpipeline.efs.${threads}.${operation}`))
        .map(({ id, value: efs }) => (efs as number) / value(id.replace('.efs.', '.lustre.'))),
    );
    expect(ratios).toHaveLength(6);
    expect(Math.min(...ratios)).toBeCloseTo(low, 2);
    expect(Math.max(...ratios)).toBeCloseTo(high, 2);
  });

  test('the rows that were copied are equal and say so', () => {
    const [a, b] = ['btrfs.ebs', 'lizardfs.ebs'].map((name) => claimById(`cloudpipeline.${name}.8.read_large_file`));
    expect([a?.value, a?.figures]).toEqual([b?.value, b?.figures]);
    expect(a?.errata).not.toEqual([]);
    expect(b?.errata).not.toEqual([]);
  });
});

describe('a file of claims is refused', () => {
  const good = {
    schema: 'fsxbench.claims/1',
    study: 's',
    title: 't',
    publisher: 'p',
    remarks: [],
    conditions: { run: { tool: 'ior' } },
    claims: [
      { id: 'a', quantity: 'q', quoted: '1', value: 1, unit: 's', kind: 'measured', conditions: { use: 'run' } },
    ],
  };
  const first = good.claims[0];
  const withClaims = (...claims: unknown[]) => ({ ...good, claims });

  test('but not when it is right', () => {
    expect(readStudy(good).claims[0]?.conditions).toEqual({ tool: 'ior' });
  });

  test.each([
    ['a missing number without a reason', withClaims({ ...first, value: null }), /needs a reason/],
    ['a misspelt condition', withClaims({ ...first, conditions: { clinets: 4 } }), /clinets/],
    ['conditions that are not there', withClaims({ ...first, conditions: { use: 'walk' } }), /'use' of a must name/],
    ['the same id twice', withClaims(first, first), /'id' must be unique/],
    ['another schema', { ...good, schema: 'fsxbench.claims/2' }, /schema/],
    ['nothing', null, /object/],
  ])('for %s', (_, content, message) => {
    expect(() => readStudy(content)).toThrow(message);
  });
});

test('an id that is not there is named', () => {
  expect(() => claimById('compression.magic')).toThrow(
    "'id' must be the id of a claim in claims/, got 'compression.magic'",
  );
});

test.each([
  [['1', '1'], '1'],
  [['1', '2', '3'], '1 or 2 or 3'],
  [['1', '2', '3', '4'], '1, 2 or one of 2 others'],
])('the values %j of a study are listed as %s', (values, listed) => {
  expect(differencePhrase({ condition: 'arguments', run: 'x' }, values)).toMatch(new RegExp(`\\(study: ${listed}\\)$`));
});
