// Builds lib/estimate/measure/lz4.wat into lib/estimate/measure/lz4.wasm.json, which is committed; a test rebuilds (`--print`) and compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import wabt from 'wabt';
import { root } from './lib/project.mjs';

const folder = join(root, 'lib/estimate/measure');

/** Repeats the text between `;;each NAME…: row, row` and `;;end` for each row, with its values in place of `@NAME`. */
function expand(text) {
  return text.replace(/^;;each ([^:]+): (.+)\n([\s\S]*?)^;;end\n/gm, (_, names, rows, body) => {
    const filled = (row) =>
      names.split(' ').reduce((part, name, at) => part.replaceAll(`@${name}`, row.split(' ')[at]), body);
    return rows.split(', ').map(filled).join('');
  });
}

const module = (await wabt()).parseWat('lz4.wat', expand(readFileSync(join(folder, 'lz4.wat'), 'utf8')));
module.resolveNames();
module.validate();
const text = `${JSON.stringify(Buffer.from(module.toBinary({}).buffer).toString('base64'))}\n`;
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(join(folder, 'lz4.wasm.json'), text);
