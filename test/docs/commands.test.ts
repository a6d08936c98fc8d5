import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { makeProgram } from '../../lib/cli/program';
import { ensureVenv } from '../../lib/lab/venv';
import { problemsOfCdk } from './cdkCommand';
import { PRINTED } from './commands';
import { blocksOf, commandsOf, PAGES, PROJECT, textOf } from './pages';
import { worldForTests } from './world';

/** Commands that nothing can carry out here, with the reason. */
const NOT_RUN: ReadonlyMap<string, string> = new Map(
  readFileSync(join(__dirname, 'not-run.tsv'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t') as [string, string]),
);
/** Carried out by test/lab/tutorial.test.ts, one after the other. */
const TUTORIAL = new Set(commandsOf(textOf('docs/tutorial.md')));

const SCRIPTS = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')).scripts as Record<string, string>;

/** Answers that are right, with a failure status. */
const ANSWERS: readonly (readonly [command: RegExp, status: number, says: RegExp])[] = [
  [/ lint .*(?:if=\/dev\/zero|bench\.sh)/, 1, /^error {2}.+ \(dd-zeros-compress-away\)$/m],
  [/ leftovers$/, 1, /npx cdk destroy CompressionBench/],
  [/ advise .*--file-size 150kB/, 3, /^Nothing that AWS sells meets these requirements/],
  // A short run of the lab shows no difference of some percent.
  [/ compare /, 3, /inconclusive/],
];

/** Runs mostly wait: one after the other, since they share directories, but in parallel with everything else. */
const runs = new Map<string, Promise<string | null>>();
// Before the world is removed, even if `-t` leaves out the tests that wait for them.
afterAll(() => Promise.allSettled(runs.values()));

const world = worldForTests();

/** Seconds in place of minutes: how long a run takes is not what its page promises. */
const SHORT: readonly (readonly [run: RegExp, settings: string])[] = [
  [/ -- /, '--set repeats=1'],
  [/ --on /, '--set repeats=1 --set seconds=1 --set maxMiBPerArm=16 --set filesPerRank=20'],
  [/MetadataBench/, '--set repeats=1 --set filesPerRank=20 --set seconds=0 --set maxRounds=1'],
  [/./, '--set repeats=1 --set compressibilities=1 --set seconds=1 --set maxMiBPerArm=16 --set warmUpSeconds=0'],
];

/** A command as it is carried out here. */
function here(command: string): string {
  const meant = world().meant(command);
  if (/ scale /.test(meant)) return meant.includes('--dry-run') ? meant : `${meant} --dry-run`;
  const [, own = meant, program = ''] = /^(.*?)( -- .*)$/.exec(meant) ?? [];
  // Pages plan for AWS: a plan in the lab's shell is that of the lab.
  const plan = 'env -u AWS_ENDPOINT_URL npx fsxbench plan ';
  if (!/^npx fsxbench run /.test(own)) return meant.replace('npx fsxbench plan ', plan);
  const [, short] = SHORT.find(([kind]) => kind.test(meant)) ?? [];
  // A command that needs an AWS fleet is resolved to its plan, from the same words.
  return / --(?:local|on) /.test(own)
    ? `${own} ${short}${program}`
    : `${own.replace('npx fsxbench run ', plan)}${program}`;
}

/** Commander's complaint about these words, where commands do nothing; `null` if it takes them. */
async function refusalOf(words: readonly string[]): Promise<string | null> {
  const program = makeProgram({ root: PROJECT, environment: {}, interactive: false, out: () => {}, err: () => {} });
  const idle = (command: Command): void => {
    command.action(() => {});
    for (const child of command.commands) idle(child);
  };
  for (const command of program.commands) idle(command);
  return program.parseAsync([...words], { from: 'user' }).then(
    () => null,
    (error: Error) => error.message,
  );
}

/** The words only name a command. */
async function isName(command: string, words: readonly string[]): Promise<boolean> {
  if (!words.every((word) => /^[a-z][a-z-]*$/.test(word))) return false;
  if ((await refusalOf([...words, '--help'])) !== '(outputHelp)') return false;
  return !command.startsWith('npx ') || /missing/.test((await refusalOf(words)) ?? '');
}

/** Arguments that a script of package.json takes. */
const ARGUMENTS: Readonly<Record<string, (args: readonly string[]) => readonly string[]>> = {
  bench: () => readdirSync(join(PROJECT, 'bench')).map((file) => file.replace('.ts', '')),
  test: () => [
    '--all',
    '--changed',
    ...execFileSync('node', ['scripts/test.mjs', '--list'], { cwd: PROJECT, encoding: 'utf8' }).split('\n'),
  ],
  bats: (args) => args.filter((file) => existsSync(join(PROJECT, file))),
};

async function problemOfScript([name = '', ...args]: readonly string[]): Promise<string | null> {
  if (SCRIPTS[name] === undefined) return `package.json has no script '${name}'`;
  if (name === 'quickstart') return refusalOf(['lab', 'quickstart', ...args]);
  const allowed = args.length === 0 ? [] : (ARGUMENTS[name]?.(args) ?? []);
  const unknown = args.filter((arg) => !allowed.includes(arg));
  return unknown.length === 0 ? null : `npm run ${name} takes no ${unknown.join(', ')}`;
}

function problemOfTests(words: readonly string[]): string | null {
  const paths = words.filter((word) => word.includes('/'));
  const missing = paths.filter((path) => ![path, `${path}.test.ts`].some((file) => existsSync(join(PROJECT, file))));
  return missing.length === 0 ? null : `there is no ${missing.join(', ')}`;
}

/** Commands of the AWS CLI in a line: one may stand in another. */
const awsCommandsOf = (line: string): string[][] => line.split('$(').map((each) => each.trim().split(/\s+/).slice(1));

const AWS_LINES = [...NOT_RUN.keys()].filter((line) => line.startsWith('aws '));
let awsProblems: Promise<readonly (readonly string[])[]> | undefined;

/** Faults of {@link AWS_LINES}, found at once: reading the models takes longer than any answer. */
async function problemsOfAws(): Promise<readonly (readonly string[])[]> {
  const input = JSON.stringify(AWS_LINES.map(awsCommandsOf));
  const found = execFileSync(await ensureVenv(PROJECT), [join(__dirname, 'aws_command.py')], {
    input,
    encoding: 'utf8',
  });
  return JSON.parse(found);
}

/** Faults in the arguments of a command that only a real AWS, the network or another machine could carry out. */
async function problemUnrun(line: string): Promise<string | null> {
  const [program, ...words] = line.split(/\s+/);
  if (program === 'fsxbench') return refusalOf(words);
  if (program !== 'aws') return null;
  awsProblems ??= problemsOfAws();
  const problems = (await awsProblems)[AWS_LINES.indexOf(line)];
  return problems === undefined ? `'${line}' was not checked` : (problems[0] ?? null);
}

async function problemOf(command: string): Promise<string | null> {
  const [, variables = '', line = ''] = /^((?:[A-Z_]+=\S+ )*)(?:npx (?=fsxbench|cdk|jest))?(.*)$/.exec(command) ?? [];
  const [program = '', ...words] = line.split(/\s+/).filter((word) => !/^(?:--|--silent)$/.test(word));
  if (NOT_RUN.has(command)) return problemUnrun(line);
  if (program === 'cdk') {
    const stated = world().meant(words.join(' ')).split(' ');
    return problemsOfCdk(stated, /AWS_REGION=(\S+)/.exec(variables)?.[1]).join('\n') || null;
  }
  if (program === 'npm') return problemOfScript(words[0] === 'run' ? words.slice(1) : words);
  if (program === 'jest') return problemOfTests(words);
  if (program !== 'fsxbench') return 'nothing runs it: give it a test, or a reason in test/docs/not-run.tsv';
  if (await isName(command, words)) return null;
  const [, expected = 0, says = /^/] = ANSWERS.find(([pattern]) => pattern.test(command)) ?? [];
  const { status, said } = await world().carryOut(here(`npx ${line}`));
  return status === expected && says.test(said) ? null : `status ${status}: ${said.slice(-1500)}`;
}

test('pages print commands', () => expect(PRINTED.length).toBeGreaterThan(150));

test('what is not run is printed somewhere, and has a reason', () => {
  const printed = new Set(PRINTED.map(({ command }) => command));
  expect([...NOT_RUN].filter(([command, reason]) => !printed.has(command) || !reason)).toEqual([]);
});

/** Blocks that begin with a command after `$ `, and have lines that it printed; `…` stands for those that are left out. */
const SHOWN = PAGES.filter((page) => page !== 'README.md').flatMap((page) =>
  blocksOf(textOf(page)).flatMap(
    ({ lines: [first = '', ...rest] }): [command: string, page: string, lines: string][] =>
      first.startsWith('$ ') ? [[first.slice(2), page, rest.join('\n')]] : [],
  ),
);
const withoutIds = (text: string): string =>
  text.replaceAll(/\b(fs|i|nat)-[0-9a-f]{17}\b/g, '$1').replaceAll(/\/\S*fsxbench-lab-test-\w+(?=\/)/g, '');

test.each(SHOWN)('%s prints what %s shows', async (command, _, shown) => {
  const { said } = await world().carryOut(here(command));
  let rest = withoutIds(said);
  for (const part of withoutIds(shown).split(/\s*…\s*/)) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
});

const HERE = PRINTED.filter(({ command }) => !TUTORIAL.has(command));

beforeAll(() => {
  let before: Promise<unknown> = Promise.resolve();
  for (const { command } of HERE.filter((one) => / run .*--(?:local|on) /.test(one.command))) {
    const after = before.then(() => problemOf(command));
    runs.set(command, after);
    before = after.catch(() => {});
  }
});

test.each(HERE.map(({ command, pages }) => [command, pages.join(', ')]))('%s (%s)', async (command) => {
  expect(await (runs.get(command) ?? problemOf(command))).toBeNull();
});
