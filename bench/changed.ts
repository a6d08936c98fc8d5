/**
 * CPU time and elapsed time of `npm test -- --changed` for one changed file, in a separate work tree: first in a new tree, then after another
 * change.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { processorSeconds } from './shared/rounds';
import { tell } from './shared/row';

/** A source that some suites import. */
const CHANGED = 'lib/cost/deployment.ts';
const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-changed-'));
const tree = join(folder, 'tree');

function git(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
}

try {
  git('worktree', 'add', '--detach', tree, 'HEAD');
  mkdirSync(join(tree, '.lab'), { recursive: true });
  // Folders that were set up before; `declared` and `dist` are made anew by each run.
  const setUp = readdirSync(join(root, '.lab')).filter((name) => name !== 'declared');
  for (const name of ['node_modules', ...setUp.map((each) => join('.lab', each))])
    symlinkSync(join(root, name), join(tree, name));
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const cores = availableParallelism();
  for (const [which, included] of [
    ['first time', 'build and all types included'],
    ['again', 'build included'],
  ]) {
    appendFileSync(join(tree, CHANGED), '// A line more.\n');
    const started = Date.now();
    const seconds = processorSeconds(['sh', '-c', `cd ${tree} && exec node scripts/test.mjs --changed`], env);
    const clock = (Date.now() - started) / 1000;
    console.log(`${CHANGED}, ${which}: ${seconds.toFixed(1)} s of processor, ${clock.toFixed(1)} s by the clock`);
    const note = `processor time over ${cores} cores, ${included}; ${clock.toFixed(0)} s by the clock; ${CHANGED}`;
    const what = `\`npm test -- --changed\`, one file, ${which}`;
    tell({ what, value: seconds / cores, unit: 's', most: 20, note });
  }
} finally {
  // Not by git(), whose error would hide the first.
  spawnSync('git', ['worktree', 'remove', '--force', tree], { cwd: root });
  rmSync(folder, { recursive: true, force: true });
}
