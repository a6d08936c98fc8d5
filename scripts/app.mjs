// The app of cdk.json: bundles bin/app.ts from its sources and runs it, in one process. The bundle is not stored: a stale build can never be
// synthesised. docs/decisions/synthesis.md gives the reasons, with figures.
import { Module } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { supportedNode } from './lib/node.mjs';
import { root } from './lib/project.mjs';

await supportedNode();

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['bin/app.ts'],
  outfile: 'bin/app.js',
  write: false,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  packages: 'external',
  sourcemap: 'external',
  logLevel: 'warning',
});
const [map, code] = outputFiles.sort((a, b) => b.path.length - a.path.length);

/** Runs a bundle as if it were next to its source. */
function run(text) {
  const app = new Module(join(root, 'bin', 'app.js'));
  app.filename = app.id;
  app.paths = Module._nodeModulePaths(dirname(app.filename));
  app._compile(text, app.filename);
}

// Reading the source map takes a tenth of the time, and only a stack trace needs it: for an error, the application runs again with the map.
try {
  run(code.text);
} catch {
  process.setSourceMapsEnabled(true);
  const address = `data:application/json;base64,${Buffer.from(map.contents).toString('base64')}`;
  run(`${code.text}\n//# sourceMappingURL=${address}\n`);
}
