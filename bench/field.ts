/** Published measurements of FSx for Lustre next to `predict`: `npm run bench field`, of other files with `-- --file CSV`, as JSON with `--json`. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fieldRow, rowsOf, scoreOf, tableOf } from './shared/field';
import { tell } from './shared/row';

const { values } = parseArgs({
  options: { file: { type: 'string' }, json: { type: 'boolean' }, quick: { type: 'boolean' } },
});
const path =
  values.file === undefined
    ? resolve('claims/field-measurements.csv')
    : resolve(process.env.INIT_CWD ?? '.', values.file);
const measurements = rowsOf(readFileSync(path, 'utf8'));
if (values.json) console.log(JSON.stringify({ rows: measurements.map(fieldRow) }, null, 2));
else console.log(tableOf(measurements));

const { within, medianError, widest } = scoreOf(measurements);
const what = 'published measurements, grades A and B';
tell({ what, value: within * 100, unit: '%', least: 80, note: 'within the interval of `predict`' });
tell({ what: `${what}: median error`, value: medianError * 100, unit: '%', most: 25 });
tell({ what: `${what}: widest interval`, value: widest, unit: '×', most: 3 });
