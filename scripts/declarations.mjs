// Writes the declarations of the package's entries below dist/types, before `npm pack`: only the modules that they name, so a program that uses
// neither CDK nor an SDK need not have them.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENTRIES, root } from './lib/project.mjs';

const dist = join(root, 'dist');
const types = join(dist, 'types');
/** Declarations of all modules that the entries use. */
const all = join(dist, '.declarations');

rmSync(all, { recursive: true, force: true });
mkdirSync(all, { recursive: true });
const project = join(all, 'tsconfig.json');
const compilerOptions = {
  noCheck: true,
  noEmit: false,
  incremental: false,
  tsBuildInfoFile: null,
  declaration: true,
  emitDeclarationOnly: true,
  rootDir: join(root, 'lib'),
  outDir: all,
};
const files = [...ENTRIES.map((name) => `${name}.ts`), 'common/statistics/cephes.d.ts'];
const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [] };
writeFileSync(project, JSON.stringify({ ...settings, files: files.map((file) => join(root, 'lib', file)) }));
execFileSync(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', project], { stdio: 'inherit' });

rmSync(types, { recursive: true, force: true });
/** Keeps a declaration and those that it imports. @param path from `all` */
function keep(path) {
  if (!existsSync(join(all, path)) || existsSync(join(types, path))) return;
  cpSync(join(all, path), join(types, path));
  const text = readFileSync(join(all, path), 'utf8');
  for (const [, name] of text.matchAll(/\b(?:from|import) ?\(?['"](\.[^'"]*)['"]/g))
    for (const ending of ['.d.ts', '/index.d.ts']) keep(join(dirname(path), `${name}${ending}`));
}
for (const entry of ENTRIES) {
  keep(`${entry}.d.ts`);
  writeFileSync(join(dist, `${entry}.d.mts`), `export * from './types/${entry}.js';\n`);
}
rmSync(all, { recursive: true });
