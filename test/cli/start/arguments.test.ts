import { resolve } from 'node:path';
import { temporaryFolder } from '../../run/bench';
import { fsxbenchIn } from '../support';

test.each([
  [['run', '--on', '/fsx', '--set', 'repeats=1', 'seconds=10'], 'seconds=10'],
  [['run', '--on', '/fsx', 'seconds=10', '--', 'app', '{dir}'], 'seconds=10'],
  [['plan', '--on', '/fsx', 'app', '{dir}'], 'app'],
  [['plan', 'CompressionBench', 'app', '--scale', 'smoke'], 'app'],
])('%j: a word that stands in no option is no program, and nothing starts', async (argv, word) => {
  expect(await fsxbenchIn({}, argv)).toMatchObject({
    status: 2,
    err: `fsxbench: '${word}' belongs to no option: write --set before each setting, and -- before your own program (-- ./app {dir})\n`,
  });
});

test.each(['--scale=smoke', '--region=us-east-1'])(
  '%s is for a plan of a benchmark, not of a directory',
  async (option) => {
    const [name = ''] = option.split('=');
    expect(await fsxbenchIn({}, ['plan', '--on', '/fsx', option])).toMatchObject({
      status: 2,
      err: `fsxbench: ${name} is for a benchmark: leave it out with --on\n`,
    });
  },
);

test('a program of one’s own stands behind --, with options and a -- of its own', async () => {
  const root = resolve(__dirname, '../../..');
  const argv = ['plan', '--on', temporaryFolder(), '--json', '--', 'srun', '--', 'app', '--set', '{dir}'];
  const { status, out } = await fsxbenchIn({ root }, argv);
  expect(status).toBe(0);
  expect(JSON.stringify(JSON.parse(out).steps)).toMatch(/"srun","--","app","--set","[^"]+"/);
});
