// npm run bench -- [NAME…] [--quick] [--json]: the performance benchmarks of fsxbench itself. Each compares CPU time with a reference in the same
// run, so the ratios are also meaningful on a busy machine; none is a test. One table with all figures and their targets, and the same as JSON.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { basename, join, relative } from 'node:path';
import { build } from 'esbuild';
import { ensureBuilt, root, ticking } from '../scripts/lib/project.mjs';

ensureBuilt();

/** Bundles one benchmark. @returns the path of its program */
async function bundled(name) {
  const outfile = join(root, 'dist', 'bench', `${name}.js`);
  await build({
    entryPoints: [join(root, 'bench', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    packages: 'external',
    loader: { '.css': 'text' },
    logLevel: 'warning',
  });
  return outfile;
}

// Its document is not a table of benchmarks, and it has other options.
if (process.argv[2] === 'field') {
  const program = await bundled('field');
  process.exit(spawnSync(process.execPath, [program, ...process.argv.slice(3)], { stdio: 'inherit' }).status ?? 1);
}

const names = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => basename(file, '.ts'));
const OPTIONS = ['--quick', '--json'];
const options = process.argv.slice(2).filter((word) => word.startsWith('-'));
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const unknown = [...wanted, ...options].find((word) => ![...names, ...OPTIONS].includes(word));
if (unknown) {
  console.error(
    `there is no benchmark '${unknown}'; benchmarks: ${names.join(', ')}; options, after --: ${OPTIONS.join(', ')}`,
  );
  process.exit(2);
}

/** Rows of one benchmark, which prints its details to standard error. */
async function rowsOf(name) {
  const outfile = await bundled(name);
  console.error(`── ${name}`);
  const file = join(root, 'dist', 'bench', `${name}.jsonl`);
  rmSync(file, { force: true });
  const env = { ...process.env, FSXBENCH_ROWS: file };
  const done = ticking(`bench ${name}`, [process.execPath, outfile, ...options], { env, stdio: ['ignore', 2, 2] });
  const rows = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return { rows: rows.map((line) => ({ bench: name, ...JSON.parse(line) })), failed: done.status !== 0 };
}

const shown = (value) => String(value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
const targetOf = ({ most, least, unit }) =>
  most === undefined && least === undefined ? '' : `${most === undefined ? '≥' : '≤'} ${most ?? least} ${unit}`;

function standOf({ value, most, least }) {
  if (value === null) return 'not measured';
  if (most === undefined && least === undefined) return '';
  return value <= (most ?? Number.POSITIVE_INFINITY) && value >= (least ?? Number.NEGATIVE_INFINITY)
    ? 'met'
    : 'not met';
}

/** The table, as bench/README.md has it. */
function table(rows) {
  const lines = rows.map((row) => {
    const value = row.value === null ? '–' : `${shown(row.value)} ${row.unit}`;
    return [row.what, row.against ?? '', value, targetOf(row), standOf(row), row.note ?? ''];
  });
  const all = [
    ['what', 'against', 'figure', 'target', 'stands', ''],
    ['---', '---', '---', '---', '---', '---'],
    ...lines,
  ];
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const rows = [];
const failed = [];
for (const name of names.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  const found = await rowsOf(name);
  rows.push(...found.rows);
  if (found.failed) failed.push(name);
}
const document = {
  schema: 'fsxbench.bench/1',
  quick: options.includes('--quick'),
  finishedAt: new Date().toISOString(),
  node: process.version,
  cores: availableParallelism(),
  processor: cpus()[0]?.model ?? null,
  failed,
  rows,
};
const path = join(root, 'dist', 'bench', 'latest.json');
writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
console.log(options.includes('--json') ? JSON.stringify(document) : table(rows));
console.error(`${relative(process.cwd(), path)}: the same as JSON`);
if (failed.length > 0) {
  console.error(`failed, so that rows are missing: ${failed.join(', ')}`);
  process.exit(1);
}
