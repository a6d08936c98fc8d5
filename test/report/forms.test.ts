import { summarise as summariseRun } from '../../lib/analysis/summary';
import { renderMarkdown, toJson } from '../../lib/report';
import { modelledRun } from './modelledRun';
import { syntheticRun } from './syntheticRun';

describe('JSON', () => {
  test('has the schema, the result in words, and every figure of the page', () => {
    const document = toJson(summariseRun(syntheticRun({ seed: 7 })));
    expect(document).toMatchObject({
      schema: 'fsxbench.report/1',
      benchmark: 'CompressionBench',
      lab: false,
      validity: 'WARN',
    });
    expect(document.findings).toHaveLength(3);
    expect(document.cells.filter(({ metric }) => metric === 'throughput')).toHaveLength(16);
    expect(document.comparisons.map(({ count }) => count)).toEqual(Array(8).fill(3));
  });

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
  test('says first that a run was the lab’s', () => {
    const lines = renderMarkdown(summariseRun(syntheticRun({ lab: true })))
      .split('\n')
      .filter(Boolean);
    expect(lines[0]).toBe('# LZ4 against no compression, in the lab');
    expect(lines[2]).toMatch(/^> \*\*Lab run\.\*\* An emulator answered for AWS\./);
  });

  test('has as many cells in every row as the head of its table', () => {
    const text = renderMarkdown(summariseRun(syntheticRun({ failing: ['r2-c2.6-write'], hostile: ' | x\n| y' })));
    for (const block of text.split('\n\n').filter((part) => part.startsWith('|'))) {
      const cells = block.split('\n').map((line) => line.split(/(?<!\\)\|/).length);
      expect(new Set(cells).size).toBe(1);
    }
  });

  test('lets no name from a file become markup', () => {
    const text = renderMarkdown(
      summariseRun(syntheticRun({ hostile: '`x`<script>', armNames: ['[a](b)', '<img src=x onerror=alert(1)>'] })),
    );
    const prose = text.replace(/(`+)[^`][\s\S]*?\1/g, '');
    expect(prose).not.toMatch(/<(img|script)/);
    expect(prose).not.toContain('[a](b)');
  });

  test('names one command that does a lab run again, and the directories of a local one', () => {
    expect(renderMarkdown(summariseRun(syntheticRun({ lab: true })))).toContain(
      '```sh\nnpm run quickstart -- --model none --set repeats=3 --set seconds=300\n```',
    );
    expect(renderMarkdown(summariseRun(modelledRun(10_800)))).toContain(
      '```sh\nnpm run quickstart -- --scale 1:100 --set seconds=300 --set compressibilities=1,2.6',
    );
    const other = modelledRun(10_800);
    const asked = { deploymentType: 'PERSISTENT_2', perUnitStorageThroughput: 500, storageCapacityGiB: 12_000 };
    const planned = other.plan?.arms.map((arm) => ({
      ...arm,
      configuration: { kind: 'lustre', ...arm.configuration, ...asked },
    }));
    expect(
      renderMarkdown(summariseRun({ ...other, plan: other.plan && { ...other.plan, arms: planned ?? [] } })),
    ).toContain('npm run quickstart -- --model PERSISTENT_2:500,12TiB --scale 1:100 --set');
    const record = syntheticRun({ lab: false });
    const arms = (record.manifest?.arms ?? []).map((arm) => ({ ...arm, kind: 'directory' as const }));
    const local = { ...record, manifest: record.manifest && { ...record.manifest, arms } };
    expect(renderMarkdown(summariseRun(local))).toContain(
      'npx fsxbench run CompressionBench --local none=DIRECTORY lz4=DIRECTORY --plan paired',
    );
    expect(renderMarkdown(summariseRun(local))).not.toContain('cdk deploy');
  });

  test('gives commands that a shell takes as they are meant', () => {
    const text = renderMarkdown(summariseRun(syntheticRun({ compressibilities: [1, 2.6] })));
    expect(text).toContain('npx cdk deploy BenchResults CompressionBench -c scale=published');
    expect(text).toContain(
      'npx fsxbench run CompressionBench --plan paired --scale published --set repeats=3 --set seconds=300 --set compressibilities=1,2.6',
    );
  });
});
