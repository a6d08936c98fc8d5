// Bundles the command line, the library and the driver into dist/. Node only; esbuild comes with `npm ci`.
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
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

/** unbash is an ES module only, which `require` cannot load before Node 22.12: dist/ has it as CommonJS, once for all bundles. */
const unbashBeside = {
  name: 'unbash beside',
  setup: (hooks) => hooks.onResolve({ filter: /^unbash$/ }, () => ({ path: './unbash.js', external: true })),
};

/** As small as it gets within two seconds. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/** Replaces packages by empty ones. */
function absent(filter) {
  return {
    name: 'absent',
    setup: (hooks) => {
      hooks.onResolve({ filter }, ({ path }) => ({ path, namespace: 'absent' }));
      hooks.onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
    },
  };
}

const data = join(root, 'dist/data');
mkdirSync(data, { recursive: true });

/** Writes the large tables to dist/data/, where the bundles read them: each would have a copy of its own. */
const sharedTables = {
  name: 'shared tables',
  setup: (hooks) =>
    hooks.onResolve({ filter: /\/(?:instanceTypes|offerings|prices)\.json$/ }, ({ path, resolveDir }) => {
      const name = basename(path);
      writeFileSync(join(data, name), JSON.stringify(JSON.parse(readFileSync(join(resolveDir, path), 'utf8'))));
      return { path: `./data/${name}`, external: true };
    }),
};

/** Loads a module of Node.js when something of it is used: those that a command line rarely needs take milliseconds each, at every start. */
const loadedWhenUsed = {
  name: 'loaded when used',
  setup: (hooks) => {
    hooks.onResolve({ filter: /^node:(?:crypto|child_process|http|stream|timers|worker_threads|zlib)/ }, (asked) =>
      asked.namespace === 'used' ? { path: asked.path, external: true } : { path: asked.path, namespace: 'used' },
    );
    hooks.onLoad({ filter: /./, namespace: 'used' }, async ({ path }) => ({
      contents: `for (const name of ${JSON.stringify(Object.keys(await import(path)))})
        Object.defineProperty(exports, name, { enumerable: true, get: () => require('${path}')[name] });`,
    }));
  },
};

/**
 * V8 keeps a source in half the memory, and reads it in half the time, where each of its characters is ASCII. esbuild writes others as escapes, but in regular
 * expressions and tagged templates.
 */
const ascii = {
  name: 'ascii',
  setup: (hooks) =>
    hooks.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        /[^\0-\x7f]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
      loader: 'ts',
    })),
};

/** Entries of the package, as package.json's `exports` names them. */
const ENTRIES = ['index', 'constructs', 'schemas'];

await Promise.all([
  // The command line has node_modules beside it: packages stay external and are loaded only by the commands that need them.
  // Only the used parts of zod are bundled: as a package it loads 95 files, including its messages in every language. commander is of use to
  // every command, and loads child_process, which few need.
  build({
    ...common,
    entryPoints: ['bin/cli.ts'],
    outfile: 'dist/cli.js',
    packages: 'external',
    plugins: [ascii, unbashBeside, bundled('zod'), bundled('commander'), loadedWhenUsed, sharedTables],
    sourcemap: 'linked',
    minify: true,
  }),
  build({
    ...common,
    entryPoints: ['bin/fsxbench.ts'],
    outfile: 'dist/fsxbench.js',
    external: ['./cli.js'],
    // A third of the memory of a large report would be short-lived objects that wait for a collection.
    banner: { js: '#!/usr/bin/env -S node --max-semi-space-size=8' },
    minify: true,
  }),
  // What other programs import. zod stays a package: schemas must be of the one that those programs have.
  build({
    ...common,
    entryPoints: ENTRIES.map((name) => `lib/${name}.ts`),
    outdir: 'dist',
    packages: 'external',
    plugins: [ascii, unbashBeside, sharedTables],
    sourcemap: 'linked',
    minify: true,
  }),
  // The page of `fsxbench explore`: the same advise and predict, for a browser. What asks a machine or AWS is left out.
  build({
    ...common,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    entryPoints: ['bin/explore.ts'],
    write: false,
    minify: true,
    plugins: [absent(/^(?:node:|@aws-sdk\/|@bokuweb\/|unbash$|cephes$|commander$|jsdom$)/)],
  }).then(({ outputFiles }) =>
    writeFileSync(join(root, 'dist/explore.js.br'), brotliCompressSync(outputFiles[0].contents, BROTLI)),
  ),
  build({
    ...common,
    entryPoints: { unbash: fileURLToPath(import.meta.resolve('unbash')) },
    outdir: 'dist',
    minify: true,
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
  build({
    ...common,
    entryPoints: ['bin/driver.ts'],
    outfile: 'dist/driver.js',
    plugins: [ascii],
    minify: true,
    keepNames: true,
  }),
]);
// `import` gets what `require` gets, so that a program that does both has one copy.
for (const name of ENTRIES) writeFileSync(join(root, `dist/${name}.mjs`), `export * from './${name}.js';\n`);
chmodSync(join(root, 'dist/fsxbench.js'), 0o755);

// npm does not link a package's own command, but `npx fsxbench` in this folder should find it.
const link = join(root, 'node_modules/.bin/fsxbench');
mkdirSync(dirname(link), { recursive: true });
rmSync(link, { force: true });
symlinkSync('../../dist/fsxbench.js', link);
keepNode();
