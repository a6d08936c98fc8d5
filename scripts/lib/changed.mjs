// npm test -- --changed: the files that differ from main, and the tests nearest to them.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './project.mjs';

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout;
const isFile = (file) => file !== '' && statSync(join(root, file), { throwIfNoEntry: false })?.isFile() === true;
const filesOf = (...args) =>
  git(...args, '-z')
    .split('\0')
    .filter(isFile);

const listed = (name) => JSON.parse(readFileSync(join(root, 'test/support', name), 'utf8'));

/** Suites that only `npm test -- --all` runs. */
export const ONLY_IN_ALL = listed('all.json');

/** Suites that take half a minute and more: `--changed` leaves them to the whole of `npm test`. */
const LONG = [
  ...ONLY_IN_ALL,
  ...Object.entries(listed('longest.json')).flatMap(([suite, seconds]) => (seconds < 30 ? [] : [suite])),
];
const isLong = (suite) => LONG.includes(suite.replace(/^test\/|\.test\.ts$/g, ''));

/** Suites that hold pages to rules, which no test names one by one. */
const OF_PAGES = ['test/docs/lines.test.ts', 'test/docs/links.test.ts'];

/** Pages below docs/reference are generated: from options, settings, findings and schemas, which any source may change. */
const OF_SOURCES = ['test/docs/reference.test.ts', 'test/architecture.test.ts'];

