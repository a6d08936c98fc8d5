import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { summarise as summariseRun } from '../../lib/analysis/summary';
import { renderCsv, renderMarkdown, toJson } from '../../lib/report';
import { type CsvValue, csvText } from '../../lib/report/csv';
import { modelledRun } from './modelledRun';
import { syntheticRun } from './syntheticRun';

describe('JSON', () => {
  test('has a reason beside every sample and pair that is null, and no figure that JSON cannot hold', () => {
    const document = toJson(summariseRun(syntheticRun({ failing: ['r2-c2.6-write', 'r1-c1-space'], stopAfter: 30 })));
    expect(JSON.parse(JSON.stringify(document))).toEqual(
      JSON.parse(JSON.stringify(document, (_, value) => value ?? null)),
    );
    const samples = document.cells.flatMap((cell) => cell.samples);
    const pairs = document.comparisons.flatMap((comparison) => comparison.pairs);
    const readings = document.space.flatMap((cell) => cell.readings);
    expect(samples.filter(({ value }) => value === null).map(({ reason }) => reason)).toEqual(
      Array(2).fill('write failed: no space left on device'),
    );
    for (const { ratio, reason } of [...pairs, ...readings]) expect(ratio === null).toBe(reason !== undefined);
    expect(pairs.some(({ ratio }) => ratio === null)).toBe(true);
    expect(readings.some(({ ratio }) => ratio === null)).toBe(true);
  });
});

describe('Markdown', () => {
  test('names one command that does a lab run again, and the directories of a local one', () => {
    expect(renderMarkdown(summariseRun(syntheticRun({ lab: true })))).toContain(
      '```sh\nnpm run quickstart -- --benchmark CompressionBench --arms none lz4 --model none --set ',
    );
    expect(renderMarkdown(summariseRun(modelledRun(10_800)))).toContain(
      '```sh\nnpm run quickstart -- --benchmark CompressionBench --arms none lz4 --scale 1:100 --set ',
    );
    const other = modelledRun(10_800);
    const asked = { deploymentType: 'PERSISTENT_2', perUnitStorageThroughput: 500, storageCapacityGiB: 12_000 };
    const planned = other.plan?.arms.map((arm) => ({
      ...arm,
      configuration: { kind: 'lustre', ...arm.configuration, ...asked },
    }));
    expect(
      renderMarkdown(summariseRun({ ...other, plan: other.plan && { ...other.plan, arms: planned ?? [] } })),
    ).toContain('--model PERSISTENT_2:500,12TiB --scale 1:100 --set');
    const record = syntheticRun({ lab: false });
    const arms = (record.manifest?.arms ?? []).map((arm) => ({ ...arm, kind: 'directory' as const }));
    const local = { ...record, manifest: record.manifest && { ...record.manifest, arms } };
    expect(renderMarkdown(summariseRun(local))).toContain(
      'npx fsxbench run CompressionBench --local none=DIRECTORY lz4=DIRECTORY --plan paired',
    );
    expect(renderMarkdown(summariseRun(local))).not.toContain('cdk deploy');
  });
});

/** A reader of RFC 4180, one character after the other. */
function read(text: string): string[][] {
  const rows: string[][] = [];
  let [row, field, quoted] = [[] as string[], '', false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (quoted && character === '"' && text[at + 1] === '"') {
      field += '"';
      at += 1;
    } else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === ',' || text.startsWith('\r\n', at))) {
      row.push(field);
      field = '';
      if (character === ',') continue;
      rows.push(row);
      row = [];
      at += 1;
    } else field += character;
  }
  expect([row, field, quoted]).toEqual([[], '', false]);
  return rows;
}

/** Rows by the names of their columns. */
function table(text: string): Record<string, string>[] {
  const [head = [], ...rows] = read(text);
  return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])));
}

