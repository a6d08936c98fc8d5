import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/sources';

/** What an expression of the script's modules is. */
function evaluated(expression: string) {
  const modules = ['mutants', 'mutantSample'].map(
    (name) => `import * as ${name} from ${JSON.stringify(join(ROOT, `scripts/lib/${name}.mjs`))};`,
  );
  const program = `${modules.join('')} console.log(JSON.stringify(${expression} ?? null));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }));
}

const called = (name: string, ...given: unknown[]) => evaluated(`mutants.${name}(...${JSON.stringify(given)})`);

test('docs/mutation.md and docs/mutation.json agree, and each score is of a source that is there', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/mutants.mjs'), '--check'], {
    encoding: 'utf8',
  });
  expect([stderr, status]).toEqual(['', 0]);
});

test('a score of a file that is gone, and a page that was edited, are found', () => {
  const root = mkdtempSync(join(tmpdir(), 'fsxbench-mutants-'));
  mkdirSync(join(root, 'docs'));
  const scores = JSON.parse(readFileSync(join(ROOT, 'docs/mutation.json'), 'utf8'));
  const path = Object.keys(scores)[0] as string;
  writeFileSync(join(root, 'docs/mutation.json'), JSON.stringify({ [path]: scores[path] }));
  writeFileSync(join(root, 'docs/mutation.md'), '100 %');
  expect(called('problemsOf', root)).toEqual([
    `docs/mutation.json has a score of ${path}, which no area has: npm run mutants -- --forget`,
    'docs/mutation.md is not what docs/mutation.json says: npm run mutants -- --forget',
  ]);
  rmSync(root, { recursive: true });
});

describe('a score', () => {
  const score = (killed: number, survived: number, others = {}) => ({
    ...{ killed, survived, timedOut: 0, uncovered: 0 },
    ...others,
  });

  test('is the share of mutants that a test noticed; lines that no test runs count', () => {
    expect(called('scoreOf', score(6, 1, { timedOut: 2, uncovered: 1 }))).toBe(80);
    expect(called('scoreOf', score(0, 0))).toBeNull();
  });

  test('may rise or stay, and a file without mutants or measured for the first time has none to lose', () => {
    const kept = { a: score(8, 2), b: score(8, 2), c: score(1, 1) };
    const measured = { a: score(9, 1), b: score(7, 3), c: score(0, 0), d: score(0, 5) };
    expect(called('fallen', kept, measured)).toEqual([{ path: 'b', before: 80, now: 70 }]);
  });
});

describe('a sample', () => {
  const part = (killed: number, survived: number, others = {}) => ({
    ...{ killed, survived, timedOut: 0, uncovered: 0, oneIn: 4, mutants: 4 * (killed + survived), hash: 'a' },
    ...others,
  });

  test('holds about one mutant in so many, always the same', () => {
    const draw = `Array.from({ length: 8000 }, (_, line) => ({
      mutatorName: 'BooleanLiteral', replacement: 'true', location: { start: { line, column: 4 } } }))
      .flatMap((mutant, at) => (mutantSample.isDrawn(mutant, 8) ? [at] : []))`;
    const drawn = evaluated(draw);
    expect(Math.abs(drawn.length - 1000)).toBeLessThan(3 * Math.sqrt(8000 * (1 / 8) * (7 / 8)));
    expect(evaluated(draw)).toEqual(drawn);
  });

  test('tells how sure its score is, by Wilson’s interval', () => {
    // Of 10 and 8: https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval has the formula.
    expect(evaluated('mutantSample.shareInterval(8, 10)')).toEqual({
      low: expect.closeTo(49.02, 2),
      high: expect.closeTo(94.33, 2),
    });
    expect(evaluated('mutantSample.shareInterval(0, 10)')).toEqual({ low: 0, high: expect.closeTo(27.75, 2) });
  });

  test('stands for the mutants of its file beside what was tried wholly', () => {
    const root = mkdtempSync(join(tmpdir(), 'fsxbench-mutants-'));
    mkdirSync(join(root, 'docs'));
    const whole = { ...part(20, 0), oneIn: undefined, mutants: undefined };
    called('keep', root, { 'lib/cost/cost.ts': whole, 'lib/cost/line.ts': part(8, 2), 'lib/cost/plan.ts': part(8, 2) });
    const page = readFileSync(join(root, 'docs/mutation.md'), 'utf8');
    // 16 of 20 are 58.4 to 91.9 %, for 80 of 100 mutants.
    expect(/\| cost .*/.exec(page)?.[0]).toContain('| 3 | 100 | 40 | 36 | 0 | 4 | 0 | 84.0 % (67 to 94 %) |');
    expect(page).toMatch(/`lib\/cost\/line.ts` \| 80.0 % \| 2 \| 10 of 40 \|/);
    rmSync(root, { recursive: true });
  });

  test('of the same mutants may not fall; one of others only within chance', () => {
    const kept = { a: part(9, 1), b: part(9, 1), c: part(9, 1), d: part(9, 1) };
    const measured = {
      a: part(8, 2),
      b: part(8, 2, { hash: 'b' }),
      c: part(4, 6, { hash: 'b' }),
      d: part(8, 2, { oneIn: 5 }),
    };
    expect(called('fallen', kept, measured).map(({ path }: { path: string }) => path)).toEqual(['a', 'c']);
  });

  test.each(['0', 'x', '2.5'])('of one mutant in %s is refused', (count) => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/mutants.mjs'), '--one-in', count], {
      encoding: 'utf8',
    });
    expect([stderr, status]).toEqual(['--one-in needs a whole number from 1, such as --one-in 8\n', 2]);
  });
});

test('an unknown area is refused with those that there are', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/mutants.mjs'), 'costs'], {
    encoding: 'utf8',
  });
  expect([stderr, status]).toEqual([
    "'costs' is neither an area nor a source of one; areas: statistics, changes, cost, rules, resume, runs, parse, analysis\n",
    2,
  ]);
});
