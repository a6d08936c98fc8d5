import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../run/bench';
import { fsxbenchIn } from './support';

const lint = (...argv: string[]) => fsxbenchIn({}, ['lint', ...argv]);

test('exits with 1 for an error, with 0 for less, and says nothing on stderr', async () => {
  expect(await lint('--', 'dd', 'if=/dev/zero', 'of=/fsx/a', 'bs=1M')).toMatchObject({ status: 1, err: '' });
  expect(await lint('--', 'dd', 'if=a', 'of=/fsx/a', 'bs=1M')).toMatchObject({ status: 0, err: '' });
  expect(await lint('--', 'dd if=a of=/fsx/a bs=1M conv=fsync')).toMatchObject({
    status: 0,
    out: 'no known problems with this command\n',
  });
});

test('prints one document of the fixed format', async () => {
  const { out } = await lint('--json', '--ior-version', '4.0.0', '--', 'ior', '-w', '-l', 'incompressible');
  const document = JSON.parse(out);
  expect(document).toMatchObject({ schema: 'fsxbench.lint/1', command: 'ior -w -l incompressible' });
  expect(Object.keys(document.findings[0])).toEqual(['id', 'severity', 'message', 'suggestion']);
});

test('an instance type gives CPUs and memory', async () => {
  const { out } = await lint('--instance', 'c5n.9xlarge', '--clients', '4', '--', 'mpirun -np 576 ior -r -b 10g');
  expect(out).toContain('144 processes on each client of 36 CPUs');
  expect(out).toContain('→ mpirun -np 144 ior ');
});

test.each([
  [['--'], 'no command given: npx fsxbench lint -- ior'],
  [['--file', '/no/such'], "--file: '/no/such' cannot be read: no such file"],
  [['--file', '/no/such', '--', 'ior'], "--file cannot be combined with a command, got 'ior'"],
  [['--', ' '], 'no command given'],
  [['--server-memory', '126', '--', 'ior'], "'--server-memory' must be a size from 1M such as 96G, got '126'"],
  [['--instance', 'c9.huge', '--', 'ior'], "'--instance' must be an instance type with known data, got 'c9.huge'"],
  [['--ior-version', 'new', '--', 'ior'], "'--ior-version' must be a version such as 3.3.0, got 'new'"],
  [['--compression', 'zip', '--', 'ior'], "'--compression' must be none or lz4, got 'zip'"],
])('wrong usage %p is reported with status 2', async (argv, message) => {
  const { status, err } = await lint(...argv);
  expect(err).toContain(message);
  expect(status).toBe(2);
});

test.each(['', '\n', '#!/bin/bash\n# ior -w comes later\n'])(
  'a script with nothing to check is refused: %j',
  async (script) => {
    const file = join(temporaryFolder(), 'bench.sh');
    writeFileSync(file, script);
    const { status, err } = await lint('--file', file);
    expect([status, err]).toEqual([
      2,
      expect.stringContaining(`--file: '${file}' must have a command, and has only blank lines and comments`),
    ]);
  },
);

test('what four findings suggest stands in one better command, once', async () => {
  const { out } = await lint(
    '--',
    'fio --name=a --rw=write --size=9g --ioengine=libaio --buffer_compress_percentage=50',
  );
  const better = /^better\n {2}→ (.*)$/m.exec(out)?.[1] ?? '';
  expect(out.match(/→/g)).toHaveLength(1);
  for (const option of ['--direct=1', '--refill_buffers', '--buffer_compress_chunk=4k'])
    expect(better).toContain(option);
  expect((await lint('--', better)).out).toBe('no known problems with this command\n');
  const { better: merged } = JSON.parse((await lint('--json', '--', 'fio --name=a --rw=read')).out);
  expect(merged).toBeNull();
});

test('--strict fails on warnings, too, but not on notes', async () => {
  const warned = ['--', 'dd', 'if=/fsx/x', 'of=/dev/null', 'bs=1M'];
  expect((await lint(...warned)).status).toBe(0);
  expect((await lint('--strict', ...warned)).status).toBe(1);
  expect((await lint('--strict', '--', 'my-own-tool')).status).toBe(0);
});

test('a command in a loop is not told to be repeated', async () => {
  const idsOf = async (line: string) =>
    JSON.parse((await lint('--json', '--', line)).out).findings.map(({ id }: { id: string }) => id);
  const ior = 'ior -w -C -e -k -F -t 1m -b 4g -l random -G 7 -o /fsx/f';
  expect(await idsOf(ior)).toContain('few-repeats');
  for (const loop of [`for i in 1 2 3; do ${ior}; done`, `while sleep 1; do bash -c '${ior}'; done`])
    expect(await idsOf(loop)).not.toContain('few-repeats');
});

