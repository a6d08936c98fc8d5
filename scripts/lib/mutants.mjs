// What mutation testing covers, the scores that are kept, and the page that shows them.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shareInterval } from './mutantSample.mjs';

/**
 * Areas by name: their sources, and the suites that should notice a mutant. Suites that start the lab, a browser or MPI are left out, since they
 * would run once for every mutant.
 */
export const AREAS = {
  // Not the suites that show promises over thousands of series: they would run for hours.
  statistics: { sources: /^lib\/kit\/statistics\/(?!change|index)/, suites: /^kit\/statistics\/(ends|exact)\.test/ },
  changes: { sources: /^lib\/kit\/statistics\/change\.ts$/, suites: /^kit\/statistics\/levels\.test/ },
  cost: {
    sources: /^lib\/cost\//,
    suites: /^(cost\/(cost|refresh)|storage\/(ebs\/ebs|moosefs\/moosefs|openzfs\/openzfs))\.test/,
  },
  rules: {
    sources: /^lib\/storage\/[^/]+\/(rules|rule\/.+)\.ts$/,
    suites:
      /^storage\/(lustre\/(rule\/|rules)|(ebs\/ebs|efs\/efs|lustre-zfs\/lustreZfs|moosefs\/moosefs|mountpoint-s3\/mountpoint|openzfs\/openzfs)\.test)/,
  },
  resume: { sources: /^lib\/run\/resume\.ts$/, suites: /^run\/resume\.test/ },
  runs: {
    sources: /^lib\/(store\/.+|run\/record)\.ts$/,
    suites: /^(store\/|run\/record|analysis\/figures\/readRun|report\/list\/entries)/,
  },
  parse: {
    sources:
      /^lib\/(parse\/.+|workload\/(kit\/parse|[^/]+)\/(agreement|csv|exact|figures|json|launch|lines|rows|slurm|text|textReader|verdict))\.ts$/,
    // Not robustness.test.ts, which parses each output many times.
    suites:
      /^(parse\/(?!robustness)|workload\/(elbencho|ladder|slurmProblems|smallfile|stream)\.|benchmark\/offload\/ladder|run\/ranks|storage\/filesystems)/,
  },
  // Not the suites that show promises over hundreds of runs.
  analysis: {
    sources: /^lib\/analysis\//,
    suites: /^(analysis\/(?!simulatedTruths)|report\/(metrics|purchase|summary|list\/(entries|trends))\.test)/,
  },
};

