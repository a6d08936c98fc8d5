import { JSDOM } from 'jsdom';
import { predict } from '../../../lib';
import { summarise as summariseRun } from '../../../lib/analysis/summary';
import { renderHtml, renderMarkdown, toJson } from '../../../lib/report';
import type { RunRecord } from '../../../lib/store/record';
import { blogRun, soundRun, withMetric, withSamples } from '../runs';

/** The ratio of the blog's data in records of 128 KiB; its own 3.75 is a quotient of rounded sizes. */
const BLOG = { none: 3560, burst: 12_460, baseline: 11_428, ratio: 3.5556 };
const predictedIn = (record: RunRecord) => toJson(summariseRun(record)).analysis.predicted;
type Predicted = ReturnType<typeof predictedIn>;
const rateIn = (record: RunRecord, arm: string, operation = 'write', compressibility?: number) => {
  const found = predictedIn(record).rates.find(
    (one) =>
      one.arm === arm &&
      one.operation === operation &&
      (compressibility === undefined || one.compressibility === compressibility),
  );
  if (found === undefined) throw new Error(`no prediction for ${operation} on ${arm}`);
  return found;
};

const BLOG_RUN = blogRun(BLOG);

describe('the blog’s own run', () => {
  let [none, lz4]: (Predicted['rates'][number] | undefined)[] = [];
  let ratios: Predicted['ratios'] = [];
  beforeAll(() => {
    const predicted = predictedIn(BLOG_RUN);
    [none, lz4] = ['none', 'lz4'].map((arm) => predicted.rates.find((one) => one.arm === arm));
    ratios = predicted.ratios;
  });

  test('is held against what is documented of its configuration, at the ratio of its data', () => {
    expect(none).toMatchObject({
      ratio: null,
      predictedMBps: { baseline: 2880, burst: 3456 },
      measuredMBps: expect.closeTo(3560, -2),
      errorPercent: { baseline: expect.closeTo((2880 / 3560 - 1) * 100, 0), burst: expect.closeTo(-2.9, 0) },
      binding: { baseline: 'disk', burst: 'disk' },
      limitedBy: 'disk',
      agrees: true,
      fromUncompressed: null,
    });
    expect(lz4?.predictedMBps).toEqual({
      baseline: expect.closeTo(2880 * 3.5556, 3),
      burst: expect.closeTo(3456 * 3.5556, 3),
    });
  });

  test('is the same prediction that the command makes', () => {
    const request = {
      configuration: {
        deploymentType: 'PERSISTENT_1',
        storageCapacityGiB: 14_400,
        perUnitStorageThroughput: 200,
        dataCompressionType: 'LZ4',
      },
      ratio: 3.5556,
      clients: { count: 4, instanceType: 'c5n.9xlarge' },
    } as const;
    const { throughputMBps, binding } = predict(request);
    expect(lz4).toMatchObject({ predictedMBps: throughputMBps, binding });
  });

  test('had a burst and a baseline, and each is held against its own prediction', () => {
    const { levelsMBps, errorPercent, predictedMBps } = lz4 ?? {};
    expect(levelsMBps?.burst).toBeCloseTo(12_460, -2);
    expect(levelsMBps?.baseline).toBeCloseTo(11_428, -2);
    for (const key of ['baseline', 'burst'] as const)
      expect(errorPercent?.[key]).toBeCloseTo(((predictedMBps?.[key] ?? 0) / (levelsMBps?.[key] ?? 1) - 1) * 100, 9);
    expect(errorPercent?.burst).toBeCloseTo(-1.4, 0);
  });

  test('has each error under its own heading', () => {
    const tables = renderMarkdown(summariseRun(BLOG_RUN))
      .split('\n')
      .filter((line) => line.startsWith('|'));
    const cells = (line = ''): string[] => line.split('|').map((cell) => cell.trim());
    const head = cells(tables.find((line) => line.includes('Error, burst')));
    const row = cells(
      tables.slice(tables.findIndex((line) => line.includes('Error, burst'))).find((line) => line.includes('lz4')),
    );
    expect(['Error', 'Error, burst'].map((name) => row[head.indexOf(name)])).toEqual(['−10 %', '−1.4 %']);
  });

  test('follows from its rate without compression within 2 %', () => {
    const { fromUncompressed } = lz4 ?? {};
    expect(fromUncompressed).toMatchObject({ arm: 'none', reason: null });
    expect(fromUncompressed?.predictedMBps).toBeCloseTo(3560 * 3.5556, -2);
    expect(Math.abs(fromUncompressed?.errorPercent ?? 100)).toBeLessThan(2);
  });

  test('follows from the rate of the same operation on the same data', () => {
    const run = predictedIn(soundRun({ compressibilities: [1, 2.6] }));
    const gains = run.rates.filter(({ fromUncompressed }) => fromUncompressed?.measuredMBps != null);
    expect(gains.length).toBeGreaterThan(1);
    for (const { operation, compressibility, fromUncompressed } of gains) {
      const same = run.rates.find(
        (one) => one.arm === 'none' && one.operation === operation && one.compressibility === compressibility,
      );
      expect(fromUncompressed?.measuredMBps).toBe(same?.measuredMBps);
    }
  });

  test('wrote data of which the ratio was known before', () => {
    expect(ratios).toEqual([
      {
        arm: 'lz4',
        compressibility: 3.75,
        pattern: 'ior-default',
        tool: 'ior 3.3.0',
        predicted: 3.556,
        measured: 3.5556,
        errorPercent: expect.closeTo(0.01, 1),
        reason: null,
      },
    ]);
  });
});

