import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, textOf } from './pages';

const json = (name: string) => JSON.parse(readFileSync(join(PROJECT, name), 'utf8'));
const [, production = '', development = ''] = textOf('docs/dependencies.md').split(/^## /m);
const named = (section: string): string[] =>
  [...section.matchAll(/^- (`.*?`): /gm)].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', ')).sort();

test('docs/dependencies.md has a reason for each dependency, and no other', () => {
  const { dependencies, devDependencies } = json('package.json');
  expect(named(production)).toEqual(Object.keys(dependencies).sort());
  expect(named(development)).toEqual(Object.keys(devDependencies).sort());
});

test('no production dependency, direct or indirect, has a licence that Apache-2.0 cannot take, and the page names each', () => {
  const allowed = ['Apache-2.0', 'MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Unlicense'];
  const [, said = ''] = /Licences must be compatible with Apache-2\.0: (.*)\.$/m.exec(production) ?? [];
  expect(said.split(/, | or /)).toEqual(allowed);
  const packages: [string, { dev?: boolean; license?: string }][] = Object.entries(json('package-lock.json').packages);
  const used = packages.filter(([path, { dev }]) => path !== '' && !dev);
  expect(used.length).toBeGreaterThan(50);
  expect(used.filter(([, { license = 'none' }]) => !allowed.includes(license)).map(([path]) => path)).toEqual([]);
});
