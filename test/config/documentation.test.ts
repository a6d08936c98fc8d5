import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressionBench } from '../../lib/benchmark/compression';
import { FIELDS } from '../../lib/config/fields';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';

const page = readFileSync(join(__dirname, '../../docs/settings.md'), 'utf8');
const documented = new Map(
  [...page.matchAll(/^- `(\w+)`(?: \((.+?)\))?: /gm)].map(([, key = '', value = '']) => [key, value]),
);

test('documents every setting, and none that is not there', () => {
  expect([...documented.keys()].sort()).toEqual(Object.keys(FIELDS).sort());
});

test('documents the sizes that the definition has', () => {
  const sizes = (scale: 'published' | 'smoke') => {
    const [arm] = compressionBench.arms(scale);
    return { ...compressionBench.fleet(scale), ...(arm?.storage as LustreStorage | undefined) };
  };
  const published = sizes('published');
  const smoke = sizes('smoke');
  for (const key of [
    'clients',
    'instanceType',
    'ranksPerClient',
    'storageCapacityGiB',
    'perUnitStorageThroughput',
  ] as const) {
    expect(documented.get(key)?.replaceAll('`', '')).toBe(`${published[key]}, smoke ${smoke[key]}`);
  }
});
