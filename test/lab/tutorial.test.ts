import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { commandsOf, textOf } from '../docs/pages';
import { commandProject, PROJECT } from './support';

/** Seconds instead of minutes: what a plan takes is not what the page promises. */
const SHORT = '--set repeats=1 --set compressibilities=1 --set seconds=1 --set maxMiBPerArm=32 --set warmUpSeconds=0';

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

/** Commands that other tests run: the first sets up the checkout that they run in, the second is theirs as a whole (test/lab/quickstart.test.ts). */
const ELSEWHERE = ['npm ci', 'npm run quickstart'];

/** Exit status that the page names. */
function statusOf(page: string, command: string): number {
  const line = page.split('\n').find((text) => text.startsWith(`${command} # exits `));
  return Number(line?.slice(`${command} # exits `.length) ?? 0);
}

const page = textOf('docs/tutorial.md');
const [before = '', after = ''] = page.split(/^## 4\. /m);
const all = commandsOf(before).filter((command) => !ELSEWHERE.includes(command));
const down = all.find((each) => each.endsWith('lab down')) ?? '';
const local = all.filter((command) => command !== down);
const aws = commandsOf(after);

/** Carries a command out as it runs here, and holds its status against the page. */
async function carryOut(command: string): Promise<void> {
  const { status, all: said } = await shell(here(command));
  const expected = statusOf(page, command);
  expect([here(command), status, status === expected ? '' : said.slice(-2000)]).toEqual([here(command), expected, '']);
}

// One after the other, as on the page: each finds what those before it have left, and has the time of a test.
describe('every command of the tutorial does what the page says', () => {
  test('there are some', () => {
    expect(local.length).toBeGreaterThan(12);
    expect(aws.length).toBeGreaterThan(8);
  });

  test.each(local)('%s', async (command) => {
    await carryOut(command);
    if (!command.startsWith('eval ')) return;
    const { out } = await shell(here('npx fsxbench lab env'));
    for (const [, name = '', value] of out.matchAll(/^export (\w+)=(.*)$/gm)) environment[name] = value;
  });

  test('plan, in the shell of the lab, is what run did there, step by step and in time', async () => {
    const planned = JSON.parse((await shell(`${here('npx fsxbench plan CompressionBench')} ${SHORT} --json`)).out);
    const run = JSON.parse(readFileSync(join(root, 'results/runs/CompressionBench', newestRun(), 'plan.json'), 'utf8'));
    expect(planned).toEqual(run);
    const { all: printed } = await shell(here('npx fsxbench plan CompressionBench'));
    expect(printed).not.toMatch(/published/);
  });

  test('doctor has nothing against deploying again what the lab has, and calls none of it left over', async () => {
    const { status, out } = await shell(here('npx fsxbench doctor --aws CompressionBench --json'));
    const { findings } = JSON.parse(out) as { findings: { name: string; state: string; found: string }[] };
    expect([status, findings.filter(({ state }) => state === 'missing' || state === 'unknown')]).toEqual([0, []]);
    expect(findings.filter(({ name }) => ['left over', 'in use'].includes(name))).toEqual([
      expect.objectContaining({ state: 'ok', found: 'nothing from an earlier run' }),
      expect.objectContaining({ state: 'ok', found: expect.stringMatching(/^CompressionBench is deployed: /) }),
    ]);
  });

  test('doctor refuses a smaller deployment over it, which AWS would roll back, with the command that makes room', async () => {
    const { status, out } = await shell(here('npx fsxbench doctor --aws CompressionBench -c scale=smoke'));
    expect([status, out]).toEqual([1, expect.stringMatching(/capacity can only grow, from 14400 GiB, not to 1200/)]);
    expect(out).toMatch(/^ {4}npx cdk destroy CompressionBench$/m);
  });

  test('its emulator is AWS from here on, as an account in which nothing is deployed yet', async () => {
    expect(await shell('npx cdk destroy CompressionBench --force')).toMatchObject({ status: 0 });
  });

  test.each(aws)('%s', carryOut);

  test('the run has its report', () => {
    expect(existsSync(join(root, 'results/runs/CompressionBench', newestRun(), 'report/index.html'))).toBe(true);
  });

  test(down, async () => {
    await carryOut(down);
    expect((await shell(here('npx fsxbench lab status'))).out).toBe('the lab is down\n');
  });
});
