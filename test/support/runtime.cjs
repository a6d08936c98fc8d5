const { createRequire } = require('node:module');
const { default: Runtime } = require('jest-runtime');

/** Packages that hold no state that a test changes, and what they load themselves. */
const NAMES = 'aws-cdk-lib|constructs|cdk-nag|typescript|zod|jsdom|parse5';
const SHARED = new RegExp(`^(${NAMES})(/|$)`);
const WITHIN = new RegExp(`/node_modules/(${NAMES})/`);
/** A helper of the CDK that calls `afterAll` itself. */
const OWN = 'aws-cdk-lib/testhelpers/jest-autoclean';

// A package of the CDK wraps process.chdir when it is loaded: it must before a suite gets its own `process`.
createRequire(require.resolve('aws-cdk-lib'))('graceful-fs');

/** Loads large packages once for all suites of a process: a copy for each suite takes more time than most of the suites. */
module.exports = class SharingRuntime extends Runtime {
  requireModuleOrMock(from, name) {
    const isLarge = name === OWN ? false : SHARED.test(name) || WITHIN.test(from);
    return isLarge && !this.mockState.shouldMockCjs(from, name).shouldMock
      ? createRequire(from)(name)
      : super.requireModuleOrMock(from, name);
  }
};
