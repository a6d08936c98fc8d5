import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { priceBook } from '../../lib/cost/priceFile';
import { MOST_BYTES, readWhole } from '../../lib/kit/readWhole';
import { startedPlan } from '../../lib/run/started';
import { findText } from '../../lib/store/documents';
import { temporaryFolder } from '../run/bench';
import { ROOT } from '../support/sources';

/** A file of so many bytes, which takes no space. */
function sparse(bytes: number): { readonly folder: string; readonly path: string } {
  const folder = temporaryFolder();
  const path = join(folder, 'plan.json');
  writeFileSync(path, '');
  truncateSync(path, bytes);
  return { folder, path };
}

const REFUSED = 'it has 3000 MB, and at most 64 MB are read as a whole';

test('a document that no machine could hold is refused by its size, with what is allowed', () => {
  const { folder, path } = sparse(3e9);
  expect(() => readWhole(path)).toThrow(REFUSED);
  expect(findText(folder, 'plan.json')).toEqual({ fault: `cannot be read (${REFUSED})` });
  expect(() => priceBook(ROOT, path)).toThrow(REFUSED);
  expect(() => startedPlan(folder, {} as never)).toThrow(REFUSED);
  expect(readWhole(sparse(1000).path)).toHaveLength(1000);
  expect(MOST_BYTES).toBe(64e6);
});
