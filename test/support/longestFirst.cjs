const { existsSync } = require('node:fs');
const { join } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Seconds of the suites that took longest on two cores. A fresh checkout begins with them, so that none is left alone at the end. */
const SECONDS = {
  'lab/quickstart': 277,
  'deploy/lint': 160,
  'lab/tutorial': 155,
  'lab/lab': 109,
  'lab/deploy': 106,
  'lab/metadata': 103,
  'docs/commands': 134,
  'report/browser': 92,
  'storage/lustre/scale/measure': 87,
  'faults/matrix': 87,
  'lab/slurm': 73,
  'lab/expiry': 63,
  'bin/app': 61,
  'lab/model/interrupted': 57,
  'hostile/run': 56,
};

const gone = Object.keys(SECONDS).filter((suite) => !existsSync(join(__dirname, '..', `${suite}.test.ts`)));
if (gone.length > 0)
  throw new Error(`'SECONDS' of ${__filename} must name suites, got ${gone.join(', ')}: rename or remove them`);

module.exports = class LongestFirst extends Sequencer {
  static SECONDS = SECONDS;

  /** Milliseconds: what a suite took here the last time is known better. Without any jest would go by the size of files. */
  time(test) {
    const name = Object.keys(SECONDS).find((suite) => test.path.endsWith(`test/${suite}.test.ts`));
    return super.time(test) ?? 1000 * (SECONDS[name] ?? 1);
  }
};
