import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import TITLES from '../../lib/schema/titles.json';
import { PROJECT } from './pages';
import { describedFindings, pages, schemas } from './reference';

const FOLDER = join(PROJECT, 'docs/reference');

const made = new Map([...pages(), ...[...schemas()].map(([name, text]) => [join('schemas', name), text] as const)]);

// npm run reference
if (process.env.FSXBENCH_UPDATE_REFERENCE === 'true') {
  mkdirSync(join(FOLDER, 'schemas'), { recursive: true });
  for (const [name, text] of made) writeFileSync(join(FOLDER, name), text);
}

test.each([...made.keys()])('docs/reference/%s is what the code says; npm run reference writes it', (name) => {
  expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(made.get(name));
});

test('nothing else is in docs/reference', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
  expect(files.sort()).toEqual([...made.keys()].sort());
});

test.each(['lint', 'plan', 'run'] as const)('each finding of %s has a severity and a whole meaning', (stage) => {
  const isWhole = ({ severity, meaning, remedy }: ReturnType<typeof describedFindings>[number]): boolean =>
    [severity, meaning, ...(stage === 'lint' ? [] : [remedy])].every((text) => /^[^…]+$/.test(text));
  expect(describedFindings(stage).filter((one) => !isWhole(one))).toEqual([]);
});

test('each finding has a title, and each title a finding', () => {
  const ids = (['lint', 'plan', 'run'] as const).flatMap((stage) => describedFindings(stage).map(({ id }) => id));
  expect(Object.keys(TITLES).sort()).toEqual([...new Set(ids)].sort());
  expect(Object.values(TITLES).filter((title) => !/^\S.{6,55}[^.\s]$/.test(title))).toEqual([]);
  expect(made.get('findings.md')).toContain(`- **${TITLES['few-repeats']}**: `);
});
