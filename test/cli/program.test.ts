import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { EXIT_STATUSES } from '../../lib/cli/context';
import { EXAMPLES, makeProgram } from '../../lib/cli/program';
import { releaseIn, versionIn } from '../../lib/run/release';
import { readManifest } from '../../lib/store/documents';
import { temporaryFolder } from '../run/bench';
import { fsxbenchIn } from './support';

const PROJECT = resolve(__dirname, '../..');

const fsxbench = (...argv: string[]) => fsxbenchIn({ root: PROJECT, environment: process.env }, argv);

test('names its commands', async () => {
  const { status, out } = await fsxbench('--help');
  expect(status).toBe(0);
  for (const command of ['plan', 'cost', 'run', 'watch', 'list', 'collect', 'report', 'parse', 'doctor', 'lab'])
    expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
});

test('lists every benchmark with its question and its plans', async () => {
  const { status, out } = await fsxbench('benchmarks');
  expect(status).toBe(0);
  for (const { name, question, plans } of BENCHMARKS)
    expect(out).toMatch(
      new RegExp(`^${name} +${plans.map((plan) => plan.name).join(', ')} .*${question.slice(-20, -1)}`, 'm'),
    );
  expect(JSON.parse((await fsxbench('benchmarks', '--json')).out)).toMatchObject({
    schema: 'fsxbench.benchmarks/1',
    benchmarks: BENCHMARKS.map(({ name, plans: [first] }) => ({ name, plans: expect.arrayContaining([first?.name]) })),
  });
});

test('help ends with examples that are commands with options as they are', async () => {
  const { out } = await fsxbench('--help');
  for (const line of EXAMPLES) {
    expect(out).toContain(`  ${line}\n`);
    const words = line.split(' ').slice(2);
    const { status, out: help } = await fsxbench(...words.filter((word) => /^[a-z]+$/.test(word)), '--help');
    expect(status).toBe(0);
    for (const option of words.filter((word) => word.startsWith('--'))) expect(help).toContain(option);
  }
});

test('every command, and every command below it, has examples with options that it has, and a page that is there', async () => {
  const program = makeProgram({ root: PROJECT, out: () => {}, err: () => {}, environment: {}, interactive: false });
  type Below = readonly [path: string[], command: (typeof program.commands)[number]];
  const below = (command: typeof program, path: string[] = []): Below[] =>
    command.commands
      .filter((one) => !('_hidden' in one && one._hidden))
      .flatMap((one) => [[[...path, one.name()], one] as const, ...below(one, [...path, one.name()])]);
  const all = below(program);
  expect(all.length).toBeGreaterThan(25);
  for (const [path, command] of all) {
    const { out } = await fsxbench(...path, '--help');
    expect([path, existsSync(join(PROJECT, /^(docs\/\S+) explains it\.$/m.exec(out)?.[1] ?? 'none'))]).toEqual([
      path,
      true,
    ]);
    const examples = [...out.matchAll(/^ {2}npx fsxbench (.*)$/gm)].map(([, line = '']) => line.split(' -- ')[0] ?? '');
    expect([path, examples.length > 0]).toEqual([path, true]);
    for (const words of examples.map((line) => line.split(' '))) {
      const meant = all.filter(([own]) => own.every((word, index) => words[index] === word)).at(-1)?.[1] ?? command;
      for (const option of words.filter((word) => word.startsWith('--')))
        expect([words, meant.options.map(({ long }) => long)]).toEqual([words, expect.arrayContaining([option])]);
    }
  }
});

test('a benchmark says every parameter of its plans, with what is allowed and the default at each scale', async () => {
  const { status, out } = await fsxbench('benchmarks', 'CompressionBench');
  expect(status).toBe(0);
  expect(out).toMatch(/^--set with --plan paired +published +smoke +lab +allowed$/m);
  expect(out).toMatch(/^ {2}repeats +5 +2 +5 +a whole number from 1 to 1000$/m);
  expect(out).toMatch(/^ {2}smallestDifferencePercent +2 +2 +2 +from 0 to 50$/m);
  expect((await fsxbench('benchmarks', 'Compression')).status).toBe(2);
});

