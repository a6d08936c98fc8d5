import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnd } from '../../lib/common/files';
import { Shell } from '../../lib/run/shell';
import type { Step, Task } from '../../lib/schema/plan';
import { capacityByDf, spaceFromDu } from '../../lib/storage/common/space';
import type { Commands, Workplace } from '../../lib/storage/filesystem';
import { fakeExecute, smallPlan, temporaryFolder } from '../run/bench';

const file = (text: string): string => {
  const path = join(temporaryFolder(), 'out');
  writeFileSync(path, text);
  return path;
};

/** Begins with more than a string can hold, sparse on the disk. */
function endless(path: string, end: string): string {
  truncateSync(path, 600e6);
  appendFileSync(path, `\n${end}`);
  return path;
}

test.each([
  ['', 4, ''],
  ['abc', 4, 'abc'],
  ['a\nbc\n', 5, 'a\nbc\n'],
  ['first\nlast\n', 7, 'last\n'],
  ['one endless line', 7, 'ss line'],
])('the end of %j in %i bytes is %j', (text, most, end) => {
  expect(readEnd(file(text), most)).toBe(end);
});

test('a command that said more than a string can hold fails with its last line, and leaves its answer readable', async () => {
  const folder = temporaryFolder();
  const { execute } = fakeExecute(({ outputFile }) => {
    endless(outputFile, 'No space left on device\n');
    return { exitStatus: 1 };
  });
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  const context = { execute, abort: new AbortController().signal, folder, write, attempt: 1 };
  const step = smallPlan().steps.find(({ tasks }) => tasks.length > 0) as Step;
  const shell = new Shell(context, step, step.tasks[0] as Task, 'step');
  expect(await shell.each([['fill', 'it']], 60)).toBe('fill: exit status 1 (No space left on device)');
  expect(shell.text.endsWith('No space left on device\n')).toBe(true);
});

test('space is the sum of all files, however many du names', () => {
  const lines = '4096\t/fsx/a/file\n'.repeat(300_000);
  const space = spaceFromDu(file(lines), file(`du: cannot read\n${lines.replaceAll('4096', '512')}`), null);
  expect(space.map(({ metric, value }) => [metric, value])).toEqual([
    ['apparent_bytes', 300_000 * 4096],
    ['allocated_bytes', 300_000 * 512],
    ['compression_ratio', 8],
  ]);
});

test('capacity is read in the columns that df is asked for', async () => {
  const sizes: Readonly<Record<string, number>> = { size: 100, used: 30, avail: 65 };
  let text = '';
  const run = async (argv: readonly string[]): Promise<null> => {
    const columns = /--output=(\S+)/.exec(argv.join(' '))?.[1]?.split(',') ?? [];
    text = `${columns.join(' ')}\n${columns.map((column) => sizes[column]).join(' ')}\n`;
    return null;
  };
  const commands = {
    run,
    each: async () => null,
    get text() {
      return text;
    },
  } as unknown as Commands;
  const { measured } = await capacityByDf.read({ commands, mountPoint: '/fsx/a', seconds: 60 } as Workplace);
  expect(measured.map(({ metric, value }) => [metric, value])).toEqual([
    ['size_bytes', 100],
    ['used_bytes', 30],
    ['free_bytes', 65],
  ]);
});
