import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { bin, CONSTRUCTS, LIBRARY, newFolder, outcome, PAGES, ran as runIn, writeProject } from './project';
import { install, PEERS, pack, ROOT, VERSION } from './tarball';

/** The newer of the two compilers. */
const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');

const folder = newFolder();
/** A project with fsxbench and what that depends on. */
const plain = join(folder, 'plain');
/** A package with CDK. */
const withCdk = join(folder, 'with-cdk');
let tarball: string;
let home: string;

beforeAll(() => {
  mkdirSync(plain);
  mkdirSync(withCdk);
  tarball = pack();
  home = install(tarball, plain, ['@types/node']);
  install(tarball, withCdk, [...PEERS, '@types/node']);
});
afterAll(() => rmSync(folder, { recursive: true }));

const ran = (command: string, argv: readonly string[], cwd = plain) => runIn(command, argv, cwd);

const node = (text: string, cwd = plain) => ran(process.execPath, ['--input-type=module', '-e', text], cwd);
const fsxbench = (...argv: string[]) => ran(process.execPath, [join(home, 'dist/fsxbench.js'), ...argv]);

const files = () =>
  (readdirSync(home, { recursive: true, encoding: 'utf8' }) as string[]).filter((name) =>
    statSync(join(home, name)).isFile(),
  );

test('holds dist/, what runs elsewhere and three pages, below 3.4 MB without source maps', () => {
  const expected =
    /^(?:dist\/(?:data\/[a-zA-Z]+\.json|types\/[\w/-]+\.d\.ts|[a-zA-Z]+(?:\.js|\.js\.br|\.js\.map|\.mjs|\.d\.mts))|assets\/(?:client|storage\/lustre)\/.+|assets\/lab\/needs(?:\.tsv)?|docs\/alarms\.md|package\.json|README\.md|LICENSE)$/;
  expect(files().filter((name) => !expected.test(name))).toEqual([]);
  const bytes = files()
    .filter((name) => !name.endsWith('.map'))
    .map((name) => statSync(join(home, name)).size)
    .reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeLessThan(3.4e6);
  for (const name of ['index', 'constructs', 'schemas', 'cli', 'commands'])
    expect(files()).toEqual(expect.arrayContaining([`dist/${name}.js`, `dist/${name}.js.map`]));
});

test('what it runs is ASCII, which V8 reads twice as quickly', () => {
  const programs = files().filter((name) => /^dist\/\w+\.js$/.test(name));
  expect(programs).toEqual(expect.arrayContaining(['dist/cli.js', 'dist/commands.js']));
  expect(programs.filter((name) => /[^\0-\x7f]/.test(readFileSync(join(home, name), 'utf8')))).toEqual([]);
});

test('holds what its own clients boot and what machines of a run are asked; scripts of fleets, which a clone deploys, it leaves out', () => {
  const client = join(home, 'assets/client');
  const boot = readFileSync(join(client, 'bin/boot'), 'utf8');
  const [, steps = ''] = /^mount_steps=\(([^)]*)\)/m.exec(boot) ?? [];
  const machines = [
    'check-directory',
    'describe-node',
    'client-load',
    'build-tools',
    'build-ior',
    'build-fio',
    'drive-in-slurm',
  ];
  for (const name of [...steps.trim().split(/\s+/), ...machines])
    expect(files()).toContain(`assets/client/bin/${name}`);
  expect(files()).not.toContain('assets/client/bin/start-run');
});

test('holds each script that its command line starts by name', () => {
  const program = readFileSync(join(home, 'dist/commands.js'), 'utf8');
  const named = [...program.matchAll(/["'`](assets\/client\/[\w./-]+\.\w+)["'`]/g)].map(([, path]) => path as string);
  expect(named).toContain('assets/client/lib/watch-queue.mjs');
  expect(named.filter((path) => !files().includes(path))).toEqual([]);
});

const ENTRIES = ['index', 'constructs', 'schemas'];
let program: ts.Program | undefined;

/** The package's declarations alone: what they import of others is not looked at. */
const declarations = (): ts.Program => {
  const options: ts.CompilerOptions = { noLib: true, types: [], module: ts.ModuleKind.CommonJS };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) =>
      text.startsWith('.') ? ts.resolveModuleName(text, from, options, host) : { resolvedModule: undefined },
    );
  return ts.createProgram(
    ENTRIES.map((entry) => join(home, `dist/types/${entry}.d.ts`)),
    options,
    host,
  );
};

/** Declarations of what an entry exports, without comments. */
function exportedBy(entry: string, program: ts.Program): string {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(home, `dist/types/${entry}.d.ts`)) as ts.SourceFile;
  const module = checker.getSymbolAtLocation(source) as ts.Symbol;
  const printer = ts.createPrinter({ removeComments: true });
  const declared = checker.getExportsOfModule(module).flatMap((symbol) => {
    const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const nodes = own.declarations ?? [];
    return nodes.map(
      (node) => `${symbol.name}: ${printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())}`,
    );
  });
  return declared.sort().join('\n');
}

