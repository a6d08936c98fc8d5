// npm run mutants -- [AREA or FILE …]: plants bugs in sources (Stryker), counts those that the tests of their area notice, and fails if a file's
// score is below the one kept in docs/mutation.json; otherwise keeps the new scores. An area takes minutes; no part of npm test.
//   --one-in N tries one mutant in N of files that were not measured wholly as they are
//   --list     each file: measured as it is or by a sample, changed since, or not measured; measures nothing
//   --accept   keeps lower scores, too
//   --forget   drops the scores of files that are gone, and rewrites docs/mutation.md; measures nothing
//   --check    fails if docs/mutation.md and docs/mutation.json disagree; measures nothing
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDrawn } from './lib/mutantSample.mjs';
import {
  AREAS,
  areaOf,
  fallen,
  hashOf,
  keep,
  problemsOf,
  readKept,
  scoreOf,
  stateOf,
  suitesOf,
} from './lib/mutants.mjs';
import { root } from './lib/project.mjs';

const words = process.argv.slice(2);
const atOneIn = words.indexOf('--one-in');
const oneIn = atOneIn === -1 ? 1 : Number(words.splice(atOneIn, 2)[1]);
const flags = words.filter((word) => word.startsWith('--'));
const wanted = words.filter((word) => !word.startsWith('--'));
const areas = Object.keys(AREAS);

function stop(status, ...lines) {
  for (const line of lines) console.error(line);
  process.exit(status);
}

const unknown = flags.find((flag) => !['--list', '--accept', '--forget', '--check'].includes(flag));
if (unknown) stop(2, `there is no option '${unknown}'; options: --one-in N, --list, --accept, --forget, --check`);
if (!(Number.isInteger(oneIn) && oneIn > 0)) stop(2, '--one-in needs a whole number from 1, such as --one-in 8');
const stranger = wanted.find((word) => !areas.includes(word) && areaOf(word) === undefined);
if (stranger) stop(2, `'${stranger}' is neither an area nor a source of one; areas: ${areas.join(', ')}`);

if (flags.includes('--check')) {
  const problems = problemsOf(root);
  stop(problems.length === 0 ? 0 : 1, ...problems);
}
if (flags.includes('--list')) {
  for (const area of areas)
    for (const { path, state, score } of stateOf(root, area))
      console.log(
        `${area.padEnd(12)}${state.padEnd(15)}${(score === null ? '' : score.toFixed(1)).padStart(5)}  ${path}`,
      );
  process.exit(0);
}
if (flags.includes('--forget')) {
  const left = Object.entries(readKept(root)).filter(([path]) => existsSync(join(root, path)) && areaOf(path));
  keep(root, Object.fromEntries(left));
  process.exit(0);
}

/** The commit that last changed a file. */
function lastCommitOf(path) {
  return execFileSync('git', ['log', '-1', '--format=%h', '--abbrev=9', '--', path], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
}

/** So many sources are measured at once, or a sample of more: what is done is kept, whatever happens to the rest. */
const AT_ONCE = 8;

/** Measures sources of one area. @returns the scores by file */
async function measure(area, sources, part) {
  // Only measuring needs it, and it takes a second to load.
  const { Stryker } = await import('@stryker-mutator/core');
  const hashes = sources.map((path) => hashOf(root, path));
  const results = await new Stryker({
    mutate: sources,
    // Messages may be worded as one likes; tests quote those that matter.
    mutator: { excludedMutations: ['StringLiteral'] },
    testRunner: 'warm',
    plugins: [join(root, 'scripts/lib/warmRunner.mjs')],
    warm: { suites: suitesOf(root, area), oneIn },
    coverageAnalysis: 'perTest',
    // What a module computes when it is loaded belongs to no test, so each such mutant would take all suites of the area.
    ignoreStatic: true,
    concurrency: 1,
    // Patience on a busy machine: a slow test is not a mutant that was noticed.
    timeoutMS: 15_000,
    timeoutFactor: 10,
    dryRunTimeoutMinutes: 60,
    tempDirName: '.lab/mutants',
    cleanTempDir: 'always',
    // Stryker cannot copy links to folders.
    ignorePatterns: [
      'assets/client/server',
      'assets/client/storage',
      'assets/client/lib/dask',
      '.lab',
      'bench',
      'cdk.out',
      'docs',
      'results',
    ],
    reporters: ['clear-text', 'progress-append-only', 'html'],
    htmlReporter: { fileName: `.lab/mutants-${area}-${part}.html` },
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
    allowEmpty: true,
    disableTypeChecks: true,
  }).runMutationTest();
  const scores = {};
  const measured = new Date().toISOString().slice(0, 10);
  for (const [at, path] of sources.entries()) {
    const all = results.filter(
      ({ fileName, status }) => resolve(root, fileName) === join(root, path) && status !== 'Ignored',
    );
    // The results count lines and columns from 1.
    const drawn = all.filter(({ location: { start }, ...mutant }) =>
      isDrawn({ ...mutant, location: { start: { line: start.line - 1, column: start.column - 1 } } }, oneIn),
    );
    const of = (status) => drawn.filter((mutant) => mutant.status === status).length;
    scores[path] = {
      ...{ killed: of('Killed'), timedOut: of('Timeout'), survived: of('Survived'), uncovered: of('NoCoverage') },
      ...(oneIn > 1 && { oneIn, mutants: all.length }),
      ...{ hash: hashes[at], measured, commit: lastCommitOf(path) },
    };
  }
  return scores;
}

let fell = false;
for (const area of areas) {
  const sources = stateOf(root, area)
    .filter(({ path }) => wanted.length === 0 || wanted.includes(area) || wanted.includes(path))
    .filter(({ state }) => oneIn === 1 || state !== 'measured')
    .map(({ path }) => path);
  const atOnce = AT_ONCE * oneIn;
  for (let at = 0; at < sources.length; at += atOnce) {
    const scores = await measure(area, sources.slice(at, at + atOnce), at / atOnce + 1);
    const kept = readKept(root);
    const lower = flags.includes('--accept') ? [] : fallen(kept, scores);
    for (const { path, before, now } of lower)
      console.error(
        `${path}: the score fell from ${before.toFixed(1)} to ${now.toFixed(1)} %: add tests, or keep it with --accept`,
      );
    fell ||= lower.length > 0;
    const risen = Object.entries(scores).filter(([path]) => !lower.some((one) => one.path === path));
    keep(root, { ...kept, ...Object.fromEntries(risen) });
    for (const [path, score] of Object.entries(scores))
      console.log(`${(scoreOf(score)?.toFixed(1) ?? '–').padStart(6)}  ${path}`);
  }
}
process.exit(fell ? 1 : 0);
