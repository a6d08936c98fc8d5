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

test('the title says what was compared, and where, to whoever does not know the names of the arms', async () => {
  const titles = await Promise.all(
    readdirSync(RUNS, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory()
        ? [readRun(join(RUNS, entry.name)).then((run) => [entry.name, titleOf(summariseRun(run))])]
        : [],
    ),
  );
  expect(Object.fromEntries(titles)).toMatchInlineSnapshot(`
{
  "aws-compression": "LZ4 against no compression on FSx for Lustre",
  "aws-interrupted": "LZ4 against no compression on FSx for Lustre",
  "aws-metadata": "192000 against 12000 metadata IOPS on FSx for Lustre",
  "lab-compression": "LZ4 against no compression, in the lab",
  "lab-metadata": "p250-12000 against p250-none, in the lab",
  "local-command": "fast against slow",
}
`);
});

test('a run in the lab does not have the title of one on AWS', () => {
  expect(titleOf(summariseRun(modelledRun(12_000)))).toBe(
    'LZ4 against no compression on a scale model of FSx for Lustre',
  );
  expect(titleOf(summariseRun(syntheticRun({ lab: true })))).toBe('LZ4 against no compression, in the lab');
});

test('a single arm is told by what it is', () => {
  const record = syntheticRun();
  const arms = record.plan?.arms
    .slice(0, 1)
    .map((arm) => ({
      ...arm,
      configuration: { kind: 'lustre', deploymentType: 'SCRATCH_2', storageType: 'SSD', storageCapacityGiB: 14_400 },
    }));
  if (record.plan === null || arms === undefined) throw new Error('the run has no plan');
  const summary = summariseRun({ ...record, plan: { ...record.plan, arms } });
  const title = titleOf({ ...summary, arms: summary.arms.slice(0, 1) });
  expect(title).toBe('FSx for Lustre: SCRATCH_2 SSD 14400 GiB, no compression');
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

test('arms that their storage describes alike keep their names', () => {
  const record = syntheticRun();
  const [first] = record.plan?.arms ?? [];
  if (record.plan === null || first === undefined) throw new Error('the run has no plan');
  const alike = {
    ...record.plan,
    arms: record.plan.arms.map((arm) => ({ ...arm, configuration: first.configuration })),
  };
  expect(titleOf(summariseRun({ ...record, plan: alike }))).toBe('lz4 against none on FSx for Lustre');
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
      new RegExp(`${name}: [\\d.]+ × \\([\\d.]+–[\\d.]+\\), (inconclusive|(a real|no meaningful) difference)\\.`),
    );
  }
});

test('the first picture names the data that all of its comparisons share', () => {
  const [chart] = forestPlot(summariseRun(syntheticRun({ compressibilities: [2.6] })))?.charts ?? [];
  expect(chart?.title).toBe('Each arm as a multiple of none: made for 2.6:1');
  expect(chart?.description).not.toContain('2.6:1');
});

test('storages of different kinds are told by their kinds, and alike ones by what differs, once', () => {
  const run = summariseRun(syntheticRun());
  const [arm] = run.arms;
  if (arm?.planned == null) throw new Error('the run has no plan');
  const lustre = { kind: 'lustre', deploymentType: 'PERSISTENT_2', storageType: 'SSD', storageCapacityGiB: 12_000 };
  const withIops = (iops: number) => ({
    ...lustre,
    perUnitStorageThroughput: 250,
    metadata: { mode: 'USER_PROVISIONED', iops },
  });
  const openzfs = { kind: 'openzfs', deploymentType: 'SINGLE_AZ_2', storageCapacityGiB: 64, throughputMBps: 160 };
  const titleWith = (...planned: readonly (typeof lustre | typeof openzfs)[]): string =>
    titleOf({ ...run, arms: planned.map((one, index) => ({ ...arm, name: `arm-${index}`, planned: one })) });
  expect(titleWith(withIops(3000), openzfs)).toBe('FSx for OpenZFS against FSx for Lustre');
  expect(titleWith(withIops(3000), withIops(6000), openzfs)).toBe('arm-0, arm-1 and arm-2 compared');
  expect(titleWith(withIops(3000), withIops(6000), withIops(12_000))).toBe(
    '3000, 6000 and 12000 metadata IOPS compared on FSx for Lustre',
  );
});

test('without a ratio there is no picture, and of very many comparisons those that tell most', async () => {
  expect(forestPlot(summariseRun(syntheticRun({ stopAfter: 1 })))).toBeNull();
  const compressibilities = Array.from({ length: 20 }, (_, index) => 1 + index / 10);
  const [chart] = forestPlot(summariseRun(syntheticRun({ compressibilities })))?.charts ?? [];
  expect(chart?.description.match(/×/g)).toHaveLength(14);
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

test('on a phone, a name that leaves no room for the ratio beside it has a line of its own', async () => {
  const run = summariseRun(syntheticRun({ compressibilities: [1] }));
  const heightWith = async (operation: string): Promise<number> => {
    const comparisons = run.comparisons.map((one) => ({ ...one, operation }));
    const page = await renderHtml({ ...run, comparisons });
    return Number(/viewBox="0 0 360 (\d+)"[^>]*><title id="forest-narrow-title"/.exec(page)?.[1]);
  };
  const [short, long] = [await heightWith('write'), await heightWith('create_large_file of 100 GiB by 8 threads')];
  expect(short).toBeGreaterThan(0);
  expect((long - short) / run.comparisons.length).toBe(15);
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
