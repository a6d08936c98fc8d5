const hangGuard = require('./test/support/hang-guard.json');

// swc does not check types: `npm test` runs tsc as well.
// Observable Plot, d3 and unbash are published as ES modules only, so swc rewrites them too.
const esModules = [
  '@observablehq',
  'd3',
  'd3-[a-z-]+',
  'internmap',
  'delaunator',
  'robust-predicates',
  'isoformat',
  'interval-tree-1d',
  'binary-search-bounds',
  'unbash',
];

module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  runtime: '<rootDir>/test/support/runtime.cjs',
  testSequencer: '<rootDir>/test/support/longestFirst.cjs',
  reporters: ['default', '<rootDir>/test/support/stillRunning.cjs'],
  globalSetup: '<rootDir>/test/support/makeTemporary.cjs',
  globalTeardown: '<rootDir>/test/support/removeTemporary.cjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/ownState.ts'],
  transform: {
    '\\.css$': '<rootDir>/test/support/asText.cjs',
    '\\.[cm]?[jt]s$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esModules.join('|')})/)`],
  snapshotFormat: { escapeString: false, printBasicPrototype: false },
  // A guard against what hangs, the only one (test/support/patience.ts): no test knows how fast the machine is.
  testTimeout: 2 * hangGuard.seconds * 1000,
  // Test files run in a context of their own, where each look at a global is slow: what loops look at comes as a parameter, and
  // statistics run four times as fast. A module that declares one of these names itself fails to load, and says so.
  sandboxInjectedGlobals: [
    ...['Array', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Set', 'String'],
    // The CDK asks of each number whether it stands for another value.
    ...['ArrayBuffer', 'Float64Array', 'Uint32Array'],
  ],
  // One more than two cores: a third of the time tests wait for other processes.
  maxWorkers: 3,
};
