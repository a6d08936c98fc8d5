const { existsSync } = require('node:fs');
const { join } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Seconds of the longest suites on two cores. A fresh checkout begins with them: otherwise one would run alone at the end. */
const SECONDS = require('./longest.json');

const gone = Object.keys(SECONDS).filter((suite) => !existsSync(join(__dirname, '..', `${suite}.test.ts`)));
if (gone.length > 0)
  throw new Error(`longest.json in ${__dirname} must name suites, got ${gone.join(', ')}: rename or remove them`);

module.exports = class LongestFirst extends Sequencer {
  /** Milliseconds: what a suite took here the last time is known better. Without any jest would go by the size of files. */
  time(test) {
    const name = Object.keys(SECONDS).find((suite) => test.path.endsWith(`test/${suite}.test.ts`));
    return super.time(test) ?? 1000 * (SECONDS[name] ?? 1);
  }
};
