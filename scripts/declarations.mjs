// Writes the declarations of the package's entries below dist/types, before `npm pack`: only the modules that they name, so a program that uses
// neither CDK nor an SDK need not have them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { ENTRIES, root } from './lib/project.mjs';

const dist = join(root, 'dist');
const types = join(dist, 'types');
const lib = join(root, 'lib');

const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const declarations = new Map();
const program = ts.createProgram(
  [...ENTRIES.map((name) => `lib/${name}.ts`), 'lib/common/statistics/cephes.d.ts'].map((file) => join(root, file)),
  {
    ...options,
    noEmit: false,
    incremental: false,
    tsBuildInfoFile: undefined,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: lib,
    outDir: types,
  },
);
const { diagnostics } = program.emit(undefined, (path, text) => declarations.set(path, text));
if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)));

rmSync(types, { recursive: true, force: true });
const written = new Set();
/** Writes a declaration and those that it imports. */
function write(path) {
  const text = declarations.get(path);
  if (text === undefined || written.has(path)) return;
  written.add(path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  for (const { fileName } of ts.preProcessFile(text).importedFiles) {
    const target = join(dirname(path), fileName);
    for (const ending of ['.d.ts', '/index.d.ts']) write(`${target}${ending}`);
  }
}
for (const entry of ENTRIES) {
  write(join(types, `${entry}.d.ts`));
  writeFileSync(join(dist, `${entry}.d.mts`), `export * from './types/${entry}.js';\n`);
}
