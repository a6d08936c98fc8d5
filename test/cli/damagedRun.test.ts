import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { soundRun } from '../analysis/runs';
import { PROJECT } from '../lab/support';
import { writeRun } from '../report/writeRun';
import { fsxbenchIn } from './support';

const results = mkdtempSync(join(tmpdir(), 'fsxbench-damaged-'));
afterAll(() => rmSync(results, { recursive: true, force: true }));

const FILES = ['plan.json', 'manifest.json', 'status.json'] as const;
const sound = soundRun({ repeats: 2, compressibilities: [1] });
const folders = Object.fromEntries(
  FILES.map((file) => [file, join(results, 'runs', 'CompressionBench', `20261121T090000Z-no-${file.slice(0, -5)}`)]),
);
beforeAll(() => {
  for (const file of FILES) {
    const folder = writeRun({ ...sound, raw: [] }, folders[file]);
    rmSync(join(folder, file));
  }
});

test.each(FILES)('a run without its %s is reported all the same, and the report says what is missing', async (file) => {
  const { status, out, err } = await fsxbenchIn({}, ['report', folders[file] as string, '--json']);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  const { issues, cells } = JSON.parse(out);
  expect(cells.length).toBeGreaterThan(0);
  expect(issues).toContainEqual(expect.objectContaining({ id: 'run-file-unreadable', where: file }));
});

test('a lab run that has lost its manifest is not taken for one on AWS', async () => {
  const lab = soundRun({ repeats: 2, compressibilities: [1], lab: true });
  const note = { id: 'lab-run', severity: 'note', message: 'A lab run.', expected: 'AWS', actual: 'lab' } as const;
  const folder = writeRun(
    { ...lab, raw: [], manifest: null, plan: lab.plan && { ...lab.plan, issues: [note] } },
    join(results, 'lab'),
  );
  const { out } = await fsxbenchIn({}, ['report', folder, '--json']);
  const { lab: said, caveats, analysis } = JSON.parse(out);
  expect(said).toBe(true);
  expect(caveats[0]).toContain('No rate, ratio or metric on this page is Amazon FSx’s');
  for (const { limits } of analysis.limits) expect(limits).toEqual([]);
});

test('the list leaves out none of them, whatever else lies beside them', async () => {
  for (const place of ['', 'runs', join('runs', 'CompressionBench')])
    writeFileSync(join(results, place, '.DS_Store'), '');
  const { status, out } = await fsxbenchIn({}, ['list', '--results', results, '--json']);
  expect(status).toBe(0);
  const { runs } = JSON.parse(out);
  const names = Object.values(folders).map((folder) => basename(folder));
  expect(runs.map(({ run }: { run: string }) => run).sort()).toEqual([...names].sort());
  const lost = runs.find(({ run }: { run: string }) => run.endsWith('no-status'));
  expect(lost).toMatchObject({ state: 'interrupted', validity: 'WARN', reason: null });
  const unpriced = runs.find(({ run }: { run: string }) => run.endsWith('no-manifest'));
  expect(unpriced).toMatchObject({ costUsd: null, costReason: expect.stringContaining('manifest') });
});

test('what needs the manifest names it, and the next step', async () => {
  const folder = folders['manifest.json'] as string;
  const { status, err } = await fsxbenchIn({}, ['collect', folder]);
  expect(status).toBe(1);
  expect(err).toMatch(/cannot read the run's manifest '.*manifest\.json'.*restore it from the results bucket/);
});

test('a manifest that is cut off stops no report', async () => {
  const folder = writeRun({ ...sound, raw: [] }, join(results, 'cut'));
  writeFileSync(join(folder, 'manifest.json'), '{"schema": "fsxbench.manifest/1", ');
  expect((await fsxbenchIn({}, ['report', folder, '--json'])).status).toBe(0);
});

test('a page that the disk has no room for is named with the next step, and leaves no draft', () => {
  const folder = writeRun({ ...sound, raw: [] }, join(results, 'full'));
  const small = `trap '' XFSZ; ulimit -f 64; exec "$@"`;
  const argv = ['-c', small, 'small-disk', process.execPath, join(PROJECT, 'dist/fsxbench.js'), 'report', folder];
  const { stderr, status } = spawnSync('bash', argv, { encoding: 'utf8' });
  const page = join(folder, 'report', 'index.html');
  expect(stderr).toContain(`fsxbench: '${page}' cannot be written: EFBIG`);
  expect(stderr).toContain('make room there, then repeat the command');
  expect([status, readdirSync(join(folder, 'report'))]).toEqual([1, []]);
});

test('a run in a folder that takes no page is printed all the same, but not reported', async () => {
  const folder = writeRun({ ...sound, raw: [] }, join(results, 'closed'));
  const printed = [['--json'], ['--markdown'], ['--csv']];
  const expected = await Promise.all(printed.map((options) => fsxbenchIn({}, ['report', folder, ...options])));
  const page = join(folder, 'report', 'index.html');
  rmSync(page);
  mkdirSync(page);
  for (const [index, options] of printed.entries()) {
    const { status, out, err } = await fsxbenchIn({}, ['report', folder, ...options]);
    expect([status, out]).toEqual([0, expected[index]?.out]);
    expect(err).toMatch(`only printed: '${page}' cannot be written: `);
  }
  for (const options of [[], ['--json', '--upload']]) {
    const { status, out, err } = await fsxbenchIn({}, ['report', folder, ...options]);
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(`fsxbench: '${page}' cannot be written: `);
  }
});

describe.each(['null', '[]', '{}', '"done"', '{"fleet": {}}'])('with %s in it', (content) => {
  test.each([
    ['manifest.json', 'manifest'],
    ['status.json', 'status'],
  ])('a %s is told by name, with the next step', async (file, what) => {
    const manifest = sound.manifest && { ...sound.manifest, bucket: null };
    const folder = writeRun({ ...sound, manifest, raw: [] }, join(results, 'odd', `${file}-${content.length}`));
    writeFileSync(join(folder, file), content);
    const { status, err } = await fsxbenchIn({}, ['watch', folder]);
    expect(status).toBe(1);
    expect(err).toContain(`cannot read the run's ${what} '${join(folder, file)}'`);
    expect(err).toMatch(/restore it from the results bucket.*\n$/);
  });
});