test('IO500 is known by the script that people start', async () => {
  const { findings } = JSON.parse((await lint('--json', '--', './io500.sh config.ini')).out);
  expect(findings).toEqual([expect.objectContaining({ id: 'io500-configuration' })]);
});

test('a script is linted command by command, and findings name the line', async () => {
  const file = join(temporaryFolder(), 'bench.sh');
  writeFileSync(file, '#!/bin/bash\nset -e\nmkdir -p /fsx/a\ndd if=/fsx/a/x \\\n  of=/dev/null bs=1M\nsync\n');
  const { out } = await lint('--file', file);
  expect(out).toContain("warning  Read may come from the client's cache  (dd-buffered-read, line 4)\n");
  const { findings, better } = JSON.parse((await lint('--json', '--file', file)).out);
  expect(findings).toEqual([expect.objectContaining({ id: 'dd-buffered-read', line: 4 })]);
  expect(better).toContain('of=/dev/null bs=1M iflag=direct\nsync\n');
});

test.each([
  [
    'a job file of fio',
    '; both\n[global]\nioengine=libaio\niodepth = 64\nsize=9g\n\n[seq read]\nrw=read\ntime_based\n[w]\nrw=write\n',
    [
      ['fio-time-based-goes-round', 7],
      ['fio-jobs-at-once', 10],
      ['fio-libaio-buffered', 7],
      ['fio-libaio-buffered', 10],
      ['fio-missing-fsync', 10],
    ],
  ],
  [
    'a configuration of IO500',
    '[global]\ndatadir = /fsx\n[debug]\nstonewall-time = 5\n[ior-easy]\nAPI =\n',
    [['io500-short-stonewall']],
  ],
])('%s is linted as what it makes its tool do', async (_, text, expected) => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, text);
  const { findings } = JSON.parse((await lint('--json', '--file', file)).out) as {
    findings: { id: string; line?: number }[];
  };
  const found = findings.map(({ id, line }) => (line === undefined ? [id] : [id, line]));
  expect(found.sort()).toEqual([...expected].sort());
});

test('a file is linted as one without --file, too', async () => {
  const file = join(temporaryFolder(), 'job.fio');
  writeFileSync(file, '[w]\nrw=write\nsize=9g\n');
  expect((await lint(file)).out).toContain('fio-missing-fsync');
});

test.each(['iozone -a -e -s 100g', 'vdbench -f parm'])('%s is of no tool that is checked', async (command) => {
  expect((await lint('--', command)).out).toMatch(/no-known-tool|runs none of them: (?:iozone|vdbench)/);
});

test('the block size of dd is what the user gave', async () => {
  expect((await lint('--', 'dd if=/dev/zero of=/fsx/x bs=64k count=1600 conv=fsync')).out).toContain(
    '--bs=64k --size=100m',
  );
});

const ROOT = join(__dirname, '..', '..');
const ZEROS = ['dd', 'if=/dev/zero', 'of={dir}/x', 'bs=1M', 'count=1'];
const REFUSED = 'dd-zeros-compress-away';
const folder = temporaryFolder();

const lintZeros = (...argv: string[]) => fsxbenchIn({}, ['lint', ...argv, '--', ...ZEROS]);

describe('lint --allow', () => {
  test('fails on no finding that is allowed, and still prints it', async () => {
    expect((await lintZeros()).status).toBe(1);
    const { status, out } = await lintZeros('--allow', REFUSED);
    expect(status).toBe(0);
    expect(out).toContain(`(${REFUSED}, allowed)\n`);
    const { findings } = JSON.parse((await lintZeros('--allow', REFUSED, '--json')).out);
    expect(findings).toContainEqual(expect.objectContaining({ id: REFUSED, severity: 'error', allowed: true }));
  });

  test('lets the other findings fail, with --strict too', async () => {
    expect((await lintZeros('--strict', '--allow', REFUSED)).status).toBe(1);
    expect((await lintZeros('--strict', '--allow', REFUSED, '--allow', 'dd-missing-fsync')).status).toBe(0);
  });

  test('refuses an id that is no finding’s, with those that are', async () => {
    const { status, err } = await lintZeros('--allow', 'dd-zeros');
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
    expect(err).toContain(`error  Written data are zeros or constant  (${REFUSED})\n`);
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
    expect(markdown.out).toContain('**warning, allowed: ');
    const page = readFileSync(join(kept, id, 'report', 'index.html'), 'utf8');
    expect(page).toContain('<strong>warning, allowed: ');
  }, 60_000);
});
