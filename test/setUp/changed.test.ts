import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

interface Suites {
  readonly jest: readonly string[];
  readonly bats: readonly string[];
  readonly python: readonly string[];
  readonly left: readonly string[];
}

/** The suites of `npm test -- --changed` where these files are changed. */
function nearest(...files: readonly string[]): Suites {
  const script = `import { nearest } from './scripts/lib/changed.mjs';
    console.log(JSON.stringify(nearest(${JSON.stringify(files)})));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT, encoding: 'utf8' }),
  );
}

test.each([
  ['lib/common/statistics/index.ts', 'jest', 'test/common/statistics/exact.test.ts'],
  // By its folder.
  ['lib/benchmark/offload/index.ts', 'jest', 'test/deploy/stacks.test.ts'],
  // Suites read a parser through the registry of all.
  ['lib/workload/fio/json.ts', 'jest', 'test/parse/fio.test.ts'],
  ['lib/analysis/stragglers.ts', 'jest', 'test/analysis/stragglers.test.ts'],
  ['lib/workload/mdtest/textReader.ts', 'jest', 'test/parse/reports.test.ts'],
  ['lib/claims/comparable.ts', 'jest', 'test/report/recordedRuns.test.ts'],
  // No suite imports it: those of the files that do.
  ['lib/common/linePieces.ts', 'jest', 'test/common/readEnd.test.ts'],
  // Files that a suite depends on without an import.
  ['assets/lab/needs.tsv', 'jest', 'test/setUp/needs.test.ts'],
  ['assets/client/bin/drop-caches', 'bats', 'test/client/drop-caches.bats'],
  ['assets/client/lib/client-load.mjs', 'bats', 'test/client/client-load.bats'],
  ['assets/client/lib/counters/nfs.mjs', 'bats', 'test/client/client-load.bats'],
  ['assets/client/lib/storage.sh', 'bats', 'test/storage/lustre/mount.bats'],
  ['assets/lab/fsxbench_lab/metrics.py', 'python', 'python'],
  ['assets/dask/fsxbench_dask/analyse.py', 'python', 'dask'],
  ['test/client/s3.bats', 'bats', 'test/client/s3.bats'],
  ['test/setUp/needs.test.ts', 'jest', 'test/setUp/needs.test.ts'],
  ['docs/lab.md', 'jest', 'test/docs/links.test.ts'],
] as const)('a change of %s runs, in %s, %s', (file, kind, suite) => {
  expect(nearest(file)[kind]).toContain(suite);
});

test('suites that take long are named, not run', () => {
  const { jest, left } = nearest('test/lab/support.ts');
  expect(left).toContain('test/lab/quickstart.test.ts');
  expect(jest).not.toContain('test/lab/quickstart.test.ts');
});

test('a name that is a plain word, such as mount, finds no suite that only has the word', () =>
  expect(nearest('assets/storage/lustre/mount').jest.length).toBeLessThan(20));
