import { readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { inside } from '../../lib/common/files';
import type { ResultsStore } from '../../lib/store/bucket';
import { fetchRun, folderOf } from '../../lib/store/library';

import { downloading } from '../store/downloading';
import { around, RUN, world } from './world';

describe('object keys', () => {
  const prefix = `runs/CompressionBench/${RUN}/`;
  const part = fc.oneof(
    fc.constantFrom(
      ...['..', '.', '', 'raw', 'link', 'plan.json', 'a.out', '-rf', '\\..\\x', '\0', '~', '…', 'x'.repeat(300)],
    ),
    fc.string({ maxLength: 8 }),
  );
  const keys = fc.array(
    fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `${prefix}${parts.join('/')}`),
    { minLength: 1, maxLength: 4 },
  );

  function storeWith(names: readonly string[]): ResultsStore {
    return downloading({
      describe: 's3://hostile',
      put: async () => {},
      get: async () => Buffer.from('hostile'),
      list: async () => names.map((key) => ({ key, size: 7 })),
    });
  }

  test('write below the folder of their run, or nothing at all', async () => {
    const { root, folder } = world();
    symlinkSync(join(root, 'outside'), join(folder, 'link'));
    const before = around(root, folder);
    await fc.assert(
      fc.asyncProperty(keys, async (names) => {
        await fetchRun(storeWith(names), 'CompressionBench', RUN, join(root, 'results')).catch(() => {});
        expect(around(root, folder)).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  test('that are no file of a run are refused by name, before anything is written', async () => {
    const { root, folder } = world();
    const names = [`${prefix}plan.json`, `${prefix}../../../../outside/precious`];
    await expect(fetchRun(storeWith(names), 'CompressionBench', RUN, join(root, 'results'))).rejects.toThrow(
      /s3:\/\/hostile holds "runs\/.*precious", which is not a file of a run: nothing was fetched/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test('of what is the driver’s own are not fetched', async () => {
    const { root, folder } = world();
    await fetchRun(
      storeWith([`${prefix}driver.lock`, `${prefix}driver.js`, `${prefix}plan.json`]),
      'CompressionBench',
      RUN,
      join(root, 'results'),
    );
    expect(readdirSync(folder)).toEqual(['plan.json']);
  });

  test.each(['..', 'a/b', '', '-x', '.hidden'])('a run or a benchmark called "%s" has no folder', (text) => {
    expect(() => folderOf('results', 'CompressionBench', text)).toThrow(/'run' must be a name/);
    expect(() => folderOf('results', text, RUN)).toThrow(/'benchmark' must be a name/);
  });
});

test('a path below a folder stays there, whatever its words', () => {
  const { root } = world();
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom('..', '.', '', '/', 'a', '\\'), fc.string()), { maxLength: 6 }),
      (parts) => {
        let path: string;
        try {
          path = inside(root, parts.join('/'));
        } catch {
          return;
        }
        expect(resolve(path).startsWith(`${root}/`)).toBe(true);
      },
    ),
  );
});
