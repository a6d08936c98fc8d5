import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { runAt } from './runAt';
import { syntheticRun } from './syntheticRun';
import { writeRun } from './writeRun';

/*
 * Same inputs, same bytes: each form of the report and of the list, made by a process of its own under another time zone and locale, from
 * a folder whose files were written in another order and at another time.
 */
const root = join(__dirname, '..', '..');
// Below the project, where the bundle finds its packages.
mkdirSync(join(root, '.lab'), { recursive: true });
const work = mkdtempSync(join(root, '.lab', 'same-bytes-'));
const outside = mkdtempSync(join(tmpdir(), 'fsxbench-bytes-'));
const cli = join(work, 'fsxbench.js');
const record = { ...syntheticRun({ retried: ['r1-c2.6-write'], hostile: ' äÄ߀' }), raw: [] };

beforeAll(() => {
  buildSync({
    entryPoints: [join(root, 'bin', 'fsxbench.ts')],
    outfile: cli,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    packages: 'external',
    logLevel: 'error',
  });
});
afterAll(() => {
  for (const folder of [work, outside]) rmSync(folder, { recursive: true, force: true });
});

/** The same run with its files written the other way round. */
const shuffled = { ...record, metrics: [...record.metrics].reverse(), environment: [...record.environment].reverse() };

const WORLDS = [
  { name: 'plain', zone: 'UTC', locale: 'C', of: record },
  { name: 'elsewhere', zone: 'Asia/Tokyo', locale: 'de_DE.UTF-8', of: shuffled },
] as const;

function bytesIn({ name, zone, locale, of }: (typeof WORLDS)[number]): Record<string, string> {
  // Folders of one length and one last name: a path can be part of what is said.
  const results = join(outside, name.padEnd(9, '-'));
  const runs = [of, runAt(10), runAt(11)].map((one, index) =>
    writeRun(one, join(results, 'runs', 'CompressionBench', `run-${index}`)),
  );
  const env = { PATH: process.env.PATH, TZ: zone, LANG: locale, LC_ALL: locale, LANGUAGE: locale };
  const fsxbench = (...argv: string[]): string =>
    execFileSync(process.execPath, [cli, ...argv], { env, cwd: results, encoding: 'utf8', maxBuffer: 1e8 });
  const [run = ''] = runs;
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const pageOf = (path: string): string => readFileSync(resolve(results, path.trim()), 'utf8');
  const report = (...form: string[]): string => hash(fsxbench('report', run, ...form));
  return {
    json: report('--json'),
    markdown: report('--markdown'),
    samples: report('--csv'),
    summary: report('--csv', 'summary'),
    html: hash(pageOf(join(run, 'report', 'index.html'))),
    kept: hash(pageOf(join(run, 'report', 'summary.json'))),
    list: hash(fsxbench('list', '--here', '--results', '.', '--json')),
  };
}

test('every form has the same bytes, whatever the time zone, the locale and the order of the files', () => {
  const [plain, ...others] = WORLDS.map(bytesIn);
  for (const other of others) expect(other).toEqual(plain);
  expect(new Set(Object.values(plain ?? {})).size).toBe(7);
});
