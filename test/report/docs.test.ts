import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { summarise as summariseRun } from '../../lib/analysis/summary';
import { renderCsv, toJson } from '../../lib/report';
import { syntheticRun } from './syntheticRun';

/** Somebody's programs rest on what the page says: it names every column and every field, and none that is not there. */
const page = readFileSync(join(__dirname, '..', '..', 'docs', 'report-formats.md'), 'utf8');
const [, csv = ''] = /\n## CSV\n([\s\S]*?)\n## /.exec(page) ?? [];

test.each(['samples', 'summary'] as const)(
  'docs/report-formats.md has the columns of --csv %s, in their order',
  (name) => {
    const head = renderCsv([syntheticRun()].map(summariseRun), name).split('\r\n')[0] ?? '';
    const [samples = '', summary = ''] = csv.split('**`--csv summary`**');
    const columns = [...(name === 'samples' ? samples : summary).matchAll(/^\| `([^`]+)` \|/gm)].map(
      ([, cell]) => cell,
    );
    expect(columns.join(', ').split(', ')).toEqual(head.split(','));
  },
);

test('docs/report-formats.md names every field of fsxbench.report/1', () => {
  const [, json = ''] = /## JSON: `fsxbench\.report\/1`[\s\S]*?```\n([\s\S]*?)```/.exec(page) ?? [];
  const words = new Set(json.match(/\w+/g));
  expect(Object.keys(toJson(summariseRun(syntheticRun()))).filter((field) => !words.has(field))).toEqual([]);
});