const filesIn = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name}`)
    .sort();

/** The sources of an area, by their path from the root. */
export const sourcesOf = (root, area) =>
  filesIn(root, 'lib').filter(
    (path) => AREAS[area].sources.test(path) && path.endsWith('.ts') && !path.endsWith('.d.ts'),
  );

/** The suites of an area, by their path from the root. */
export const suitesOf = (root, area) =>
  filesIn(root, 'test').filter(
    (path) => AREAS[area].suites.test(path.slice('test/'.length)) && path.endsWith('.test.ts'),
  );

export const areaOf = (path) => Object.keys(AREAS).find((area) => AREAS[area].sources.test(path));

const noticedOf = ({ killed, timedOut }) => killed + timedOut;
const triedOf = (score) => noticedOf(score) + score.survived + score.uncovered;

/** Mutants that a test noticed, in per cent of those that were tried; `null` without a mutant. */
export const scoreOf = (score) => (triedOf(score) === 0 ? null : (100 * noticedOf(score)) / triedOf(score));

/** A score of a sample has `oneIn`: one mutant of so many was tried, of the `mutants` of the file. */
const isSample = ({ oneIn }) => oneIn !== undefined;

const paths = (root) => ({ kept: join(root, 'docs/mutation.json'), page: join(root, 'docs/mutation.md') });

/** The kept scores by file. */
export function readKept(root) {
  const { kept } = paths(root);
  return existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
}

/** Keeps scores, and renders the page. */
export function keep(root, scores) {
  const { kept, page } = paths(root);
  const sorted = Object.fromEntries(Object.entries(scores).sort(([a], [b]) => (a < b ? -1 : 1)));
  const lines = Object.entries(sorted).map(([path, score]) => `  ${JSON.stringify(path)}: ${JSON.stringify(score)}`);
  writeFileSync(kept, `{\n${lines.join(',\n')}\n}\n`);
  writeFileSync(page, pageOf(sorted));
}

/** Files whose score is lower than the kept one. A sample of other mutants than before must be lower by more than chance. */
export const fallen = (kept, measured) =>
  Object.entries(measured).flatMap(([path, score]) => {
    const [before, now] = [kept[path] && scoreOf(kept[path]), scoreOf(score)];
    if (before == null || now === null) return [];
    const others = score.oneIn !== kept[path].oneIn || (isSample(score) && score.hash !== kept[path].hash);
    const most = others ? shareInterval(noticedOf(score), triedOf(score)).high : now;
    return most >= before ? [] : [{ path, before, now }];
  });

export const hashOf = (root, path) =>
  createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('hex')
    .slice(0, 12);

/** Problems of the committed scores and their page. */
export function problemsOf(root) {
  const scores = readKept(root);
  const gone = Object.keys(scores).filter((path) => !existsSync(join(root, path)) || areaOf(path) === undefined);
  const stale = readFileSync(paths(root).page, 'utf8') !== pageOf(scores);
  return [
    ...gone.map((path) => `docs/mutation.json has a score of ${path}, which no area has: npm run mutants -- --forget`),
    ...(stale ? ['docs/mutation.md is not what docs/mutation.json says: npm run mutants -- --forget'] : []),
  ];
}

/** Each area's sources: measured as they are, wholly or by a sample, changed since, or not measured. */
export function stateOf(root, area) {
  const scores = readKept(root);
  return sourcesOf(root, area).map((path) => {
    const kept = scores[path];
    if (kept === undefined) return { path, state: 'not measured', score: null };
    const asItIs = isSample(kept) ? 'sampled' : 'measured';
    return { path, state: kept.hash === hashOf(root, path) ? asItIs : 'changed since', score: scoreOf(kept) };
  });
}

const plain = (score) => (score === null ? '–' : `${score.toFixed(1)} %`);

function sumOf(scores) {
  const sum = (key) => scores.reduce((total, score) => total + score[key], 0);
  return { killed: sum('killed'), timedOut: sum('timedOut'), survived: sum('survived'), uncovered: sum('uncovered') };
}

/** The share of an area's mutants that tests notice: what was tried wholly counts as it is, samples stand for all mutants of their files. */
function shareOf(scores) {
  const [samples, whole] = [scores.filter(isSample), sumOf(scores.filter((score) => !isSample(score)))];
  if (samples.length === 0) return plain(scoreOf(whole));
  const sampled = sumOf(samples);
  const [noticed, tried] = [noticedOf(sampled), triedOf(sampled)];
  const stoodFor = samples.reduce((total, { mutants }) => total + mutants, 0);
  const all = (per100) => (100 * noticedOf(whole) + per100 * stoodFor) / (triedOf(whole) + stoodFor);
  const { low, high } = shareInterval(noticed, tried);
  return `${plain(all(scoreOf(sampled)))} (${all(low).toFixed(0)} to ${all(high).toFixed(0)} %)`;
}

/** docs/mutation.md: a row for each area, of its files that were measured. */
function pageOf(scores) {
  const rows = Object.keys(AREAS).map((area) => {
    const own = Object.entries(scores)
      .filter(([path]) => areaOf(path) === area)
      .map(([, score]) => score);
    if (own.length === 0) return `| ${area} | – | | | not measured | | | | | |`;
    const sum = sumOf(own);
    const mutants = own.reduce((total, score) => total + (score.mutants ?? triedOf(score)), 0);
    const dates = [...new Set(own.map(({ measured }) => measured))].sort();
    const when = [...new Set([dates[0], dates.at(-1)])].join(' to ');
    const cells = [mutants, triedOf(sum), sum.killed, sum.timedOut, sum.survived, sum.uncovered, shareOf(own), when];
    return `| ${area} | ${own.length} | ${cells.join(' | ')} |`;
  });
  const files = Object.entries(scores)
    .sort(([, a], [, b]) => (scoreOf(a) ?? 101) - (scoreOf(b) ?? 101))
    .map(
      ([path, score]) =>
        `| \`${path}\` | ${plain(scoreOf(score))} | ${score.survived + score.uncovered} | ${isSample(score) ? `${triedOf(score)} of ${score.mutants}` : 'all'} | ${score.commit} |`,
    );
  return `# Mutation testing

A test that passes proves little; a test that fails when the code is wrong proves something. \`npm run mutants -- AREA\` has [Stryker](https://stryker-mutator.io/docs/)
plant bugs in the sources of an area, one at a time (a condition turned round, a \`+\` made a \`-\`, a call left out), and counts those that the area's own tests notice. It
fails if the score of a file is below the one kept in [mutation.json](mutation.json), and keeps it otherwise. An area takes minutes, so it is no part of \`npm test\`.

| area | files | mutants | tried | killed | timed out | survived | not covered | score | measured |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}

Where not all mutants of a file were tried, a sample stands for them (\`--one-in 8\`), and the score comes with the interval that holds the true one 19 times in 20. A row
counts the measured files only; \`npm run mutants -- --list\` names all, and says which were measured as they are, have changed since, or were never measured.
*Killed*: a test failed. *Timed out*: the mutant never came to an end, which counts as noticed. *Not covered*: no test of the area runs the line. Texts are not mutated
(tests quote the messages that matter), nor what a module computes when it is loaded, such as tables and patterns: each of those mutants would take all tests of the
area. Some survivors are no bugs, since the mutant does the same by another way; others only a suite notices that is left out here because it would run for minutes once for
every mutant, such as the one that cuts each output at each byte. So a score is a lower bound. \`scripts/lib/mutants.mjs\` says what belongs to an area.

All suites of an area are loaded once and mutants switched on one by one, tens of milliseconds each (\`scripts/lib/warmRunner.mjs\`): Jest, which loads the suites anew for
each mutant, took 2 to 9 seconds.

| file | score | survivors | tried | as of commit |
|---|---|---|---|---|
${files.join('\n')}
`;
}
