import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMIT_NAMES, limitLabel, limitWords } from '../../lib/storage/limitNames';
import { STORAGES } from '../../lib/storage/registry';

const page = readFileSync(join(__dirname, '../../docs/prediction.md'), 'utf8');

test('the page says of each id what reports and pages call it', () => {
  const rows = [...page.matchAll(/^- `(\w+)`: ([^.\n]+)$/gm)].map(([, id = '', words = '']) => [id, words]);
  expect(Object.fromEntries(rows.filter(([id = '']) => id in LIMIT_NAMES))).toEqual(
    Object.fromEntries(Object.entries(LIMIT_NAMES).map(([id, { words }]) => [id, words])),
  );
});

test('no storage gives another meaning to an id, and one without words stands for itself', () => {
  const ids = STORAGES.flatMap(({ documented }) => Object.keys(documented.limitNames ?? {}));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect([limitWords(id), limitLabel(id)]).toEqual([expect.stringContaining(' '), expect.not.stringContaining('_')]);
  expect([limitLabel('fabric'), limitWords('fabric')]).toEqual(['fabric', 'fabric']);
});