// A change that this finds is one that importers notice.
test.each(ENTRIES)('%s exports what it exported before', (entry) => {
  program ??= declarations();
  expect(exportedBy(entry, program)).toMatchSnapshot();
});

test('are the types wrong has no objection from Node.js 16 on, and publint none at all', () => {
  const wrong = ran(bin('attw'), [tarball, '--profile', 'node16', '--format', 'ascii', '--no-color']);
  expect(outcome(wrong)).toEqual({ status: 0, text: expect.stringContaining('node16 (from ESM): 🟢 (ESM)') });
  expect(outcome(ran(bin('publint'), [tarball, '--strict']))).toEqual({
    status: 0,
    text: expect.stringContaining('All good!'),
  });
});

test('npm publish accepts the tarball', () => {
  const { status, text } = ran('npm', ['publish', tarball, '--dry-run', '--ignore-scripts', '--offline']);
  expect({ status, text }).toEqual({ status: 0, text: expect.stringContaining(`+ fsxbench@${VERSION}`) });
});

test('a release has the package, the bill of materials, the page of explore and their checksums, for the tag of the version alone', () => {
  expect(outcome(ran(join(ROOT, 'scripts/release'), ['v0.0.1'], folder))).toEqual({
    status: 2,
    text: `release: the tag must be v${VERSION}, as in package.json, got 'v0.0.1'\n`,
  });
  const made = dirname(tarball);
  const assets = ['explore.html', `fsxbench-${VERSION}.tgz`, 'sbom.json'];
  expect(readdirSync(made).sort()).toEqual(['SHA256SUMS', ...assets]);
  const sums = readFileSync(join(made, 'SHA256SUMS'), 'utf8').trim().split('\n');
  expect(sums.map((line) => line.split('  ')[1])).toEqual(assets);
  const workflow = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
  expect(workflow).toContain('scripts/release "$GITHUB_REF_NAME"');
});

// By the newer compiler; test/package/examples.test.ts has the older one.
test.each([
  ['the library', () => plain, LIBRARY],
  ['the constructs', () => withCdk, CONSTRUCTS],
] as const)('%s compiles with tsc --strict and without skipLibCheck, as ESM and as CommonJS', (_, project, sources) => {
  writeProject(project(), sources, { noEmit: true });
  expect(outcome(ran(TSC, ['-p', '.'], project()))).toEqual({ status: 0, text: '' });
});

test('each page of a construct has an example for that', () => {
  expect(Object.entries(PAGES).filter(([, text]) => !text.includes("from 'fsxbench/constructs'"))).toEqual([]);
});

test('import and require give the same functions, and load neither CDK nor an SDK nor what draws', () => {
  const { status, text } = node(`
    import { createRequire } from 'node:module';
    import * as imported from 'fsxbench';
    import * as schemas from 'fsxbench/schemas';
    const require = createRequire(import.meta.url);
    const required = require('fsxbench');
    const packages = Object.keys(require.cache).map((path) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\/(?!.*node_modules)/.exec(path)?.[1]);
    console.log(JSON.stringify({
      same: imported.advise === required.advise,
      names: Object.keys(required).sort(),
      schemas: typeof schemas.planSchema.parse,
      packages: [...new Set(packages)].sort(),
    }));`);
  expect([status, JSON.parse(text)]).toEqual([
    0,
    {
      same: true,
      names: [
        ...['advise', 'compressedFrom', 'estimateCompression', 'lintDocument', 'lintFile'],
        ...['parseFile', 'parseText', 'predict'],
      ],
      schemas: 'function',
      packages: ['cephes', 'fsxbench', 'pure-rand', 'simple-statistics', 'zod'],
    },
  ]);
});

test('without CDK the entry of the constructs says what is missing', () => {
  expect(node("import 'fsxbench/constructs'").text).toContain("Cannot find module 'aws-cdk-lib");
});

test('its command line answers, and names what only a clone can do', () => {
  const argv = ['predict', '--deployment', 'SCRATCH_2', '--capacity', '1200', '--json'];
  const { status, stdout } = fsxbench(...argv);
  expect([status, JSON.parse(stdout).throughputMBps.baseline]).toEqual([0, 120]);
  expect(fsxbench('--version').text).toBe(`${VERSION}\n`);
  mkdirSync(join(plain, 'data'));
  writeFileSync(join(plain, 'data', 'rows.csv'), '1,2,3,4,5,6,7,8\n'.repeat(100_000));
  const estimate = fsxbench('estimate', 'compression', 'data', '--json');
  expect([estimate.status, JSON.parse(estimate.stdout).ratio]).toEqual([0, expect.any(Number)]);
  for (const words of [
    ['lab', 'up'],
    ['run', 'CompressionBench'],
  ])
    expect(outcome(fsxbench(...words))).toEqual({
      status: 2,
      text: expect.stringMatching(/^fsxbench: (?:the lab|a run on a fleet) needs a clone of fsxbench's repository/),
    });
  expect(outcome(fsxbench('dashboard', 'fs-0123456789abcdef0'))).toEqual({
    status: 1,
    text: 'fsxbench: there is no AWS Region: set AWS_REGION, or use the lab: npm run quickstart\n',
  });
});
