import { fsxbenchIn } from '../support';

const platform = process.platform;
afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));

test.each([
  ['run --local', ['run', 'CompressionBench', '--local', 'none=/tmp', 'lz4=/var']],
  ['run --on', ['run', '--on', '/tmp']],
  ['the lab', ['lab', 'up']],
])('%s says on macOS that it needs Linux', async (what, argv) => {
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  const { status, err } = await fsxbenchIn({}, argv);
  expect([status, err]).toEqual([
    1,
    `fsxbench: ${what} needs Linux, and this is darwin: use a Linux machine or, on Windows, WSL\n`,
  ]);
});
