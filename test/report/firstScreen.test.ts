import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { logTicks } from '../../lib/common/page/drawing';
import { readRun, renderHtml, renderMarkdown, summariseRun } from '../../lib/report';
import { forestPlot } from '../../lib/report/forest';
import { titleOf } from '../../lib/report/title';
import { labRun } from './labRuns';
import { modelledRun } from './modelledRun';
import { syntheticRun } from './syntheticRun';

const RUNS = join(__dirname, '..', 'fixtures', 'runs');

test('the title says what was compared, and where', async () => {
  const titles = await Promise.all(
    readdirSync(RUNS, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory()
        ? [readRun(join(RUNS, entry.name)).then((run) => [entry.name, titleOf(summariseRun(run))])]
        : [],
    ),
  );
  expect(Object.fromEntries(titles)).toMatchInlineSnapshot(`
{
  "aws-compression": "lz4 against none on FSx for Lustre",
  "aws-interrupted": "lz4 against none on FSx for Lustre",
  "aws-metadata": "p250-192000 against p250-12000 on FSx for Lustre",
  "lab-compression": "lz4 against none, in the lab",
  "lab-metadata": "p250-12000 against p250-none, in the lab",
  "local-command": "fast against slow",
}
`);
});

test('a run in the lab does not have the title of one on AWS', () => {
  expect(titleOf(summariseRun(modelledRun(12_000)))).toBe('lz4 against none on a scale model of FSx for Lustre');
  expect(titleOf(summariseRun(syntheticRun({ lab: true })))).toBe('lz4 against none, in the lab');
});

test('a single directory is told by its name and what it is, and its one notice stands once', async () => {
  const record = structuredClone(syntheticRun());
  const { plan, manifest } = record;
  const arms = plan?.arms.slice(0, 1).map((arm) => ({ ...arm, name: 'scratch', configuration: { kind: 'directory' } }));
  Object.assign(plan ?? {}, { arms });
  Object.assign(manifest ?? {}, {
    notices: ['Nothing is documented for ext4.'],
    arms: manifest?.arms.slice(0, 1).map((arm) => ({ ...arm, name: 'scratch', description: 'ext4 on /dev/vda' })),
  });
  const run = summariseRun({ ...record, samples: record.samples.map((one) => ({ ...one, arm: 'scratch' })) });
  expect(titleOf(run)).toBe('scratch: ext4 on /dev/vda');
  expect((await renderHtml(run)).match(/Nothing is documented for ext4\./g)).toHaveLength(1);
});

test('more arms than a title can name are counted', () => {
  const record = syntheticRun();
  const [arm] = record.plan?.arms ?? [];
  const arms = Array.from({ length: 6 }, (_, index) => ({ ...arm, name: `a${index}`, description: `d${index}` }));
  const plan = record.plan && { ...record.plan, arms: arms as typeof record.plan.arms };
  expect(titleOf(summariseRun({ ...record, plan, manifest: null, samples: [], metrics: [] }))).toBe(
    '6 arms compared on FSx for Lustre',
  );
});

test('the first picture has every comparison with its ratio, its interval and its verdict in words', async () => {
  const run = summariseRun(syntheticRun());
  const page = await renderHtml(run);
  const picture = /aria-labelledby="forest-title".*?<\/svg>/s.exec(page)?.[0] ?? '';
  expect(page.indexOf('id="forest-title"')).toBeLessThan(page.indexOf('id="throughput"'));
  for (const { operation, compressibility } of run.comparisons) {
    const name = `${operation}, ${compressibility === 1 ? 'incompressible' : `made for ${compressibility}:1`}`;
    expect(picture).toMatch(
      new RegExp(`${name}: [\\d.]+ × \\([\\d.]+–[\\d.]+\\), (a real difference|inconclusive|not meaningful)\\.`),
    );
  }
});

test('without a ratio there is no picture, and of very many comparisons those that tell most', async () => {
  expect(forestPlot(summariseRun(syntheticRun({ stopAfter: 1 })))).toBeNull();
  const compressibilities = Array.from({ length: 20 }, (_, index) => 1 + index / 10);
  const [chart] = forestPlot(summariseRun(syntheticRun({ compressibilities })))?.charts ?? [];
  expect(chart?.description.match(/×/g)).toHaveLength(8);
  expect(chart?.description).not.toContain('incompressible');
  expect(
    chart?.description
      .match(/[\d.]+(?=:1: )/g)
      ?.map(Number)
      .filter((made) => made < 2),
  ).toEqual([]);
  // 51 comparisons on a busy machine, three pairs each: one real difference, and intervals of up to four orders of magnitude.
  const storages = summariseRun(await labRun('StorageBench'));
  const [picture] = forestPlot(storages)?.charts ?? [];
  expect(picture?.description).toContain('moosefs, read of 32 MiB by 1 thread: 0.50 × (0.29–0.88), a real difference');
  expect(picture?.description).not.toContain('over 100');
});

test('what limited many operations is counted, in the order of the arms', async () => {
  const page = renderMarkdown(summariseRun(await labRun('StorageBench')));
  expect(page).toContain('the disks limited 6 of 8 operations; no limit of the model was reached in 2');
  expect(page).not.toMatch(/^\|[^|]*_large_file/m);
  expect(page).toMatch(/Not predicted for 16 rates of \S*btrfs-lzo\S*, \S*btrfs-zstd\S*: the ratio of the data was/);
});

test('a logarithmic axis has round numbers with room between them, and 1 wherever it is on it', () => {
  expect(logTicks([0.9, 1.1])).toEqual([0.9, 0.95, 1, 1.05, 1.1]);
  expect(logTicks([0.5, 4])).toEqual([0.5, 0.7, 1, 2, 3]);
  expect(logTicks([0.01, 100])).toEqual([0.01, 0.1, 1, 10, 100]);
});

describe('what a run was made with is told as it was', () => {
  const page = async (change: (record: ReturnType<typeof syntheticRun>) => void, lab = false) => {
    const record = structuredClone(syntheticRun({ lab }));
    change(record);
    return renderHtml(summariseRun(record));
  };

  test('one client of the lab is not the fleet that was deployed', async () => {
    expect(await page(() => {}, true)).toContain('<dd>this computer in place of 8 × c5n.9xlarge</dd>');
    expect(await page(() => {})).toContain('<dd>8 × c5n.9xlarge</dd>');
  });

  test('what the plan warned of is not also said not to have been checked', async () => {
    const warned = await page(({ plan }) => {
      Object.assign(plan ?? {}, {
        issues: [{ id: 'phase-too-short', severity: 'warning', message: 'Short.', expected: '300 s', actual: '2 s' }],
      });
    }, true);
    const row = /<tr>(?:(?!<tr>).)*<code>phase-too-short<\/code><\/td><\/tr>/s.exec(warned)?.[0] ?? '';
    expect(row).toContain('<strong>warning</strong>');
    expect(row).not.toMatch(/<td>not checked/);
  });
});