describe('RFC 4180', () => {
  test('quotes what has a comma, a quotation mark or a line break, and nothing else', () => {
    expect(
      csvText(
        ['a', 'b c'],
        [
          ['x,y', 'say "no"'],
          ['two\nlines', 'two\r\nlines'],
          [null, -0.5],
        ],
      ),
    ).toBe('a,b c\r\n"x,y","say ""no"""\r\n"two\nlines","two\r\nlines"\r\n,-0.5\r\n');
  });

  test('gives back every text that is no formula', () => {
    const text = fc
      .string({ unit: fc.constantFrom('a', ' ', ',', '"', '\r', '\n', ';', 'ü', '=') })
      .map((rest) => (/^[=\r\n]/.test(rest) ? `a${rest}` : rest));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (rows) => {
        expect(read(csvText(['first', 'second'], rows)).slice(1)).toEqual(rows);
      }),
    );
  });

  test.each([[['1']], [['1', '2', '3']]] as [CsvValue[]][])('rejects a row of another length than the head', (row) => {
    expect(() => csvText(['a', 'b'], [row])).toThrow(`'row' must have 2 fields, got ${row.length}`);
  });
});

describe('text that a spreadsheet would run', () => {
  test.each(["=cmd|'/C calc'!A0", '+1+cmd', '-1+1', '@SUM(A1)', '\t=1+1', '\r=1+1', '\n=1+1', '＝1+1', '-'])(
    'is text in a spreadsheet: %j',
    (text) => {
      const [, [first, second] = []] = read(csvText(['a', 'b'], [[text, 1]]));
      expect([first, second]).toEqual([`'${text}`, '1']);
    },
  );

  test.each([
    [-0.5, '-0.5'],
    [-1e21, '-1e+21'],
    ['-12.5', '-12.5'],
    ['+3e-7', '+3e-7'],
    ['1-c2.6', '1-c2.6'],
    ['a=b', 'a=b'],
  ] as [CsvValue, string][])('leaves %j, which is none, as it is', (value, written) => {
    expect(csvText(['a'], [[value]])).toBe(`a\r\n${written}\r\n`);
  });

  test('is neutral in both tables, wherever a run has it', () => {
    const formula = '=HYPERLINK("http://example.com")';
    const record = syntheticRun();
    const hostile = {
      ...record,
      samples: record.samples.map((sample) => ({ ...sample, step: formula, tool: formula })),
    };
    const run = { ...summariseRun(hostile as typeof record), scale: formula };
    for (const kind of ['samples', 'summary'] as const) {
      const cells = read(renderCsv([run as never], kind)).flat();
      expect(cells).toContain(`'${formula}`);
      expect(cells.filter((cell) => /^[=@]/.test(cell))).toEqual([]);
    }
  });
});

describe('samples', () => {
  test('are a row each, every attempt and every phase, in MB/s and as printed', () => {
    const record = syntheticRun({ retried: ['r1-c2.6-write'] });
    const rows = table(renderCsv([record].map(summariseRun)));
    expect(rows).toHaveLength(record.samples.length);
    const [first] = rows.filter(({ metric, phase }) => metric === 'throughput' && phase === 'measure');
    expect(first).toMatchObject({ run: record.run, arm: 'none', unit: 'MB/s', printed_unit: 'MiB/s', counts: 'true' });
    expect(Number(first?.value)).toBeCloseTo(Number(first?.printed_value) * 1.048576, 9);
    const retried = rows.filter(({ step, metric }) => step === 'r1-c2.6-write' && metric === 'throughput');
    expect(retried.map(({ attempt, counts }) => [attempt, counts])).toEqual([
      ['1', 'false'],
      ['1', 'false'],
      ['2', 'true'],
      ['2', 'true'],
    ]);
  });

  test('have a reason exactly where there is no value, and the validity of the run beside every one', () => {
    const record = syntheticRun({ failing: ['r1-c1-write', 'r2-c1-write', 'r3-c1-write'], hostile: ', "x"\n' });
    const rows = table(renderCsv([record].map(summariseRun)));
    expect(rows.filter(({ value }) => value === '').length).toBeGreaterThan(2);
    for (const { value, reason, validity } of rows) {
      expect(value === '').toBe(reason !== '');
      expect(validity).toBe('INVALID');
    }
    expect(rows.find(({ value }) => value === '')?.reason).toBe('write failed: no space left on device, "x"\n');
  });

  test('of several runs are one table', () => {
    const rows = table(renderCsv([syntheticRun(), syntheticRun({ lab: true })].map(summariseRun)));
    expect(new Set(rows.map(({ run, lab }) => `${run} ${lab}`))).toEqual(
      new Set(['20261121T090000Z-aws false', '20261121T090000Z-lab true']),
    );
  });
});