test('a plan counts one process as one', async () => {
  const { out } = await fsxbench('plan', 'MetadataBench', '--scale', 'smoke');
  expect(out).toContain('\n  fleet      4 clients (c5.large), 1 process each\n');
});

test.each(BENCHMARKS)('the defaults of $name are those with which it is planned', async ({ name, plans: [plan] }) => {
  const [{ parameters }] = JSON.parse((await fsxbench('benchmarks', name, '--json')).out).benchmarks[0].parameters;
  for (const scale of ['published', 'smoke', 'lab']) {
    const planned = JSON.parse((await fsxbench('plan', name, '--scale', scale, '--json')).out).parameters;
    const listed = parameters.map(({ key, defaults }: { key: string; defaults: Record<string, unknown> }) => [
      key,
      defaults[scale] ?? undefined,
    ]);
    expect([plan?.name, scale, Object.fromEntries(listed)]).toMatchObject([plan?.name, scale, planned]);
  }
});

test('a TMPDIR that is not there, such as one of a job that has ended, is left alone', () => {
  const folder = temporaryFolder();
  const argv = [join(PROJECT, 'dist/fsxbench.js'), 'plan', '--on', folder, '--', 'ls', '{dir}'];
  const env = { ...process.env, TMPDIR: join(folder, 'gone') };
  const { status, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
  expect(stderr).not.toContain('mkdtemp');
  expect(status).toBe(0);
});

test('bash completes commands, then their options', async () => {
  const { out } = await fsxbench('completion', 'bash');
  const completed = (...words: string[]): string[] => completedIn(process.cwd(), ...words);
  const completedIn = (cwd: string, ...words: string[]): string[] => {
    const script = `${out}\nCOMP_WORDS=(fsxbench ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _fsxbench; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd })
      .split('\n')
      .filter((word) => word !== '');
  };
  expect(completed('pre')).toEqual(['predict']);
  expect(completed('run', 'Comp')).toEqual(['CompressionBench']);
  expect(completed('run', 'CompressionBench', '--loc')).toEqual(['--local']);
  expect(completed('lab', 'q')).toEqual(['quickstart']);
  expect(completed('lab', 'quickstart', '--ke')).toEqual(['--keep']);
  // Values of options: types, parameters of the plans, runs in results/.
  expect(completed('predict', '--deployment', 'PERS')).toEqual(['PERSISTENT_1', 'PERSISTENT_2']);
  expect(completed('run', 'CompressionBench', '--set', 'repe')).toEqual(['repeats=']);
  expect(completed('plan', 'MetadataBench', '--scale', 's')).toEqual(['smoke']);
  expect(completed('advise', '--storage', 'e')).toEqual(['efs', 'ebs']);
  expect(completed('cost', 'CompressionBench', '--region', 'eu-central')).toEqual(['eu-central-1', 'eu-central-2']);
  expect(completed('lab', 'up', '--benchmark', 'Stor')).toEqual(['StorageBench']);
  const there = mkdtempSync(join(tmpdir(), 'fsxbench-completion-'));
  mkdirSync(join(there, 'results/runs/CompressionBench/20260101T000000Z-paired-abcd'), { recursive: true });
  for (const before of [['watch'], ['report'], ['run', 'CompressionBench', '--resume']])
    expect(completedIn(there, ...before, '2026')).toEqual(['20260101T000000Z-paired-abcd']);
  rmSync(there, { recursive: true });
  const { out: zsh } = await fsxbench('completion', 'zsh');
  expect(zsh).toContain('bashcompinit\n# bash completion');
  // zsh (tried with 5.9) takes a letter there for a modifier: "unrecognized modifier".
  expect(zsh).not.toMatch(/:\d+:[A-Za-z]/);
  // Its own names, which a function must not take for itself.
  expect(zsh).not.toMatch(/\b(path|words)=/);
  expect((await fsxbench('completion', 'fish')).out).toMatch(
    /^complete -c fsxbench -n '__fish_seen_subcommand_from lab; and __fish_seen_subcommand_from up' -l arms -d /m,
  );
  expect(await fsxbench('completion', 'tcsh')).toMatchObject({
    status: 2,
    err: "fsxbench: 'shell' must be one of bash, zsh, fish, got 'tcsh'\n",
  });
});

test('help and docs/commands.md name every exit status', async () => {
  const [{ out }, page] = [await fsxbench('--help'), readFileSync(join(PROJECT, 'docs/commands.md'), 'utf8')];
  for (const { status, meaning } of EXIT_STATUSES) {
    expect(out).toContain(`  ${status}  ${meaning}\n`);
    expect(page).toContain(`| ${status} | ${meaning} |\n`);
  }
});

test.each(['-V', '--version'])('%s prints the version', async (flag) => {
  expect(await fsxbench(flag)).toMatchObject({
    status: 0,
    out: `${JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')).version}\n`,
  });
});

describe('wrong input gets one clear line on stderr, status 2 and nothing on stdout', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'a'));
  mkdirSync(join(folder, 'b'));
  test.each([
    [['plan', 'CompresionBench'], "fsxbench: there is no benchmark 'CompresionBench'; benchmarks: CompressionBench"],
    [
      ['plan', 'CompressionBench', '--scale', 'big'],
      "fsxbench: 'scale' must be one of published, smoke, lab, got 'big'",
    ],
    [
      ['plan', 'CompressionBench', '--plan', 'quick'],
      "fsxbench: 'plan' must be one of paired, published, command, got 'quick'",
    ],
    [
      ['plan', 'CompressionBench', '--set', 'repeats=-3'],
      "fsxbench: 'repeats' must be a whole number from 1 to 1000, got '-3'",
    ],
    [['cost', 'CompressionBench', '--scale', 'lab'], "fsxbench: 'scale' must be published or smoke, got 'lab'"],
    [['parse', 'no-such-file.out'], "fsxbench: there is no file 'no-such-file.out'"],
    [['parse', folder], `fsxbench: '${folder}' is not a file: name the raw output itself`],
    [
      ['run', 'CompressionBench', '--local', 'none'],
      "fsxbench: --local takes arm=directory, such as none=/mnt/a lz4=/mnt/b, got 'none'",
    ],
    [
      ['run', 'CompressionBench', '--local', `none=${folder}/a`],
      'fsxbench: --local needs at least two directories, got 1',
    ],
    [
      ['run', 'CompressionBench', '--local', `none=${folder}/a`, `lz4=${folder}/c`],
      `fsxbench: --local lz4: there is no directory ${folder}/c`,
    ],
    [
      ['run', 'CompressionBench', '--local', `none=${folder}/a`, `none=${folder}/b`],
      "fsxbench: --local names the arm 'none' twice",
    ],
    [
      ['run', 'CompressionBench', '--local', `none=${folder}/a`, `lz4=${folder}/b/../a`],
      `fsxbench: --local lz4: ${folder}/b/../a is also the directory of 'none': use one directory per arm`,
    ],
    [
      ['run', 'CompressionBench', '--detach', '--local', `none=${folder}/a`, `lz4=${folder}/b`],
      'fsxbench: a local run is driven by this command: leave out --detach, or start it with nohup',
    ],
  ])('%j', async (argv, line) => {
    const { status, out, err } = await fsxbench(...argv);
    expect(err.startsWith(line)).toBe(true);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect([status, out]).toEqual([2, '']);
  });

  test('an unknown command suggests the nearest', async () => {
    const { status, err } = await fsxbench('reprot', 'x');
    expect([status, err]).toEqual([2, expect.stringContaining('Did you mean report?')]);
  });
});

