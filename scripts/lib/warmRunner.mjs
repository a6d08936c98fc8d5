// A test runner for Stryker that loads the suites of an area once and then runs single tests: milliseconds for a mutant instead of the seconds that
// Jest needs to load all suites anew. It knows describe, test, each, hooks, expect with inline snapshots and jest.spyOn; a suite that needs more fails
// in the dry run. What a process remembers could falsify results, so
// - the dry run runs all tests twice: where the second time does not reach a mutant that the first did (something is remembered), that mutant is tried
//   with everything loaded anew; a suite whose tests fail the second time is evaluated anew each time;
// - after each mutant that a test noticed, the test runs again without it; if it still fails, everything is loaded anew and the mutant tried again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { isDrawn } from './mutantSample.mjs';

/** How Stryker names the outcomes (https://github.com/stryker-mutator/stryker-js/tree/master/packages/api/src/test-runner). */
const [PASSED, FAILED] = [0, 1];

// Both are those of the project: of its copy, in which Stryker starts the runner.
let load;
let loadOfJest;

/** Stands for a test while a block prepares its tests. */
const BEFORE = '(before)';
const HOOKS = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'];

const blockOf = (parent, name) => ({
  parent,
  name,
  children: [],
  ...Object.fromEntries(HOOKS.map((hook) => [hook, []])),
});
const nameOf = (block) => [block.parent?.parent && nameOf(block.parent), block.name].filter(Boolean).join(' ');
const failed = ({ status }) => status === FAILED;
const testsOf = (block) => block.children.flatMap((child) => (child.children ? testsOf(child) : [child]));

/** Makes describe, test, hooks, expect and jest global; `into` says which block is being defined. */
function defineGlobals(into) {
  const each = loadOfJest('jest-each').bind;
  const describe = (name, define) => {
    const parent = into.block;
    into.block = blockOf(parent, String(name));
    parent.children.push(into.block);
    define();
    into.block = parent;
  };
  const test = (name, body) => into.block.children.push({ parent: into.block, name: String(name), body });
  const hook = (kind) => (body) => void into.block[kind].push(body);
  const { expect } = loadOfJest('expect');
  const { toMatchInlineSnapshot } = loadOfJest('jest-snapshot');
  const { spyOn } = loadOfJest('jest-mock');
  expect.extend({ toMatchInlineSnapshot });
  Object.assign(globalThis, {
    ...{ describe: Object.assign(describe, { each: each(describe, false) }), expect },
    ...{ test: Object.assign(test, { each: each(test, false) }), it: test, jest: { spyOn } },
    ...Object.fromEntries(HOOKS.map((kind) => [kind, hook(kind)])),
  });
}

/** Lets `require` read TypeScript, by the project's own settings for Jest. */
function readTypeScript({ transform }) {
  const { transformSync } = load('@swc/core');
  const [[, settings]] = Object.values(transform);
  const compiled = new Map();
  Module._extensions['.ts'] = (module, filename) => {
    if (!compiled.has(filename))
      compiled.set(
        filename,
        transformSync(readFileSync(filename, 'utf8'), { ...settings, filename, swcrc: false }).code,
      );
    module._compile(compiled.get(filename), filename);
  };
  // As with Jest, './prices' is prices.ts rather than prices.json.
  const { '.json': json } = Module._extensions;
  delete Module._extensions['.json'];
  Module._extensions['.json'] = json;
}

// The sources that Stryker prepared ask this for the mutant to be, and count here what they reach.
globalThis.__stryker__ ??= {};

class WarmRunner {
  stryker = globalThis.__stryker__;
  into = { block: null };
  suites = new Map();
  stray = [];
  /** The tests that noticed the last mutants, the latest first. */
  noticed = [];