describe('summary', () => {
  test('has the medians of every arm, and the comparison with its interval beside the arm that is compared', () => {
    const rows = table(renderCsv([syntheticRun()].map(summariseRun), 'summary'));
    const find = (wanted: string) =>
      rows.find(
        ({ arm, compressibility, operation, metric }) =>
          arm === wanted && compressibility === '2.6' && operation === 'write' && metric === 'throughput',
      );
    expect(find('none')).toMatchObject({ unit: 'MB/s', validity: 'WARN', samples: '3', baseline: '', ratio: '' });
    const { baseline, ratio, ratio_low: low, ratio_high: high, different, pairs } = find('lz4') ?? {};
    expect([baseline, different, pairs]).toEqual(['none', 'true', '3']);
    expect(Number(low)).toBeLessThan(2.42);
    expect(Number(high)).toBeGreaterThan(2.42);
    expect(Number(ratio)).toBeCloseTo(2.42, 0);
    expect(new Set(rows.flatMap((row) => (row.metric === 'bytes' ? [row.ratio] : [])))).toEqual(new Set(['']));
    const space = rows.filter(
      ({ operation, arm, compressibility }) => operation === 'space' && arm === 'lz4' && compressibility === '2.6',
    );
    expect(space.map(({ metric, unit }) => [metric, unit])).toEqual([['compression_ratio', '1']]);
    expect(Number(space[0]?.median)).toBeCloseTo(2.6 * 0.96, 4);
  });

  test('has what is of the baseline and what is of the arm in their columns, of a repeat lost by the arm alone', () => {
    const rows = table(renderCsv([syntheticRun({ failing: ['r2-c2.6-write'] })].map(summariseRun), 'summary'));
    const writes = rows.filter(
      ({ compressibility, operation, metric }) =>
        compressibility === '2.6' && operation === 'write' && metric === 'throughput',
    );
    const [none, lz4] = ['none', 'lz4'].map((name) => writes.find(({ arm }) => arm === name) ?? {});
    expect(none).toMatchObject({ samples: '3', values: '3', repeats: '', baseline_repeats: '' });
    expect(lz4).toMatchObject({ samples: '3', values: '2', repeats: '2', baseline_repeats: '3', pairs: '2' });
    const figure = (name: string, row = lz4) => Number(row?.[name]);
    expect(figure('arm_mean') / figure('baseline_mean')).toBeCloseTo(figure('ratio'), 2);
    expect(figure('baseline_mean') / figure('mean', none)).toBeCloseTo(1, 1);
    for (const [least, middle, most] of [
      ['min', 'median', 'max'],
      ['ratio_low', 'ratio', 'ratio_high'],
    ] as const) {
      expect(figure(least)).toBeLessThan(figure(middle));
      expect(figure(middle)).toBeLessThan(figure(most));
    }
  });

  test('says why an arm has no value and a pair no ratio', () => {
    const rows = table(
      renderCsv(
        [syntheticRun({ failing: ['r1-c1-write', 'r2-c1-write', 'r3-c1-write'] })].map(summariseRun),
        'summary',
      ),
    );
    const failed = rows.find(
      ({ arm, compressibility, operation, metric }) =>
        arm === 'lz4' && compressibility === '1' && operation === 'write' && metric === 'throughput',
    );
    expect(failed).toMatchObject({
      median: '',
      validity: 'INVALID',
      reason: 'write failed: no space left on device',
      ratio: '',
      pairs_reason: 'lz4: write failed: no space left on device',
    });
  });
});