describe('a plan', () => {
  test('is printed as the document that a run keeps', async () => {
    const { status, out } = await fsxbench('plan', 'CompressionBench', '--json');
    const plan = JSON.parse(out);
    expect(status).toBe(0);
    expect(plan).toMatchObject({
      schema: 'fsxbench.plan/1',
      benchmark: 'CompressionBench',
      plan: 'paired',
      scale: 'published',
      fleet: { clients: 8, instanceType: 'c5n.9xlarge', ranksPerClient: 18 },
    });
    expect(plan.totals.costUsd).toBeCloseTo((27.1067 * plan.totals.expectedSeconds) / 3600, 0);
    expect(plan.issues.filter((issue: { severity: string }) => issue.severity !== 'note')).toEqual([]);
  });

  test('keeps the study’s own numbers when it is the published one', async () => {
    const plan = JSON.parse((await fsxbench('plan', 'CompressionBench', '--plan', 'published', '--json')).out);
    expect(plan.fleet.ranksPerClient).toBe(144);
    expect(plan.totals.expectedSeconds).toBeGreaterThan(12 * 3600);
  });

  test('says nothing of a cost at least where prices are missing', async () => {
    const { totals } = JSON.parse((await fsxbench('plan', 'StorageBench', '--region', 'eu-west-1', '--json')).out);
    expect(totals.costReason).toMatch(/^the price of /);
  });

  test('that would fill the disk is refused with status 1, and says why', async () => {
    const { status, out, err } = await fsxbench(
      'plan',
      'CompressionBench',
      '--scale',
      'smoke',
      '--set',
      'maxMiBPerArm=4000000',
    );
    expect([status, err]).toEqual([1, 'fsxbench: refusing to run this plan: see its errors\n']);
    expect(out).toContain('error data-exceed-capacity');
  });
});

