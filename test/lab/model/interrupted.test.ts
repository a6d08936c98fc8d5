import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { labDown, leftovers } from '../../../lib/lab/down';
import { labPaths } from '../../../lib/lab/paths';
import { until } from '../../support/patience';
import { commandProject, PROJECT, startFsxbench } from '../support';

let root: string;
let remove: () => void;
beforeAll(async () => {
  ({ root, remove } = await commandProject());
});
afterAll(async () => {
  await labDown(root);
  remove();
});

/** Small, on disks of 2.9 MB/s. */
const QUICK = [
  ...['--scale', '1:1000'],
  ...['repeats=1', 'compressibilities=1', 'tool=fio'].flatMap((setting) => ['--set', setting]),
];

/** In a lab without a model, test/lab/quickstart.test.ts has those before and while stacks are deployed. */
const MOMENTS = [
  ['while the model is brought up and calibrated', /bringing up the scale model/],
  ['while data are written through the link', /fio write on/],
  ['while the report is written', /writing the report/],
] as const;
/** The others take a minute each, in `npm test -- --all`. */
const chosen = process.env.FSXBENCH_ALL === undefined ? MOMENTS.slice(1, 2) : MOMENTS;

const obstacle =
  process.getuid?.() === 0
    ? spawnSync('bash', [join(PROJECT, 'assets/lab/model/check')], { encoding: 'utf8' }).stderr.trim()
    : 'only root may limit disks and links';
const testHeld = obstacle === '' ? test.each(chosen) : test.skip.each(chosen);

/** The numbers of the disks, such as `7:3`, that the lab's models have at this moment. */
function disks(): string[] {
  const { models } = labPaths(root);
  const arms = existsSync(models) ? readdirSync(models) : [];
  return (
    arms
      .map((arm) => join(models, arm, 'device'))
      .map((file) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : ''))
      // It is there before its number is.
      .filter((number) => number !== '')
  );
}

/** Limits of the kernel on devices that nobody has any more. A device that another lab has got meanwhile may well be limited. */
function limitsOn(numbers: readonly string[]): string[] {
  const folder = '/sys/fs/cgroup/blkio';
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => /^blkio\.throttle\..*_device$/.test(name))
    : [];
  const free = numbers.filter((number) => !existsSync(`/sys/dev/block/${number}/loop/backing_file`));
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => free.includes(line.split(' ')[0] ?? '')),
  );
}

const runs = (): string[] => {
  const folder = join(labPaths(root).clientState, 'runs');
  return existsSync(folder) ? readdirSync(folder).map((run) => join(folder, run)) : [];
};

testHeld('Ctrl-C %s leaves no process, mount, device, namespace or limit', async (_, moment) => {
  const earlier = runs();
  const { child, ended, said } = startFsxbench(root, ['lab', 'quickstart', ...QUICK]);
  await until('both disks', () => disks().length === 2 || child.exitCode !== null);
  const numbers = disks();
  await until(`the output ${moment}`, () => moment.test(said()) || child.exitCode !== null);
  // If it was over before the interruption, nothing would be tested.
  expect([child.exitCode, numbers.length]).toEqual([null, 2]);
  child.kill('SIGINT');
  const { status, output } = await ended;
  expect([status, output]).toEqual([1, expect.stringContaining('interrupted')]);
  // The driver has ended by then, and wrote down how far it came; nothing more was begun.
  const [before = '', ...after] = output.split('lab: stopping\n');
  const last = after
    .join('')
    .replace(/^lab(?: quickstart: still running|: stopping|: \S+ was running,|: to continue it) .*\n/gm, '');
  expect([after.length, last]).toEqual([1, 'fsxbench: interrupted\n']);
  for (const run of runs().filter((path) => !earlier.includes(path)))
    expect(JSON.parse(readFileSync(join(run, 'status.json'), 'utf8'))).toMatchObject({
      state: / is done/.test(before) ? 'done' : 'interrupted',
    });
  expect(await leftovers(labPaths(root))).toEqual([]);
  expect(limitsOn(numbers)).toEqual([]);
});
