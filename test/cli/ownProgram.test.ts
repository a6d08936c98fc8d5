import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompareDocument } from '../../lib/analysis/compare/compare';
import type { ReportDocument } from '../../lib/report/json';
import type { Sample } from '../../lib/schema/sample';
import { temporaryFolder } from '../run/bench';
import { inAll } from '../support/drawn';
import { fsxbenchIn } from './support';

const ROOT = join(__dirname, '..', '..');
const folder = temporaryFolder();
const results = join(folder, 'results');

/** Takes so many seconds on each arm; its talk is what a failed tool would say, in a comparison that went well. */
function program(name: string, seconds: Readonly<Record<string, number>>): string {
  const path = join(folder, name);
  const cases = Object.entries(seconds).map(([arm, value]) => `*/${arm}/*) sleep ${value} ;;`);
  const talk = 'echo "IOR-3.3.0: MPI Coordinated Test of Parallel I/O"; echo "ERROR: No such file or directory"';
  writeFileSync(path, `#!/bin/sh\ncase "$1" in ${cases.join(' ')} esac\nprintf 12345678 >"$1/made"\n${talk}\n`);
  chmodSync(path, 0o755);
  return path;
}

const fsxbench = (...argv: string[]) =>
  fsxbenchIn({ root: ROOT, environment: { PATH: process.env.PATH ?? '' } }, [...argv, '--results', results]);

async function runOf(path: string, ...options: string[]): Promise<{ status: number; err: string; run: string }> {
  const before = runs();
  const local = ['--local', `slow=${join(folder, 'slow')}`, `fast=${join(folder, 'fast')}`, '--set', 'repeats=3'];
  const settings = [...local, '--set', 'dropCaches=false', '--results', results];
  const argv = ['run', 'CompressionBench', ...settings, ...options, '--', path, '{dir}'];
  const { status, err } = await fsxbenchIn({ root: ROOT, environment: { PATH: process.env.PATH ?? '' } }, argv);
  return { status, err, run: runs().find((name) => !before.includes(name)) ?? '' };
}

const kept = join(results, 'runs', 'CompressionBench');
const runs = (): string[] => (existsSync(kept) ? readdirSync(kept) : []);
const samplesOf = (run: string): Sample[] =>
  readFileSync(join(kept, run, 'samples.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

let first = '';
// Differences that a busy computer does not hide.
beforeAll(async () => {
  for (const arm of ['slow', 'fast']) mkdirSync(join(folder, arm));
  const done = await runOf(program('first', { slow: 2, fast: 0.05 }));
  expect(done.err).toContain('every step is done');
  first = done.run;
}, 120_000);

test('a program of the user’s is measured by seconds, bytes and exit status, whatever it prints', () => {
  const own = samplesOf(first).filter(({ source }) => source === 'client');
  expect(own.every(({ value, problems }) => value !== null && problems.length === 0)).toBe(true);
  expect([...new Set(own.map(({ operation, metric, unit }) => `${operation} ${metric} ${unit}`))]).toEqual([
    ...['run seconds s', 'run user_seconds s', 'run system_seconds s'],
    ...['run bytes_read B', 'run bytes_written B', 'run exit_status 1'],
  ]);
  const seconds = own.filter(({ metric, arm }) => metric === 'seconds' && arm === 'slow');
  expect(seconds).toHaveLength(3);
  for (const { value } of seconds) expect(value).toBeGreaterThan(0.3);
});

test('the report says which arm took less time, and that less is better', async () => {
  const { out } = await fsxbench('report', first, '--json');
  const { findings, comparisons, validity }: ReportDocument = JSON.parse(out);
  expect(validity).not.toBe('INVALID');
  expect(comparisons[0]).toMatchObject({ operation: 'run', metric: 'seconds', better: 'lower', different: true });
  expect(comparisons[0]?.estimate).toBeLessThan(0.7);
  expect(findings[0]).toMatch(/^fast took 0\.\d+ × \(.*\) as long as slow, in 3 pairs: a real difference\.$/);
  expect(findings.join()).not.toMatch(/as fast as|not measured/);
  await fsxbench('report', first);
  const page = readFileSync(join(kept, first, 'report', 'index.html'), 'utf8');
  expect(page).toContain('Run, s (lower is better)');
  expect(page).toMatch(/<h2 id="throughput">Times<\/h2>/);
  expect(page).not.toContain('Nothing was measured');
  expect(page).toMatch(/--plan command .* -- .*first &#39;\{dir\}&#39;|--plan command .* -- .*first .*\{dir\}/);
});

inAll(test)('compare calls the run that took longer a regression, and the other way an improvement', async () => {
  const slower = (await runOf(program('slower', { slow: 0.3, fast: 2 }))).run;
  const there = await fsxbench('compare', first, slower, '--json');
  const worse: CompareDocument = JSON.parse(there.out);
  const verdict = ({ cells }: CompareDocument, arm: string) => cells.find((cell) => cell.arm === arm);
  expect(there.status).toBe(1);
  expect(verdict(worse, 'fast')).toMatchObject({ operation: 'run', better: 'lower', verdict: 'regression' });
  expect(verdict(worse, 'fast')?.ratio).toBeGreaterThan(2);
  const back = await fsxbench('compare', slower, first, '--json');
  expect(verdict(JSON.parse(back.out), 'fast')).toMatchObject({ verdict: 'improvement' });
  expect((await fsxbench('compare', first, slower)).out).toContain('s, lower is better');
});

inAll(test)(
  'a program that fails is a failed step with its exit status',
  async () => {
    const path = join(folder, 'failing');
    writeFileSync(path, '#!/bin/sh\nexit 3\n');
    chmodSync(path, 0o755);
    const { status, run } = await runOf(path, '--set', 'repeats=1');
    expect(status).not.toBe(0);
    const [sample] = samplesOf(run).filter(({ operation }) => operation === 'run');
    expect(sample).toMatchObject({ value: null, metric: 'seconds', unit: 's', problems: ['exit_status_3'] });
    expect(sample?.reason).toMatch(/3/);
  },
  60_000,
);

test.each([
  [['plan', 'CompressionBench', '--', 'make', 'all'], /'command' must be a program with \{dir\} .* got 'make all'/],
  [['plan', 'CompressionBench', '--plan', 'command'], /'command' must be a program with \{dir\} .* got none/],
  [['plan', 'CompressionBench', '--plan', 'paired', '--', 'touch', '{dir}/x'], /a program is run by the plan command/],
  [['plan', 'CompressionBench', '--set', 'repeats=0', '--', 'touch', '{dir}/x'], /'repeats' must be .* got '0'/],
])('%j is refused', async (argv, message) => {
  const { status, err } = await fsxbenchIn({ root: ROOT }, argv);
  expect(status).toBe(2);
  expect(err).toMatch(message);
});

test('its arguments go through no shell, and are linted as the user wrote them', async () => {
  const { out } = await fsxbenchIn({ root: ROOT }, [
    ...['plan', 'CompressionBench', '--scale', 'lab', '--json', '--'],
    ...['dd', 'if=/dev/zero', 'of={dir}/a b; $HOME', 'bs=1M'],
  ]);
  const { steps, issues } = JSON.parse(out);
  const { action } = steps.find(({ phase }: { phase: string }) => phase === 'measure').tasks[0];
  expect(action.command).toEqual(['{bin}/measure-command', 'dd', 'if=/dev/zero', 'of={dir}/a b; $HOME', 'bs=1M']);
  expect(issues.map(({ id }: { id: string }) => id)).toContain('dd-zeros-compress-away');
});