describe('cost', () => {
  test.each(BENCHMARKS.map(({ name, plans: [plan] }) => [name, plan?.name]))(
    'says of %s what a run by its default plan costs, as the plan does, or at least costs, where some of it is billed by use',
    async (name, plan) => {
      const { out, status } = await fsxbench('cost', name);
      expect(status).toBe(0);
      const [, more, usd] = /plan takes about .*?: (more than )?([\d.]+) USD while it runs/.exec(out) ?? [];
      expect(out).toContain(`the ${plan} plan takes about `);
      expect(more !== undefined).toBe(out.includes(': more than'));
      const { totals } = JSON.parse((await fsxbench('plan', name, '--json')).out);
      if (more === undefined) expect(totals.costUsd.toFixed(2)).toBe(usd);
      else expect(totals.costReason).toMatch(new RegExp(`^more than ${usd} USD while the plan runs; arm `));
    },
  );

  test('adds up to what the stack says, line by line, with a source for each price', async () => {
    const document = JSON.parse((await fsxbench('cost', 'CompressionBench', '--json')).out);
    expect(document).toMatchObject({ schema: 'fsxbench.cost/1', currency: 'USD', region: 'us-east-1' });
    const sum = document.lines.reduce((total: number, line: { hourly: number }) => total + line.hourly, 0);
    expect(sum).toBeCloseTo(document.hourly, 9);
    expect(document.lines.every((line: { source: string }) => line.source.length > 0)).toBe(true);
    expect(document.hourly).toBeCloseTo(27.1067, 4);
  });

  test('with settings is that of what they deploy, and wrong ones are refused as cdk refuses them', async () => {
    const hourly = async (...argv: string[]) =>
      JSON.parse((await fsxbench('cost', 'CompressionBench', '--json', ...argv)).out).hourly as number;
    // Eight clients cost 1.944 USD an hour each, and their volumes and monitoring.
    expect((await hourly()) - (await hourly('-c', 'clients=4'))).toBeCloseTo(
      4 * (1.944 + (30 * 0.08 + 7 * 0.3) / 730),
      4,
    );
    expect(await hourly('-c', 'scale=smoke')).toBe(await hourly('--scale', 'smoke'));
    expect(await hourly('-c', 'CompressionBench={"arms":"lz4"}', '-c', 'efa=false')).toBeLessThan(22);

    const wrong = await fsxbench('cost', 'CompressionBench', '-c', 'client=4', '-c', 'storageCapacityGiB=1300');
    expect([wrong.status, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toContain("'client' is not a setting. Did you mean 'clients'?");
    const bare = await fsxbench('cost', 'CompressionBench', '-c', 'clients');
    expect([bare.status, bare.err]).toEqual([2, "fsxbench: -c takes key=value, such as clients=4, got 'clients'\n"]);
  });

  test('counts what cdk.json sets, as the deployment would', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'cdk.json'), JSON.stringify({ context: { CompressionBench: { scale: 'smoke' } } }));
    const { out } = await fsxbenchIn({ root }, ['cost', 'CompressionBench']);
    expect(out).toContain('CompressionBench at scale smoke in us-east-1: 0.7');
  });

  test('of a Region without known prices is unknown, not zero', async () => {
    const document = JSON.parse((await fsxbench('cost', 'CompressionBench', '--region', 'sa-east-1', '--json')).out);
    expect(document.hourly).toBeNull();
    expect(
      document.lines.some((line: { hourly: number | null; reason?: string }) => line.hourly === null && line.reason),
    ).toBe(true);
  });
});

