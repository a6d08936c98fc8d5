import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/sources';

/** A source as Stryker prepares it: with mutants in it, one of which may be active. */
const SOURCE = `
  const stryker = (globalThis as any).__stryker__;
  function active(id: string): boolean {
    if (stryker.activeMutant === id) {
      stryker.hitCount += 1;
      if (stryker.hitCount > stryker.hitLimit) throw new Error('endless');
      return true;
    }
    stryker.mutantCoverage ??= { static: {}, perTest: {} };
    const of = stryker.currentTestId ? (stryker.mutantCoverage.perTest[stryker.currentTestId] ??= {}) : stryker.mutantCoverage.static;
    of[id] = (of[id] ?? 0) + 1;
    return false;
  }
  export const sum = (a: number, b: number) => (active('minus') ? a - b : a + b);
  export const positive = (a: number) => (active('survivor') ? a >= 0 : a > 0);
  export const prepared = () => (active('prepared') ? 0 : 1);
  let remembered: number | undefined;
  export const answer = () => (remembered ??= active('remembered') ? 41 : 42);
  let broken = false;
  export const lasting = () => {
    if (active('lasting')) broken = true;
    return !broken;
  };
  export const untouched = () => (active('after') ? !broken : !broken);
  export const shown = () => (active('shown') ? 'one' : 'two');
  export const late = async () => (active('late') ? 1 : 2);
  export function count() {
    let n = 0;
    while (n < 3) if (!active('endless')) n += 1;
    return n;
  }`;
const SUITE = `
  import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  import { answer, count, lasting, late, positive, prepared, shown, sum, untouched } from './source';
  const folder = mkdtempSync(join(tmpdir(), 'suite-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  test('its folder is there', () => expect(readdirSync(folder)).toEqual([]));
  test.each([[1, 2, 3], [2, 0, 2]])('%d and %d are %d', (a, b, c) => expect(sum(a, b)).toBe(c));
  test('positive', () => expect(positive(1)).toBe(true));
  test('remembers', () => expect(answer()).toBe(42));
  test('lasts', () => expect(lasting()).toBe(true));
  test('is untouched', () => expect(untouched()).toBe(true));
  test('late', async () => expect(await late()).toBe(2));
  test('counts', () => expect(count()).toBe(3));
  test('shows', () => expect(shown()).toMatchInlineSnapshot('two'));
  describe('a block', () => {
    let ready = 0;
    beforeAll(() => { ready = prepared(); });
    test('is prepared', () => expect(ready).toBe(1));
  });`;
const PROGRAM = `
  import { strykerPlugins } from ${JSON.stringify(join(ROOT, 'scripts/lib/warmRunner.mjs'))};
  const runner = strykerPlugins[0].factory({ warm: { suites: ['test/suite.test.ts'] } });
  runner.init();
  const { status, tests, mutantCoverage } = await runner.dryRun();
  const coveredBy = (id) => tests.map((one) => one.id).filter((test) => mutantCoverage.perTest[test]?.[id]);
  const results = {};
  for (const id of ['minus', 'survivor', 'prepared', 'remembered', 'lasting', 'after', 'late', 'shown', 'endless']) {
    const result = await runner.mutantRun({ activeMutant: { id }, testFilter: coveredBy(id), hitLimit: 100 });
    results[id] = [result.status, ...(result.killedBy ?? [])];
  }
  console.log(JSON.stringify({ status, count: tests.length, results }));`;

test('mutants are noticed as by Jest, whatever the process remembers of those before', () => {
  const project = mkdtempSync(join(tmpdir(), 'fsxbench-warm-'));
  mkdirSync(join(project, 'test'));
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, 'package.json'), '{}');
  writeFileSync(
    join(project, 'jest.config.cjs'),
    `module.exports = { ...require(${JSON.stringify(join(ROOT, 'jest.config.cjs'))}), setupFilesAfterEnv: [] };`,
  );
  writeFileSync(join(project, 'test/source.ts'), SOURCE);
  writeFileSync(join(project, 'test/suite.test.ts'), SUITE);
  const found = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], { cwd: project, encoding: 'utf8' }),
  );
  const killed = (test: string) => ['killed', `test/suite.test.ts: ${test}`];
  expect(found).toEqual({
    status: 'complete',
    count: 11,
    results: {
      minus: killed('1 and 2 are 3'),
      survivor: ['survived'],
      prepared: killed('a block is prepared'),
      // Only the first call of a process reaches it.
      remembered: killed('remembers'),
      // It spoils the process.
      lasting: killed('lasts'),
      after: ['survived'],
      late: killed('late'),
      shown: killed('shows'),
      endless: ['timeout'],
    },
  });
  rmSync(project, { recursive: true });
});
