import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './tarball';

/** A folder for the projects of one test file. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'fsxbench-package-'));

/** A program of the checkout's node_modules. */
export const bin = (name: string): string => join(ROOT, 'node_modules', '.bin', name);

/** Runs a program in a project with nothing of this process's environment but the PATH. */
export function ran(
  command: string,
  argv: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
) {
  const env = { PATH: process.env.PATH, HOME: cwd, ...more };
  const { status, stdout, stderr } = spawnSync(command, argv, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 26 });
  return { status, text: stdout + stderr, stdout };
}

export const outcome = ({ status, text }: ReturnType<typeof ran>) => ({ status, text });

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

const exampleOf = (...page: string[]): string =>
  /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs', ...page), 'utf8'))?.[1] ?? '';

/** The application of docs/package.md. */
export const FILES = exampleOf('package.md');

/** The examples of the constructs' pages, each by itself. */
export const PAGES = Object.fromEntries(
  readdirSync(join(ROOT, 'docs/constructs')).map((page) => [
    page.replace(/\.md$/, '.mts'),
    exampleOf('constructs', page),
  ]),
);

/** Programs that use the library, and the constructs, as ESM and as CommonJS. */
export const LIBRARY = { 'library.mts': SOURCE, 'library.cts': SOURCE };
export const CONSTRUCTS = { 'files.mts': FILES, 'files.ts': FILES, ...PAGES };

/** Writes sources into a project, with the settings of a compiler that is as strict as it can be. @param more files that are there */
export function writeProject(
  folder: string,
  sources: Readonly<Record<string, string>>,
  options: object,
  more: readonly string[] = [],
): void {
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, name), source);
  const compilerOptions = { strict: true, module: 'node16', target: 'es2022', types: ['node'], ...options };
  const files = [...Object.keys(sources), ...more];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
}