describe('parse', () => {
  const fixture = join(PROJECT, 'test/fixtures/tools/ior330_wr_fpp_4r.out');

  test('prints one document for a file and an array for several', async () => {
    const one = JSON.parse((await fsxbench('parse', '--json', fixture)).out);
    expect(one).toMatchObject({
      schema: 'fsxbench.parse/1',
      tool: 'ior',
      version: '3.3.0',
      complete: true,
      valid: true,
    });
    const two = JSON.parse((await fsxbench('parse', '--json', fixture, fixture)).out);
    expect(two).toHaveLength(2);
  });

  test('takes what comes through a pipe', async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    // In processes of their own: a pipe that is opened again after its writer has gone blocks a whole process.
    const script =
      'for _ in 1 2 3; do cp "$0" "$1" & timeout --kill-after=5 120 "$2" "$3" parse "$1" || exit; wait; done';
    const argv = [fixture, pipe, process.execPath, join(PROJECT, 'dist/fsxbench.js')];
    const { status, stdout } = spawnSync('bash', ['-c', script, ...argv], { encoding: 'utf8' });
    expect([status, stdout.match(/: ior 3\.3\.0, complete, valid/gm)?.length]).toEqual([0, 3]);
  });

  test('shows people the iterations of mdtest 3.3.0 where the output has them, else says what n counts', async () => {
    const tools = join(PROJECT, 'test/fixtures/tools');
    const verbose = (await fsxbench('parse', join(tools, 'md330_both_i5_v.out'))).out;
    expect(verbose).toMatch(/^ {2}file_create +operations +5 /m);
    expect(verbose).not.toContain('ranks');
    const brief = (await fsxbench('parse', join(tools, 'md330_dirs_only.out'))).out;
    expect(brief).toMatch(/^ {2}dir_create +operations +12 /m);
    expect(brief).toContain('  note      n is ranks × iterations, each rank by its own clock');
  });

  test('names a file that the system does not let be read; a folder beside an output is none of its files', async () => {
    // Even root cannot read the first page of memory.
    const { status, out, err } = await fsxbench('parse', '/proc/self/mem');
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^fsxbench: '\/proc\/self\/mem' cannot be read: EIO: .+\n$/);
    const file = join(temporaryFolder(), 'x.out');
    copyFileSync(fixture, file);
    for (const ending of ['cmd', 'json']) mkdirSync(file.replace('out', ending));
    expect((await fsxbench('parse', file)).out).toContain('x.out: ior 3.3.0, complete, valid');
  });

  test('of bytes that are no output answers that nothing is known, and fails', async () => {
    const file = join(temporaryFolder(), 'random.out');
    writeFileSync(file, Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 251)));
    const { status, out, err } = await fsxbench('parse', '--json', file, fixture);
    expect([status, JSON.parse(out)[0]]).toEqual([
      1,
      expect.objectContaining({ complete: false, valid: false, samples: [] }),
    ]);
    expect(err).toBe(`fsxbench: ${file}: not the output of a tool that fsxbench reads (parse --help names them)\n`);
  });
});

