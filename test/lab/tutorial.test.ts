import { execFile } from 'node:child_process';
import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { commandsOf, textOf } from '../docs/pages';
import { commandProject, PROJECT } from './support';

/** Seconds instead of minutes: what a plan takes is not what the page promises. */
const SHORT = '--set repeats=1 --set targets=1 --set seconds=1 --set maxMiBPerArm=32 --set warmUpSeconds=0';

let root: string;
let remove: () => void;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  ({ root, remove } = await commandProject());
  for (const name of ['docs', 'claims']) symlinkSync(join(PROJECT, name), join(root, name));
  environment = { ...process.env, CI: 'true', AWS_EC2_METADATA_DISABLED: 'true' };
});
afterAll(async () => {
  await shell('node dist/fsxbench.js lab down');
  rmSync('/tmp/fsxbench', { recursive: true, force: true });
  remove();
});

interface Ended {
  readonly status: number;
  readonly out: string;
  readonly all: string;
}

const shell = (command: string): Promise<Ended> =>
  new Promise((resolve) => {
    execFile('bash', ['-c', command], { cwd: root, env: environment, maxBuffer: 2 ** 26 }, (error, out, err) =>
      resolve({ status: error === null ? 0 : Number(error.code ?? 1), out, all: out + err }),
    );
  });

/** The newest run of the project's folder. */
function newestRun(): string {
  const folder = join(root, 'results/runs/CompressionBench');
  return readdirSync(folder).sort().at(-1) ?? '';
}

/** A command of the page as it runs here: the built command line, a short plan, no questions. */
function here(command: string): string {
  const run = command.includes('RUN') ? command.replace('RUN', newestRun()) : command;
  const called = run
    .replace(/^npx fsxbench/, 'node dist/fsxbench.js')
    .replace(/\$\(npx fsxbench/, '$(node dist/fsxbench.js');
  if (/ run CompressionBench(?!.*--resume)/.test(called)) return `${called} ${SHORT}`;
  if (called.includes(' lab up')) return `${called} --model none`;
  return called
    .replace(/^npx cdk (deploy .*)$/, 'npx cdk $1 --require-approval never')
    .replace(/^npx cdk (destroy .*)$/, 'npx cdk $1 --force');
}

/** What other tests run: the first sets up the checkout that they run in, the second is theirs as a whole (test/lab/quickstart.test.ts). */
const ELSEWHERE = ['npm ci', 'npm run quickstart'];

/** Where the emulator ends, and what a command says there. */
const NOT_EMULATED: Readonly<Record<string, RegExp>> = { 'doctor --aws': /could not be checked: .*quota/ };

/** What the page says of its status. */
function statusOf(page: string, command: string): number {
  const line = page.split('\n').find((text) => text.startsWith(`${command} # exits `));
  return Number(line?.slice(`${command} # exits `.length) ?? 0);
}

test('every command of the tutorial does what the page says', async () => {
  const page = textOf('docs/tutorial.md');
  const failures: string[] = [];
  const carryOut = async (command: string): Promise<void> => {
    const { status, all } = await shell(here(command));
    const [, said] = Object.entries(NOT_EMULATED).find(([part]) => command.includes(part)) ?? [];
    if (status !== statusOf(page, command) && !said?.test(all))
      failures.push(`${here(command)}: exit status ${status}\n${all.slice(-2000)}`);
  };
  const [before = '', after = ''] = page.split(/^## 4\. /m);
  const local = commandsOf(before).filter((command) => !ELSEWHERE.includes(command));
  const aws = commandsOf(after);
  expect(local.length).toBeGreaterThan(12);
  expect(aws.length).toBeGreaterThan(8);
  for (const command of local.filter((each) => !each.endsWith('lab down'))) {
    await carryOut(command);
    if (!command.startsWith('eval ')) continue;
    // A shell of its own for each command: what it sets is kept here.
    const { out } = await shell(here(command).replace(/^eval "\$\((.*)\)"$/, '$1'));
    for (const [, name = '', value] of out.matchAll(/^export (\w+)=(.*)$/gm)) environment[name] = value;
  }
  expect(environment.AWS_ENDPOINT_URL).toMatch(/^http:\/\/127\.0\.0\.1:/);
  // The emulator is AWS from here on, as an account in which nothing is deployed yet.
  expect(await shell('npx cdk destroy CompressionBench --force')).toMatchObject({ status: 0 });
  for (const command of aws) await carryOut(command);
  await carryOut(local.find((each) => each.endsWith('lab down')) ?? '');
  expect(failures).toEqual([]);
  expect(existsSync(join(root, 'results/runs/CompressionBench', newestRun(), 'report/index.html'))).toBe(true);
});
