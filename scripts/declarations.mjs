// Writes the declarations (.d.ts) of the package's entries into dist/, before `npm pack`: of each entry one file with what it needs, so that neither
// an SDK nor CDK is asked for by a program that uses neither.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import ts from 'typescript';
import { ENTRIES, root } from './lib/project.mjs';

const dist = join(root, 'dist');
const types = join(dist, 'types');

const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const sources = [...ENTRIES.map((name) => `lib/${name}.ts`), 'lib/common/statistics/cephes.d.ts'];
const program = ts.createProgram(
  sources.map((file) => join(root, file)),
  {
    ...options,
    noEmit: false,
    incremental: false,
    tsBuildInfoFile: undefined,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(root, 'lib'),
    outDir: types,
  },
);
const { diagnostics } = program.emit();
if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)));

const paths = ENTRIES.map((entry) => join(types, `${entry}.d.ts`));
const compilerOptions = { ...config.compilerOptions, types: ['node'] };
const prepared = ENTRIES.map((entry, index) =>
  ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: paths[index],
      compiler: { overrideTsconfig: { compilerOptions, files: paths } },
      dtsRollup: { enabled: true, untrimmedFilePath: join(dist, `${entry}.d.ts`) },
      tsdocMetadata: { enabled: false },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
  }),
);
// Read and checked once for all entries.
const compilerState = CompilerState.create(prepared[0]);
const messageCallback = (message) => {
  if (message.category !== 'Compiler') message.logLevel = 'none';
};
for (const [index, entry] of ENTRIES.entries()) {
  const { succeeded } = Extractor.invoke(prepared[index], { localBuild: true, messageCallback, compilerState });
  if (!succeeded) throw new Error(`no declarations of lib/${entry}.ts`);
  writeFileSync(join(dist, `${entry}.d.mts`), `export * from './${entry}.js';\n`);
}
rmSync(types, { recursive: true });