/** Suites that reach sources through a registry, or through a whole report. */
const OF_MANY = [
  [/^lib\/workload\//, 'test/parse/reports.test.ts', 'test/lint/rules.test.ts', 'test/workload/lint.test.ts'],
  [/^lib\/workload\/common\//, 'test/workload/contract.test.ts'],
  [
    /^lib\/benchmark\//,
    'test/plan/plan.test.ts',
    'test/benchmark/cluster/cluster.test.ts',
    'test/benchmark/studies.test.ts',
  ],
  [/^lib\/(report|analysis)\//, 'test/report/answers.test.ts', 'test/report/summary.test.ts'],
  [/^lib\/estimate\//, 'test/estimate/tree.test.ts', 'test/estimate/allocation.test.ts'],
  [/^lib\/workload\/(fi_pingpong|iperf3|lst|proc-stat|rung|zfs-tools)\//, 'test/workload/ladder.test.ts'],
  [/^lib\/workload\/(common|fio|ior|elbencho)\//, 'test/analysis/stragglers.test.ts', 'test/workload/common.test.ts'],
  [/^lib\/workload\/(command|darshan|dask|lazyload)\//, 'test/parse/programs.test.ts'],
  [/^lib\/(analysis|claims|report)\//, 'test/report/recordedRuns.test.ts'],
  [/^lib\/analysis\//, 'test/analysis/specialRuns.test.ts'],
  [/^lib\/(constructs\/)?storage\//, 'test/storage/contract.test.ts'],
  [/^lib\/(storage|price)\//, 'test/storage/figures.test.ts'],
  [/^lib\/(dashboard\/|storage\/.*(dashboard|graphs|metricTable|gp3))/, 'test/storage/dashboards.test.ts'],
  [/^lib\/storage\/lustre\//, 'test/storage/lustre/rulesProperties.test.ts'],
  [
    /^lib\/(predict\/|storage\/.*(limits|prediction|documented|types))/,
    'test/cli/predict.test.ts',
    'test/predict/documented.test.ts',
  ],
  [/^lib\/(advise\/|storage\/.*(candidates|metadataNeed|search))/, 'test/advise/cheapest.test.ts'],
  [/^lib\/storage\/(search|common\/fsx|[\w-]+\/(index|search))\.ts$/, 'test/doctor/aws/leftovers.test.ts'],
  [/^lib\/storage\/common\//, 'test/storage/filesystems.test.ts'],
  [/^lib\/doctor\/aws\//, 'test/doctor/guarded.test.ts'],
  [/^lib\/.*alarms/i, 'test/deploy/dashboard/alarms.test.ts'],
  [/^lib\/(cli\/)?scale\//, 'test/scale/cli.test.ts'],
  [/^lib\/cli\/(render|input|start)\//, 'test/cli/program.test.ts', 'test/cli/advise.test.ts'],
  [/^lib\/run\/(driver|clients)\//, 'test/run/task/settle.test.ts', 'test/run/driver/failures.test.ts'],
  [/^assets\/client\/lib\/(storage|devices)\.sh$/, 'test/storage/lustre/mount.bats', 'test/storage/ebs/mount.bats'],
];

/** Checks that run all tests of a folder in Python. */
const OF_PYTHON = { python: /^(assets\/lab\/fsxbench_lab|test\/lab\/python)\//, dask: /^(assets|test)\/dask\// };

/** Imports of a source, as files of the project without their ending. */
const importsOf = (file, text) =>
  [...text.matchAll(/(?:from|import|require\() ?'(\.[^']+?)(?:\.ts)?'/g)].map(([, path]) => join(dirname(file), path));

/** Files that differ from main, or are not committed yet. */
export function changedFiles() {
  const base = git('merge-base', 'HEAD', 'main').trim() || 'HEAD';
  return [...filesOf('diff', '--name-only', base), ...filesOf('ls-files', '--others', '--exclude-standard')];
}

/** The pattern that finds a file in a text: its name, which must end a path if it is a plain word such as mount. */
function nameIn(file) {
  const name = basename(file);
  return /^[a-z]+$/.test(name) ? new RegExp(`['"/]${name}(?![\\w.-])`) : new RegExp(name.replaceAll(/[.+]/g, '\\$&'));
}

/** Files of a kind that import one of these, name it or are it. */
function near(files, ...kinds) {
  const endings = [/\.ts$/, /(\/index)?\.ts$/];
  const sources = new Set(files.flatMap((file) => endings.map((ending) => file.replace(ending, ''))));
  const named = files.filter((file) => !/\.(ts|md)$/.test(file)).map(nameIn);
  return filesOf('ls-files', '--cached', '--others', '--exclude-standard', ...kinds).filter((file) => {
    if (files.includes(file)) return true;
    const text = readFileSync(join(root, file), 'utf8');
    return importsOf(file, text).some((path) => sources.has(path)) || named.some((name) => name.test(text));
  });
}

/** The suites nearest to a file: those that import or name it, else those of the files that do. Others are left to the whole of `npm test`. */
function suitesOf(files) {
  const suites = near(files, 'test/*.test.ts', 'test/*.bats');
  const further = suites.length > 0 ? [] : near(files, 'lib/*.ts', 'test/*.ts', 'assets/*');
  return further.some((file) => !files.includes(file)) ? suitesOf(further) : suites;
}

/** The most suites of a folder that are near to every source of the same folder in lib. */
const MOST_BESIDE = 13;

/**
 * Suites called as the file or its folder, or in its folder of test, which reach it through a registry or another program: test/parse/fio.test.ts for
 * lib/workload/fio/json.ts, test/client/client-load.bats for assets/client/lib/client-load.mjs.
 */
function suitesCalled(file) {
  const [, top, part, folder, name] = /^(lib|assets)\/([^/]+)\/(?:.*?([^/]+)\/)?([^/]+?)(?:\.\w+)?$/.exec(file) ?? [];
  if (top === 'assets') {
    // A program may choose a module by its name or folder at run time.
    const users = file.endsWith('.mjs') ? near([dirname(file), file], 'assets/*.mjs') : [];
    const names = [name, ...users.map((user) => basename(user, '.mjs'))];
    const called = filesOf('ls-files', 'test/*.bats').filter((suite) => names.includes(basename(suite, '.bats')));
    // A shell library is tested through the programs that source it, unless nearly all of them do.
    const sourcing = file.endsWith('.sh') ? near([file], 'assets/*').filter((user) => user !== file) : [];
    return sourcing.length === 0 || sourcing.length > MOST_BESIDE
      ? called
      : [...called, ...near(sourcing, `test/${part}/*.bats`)];
  }
  const suites = filesOf('ls-files', 'test/*.test.ts');
  const called = suites.filter((suite) => {
    const own = basename(suite, '.test.ts');
    return own === folder || (own === name && suite.startsWith(`test/${part}/`));
  });
  const beside = suites.filter((suite) => dirname(suite) === dirname(file).replace(/^lib/, 'test'));
  return beside.length > MOST_BESIDE ? called : [...called, ...beside];
}

/** The suites nearest to files, by what runs them; `python` names checks, `left` take too long. */
export function nearest(files) {
  const pages = files.some((file) => file.endsWith('.md')) ? OF_PAGES : [];
  const sources = files.some((file) => /^(lib|bin)\/.*\.ts$/.test(file)) ? OF_SOURCES : [];
  const all = [
    ...new Set([
      ...files.flatMap((file) => [...suitesOf([file]), ...suitesCalled(file)]),
      ...OF_MANY.flatMap(([of, ...suites]) => (files.some((file) => of.test(file)) ? suites : [])),
      ...pages,
      ...sources,
    ]),
  ];
  const ofKind = (ending) => all.filter((suite) => !isLong(suite) && suite.endsWith(ending));
  const python = Object.keys(OF_PYTHON).filter((check) => files.some((file) => OF_PYTHON[check].test(file)));
  return { jest: ofKind('.ts'), bats: ofKind('.bats'), python, left: all.filter(isLong) };
}

/** Those of some programs that suites name, or the files of test/ that they import. */
export function programsOf(suites, programs) {
  const texts = suites.flatMap((suite) => {
    const text = readFileSync(join(root, suite), 'utf8');
    const imported = importsOf(suite, text).map((path) => `${path}.ts`);
    return [
      text,
      ...imported
        .filter((path) => path.startsWith('test/') && isFile(path))
        .map((path) => readFileSync(join(root, path), 'utf8')),
    ];
  });
  const words = new Set(texts.flatMap((text) => text.match(/[\w.-]+/g) ?? []));
  return programs.filter((name) => words.has(name));
}
