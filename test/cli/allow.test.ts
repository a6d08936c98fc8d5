import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../run/bench';
import { fsxbenchIn } from './support';

const ROOT = join(__dirname, '..', '..');
const ZEROS = ['dd', 'if=/dev/zero', 'of={dir}/x', 'bs=1M', 'count=1'];
const REFUSED = 'dd-zeros-compress-away';
const folder = temporaryFolder();

const lint = (...argv: string[]) => fsxbenchIn({}, ['lint', ...argv, '--', ...ZEROS]);

describe('lint --allow', () => {
  test('fails on no finding that is allowed, and still prints it', async () => {
    expect((await lint()).status).toBe(1);
    const { status, out } = await lint('--allow', REFUSED);
    expect(status).toBe(0);
    expect(out).toContain(`error  ${REFUSED}  allowed`);
    const { findings } = JSON.parse((await lint('--allow', REFUSED, '--json')).out);
    expect(findings).toContainEqual(expect.objectContaining({ id: REFUSED, severity: 'error', allowed: true }));
  });

  test('lets the other findings fail, with --strict too', async () => {
    expect((await lint('--strict', '--allow', REFUSED)).status).toBe(1);
    expect((await lint('--strict', '--allow', REFUSED, '--allow', 'dd-missing-fsync')).status).toBe(0);
  });

  test('refuses an id that is no finding’s, with those that are', async () => {
    const { status, err } = await lint('--allow', 'dd-zeros');
    expect(status).toBe(2);
    expect(err).toContain(
      `'--allow' must be the id of a finding of this command, which are ${REFUSED}, dd-missing-fsync; got 'dd-zeros'`,
    );
    const none = await fsxbenchIn({}, ['lint', '--allow', 'x', '--', 'dd if=a of=/fsx/a bs=1M conv=fsync']);
    expect(none.err).toContain("and it has none: leave it out; got 'x'");
  });
});

describe('a run of the user’s own program', () => {
  const results = join(folder, 'results');
  const run = (...options: string[]) =>
    fsxbenchIn({ root: ROOT, environment: { PATH: process.env.PATH ?? '' } }, [
      ...['run', 'CompressionBench', '--local', `a=${join(folder, 'a')}`, `b=${join(folder, 'b')}`],
      ...['--set', 'repeats=1', '--set', 'dropCaches=false', '--results', results, ...options, '--', ...ZEROS],
    ]);
  beforeAll(() => {
    for (const arm of ['a', 'b']) mkdirSync(join(folder, arm));
  });

  test('is refused for a finding, with the way to run it all the same', async () => {
    const { status, err } = await run();
    expect(status).toBe(1);
    expect(err).toContain(`error ${REFUSED}: `);
    expect(err).toContain(`--allow ${REFUSED}`);
  });

  test('is refused for an id that is none of its findings', async () => {
    const { status, err } = await run('--allow', 'ior-old-odirect');
    expect(status).toBe(2);
    expect(err).toContain(`which are ${REFUSED}, dd-missing-fsync; got 'ior-old-odirect'`);
  });

  test('runs where the finding is allowed, and its report says so: a reservation, no verdict', async () => {
    const { status, err } = await run('--allow', REFUSED);
    expect(err).toContain('every step is done');
    expect(status).toBe(0);
    const kept = join(results, 'runs', 'CompressionBench');
    const [id = ''] = readdirSync(kept);
    const { issues } = JSON.parse(readFileSync(join(kept, id, 'plan.json'), 'utf8'));
    expect(issues).toContainEqual(expect.objectContaining({ id: REFUSED, severity: 'warning', allowed: true }));
    const report = await fsxbenchIn({ root: ROOT }, ['report', id, '--json', '--results', results]);
    const { validity, issues: reported } = JSON.parse(report.out);
    expect(validity).not.toBe('INVALID');
    expect(reported).toContainEqual(expect.objectContaining({ id: REFUSED, allowed: true }));
    const markdown = await fsxbenchIn({ root: ROOT }, ['report', id, '--markdown', '--results', results]);
    expect(markdown.out).toContain('**warning, allowed**');
    const page = readFileSync(join(kept, id, 'report', 'index.html'), 'utf8');
    expect(page).toContain('<strong>warning, allowed</strong>');
  }, 60_000);
});