test('every column has its own figure', () => {
  const run = summariseRun(syntheticRun({ repeats: 1, compressibilities: [1] }));
  const of = { run: 'r', benchmark: 'b', plan: 'p', scale: 's', lab: true } as const;
  const sample = {
    ...run.record.samples[0],
    ...{ arm: 'lz4', phase: 'measure', step: 'w', repeat: 2, iteration: 3, attempt: 4, compressibility: 2.6 },
    ...{ fileBytes: 4096, operation: 'write', metric: 'throughput', value: 1, unit: 'MiB/s', reason: 'derived' },
    ...{ source: 'client', tool: 'ior', toolVersion: '4.0', pattern: 'q', group: 'A', clients: 6, ranks: 7, nodes: 9 },
    ...{ startedAt: 'then', endedAt: 'later', raw: 'raw/x', problems: ['x', 'y'], cautions: ['z'], plannedRanks: 8 },
  };
  const samples = [sample, { ...sample, value: null, reason: undefined }];
  const record = { ...run.record, samples, counted: samples.slice(1) };
  const common = 'r,b,p,s,true';
  expect(
    renderCsv([{ ...run, ...of, validity: 'VALID', record } as never])
      .split('\r\n')
      .slice(1, 3),
  ).toEqual([
    `${common},lz4,measure,w,2,3,4,false,2.6,4096,write,throughput,1.048576,MB/s,VALID,,1,MiB/s,client,ior,4.0,q,A,6,7,then,later,raw/x,x y,z,8,9`,
    `${common},lz4,measure,w,2,3,4,true,2.6,4096,write,throughput,,MB/s,VALID,no reason was given,,MiB/s,client,ior,4.0,q,A,6,7,then,later,raw/x,x y,z,8,9`,
  ]);
  const key = { arm: 'lz4', operation: 'write', compressibility: 2.6, metric: 'throughput' };
  const figures = { median: 5, min: 4, max: 6, mean: 5.5, count: 2 };
  const missing = [{ reason: null }, { reason: 'lost' }, { reason: 'lost' }];
  const interval = { low: 2, high: 3, confidence: 0.97, method: 't' };
  const changed = {
    ...{ cells: [{ ...key, ...figures, unit: 'MB/s', coefficientOfVariation: 0.1, samples: missing }] },
    space: [{ arm: 'lz4', compressibility: 2.6, ...figures, readings: missing }],
    comparisons: [
      { ...key, metric: 'iops', estimate: 9 },
      {
        ...{ ...key, baseline: 'none', means: [20, 50], estimate: 2.5, interval, different: true, spread: 0.3 },
        ...{ minimumDetectable: 0.2, count: 7, median: 8, min: 1, max: 11, repeats: [30, 40], pairs: missing },
      },
    ],
  };
  expect(
    renderCsv([{ ...run, ...of, ...changed, validity: 'VALID' } as never], 'summary')
      .split('\r\n')
      .slice(1, 3),
  ).toEqual([
    `${common},lz4,2.6,write,throughput,5,MB/s,VALID,lost,4,6,5.5,0.1,3,2,none,20,50,2.5,2,3,0.97,t,true,0.2,7,30,40,lost`,
    `${common},lz4,2.6,space,compression_ratio,5,1,VALID,lost,4,6,5.5,,3,2,,,,,,,,,,,,,,`,
  ]);
});

/** Somebody's programs rest on what the page says: it names every column and every field, and none that is not there. */
const page = readFileSync(join(__dirname, '..', '..', 'docs', 'report-formats.md'), 'utf8');
const [, csv = ''] = /\n## CSV\n([\s\S]*?)\n## /.exec(page) ?? [];

test.each(['samples', 'summary'] as const)(
  'docs/report-formats.md has the columns of --csv %s, in their order',
  (name) => {
    const head = renderCsv([syntheticRun()].map(summariseRun), name).split('\r\n')[0] ?? '';
    const [samples = '', summary = ''] = csv.split('**`--csv summary`**');
    const columns = [...(name === 'samples' ? samples : summary).matchAll(/^- `([^`]+)`:/gm)].map(([, cell]) => cell);
    expect(columns.join(', ').split(', ')).toEqual(head.split(','));
  },
);

test('docs/report-formats.md names every field of fsxbench.report/1', () => {
  const [, json = ''] = /## JSON: `fsxbench\.report\/1`[\s\S]*?```\n([\s\S]*?)```/.exec(page) ?? [];
  const words = new Set(json.match(/\w+/g));
  expect(Object.keys(toJson(summariseRun(syntheticRun()))).filter((field) => !words.has(field))).toEqual([]);
});