describe('every run', () => {
  test('with compression stops at the lowest of network and clients, however far the data shrink', () => {
    // 15,000 MB/s is what the paths between four clients and six servers carry.
    const record = blogRun({ ...BLOG, none: 3560, ratio: 8 });
    expect(rateIn(record, 'lz4').fromUncompressed?.predictedMBps).toBe(15_000);
    expect(rateIn(record, 'lz4')).toMatchObject({ binding: { baseline: 'server_network', burst: 'client_oss_path' } });
  });

  test('says where the limit that was found is another than the one predicted', () => {
    const busy = withMetric(soundRun(), 'NetworkThroughputUtilization', () => 10);
    expect(rateIn(busy, 'none')).toMatchObject({ limitedBy: 'server_network', agrees: false });
  });

  test('counts data that do not compress as 1, though they take a little more than their size', () => {
    const record = withSamples(soundRun(), (sample) =>
      sample.metric === 'compression_ratio' && sample.compressibility === 1 ? { ...sample, value: 0.998 } : sample,
    );
    expect(rateIn(record, 'lz4', 'write', 1)).toMatchObject({ ratio: 1, predictedMBps: { baseline: 2880 } });
  });

  test('predicts no rate with LZ4 where the ratio was not measured, and says so', () => {
    const record = withSamples(soundRun(), (sample) =>
      sample.operation === 'space' ? { ...sample, value: null, reason: 'du was not found' } : sample,
    );
    expect(rateIn(record, 'lz4')).toMatchObject({
      predictedMBps: null,
      errorPercent: { baseline: null, burst: null },
      agrees: null,
      reason: 'the ratio of the data was not measured',
    });
    expect(rateIn(record, 'none').predictedMBps).toEqual({ baseline: 2880, burst: 3456 });
    expect(predictedIn(record).ratios[0]).toMatchObject({
      measured: null,
      errorPercent: null,
      reason: 'du was not found',
    });
  });

  test('reads data that fit into the servers’ memory from there', () => {
    const small = withSamples(soundRun(), (sample) =>
      sample.unit === 'B' && sample.operation === 'space' && sample.value !== null
        ? { ...sample, value: sample.value / 8 }
        : sample,
    );
    // 50 GiB, and 14.4 × 8.8 GiB of memory.
    expect(rateIn(small, 'none', 'read').binding?.baseline).toBe('server_network');
    expect(rateIn(soundRun(), 'none', 'read').binding?.baseline).toBe('disk');
  });

  test('gives no figure without a reason, and no reason beside a figure', () => {
    const { rates, ratios } = predictedIn(
      soundRun({ failing: ['r1-c1-write', 'r2-c1-write', 'r3-c1-write', 'r4-c1-write'] }),
    );
    for (const { predictedMBps, reason } of rates) expect(predictedMBps === null).toBe(reason !== null);
    for (const { predicted, measured, reason } of ratios)
      expect(predicted === null || measured === null).toBe(reason !== null);
  });

  test('on a configuration that AWS would refuse predicts nothing, with the rule that refuses it', () => {
    const record = soundRun();
    const arms = (record.manifest?.arms ?? []).map((arm) => ({
      ...arm,
      describe: { ...arm.describe, StorageCapacity: 1300 },
    }));
    const { predictedMBps, reason } = rateIn(
      { ...record, manifest: record.manifest && { ...record.manifest, arms } },
      'none',
    );
    expect(predictedMBps).toBeNull();
    expect(reason).toContain("'storageCapacityGiB' must be");
  });
});

