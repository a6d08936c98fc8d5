import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
// The types that `fsxbench` exports are checked with the rest of the project.
import type {
  Advice,
  Estimate,
  EstimateOptions,
  LustreConfiguration,
  Prediction,
  PredictRequest,
  Requirement,
} from 'fsxbench';
import * as library from '../lib';

const ROOT = join(__dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-library-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The blocks of a page below a heading. */
function blocksOf(page: string, heading: string): string[] {
  const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/```\w*\n([\s\S]*?)```/g)].map(([, block]) => block as string);
}

/** The package below the node_modules of another program, with its dependencies and nothing else. */
async function installed(): Promise<void> {
  const home = join(folder, 'node_modules', 'fsxbench');
  mkdirSync(home, { recursive: true });
  copyFileSync(join(ROOT, 'package.json'), join(home, 'package.json'));
  const common = {
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    packages: 'external',
  } as const;
  await build({ ...common, entryPoints: ['lib/index.ts'], outfile: join(home, 'dist', 'index.js') });
  await build({ ...common, entryPoints: ['bin/estimateWorker.ts'], outfile: join(home, 'dist', 'estimateWorker.js') });
  writeFileSync(join(home, 'dist', 'index.mjs'), "export * from './index.js';\n");
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, object>;
  for (const name of Object.keys(dependencies ?? {})) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
}

test('the example of the page runs in a program of its own, and prints what the page says', async () => {
  await installed();
  const [example = '', printed = ''] = blocksOf(readFileSync(join(ROOT, 'docs/advise.md'), 'utf8'), 'As a library');
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data', 'rows.csv'), '1,2,3,4,5,6,7,8\n'.repeat(100_000));
  writeFileSync(join(folder, 'example.mjs'), example);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toBe(printed);
});

test('it can be required, too, and exports nothing by accident', async () => {
  expect(Object.keys(library).sort()).toEqual([
    ...['advise', 'compressedFrom', 'estimateCompression', 'lintDocument', 'lintFile', 'parseFile', 'parseText'],
    'predict',
  ]);
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      '-e',
      "console.log(require('fsxbench').predict({ configuration: { deploymentType: 'SCRATCH_2', storageCapacityGiB: 1200 } }).throughputMBps.baseline)",
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  expect([status, stdout]).toEqual([0, '120\n']);
});

test('wrong arguments are an Error with a line for each problem', async () => {
  const configuration: LustreConfiguration = {
    deploymentType: 'PERSISTENT_2',
    storageCapacityGiB: 1300,
    perUnitStorageThroughput: 300,
  };
  const request: PredictRequest = { configuration, ratio: 0, region: 'us-moon-1' };
  const problems = (make: () => unknown): string[] => {
    try {
      make();
    } catch (error) {
      return (error as Error).message.split('\n');
    }
    return [];
  };
  expect(problems((): Prediction => library.predict(request))).toEqual([
    expect.stringContaining("'perUnitStorageThroughput' must be 125, 250, 500 or 1000"),
    expect.stringContaining("'storageCapacityGiB' must be"),
    expect.stringContaining("'ratio' must be from 1 to 255"),
    expect.stringContaining("'region' must be the name of a Region"),
  ]);
  const requirement: Requirement = { readMBps: Number.NaN, maxMonthlyUsd: 0, region: '' };
  expect(problems((): Advice => library.advise(requirement))).toHaveLength(3);
  const options: EstimateOptions = { paths: [] };
  await expect((): Promise<Estimate> => library.estimateCompression(options)).rejects.toThrow("'paths' must name");
});
