// Turns tune-client's lines (name, wanted, effective values, message; tabs between) into tuning.json on stdout, and says
// each warning on stderr. Shape: `Tuning` in lib/schema/environment.ts of the project.
//
// usage: node tuning-report.mjs CPUS MEMORY_BYTES <LINES

import { readFileSync } from 'node:fs';

const [cpus, memoryBytes] = process.argv.slice(2).map(Number);

const settings = readFileSync(0, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [name, wanted, values, message] = line.split('\t');
    const effective = values.split(' ').filter((value) => value !== '');
    const applied = effective.length === 1 && effective[0] === wanted;
    return { name, wanted, effective, applied, message: message || null };
  });

const warnings = settings
  .filter(({ applied }) => !applied)
  .map(({ name, wanted, effective, message }) => {
    const found = effective.length === 0 ? 'nothing answers to the name' : `in effect is ${effective.join(' and ')}`;
    return `${name}: wanted ${wanted}, ${found}${message ? ` (${message})` : ''}`;
  });

for (const warning of warnings) process.stderr.write(`tune-client: warning: ${warning}\n`);
const report = {
  schema: 'fsxbench.tuning/1',
  appliedAt: new Date().toISOString(),
  cpus,
  memoryBytes,
  settings,
  warnings,
};
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
