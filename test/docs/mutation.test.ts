import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/sources';

const MODULE = join(ROOT, 'scripts/lib/mutants.mjs');

/** What a function of the script's module returns, called with these arguments. */
function called(name: string, ...given: unknown[]) {
  const program = `import * as mutants from ${JSON.stringify(MODULE)}; console.log(JSON.stringify(mutants.${name}(...${JSON.stringify(given)}) ?? null));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }));
}

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

test('an unknown area is refused with those that there are', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/mutants.mjs'), 'costs'], {
    encoding: 'utf8',
  });
  expect([stderr, status]).toEqual([
    "'costs' is neither an area nor a source of one; areas: statistics, changes, cost, rules, resume, runs, parse, analysis\n",
    2,
  ]);
});
