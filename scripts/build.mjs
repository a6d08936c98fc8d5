// Bundles the command line, the library and the driver into dist/. Node only; esbuild comes with `npm ci`.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { keepNode, supportedNode } from './lib/node.mjs';
import { ENTRIES, linkProgram, root } from './lib/project.mjs';

await supportedNode();

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  outdir: 'dist',
  loader: { '.css': 'text' },
  logLevel: 'warning',
  // jsdom starts a worker for synchronous requests, which nothing here makes.
  logOverride: { 'require-resolve-not-external': 'silent' },
};

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Packages next to dist/, except the bundled ones. */
const packagesWithout = (...bundled) =>
  Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !bundled.includes(name));

/** Replaces what asks a machine or AWS by empty modules. */
const offline = {
  name: 'offline',
  setup: (hooks) => {
    const filter = /^(?:node:|@aws-sdk\/|@bokuweb\/|unbash$|cephes$|commander$|jsdom$)/;
    hooks.onResolve({ filter }, ({ path }) => ({ path, namespace: 'absent' }));
    hooks.onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
  },
};

const data = join(root, 'dist/data');
mkdirSync(data, { recursive: true });

/** Leaves out of the bundles what each would have a copy of: the large tables are written to dist/data/, unbash to dist/. */
const oncePerPackage = {
  name: 'once per package',
  setup: (hooks) => {
    hooks.onResolve({ filter: /^unbash$/ }, () => ({ path: './unbash.js', external: true }));
    hooks.onResolve({ filter: /\/(?:instanceTypes|offerings|prices)\.json$/ }, ({ path, resolveDir }) => {
      const name = basename(path);
      writeFileSync(join(data, name), JSON.stringify(JSON.parse(readFileSync(join(resolveDir, path), 'utf8'))));
      return { path: `./data/${name}`, external: true };
    });
  },
};

/** Loads a Node.js module at its first use: modules that a command line rarely needs take milliseconds each, at every start. */
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

/** V8 reads an ASCII source twice as quickly. esbuild writes other characters as escapes, but in regular expressions and tagged templates. */
const ascii = {
  name: 'ascii',
  setup: (hooks) =>
    hooks.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
      return { contents: readFileSync(path, 'utf8').replace(/[^\0-\x7f]/g, escaped), loader: 'ts' };
    }),
};

/** Modules that cli.js loads when a command is called. */
const called = new Set();

/** Splits the command line: for `--help`, V8 reads only cli.js. The commands are in commands.js, which uses modules that bin/cli.ts exports. */
const twoFiles = {
  name: 'two files',
  setup: ({ initialOptions, onLoad, onResolve }) => {
    const isFirst = initialOptions.stdin === undefined;
    onResolve({ filter: /^\./, namespace: 'other' }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const name = relative(root, join(resolveDir, path));
      const isOther = isFirst ? kind === 'dynamic-import' : /^lib\/cli\/(context|input\/options)$/.test(name);
      return isOther ? { path: name, namespace: 'other' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'other' }, ({ path }) => {
      if (isFirst) called.add(path);
      const from = isFirst ? `require('./commands.js')['${path}']()` : `require('./cli.js').${basename(path)}`;
      return { contents: `module.exports = ${from};` };
    });
  },
};

const commandLine = {
  ...common,
  external: packagesWithout('zod', 'commander'),
  plugins: [twoFiles, ascii, oncePerPackage, loadedWhenUsed],
  sourcemap: 'linked',
};

await Promise.all([
  // The command line has node_modules next to it: packages stay external and are loaded only by the commands that need them. Only the used parts of
  // zod are bundled: as a package it loads 95 files, including its messages in every language. commander, which every command needs, loads
  // child_process, which few need.
  build({ ...commandLine, entryPoints: ['bin/cli.ts'] }).then(() => {
    const modules = [...called].sort().map((path) => `'${path}': () => require('./${path}')`);
    const stdin = { contents: `module.exports = {${modules}};`, resolveDir: root, sourcefile: 'bin/commands.js' };
    return build({ ...commandLine, stdin, outdir: undefined, outfile: 'dist/commands.js' });
  }),
  build({
    ...common,
    entryPoints: ['bin/fsxbench.ts'],
    external: ['./cli.js'],
    // A third of the memory of a large report would be short-lived objects that wait for a collection.
    banner: { js: '#!/usr/bin/env -S node --max-semi-space-size=8' },
  }),
  // Entries that other programs import. zod stays a package: schemas must be of those programs' zod.
  build({
    ...common,
    entryPoints: ENTRIES.map((name) => `lib/${name}.ts`),
    external: packagesWithout(),
    plugins: [ascii, oncePerPackage],
    sourcemap: 'linked',
  }),
  // The page of `fsxbench explore`: the same advise and predict, for a browser.
  build({
    ...common,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    entryPoints: ['bin/explore.ts'],
    write: false,
    plugins: [offline],
  }).then(({ outputFiles }) =>
    // Quality 10 would be 7 % smaller, and a second longer at every set-up.
    writeFileSync(
      join(root, 'dist/explore.js.br'),
      brotliCompressSync(outputFiles[0].contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    ),
  ),
  // An ES module only, which `require` cannot load before Node 22.12.
  build({ ...common, entryPoints: { unbash: 'unbash' } }),
  // The worker thread of `fsxbench estimate`, next to the command line.
  build({ ...common, entryPoints: ['bin/estimateWorker.ts'], external: packagesWithout() }),
  // The driver is copied to a client as a single file.
  build({ ...common, entryPoints: ['bin/driver.ts'], plugins: [ascii], keepNames: true }),
]);
// `import` gets the same as `require`: a program that does both has one copy.
for (const name of ENTRIES) writeFileSync(join(root, `dist/${name}.mjs`), `export * from './${name}.js';\n`);
chmodSync(join(root, 'dist/fsxbench.js'), 0o755);

// npm does not link a package's own command, but `npx fsxbench` in this folder should find it.
linkProgram('fsxbench', join(root, 'dist/fsxbench.js'));
keepNode();
