// Bundles the command line, the library and the driver into dist/. Node only; esbuild comes with `npm ci`.
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { keepNode, supportedNode } from './lib/node.mjs';

await supportedNode((text) => console.error(`set-up: ${text}`));

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  logLevel: 'warning',
};

/** Includes one package in a bundle that excludes all others. */
function bundled(name) {
  const path = fileURLToPath(import.meta.resolve(name));
  return {
    name: `bundled ${name}`,
    setup: (hooks) => hooks.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path })),
  };
}

await Promise.all([
  // The command line has node_modules beside it: packages stay external and are loaded only by the commands that need them.
  // unbash is ESM only, which `require` cannot load before Node 22.12, so it is bundled.
  // Only the used parts of zod are bundled: as a package it loads 95 files, including its messages in every language.
  build({
    ...common,
    entryPoints: ['bin/fsxbench.ts'],
    outfile: 'dist/fsxbench.js',
    packages: 'external',
    plugins: [bundled('unbash'), bundled('zod')],
    banner: { js: '#!/usr/bin/env node' },
    sourcemap: 'linked',
  }),
  // The library that other programs import: lib/index.ts.
  build({
    ...common,
    entryPoints: ['lib/index.ts'],
    outfile: 'dist/index.js',
    packages: 'external',
  }),
  // The worker thread of `fsxbench estimate`, beside the command line.
  build({
    ...common,
    entryPoints: ['bin/estimateWorker.ts'],
    outfile: 'dist/estimateWorker.js',
    packages: 'external',
    minify: true,
  }),
  // The driver is copied to a client as a single file.
  build({ ...common, entryPoints: ['bin/driver.ts'], outfile: 'dist/driver.js', minify: true, keepNames: true }),
]);
chmodSync(join(root, 'dist/fsxbench.js'), 0o755);

// npm does not link a package's own command, but `npx fsxbench` in this folder should find it.
const link = join(root, 'node_modules/.bin/fsxbench');
mkdirSync(dirname(link), { recursive: true });
rmSync(link, { force: true });
symlinkSync('../../dist/fsxbench.js', link);
keepNode();
