// Bundles the command line, the library and the driver into dist/. Node only; esbuild comes with `npm ci`.
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
};

/** Takes one package into a bundle that leaves all others outside. */
function bundled(name) {
  const path = fileURLToPath(import.meta.resolve(name));
  return {
    name: `bundled ${name}`,
    setup: (hooks) => hooks.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path })),
  };
}

await Promise.all([
  // The command line lives beside node_modules: packages stay outside and are loaded only by the command that needs them.
  // unbash exists as an ES module only, which `require` cannot load before Node 20.19: it goes into the bundle.
  // Of zod the bundle takes what is used: as a package it loads 95 files, its messages in every language among them.
  build({
    ...common,
    entryPoints: ['bin/fsxbench.ts'],
    outfile: 'dist/fsxbench.js',
    packages: 'external',
    plugins: [bundled('unbash'), bundled('zod')],
    banner: { js: '#!/usr/bin/env node' },
    sourcemap: 'linked',
  }),
  // What other programs import: lib/index.ts.
  build({
    ...common,
    entryPoints: ['lib/index.ts'],
    outfile: 'dist/index.js',
    packages: 'external',
  }),
  // A thread of `fsxbench estimate`, beside the command line.
  build({
    ...common,
    entryPoints: ['bin/estimateWorker.ts'],
    outfile: 'dist/estimateWorker.js',
    packages: 'external',
    minify: true,
  }),
  // The driver travels alone to a client.
  build({ ...common, entryPoints: ['bin/driver.ts'], outfile: 'dist/driver.js', minify: true, keepNames: true }),
]);
chmodSync(join(root, 'dist/fsxbench.js'), 0o755);

// npm links a package's own command nowhere, and `npx fsxbench` in this folder should find it.
const link = join(root, 'node_modules/.bin/fsxbench');
mkdirSync(dirname(link), { recursive: true });
rmSync(link, { force: true });
symlinkSync('../../dist/fsxbench.js', link);
