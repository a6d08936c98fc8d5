import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scaleCompressionCommand } from '../../lib/cli/scale/scaleCommands';

const mockAsked: { survey?: boolean; layout: string }[] = [];
const mockQuestions: string[] = [];
jest.mock('../../lib/scale/fileSystem', () => ({
  fsxApi: async () => ({
    describe: async () => ({
      fileSystemId: 'fs-1',
      lifecycle: 'AVAILABLE',
      configuration: { dataCompressionType: 'LZ4' },
    }),
  }),
}));
jest.mock('../../lib/scale/recompress', () => ({
  ...jest.requireActual('../../lib/scale/recompress'),
  checkMounted: () => {},
  recompress: async (options: { survey?: boolean; layout: string }) => {
    mockAsked.push(options);
    return { state: 'done', found: 9, ownLayout: 3, remaining: 7 };
  },
}));
jest.mock('../../lib/cli/input/confirm', () => ({
  confirm: async (_: unknown, question: string) => {
    mockQuestions.push(question);
    throw new Error('not confirmed');
  },
}));

const directory = mkdtempSync(join(tmpdir(), 'fsxbench-layout-'));
afterAll(() => rmSync(directory, { recursive: true }));

test.each([
  ['default', '3 of 7 files lose their own stripe layout: --layout keep keeps it. ', [true]],
  [undefined, '', []],
])('with the layout %s, the question before a rewrite begins with: %s', async (layout, lost, surveys) => {
  mockAsked.length = mockQuestions.length = 0;
  const context = { root: '/', out: () => {}, err: () => {}, environment: {}, interactive: true };
  const options = { type: 'LZ4', recompress: directory, ...(layout !== undefined && { layout }) };
  await expect(scaleCompressionCommand(context, 'fs-1', options)).rejects.toThrow('not confirmed');
  expect(mockQuestions).toEqual([`${lost}Rewrite ${directory}?`]);
  // Nothing but a survey runs before the answer.
  expect(mockAsked.map(({ survey }) => survey)).toEqual(surveys);
});
