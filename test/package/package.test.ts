import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { bin, newFolder, outcome, ran as runIn, TSC } from './project';
import { install, PEERS, pack, ROOT } from './tarball';

const folder = newFolder();
/** A project with fsxbench and what that depends on. */
const plain = join(folder, 'plain');
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
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

/** Declarations of what an entry exports, without comments. */
function exportedBy(entry: string): string {
  const path = join(home, `dist/types/${entry}.d.ts`);
  const program = ts.createProgram([path], { noLib: true, types: [], module: ts.ModuleKind.CommonJS });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(path) as ts.SourceFile) as ts.Symbol;
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
test.each(['index', 'constructs', 'schemas'])('%s exports what it exported before', (entry) => {
  expect(exportedBy(entry)).toMatchSnapshot();
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
  const release = (tag: string) =>
    ran('flock', [join(ROOT, 'dist/.pack/lock'), join(ROOT, 'scripts/release'), tag], folder);
  expect(outcome(release('v0.0.1'))).toEqual({
    status: 2,
    text: `release: the tag must be v${VERSION}, as in package.json, got 'v0.0.1'\n`,
  });
  expect(outcome(release(`v${VERSION}`))).toMatchObject({ status: 0 });
  const made = join(ROOT, 'dist/release');
  const assets = ['explore.html', `fsxbench-${VERSION}.tgz`, 'sbom.json'];
  expect(readdirSync(made).sort()).toEqual(['SHA256SUMS', ...assets]);
  const sums = readFileSync(join(made, 'SHA256SUMS'), 'utf8').trim().split('\n');
  expect(sums.map((line) => line.split('  ')[1])).toEqual(assets);
  const workflow = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
  expect(workflow).toContain('scripts/release "$GITHUB_REF_NAME"');
});

const SOURCE = `
import { advise, type LintDocument, type LustreConfiguration, lintDocument, parseText, predict, type Requirement } from 'fsxbench';
import { planSchema, sampleSchema } from 'fsxbench/schemas';
const configuration: LustreConfiguration = { deploymentType: 'SCRATCH_2', storageCapacityGiB: 1200 };
const requirement: Requirement = { writeMBps: 3000, capacityTB: 10 };
export const baseline: number = predict({ configuration }).throughputMBps.baseline;
export const cheapest: number | null | undefined = advise(requirement).options[0]?.monthlyUsd;
export const found: LintDocument = lintDocument('dd if=/dev/zero of=/fsx/x bs=1M');
export const tool: string | null = parseText('x.out', '').tool;
export const arms: readonly { readonly name: string }[] = planSchema.parse({}).arms;
export const value: number | null = sampleSchema.parse({}).value;
// @ts-expect-error a misspelt property
export const wrong: Requirement = { writesMBps: 3000 };
`;

/** The application of docs/package.md. */
const CDK_SOURCE = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/package.md'), 'utf8'))?.[1] ?? '';

/** The examples of the constructs' pages, each by itself. */
const PAGES = readdirSync(join(ROOT, 'docs/constructs')).map((page): [string, string] => [
  page.replace(/\.md$/, '.mts'),
  /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/constructs', page), 'utf8'))?.[1] ?? '',
]);

// All that needs the constructs at once: most of the time goes to CDK's own declarations.
test.each([
  ['the library', () => plain, { 'used.mts': SOURCE, 'used.cts': SOURCE }],
  ['the constructs', () => withCdk, { 'used.mts': CDK_SOURCE, 'used.cts': CDK_SOURCE, ...Object.fromEntries(PAGES) }],
] as const)('%s compiles with tsc --strict and without skipLibCheck, as ESM and as CommonJS', (_, project, sources) => {
  const options = { strict: true, noEmit: true, module: 'node16', target: 'es2022', types: ['node'] };
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(project(), name), source);
  const files = Object.keys(sources);
  writeFileSync(join(project(), 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
  expect(outcome(ran(TSC, ['-p', '.'], project()))).toEqual({ status: 0, text: '' });
});

test('each page of a construct has an example for that', () => {
  expect(PAGES.filter(([, text]) => !text.includes("from 'fsxbench/constructs'"))).toEqual([]);
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

test('cdk synth makes a file system, its dashboard and alarms of the twenty lines in docs/package.md', () => {
  expect(CDK_SOURCE.trim().split('\n').length).toBeLessThanOrEqual(20);
  // Without looking at types, as tsx does.
  const compilerOptions = { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 };
  writeFileSync(join(withCdk, 'files.mjs'), ts.transpileModule(CDK_SOURCE, { compilerOptions }).outputText);
  const argv = ['synth', '--quiet', '--output', 'out', '--app', `${process.execPath} files.mjs`];
  const { status, text } = ran(bin('cdk'), argv, withCdk);
  expect({ status, text }).toEqual({ status: 0, text: expect.not.stringContaining('rror') });
  const { Resources } = JSON.parse(readFileSync(join(withCdk, 'out/Files.template.json'), 'utf8')) as {
    Resources: Readonly<Record<string, { readonly Type: string }>>;
  };
  const count = (type: string) => Object.values(Resources).filter(({ Type }) => Type === type).length;
  expect([count('AWS::FSx::FileSystem'), count('AWS::CloudWatch::Dashboard'), count('AWS::CloudWatch::Alarm')]).toEqual(
    [1, 1, 4],
  );
});

test('without CDK the entry of the constructs says what is missing', () => {
  expect(node("import 'fsxbench/constructs'").text).toContain("Cannot find module 'aws-cdk-lib");
});

test('its command line answers, and names what only a clone can do', () => {
  const argv = ['predict', '--deployment', 'SCRATCH_2', '--capacity', '1200', '--json'];
  const { status, stdout } = fsxbench(...argv);
  expect([status, JSON.parse(stdout).throughputMBps.baseline]).toEqual([0, 120]);
  expect(fsxbench('--version').text).toBe(`${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version}\n`);
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
