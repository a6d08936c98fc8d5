import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIELDS } from '../../lib/config/fields';
import { NIST } from '../support/exceptions';

const ROOT = join(__dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8');

test('the page has every exception with its reason, and no other', () => {
  const shown = page.split('## Exceptions\n')[1]?.match(/^- `.*$/gm);
  const reasons = [...new Set(NIST.map(({ reason }) => reason))];
  const rulesFor = (of: string) =>
    [...new Set(NIST.filter(({ reason }) => reason === of).map(({ rule }) => `\`${rule}\``))].join(', ');
  expect(shown).toEqual(reasons.map((reason) => `- ${rulesFor(reason)}: ${reason}`));
});

test('each defence names a test that is there, and each setting one that can be set', () => {
  const tests = [...page.matchAll(/`(test\/[\w/.-]+)`/g)].map(([, path = '']) => path);
  expect(tests.length).toBeGreaterThan(10);
  expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const settings = [...page.matchAll(/`(\w+)=(ARN|true|endpoints|parallelcluster)`/g)].map(([, name = '']) => name);
  expect(settings.length).toBeGreaterThan(4);
  expect(settings.filter((name) => !['fleet', ...Object.keys(FIELDS)].includes(name))).toEqual([]);
});
