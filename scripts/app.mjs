// The app of cdk.json: bundles bin/app.ts from its sources and runs it, in one process. The bundle is not stored, so that no stale
// build can be synthesised. docs/decisions/synthesis.md gives the reasons, with figures.
import { readFile } from 'node:fs/promises';
import { Module } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { supportedNode } from './lib/node.mjs';

await supportedNode((text) => console.error(text));

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Sources find their assets relative to their own folder, which a bundle would lose. */
const ownFolders = {
  name: 'own folders',
  setup: (hooks) =>
    hooks.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('__dirname')) return undefined;
      return { contents: source.replaceAll('__dirname', JSON.stringify(dirname(path))), loader: 'ts' };
    }),
};

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
  plugins: [ownFolders],
});
const [map, code] = outputFiles.sort((a, b) => b.path.length - a.path.length);

/** Runs a bundle as if it were beside its source. */
function run(text) {
  const app = new Module(join(root, 'bin', 'app.js'));
  app.filename = app.id;
  app.paths = Module._nodeModulePaths(dirname(app.filename));
  app._compile(text, app.filename);
}

// Reading the map takes a tenth of the time, and only a stack trace needs it: where one is to be printed, the application runs anew with the map.
try {
  run(code.text);
} catch {
  process.setSourceMapsEnabled(true);
  const address = `data:application/json;base64,${Buffer.from(map.contents).toString('base64')}`;
  run(`${code.text}\n//# sourceMappingURL=${address}\n`);
}
