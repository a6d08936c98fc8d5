import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './pages';
import { pages, runFindings, schemas } from './reference';

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

test('each finding about a run says what to do', () => {
  expect(runFindings().filter(({ remedies }) => remedies.size === 0)).toEqual([]);
});

test('the pages name a command, a lint rule and a rule of each stage that users know', () => {
  expect(made.get('commands.md')).toContain('`--resume <run>`');
  const findings = made.get('findings.md');
  for (const id of ['dd-zeros-compress-away', 'few-repeats', 'compressibility-off-target'])
    expect(findings).toContain(`| \`${id}\` |`);
});
