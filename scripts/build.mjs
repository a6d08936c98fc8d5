// Bundles the command line and the driver into dist/. Node only; esbuild comes with `npm ci`.
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

await Promise.all([
  // The command line lives beside node_modules: packages stay outside and are loaded only by the command that needs them.
  build({
    ...common,
    entryPoints: ['bin/fsxbench.ts'],
    outfile: 'dist/fsxbench.js',
    packages: 'external',
    banner: { js: '#!/usr/bin/env node' },
    sourcemap: 'linked',
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
