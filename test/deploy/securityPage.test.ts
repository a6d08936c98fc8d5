import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIELDS } from '../../lib/config/fields';
import { type Exception, NIST } from '../support/exceptions';

const ROOT = join(__dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8');

const rows = (label: string, exceptions: readonly Exception[]): string[] =>
  exceptions.map(({ rule, reason }) => `| ${label} | \`${rule}\` | ${reason} |`);

test('the page has every exception with its reason, and no other', () => {
  const shown = page.split('\n').filter((line) => /^\| NIST 800-53 \|/.test(line));
  expect(shown).toEqual(rows('NIST 800-53', NIST));
});

test('each defence names a test that is there, and each setting one that can be set', () => {
  const tests = [...page.matchAll(/`(test\/[\w/.-]+)`/g)].map(([, path = '']) => path);
  expect(tests.length).toBeGreaterThan(10);
  expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const settings = [...page.matchAll(/`(\w+)=(ARN|true|endpoints|parallelcluster)`/g)].map(([, name = '']) => name);
  expect(settings.length).toBeGreaterThan(4);
  expect(settings.filter((name) => !['fleet', ...Object.keys(FIELDS)].includes(name))).toEqual([]);
});