  constructor({ warm: { suites, oneIn = 1 } }) {
    this.files = suites;
    this.oneIn = oneIn;
    this.known = { times: {}, fresh: [], reevaluated: [] };
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  init() {
    this.project = process.cwd();
    load = createRequire(join(this.project, 'package.json'));
    // What Jest itself is made of.
    loadOfJest = createRequire(load.resolve('jest/package.json'));
    // Stryker removes the copy of the project at the end, and with it what tests leave in the temporary folder.
    process.env.TMPDIR = join(this.project, 'tmp');
    mkdirSync(process.env.TMPDIR, { recursive: true });
    this.config = load('./jest.config.cjs');
    defineGlobals(this.into);
    readTypeScript(this.config);
    for (const event of ['unhandledRejection', 'uncaughtException'])
      process.on(event, (error) => this.stray.push(error));
    this.kept = join(this.project, 'warm.json');
    if (existsSync(this.kept)) this.known = JSON.parse(readFileSync(this.kept, 'utf8'));
    this.loadAll();
  }

  loadAll() {
    for (const path of Object.keys(load.cache)) if (!path.includes('/node_modules/')) delete load.cache[path];
    this.root = blockOf(null, '');
    this.into.block = this.root;
    for (const file of this.config.setupFilesAfterEnv) load(file.replace('<rootDir>', this.project));
    // It goes with the copy of the project.
    this.root.afterAll = [];
    for (const file of this.files) this.evaluate(file);
  }

  evaluate(file) {
    const path = join(this.project, file);
    delete load.cache[path];
    const suite = blockOf(this.root, '');
    this.into.block = suite;
    load(path);
    const seen = new Map();
    for (const one of testsOf(suite)) {
      const name = `${file}: ${nameOf(one)}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
      one.id = seen.get(name) === 1 ? name : `${name} (${seen.get(name)})`;
    }
    const { SnapshotState } = loadOfJest('jest-snapshot');
    const { snapshotFormat } = this.config;
    suite.snapshotState = new SnapshotState(`${path}.snap`, {
      updateSnapshot: 'none',
      rootDir: this.project,
      snapshotFormat,
    });
    this.suites.set(file, suite);
  }

  /** Runs tests until one fails, or all. @returns their results */
  async run(ids, { toTheEnd = false } = {}) {
    const wanted = ids === null ? null : new Set(ids);
    const results = [];
    const chosen = (block) => testsOf(block).filter(({ id }) => wanted === null || wanted.has(id));
    const cost = (file) => chosen(this.suites.get(file)).reduce((sum, { id }) => sum + (this.known.times[id] ?? 0), 0);
    const order = this.files
      .filter((file) => chosen(this.suites.get(file)).length > 0)
      .map((file) => ({ file, cost: cost(file) }))
      .sort((a, b) => a.cost - b.cost);
    for (const { file } of order) {
      if (this.known.reevaluated.includes(file)) this.evaluate(file);
      const suite = this.suites.get(file);
      const enough = () => !toTheEnd && results.some(failed);
      await this.runBlock(suite, { file, suite, chosen, results, enough });
      if (enough()) break;
    }
    return results;
  }

  async runBlock(block, of) {
    const tests = of.chosen(block);
    if (tests.length === 0) return;
    const settled = (problem) => {
      for (const { id } of tests) {
        const known = of.results.find((result) => result.id === id);
        if (known) Object.assign(known, { status: FAILED, failureMessage: String(problem) });
        else of.results.push(this.resultOf(id, of.file, 0, problem));
      }
    };
    try {
      await this.coveredBy(tests, async () => {
        for (const hook of block.beforeAll) await hook();
      });
      for (const child of block.children) {
        if (of.enough()) break;
        if (child.children) await this.runBlock(child, of);
        else if (tests.includes(child)) await this.runTest(child, of);
      }
    } catch (error) {
      settled(error);
    }
    try {
      for (const hook of block.afterAll) await hook();
    } catch (error) {
      settled(error);
    }
  }

  async runTest(one, { file, suite, results }) {
    const blocks = [];
    for (let block = one.parent; block !== null; block = block.parent) blocks.unshift(block);
    this.stryker.currentTestId = one.id;
    globalThis.expect.setState({
      ...{ currentTestName: nameOf(one), testPath: file, suppressedErrors: [] },
      snapshotState: suite.snapshotState,
    });
    this.stray.length = 0;
    const started = performance.now();
    const problems = [];
    const attempt = async (body) => {
      try {
        await body();
      } catch (error) {
        problems.push(error);
      }
    };
    await attempt(async () => {
      for (const block of blocks) for (const hook of block.beforeEach) await hook();
      await one.body();
    });
    for (const block of blocks.reverse()) for (const hook of block.afterEach) await attempt(hook);
    // Where a snapshot differs, `expect` goes on and keeps the error.
    problems.push(...this.stray, ...globalThis.expect.getState().suppressedErrors);
    results.push(this.resultOf(one.id, file, performance.now() - started, problems[0]));
    this.stryker.currentTestId = undefined;
  }

  resultOf(id, file, timeSpentMs, problem) {
    return {
      ...{ id, name: id, file, fileName: join(this.project, file), timeSpentMs },
      ...(problem === undefined
        ? { status: PASSED }
        : { status: FAILED, failureMessage: String(problem?.stack ?? problem) }),
    };
  }

  /** What a block does before its tests is covered by each of them. */
  async coveredBy(tests, body) {
    this.stryker.currentTestId = BEFORE;
    await body();
    this.stryker.currentTestId = undefined;
    const { perTest } = this.stryker.mutantCoverage ?? { perTest: {} };
    for (const [mutant, hits] of Object.entries(perTest[BEFORE] ?? {}))
      for (const { id } of tests) {
        perTest[id] ??= {};
        perTest[id][mutant] = (perTest[id][mutant] ?? 0) + hits;
      }
    delete perTest[BEFORE];
  }

  async dryRun() {
    const tests = await this.run(null, { toTheEnd: true });
    const mutantCoverage = structuredClone(this.stryker.mutantCoverage);
    if (tests.some(failed)) return { status: 'complete', tests, mutantCoverage };
    this.known.times = Object.fromEntries(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
    const again = async () => {
      this.stryker.mutantCoverage.perTest = {};
      return (await this.run(null, { toTheEnd: true })).filter(failed);
    };
    this.known.reevaluated = [...new Set((await again()).map(({ file }) => file))];
    if (this.known.reevaluated.length > 0) {
      const [still] = await again();
      if (still)
        return { status: 'error', errorMessage: `'${still.id}' fails when it runs again: ${still.failureMessage}` };
    }
    const { perTest } = this.stryker.mutantCoverage;
    const lost = Object.entries(mutantCoverage.perTest).flatMap(([id, mutants]) =>
      Object.keys(mutants).filter((mutant) => !perTest[id]?.[mutant]),
    );
    this.known.fresh = [...new Set(lost)];
    writeFileSync(this.kept, JSON.stringify(this.known));
    return { status: 'complete', tests, mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    if (this.oneIn > 1 && !isDrawn(activeMutant, this.oneIn))
      return { status: 'error', errorMessage: 'the sample does not hold it' };
    const { id } = activeMutant;
    const attempt = async () => {
      Object.assign(this.stryker, { activeMutant: id, hitCount: 0, hitLimit });
      // What noticed the mutants before notices the next one more often than not.
      const first = testFilter.filter((test) => this.noticed.includes(test));
      let results = await this.run(first);
      if (!results.some(failed)) results = await this.run(testFilter.filter((test) => !first.includes(test)));
      const endless = hitLimit !== undefined && this.stryker.hitCount > hitLimit;
      Object.assign(this.stryker, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
      return { endless, killer: results.find(failed) };
    };
    if (this.known.fresh.includes(id)) this.loadAll();
    let outcome = await attempt();
    const spoiled = async () => outcome.killer !== undefined && (await this.run([outcome.killer.id])).some(failed);
    if (await spoiled()) {
      this.loadAll();
      outcome = await attempt();
      if (await spoiled()) this.loadAll();
    }
    const { endless, killer } = outcome;
    const nrOfTests = testFilter.length;
    if (endless) return { status: 'timeout', reason: `more than ${hitLimit} hits` };
    if (killer === undefined) return { status: 'survived', nrOfTests };
    this.noticed = [killer.id, ...this.noticed.filter((test) => test !== killer.id)].slice(0, 5);
    return { status: 'killed', killedBy: [killer.id], failureMessage: killer.failureMessage, nrOfTests };
  }
}

function createRunner(options) {
  return new WarmRunner(options);
}
createRunner.inject = ['options'];

export const strykerPlugins = [{ kind: 'TestRunner', name: 'warm', factory: createRunner }];
export const strykerValidationSchema = {
  properties: {
    warm: {
      type: 'object',
      properties: { suites: { type: 'array', items: { type: 'string' } }, oneIn: { type: 'number' } },
    },
  },
};
