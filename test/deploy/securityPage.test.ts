import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALLS } from '../../lib/common/aws/account';
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

test('the page has every call of doctor and leftovers as IAM names it, and no other', () => {
  expect(CALLS.length).toBeGreaterThan(30);
  const [, policy = ''] = /### What doctor asks\n[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? [];
  const named = CALLS
    // The dry run is apart; who one is, everybody may ask.
    .filter((call) => call !== 'ec2:RunInstances' && call !== 'sts:GetCallerIdentity')
    .map((call) => (call === 's3:ListBuckets' ? 's3:ListAllMyBuckets' : call));
  expect(JSON.parse(policy)).toEqual({ Effect: 'Allow', Resource: '*', Action: named.sort() });
});

test('each defence names a test that is there, and each setting one that can be set', () => {
  const tests = [...page.matchAll(/`(test\/[\w/.-]+)`/g)].map(([, path = '']) => path);
  expect(tests.length).toBeGreaterThan(10);
  expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const settings = [...page.matchAll(/`(\w+)=(ARN|true|endpoints|parallelcluster)`/g)].map(([, name = '']) => name);
  expect(settings.length).toBeGreaterThan(4);
  expect(settings.filter((name) => !['fleet', ...Object.keys(FIELDS)].includes(name))).toEqual([]);
});
