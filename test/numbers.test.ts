import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { FIELDS } from '../lib/config/fields';
import { nodesOf, ROOT, SOURCES, sourceOf } from './support/sources';

/** Files that say what a plug-in has to be. */
const PLUG_INS =
  /^lib\/(?:storage\/(?:storage|filesystem|slices\/\w+)|workload\/(?:tool|workload|operation)|fleet\/(?:fleet|launcher)|benchmark\/benchmark)\.ts$/;

const linesOf = (path: string): number => readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const lib = SOURCES.filter((path) => path.startsWith('lib/'));
const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('fixtures/'))
  .map((name) => join('test', name));
const [, ...commands] = readFileSync(join(ROOT, 'docs/reference/commands.md'), 'utf8').split('## fsxbench');
const options = commands.join('').match(/`-/g) ?? [];
const members = lib
  .filter((path) => PLUG_INS.test(path))
  .flatMap((path) =>
    nodesOf(sourceOf(path))
      .filter(ts.isInterfaceDeclaration)
      .map(({ members }) => members.length),
  );

// Complexity for a newcomer. A number may only fall: lower it here when it has.
test.each([
  ['lines of TypeScript in lib', sum(lib.map(linesOf)), 69988],
  ['files of lib', lib.length, 551],
  ['lines of TypeScript in test', sum(tests.map(linesOf)), 69474],
  ['options of all commands', options.length, 175],
  ['settings', Object.keys(FIELDS).length, 80],
  ['members of plug-in interfaces', sum(members), 222],
])('%s are at most as many as before', (_what, now, most) => {
  expect(now).toBeLessThanOrEqual(most);
});