test('a local run compares two directories from plan to report, and can be listed', async () => {
  const folder = temporaryFolder();
  for (const arm of ['none', 'lz4']) mkdirSync(join(folder, arm));
  const results = join(folder, 'results');
  const small = ['repeats=1', 'targets=1', 'tool=fio', 'maxMiBPerArm=8', 'seconds=1', 'warmUpSeconds=0'].flatMap(
    (setting) => ['--set', setting],
  );
  const run = await fsxbench(
    'run',
    'CompressionBench',
    '--local',
    `none=${folder}/none`,
    `lz4=${folder}/lz4`,
    '--results',
    results,
    ...small,
  );
  expect([run.status, run.out]).toEqual([
    0,
    expect.stringMatching(
      /^\S+-paired-\w{4} is done\.\n\n(VALID|WARN|INVALID) {2}[\s\S]*\nReport: file:\/\/\/\S+\/report\/index\.html\nNext, [^\n]+:\n {2}npx fsxbench report \S+ --markdown --results \S+\nNext, [^\n]+:\n {2}npx fsxbench list --here --results \S+\n$/,
    ),
  ]);
  const id = run.out.split(' ')[0] ?? '';
  // Which fsxbench made a figure is known as long as the figure is.
  const { fsxbench: release } = readManifest(join(results, 'runs', 'CompressionBench', id));
  expect(release).toEqual(await releaseIn(PROJECT));
  expect(release?.version).toBe(versionIn(PROJECT));

  const watched = await fsxbench('watch', id, '--results', results);
  expect(watched).toEqual({ status: 0, out: run.out, err: '' });
  const status = await fsxbench('watch', id, '--results', results, '--json');
  expect(JSON.parse(status.out)).toMatchObject({ run: id, state: 'done' });

  const listed = JSON.parse((await fsxbench('list', '--here', '--results', results, '--json')).out);
  expect(listed.runs).toEqual([
    expect.objectContaining({ run: id, benchmark: 'CompressionBench', state: 'done', where: 'here' }),
  ]);

  const reported = await fsxbench('report', id, '--results', results);
  expect(reported.status).toBe(0);
  expect(readFileSync(reported.out.trim(), 'utf8')).toContain('This run compared directories on one machine');

  const collected = await fsxbench('collect', id, '--results', results, '--no-wait');
  expect([collected.status, collected.err]).toEqual([1, expect.stringContaining('which have no CloudWatch metrics')]);
  const shown = await fsxbench('dashboard', id, '--results', results);
  expect([shown.status, shown.err]).toEqual([1, collected.err]);
});

test('says which version it is', async () => {
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string };
  expect(await fsxbench('--version')).toEqual({ status: 0, out: `${version}\n`, err: '' });
});

test.each(['', 'estimate', 'scale', 'lab'])(
  "'%s' without a command below it shows the commands, and is wrong usage",
  async (name) => {
    const { status, out, err } = await fsxbenchIn({}, name === '' ? [] : [name]);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^Usage: fsxbench .*\n[\s\S]*Commands:\n/);
  },
);

test.each([
  [['estimate', 'compression'], 'fsxbench estimate compression --help names the options'],
  [['estimate', 'size'], 'fsxbench estimate --help names the commands'],
  [['guess'], 'fsxbench --help names the commands'],
  [['lab', 'up', '--fast'], 'fsxbench lab up --help names the options'],
])('wrong usage points to the help of the very command: %j', async (argv, help) => {
  const { status, err } = await fsxbenchIn({}, argv);
  expect(status).toBe(2);
  expect(err).toMatch(/^fsxbench: [^\n]*\n$/);
  expect(err).toContain(`(${help})`);
});
