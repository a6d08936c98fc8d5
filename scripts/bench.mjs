// npm run bench [NAME…] [-- --quick --json]: the performance benchmarks of fsxbench itself. Each compares with a reference in the same run and prints
// ratios, which are meaningful even on a busy machine; none is a test.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { ensureBuilt, root } from './lib/project.mjs';
import { told } from './lib/ticker.mjs';

ensureBuilt((text) => console.error(text));
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
for (const name of names.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  const outfile = join(root, 'dist', 'bench', `${name}.js`);
  await build({
    entryPoints: [join(root, 'bench', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    packages: 'external',
    logLevel: 'warning',
  });
  console.log(`── ${name}`);
  const done = told(`bench ${name}`, () =>
    spawnSync(process.execPath, [outfile, ...options], { cwd: root, stdio: 'inherit' }),
  );
  if (done.status !== 0) process.exit(done.status ?? 1);
}