describe('the lab', () => {
  test('gets no rate predicted, and no ratio of another codec, with the reasons', () => {
    const { rates, ratios, reason, ratioReason } = predictedIn(soundRun({ lab: true }));
    expect([rates, ratios]).toEqual([[], []]);
    expect(reason).toContain('local file systems replaced the deployed ones');
    expect(ratioReason).toBe('Ratios are not compared with those of LZ4: another codec replaced it');
    expect(predictedIn(soundRun())).toMatchObject({ ratioReason: null });
  });

  test('has nothing predicted for directories of which nothing is planned', () => {
    const record = soundRun();
    const arms = (record.manifest?.arms ?? []).map((arm) => ({ ...arm, kind: 'directory' as const }));
    const plan = record.plan && {
      ...record.plan,
      arms: record.plan.arms.map(({ name, description }) => ({ name, description })),
    };
    const local = { ...record, plan, manifest: record.manifest && { ...record.manifest, arms } };
    expect(predictedIn(local)).toMatchObject({ rates: [], ratios: [], operations: [] });
    expect(renderMarkdown(summariseRun(local))).not.toContain('Predicted against measured');
  });
});

describe('the page and Markdown', () => {
  const rowsOf = (page: string, caption: RegExp): string[][] => {
    const { document } = new JSDOM(page).window;
    const table = [...document.querySelectorAll('#predicted ~ .table table')].find((one) =>
      caption.test(one.querySelector('caption')?.textContent ?? ''),
    );
    return [...(table?.querySelectorAll('tr') ?? [])].map((row) =>
      [...row.children].map(({ textContent }) => (textContent ?? '').trim()),
    );
  };

  test('say the same of rates, scaling model and ratio', async () => {
    const record = BLOG_RUN;
    const page = await renderHtml(summariseRun(record));
    const markdown = renderMarkdown(summariseRun(record));
    expect(markdown).toContain('## Predicted against measured');
    for (const caption of [/^Rates: the documented limits/, /^Rates with compression/, /^Compression/]) {
      const [head = [], ...rows] = rowsOf(page, caption);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of [head, ...rows]) expect(markdown).toContain(`| ${row.join(' | ')} |`);
    }
    expect(rowsOf(page, /^Rates with compression/)[1]).toEqual([
      'write at 3.75:1',
      'lz4',
      expect.stringMatching(/^3,5\d\d$/),
      '3.56',
      expect.stringMatching(/^12,6\d\d$/),
      expect.stringMatching(/^12,4\d\d$/),
      expect.stringMatching(/^\+1\.\d %$/),
    ]);
  });

  test('say of an INVALID run that this is no result', () => {
    const failing = ['r1-c1-write', 'r2-c1-write', 'r3-c1-write', 'r4-c1-write'];
    expect(renderMarkdown(summariseRun(soundRun({ failing })))).toContain('## Predicted against measured (INVALID)');
  });
});
