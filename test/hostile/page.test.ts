import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as z from 'zod';
import { summarise as summariseRun } from '../../lib/analysis/summary';
import { renderHtml, renderMarkdown } from '../../lib/report';
import { metricsSchema } from '../../lib/schema/metrics';
import { planSchema } from '../../lib/schema/plan';
import { manifestSchema, statusSchema } from '../../lib/schema/run';
import { sampleSchema } from '../../lib/schema/sample';
import { readRun } from '../../lib/store/readRun';

import { fsxbenchIn } from '../cli/support';
import { syntheticRun } from '../report/syntheticRun';
import { writeRun } from '../report/writeRun';
import { leavesOf, type Path, withValue } from './fields';

const TAG = '<hostile-tag onload="x">\'"&</script>';
const TERMINAL = 'failed\r\u001b[K\u001b]0;owned\u0007\u009b2J\u202e';

/** A document with this text in every field in which its schema takes it. */
function filled<T>(
  document: T,
  schema: z.ZodType,
  text: string,
  keep: (path: Path) => boolean = () => false,
): { document: T; fields: number } {
  let [filledIn, fields] = [document, 0];
  for (const path of leavesOf(document)) {
    const changed = withValue(filledIn, path, text);
    if (path.length === 0 || keep(path) || !schema.safeParse(changed).success) continue;
    filledIn = changed;
    fields++;
  }
  return { document: filledIn, fields };
}

/** A run whose every open field holds this text. */
/** @param keeps the names of fields that stay as they were */
function hostileRun(text: string, failing: readonly string[] = [], keeps: readonly string[] = []) {
  const keep = (path: Path): boolean => keeps.includes(String(path.at(-1)));
  const run = syntheticRun({ repeats: 2, compressibilities: [1, 2.6], failing });
  const plan = filled(run.plan, planSchema, text, keep);
  const manifest = filled(run.manifest, manifestSchema, text, keep);
  const status = filled(run.status, statusSchema, text);
  // Compared values stay comparable: otherwise they would be left out before the page.
  const comparable = (path: Path): boolean => ['operation', 'metric', 'unit'].includes(String(path[0]));
  const samples = run.samples.map((sample, index) =>
    filled(sample, sampleSchema, text, (path) => keep(path) || (index % 2 === 0 && comparable(path))),
  );
  const metrics = run.metrics.map((file) => ({ ...file, series: filled(file, metricsSchema, text).document.series }));
  expect([plan.fields, manifest.fields, status.fields, samples[1]?.fields].every((fields) => (fields ?? 0) > 3)).toBe(
    true,
  );
  return {
    ...run,
    plan: plan.document,
    manifest: manifest.document,
    status: status.document,
    samples: samples.map(({ document }) => document),
    metrics,
  };
}

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fsxbench-hostile-'));
});

const written = (text: string, failing: readonly string[] = [], name?: string, keeps?: readonly string[]): string => {
  const record = hostileRun(text, failing, keeps);
  const folder = join(root, 'runs', 'CompressionBench', name ?? record.run);
  mkdirSync(folder, { recursive: true });
  return writeRun(record, folder);
};

test('the report escapes every field of every file', async () => {
  const folder = written(TAG);
  const page = await renderHtml(summariseRun(await readRun(folder)));
  expect(page).toContain('&lt;hostile-tag');
  expect(page).not.toContain('<hostile-tag');
  expect(page).not.toContain(`'"&</script>`);
}, 60_000);

/** Changes fields of a run's document. */
function change(folder: string, name: string, fields: object): void {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...fields }));
}

test.each([
  { command: 'list', options: ['--here'] },
  ...['--markdown', '--csv', '--json'].map((option) => ({ command: 'report', options: [option] })),
  { command: 'watch', options: [] },
])(
  'nothing acts on the terminal or erases what stands before it: $command $options',
  async ({ command, options }) => {
    const folder = written(TERMINAL);
    // A run of this computer that has ended: `watch` prints its message, and asks nobody.
    change(folder, 'manifest.json', { bucket: null });
    change(folder, 'status.json', { state: 'failed' });
    const words = [command, ...(command === 'list' ? [] : [folder]), ...options, '--results', root];
    const { out, err } = await fsxbenchIn({ root }, words);
    expect(`${out}${err}`).toContain('failed');
    expect(`${out}${err}`.replaceAll('\r\n', '\n')).not.toMatch(/[^\P{Cc}\n\t]|\p{Bidi_Control}/u);
  },
  60_000,
);

/** Every line break of Unicode (UAX 14), and what turns a line around. */
const BREAKS = ['\n', '\r\n', '\r', '\n\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];
const FORGED = 'No regression.';

/** Fields by which runs are found, and their samples compared. */
const COMPARED = ['kind', 'phase', 'metric', 'unit'];

test.each([
  { command: 'report', options: ['a'], state: 'done', pages: true },
  { command: 'report', options: ['a', '--markdown'], state: 'done', pages: true },
  { command: 'list', options: ['--here'], state: 'done' },
  { command: 'list', options: ['--here', '--json'], state: 'done' },
  { command: 'watch', options: ['a'], state: 'failed' },
  { command: 'watch', options: ['a'], state: 'done', pages: true },
  { command: 'compare', options: ['a', 'b'], state: 'done', keeps: COMPARED },
  { command: 'report', options: ['a'], state: 'done', keeps: [], pages: true },
])(
  'no field of a file forges a line or turns one around: $command $options of a run that is $state',
  async ({ command, options, state, pages = false, keeps = ['kind'] }) => {
    const text = `planted${BREAKS.map((one) => `${one}${FORGED}`).join('')}\u202e`;
    for (const name of ['a', 'b']) {
      const folder = written(text, ['r1-c1-write'], name, keeps);
      change(folder, 'manifest.json', { bucket: null });
      change(folder, 'status.json', { state });
    }
    const { out, err } = await fsxbenchIn({ root }, [command, ...options, '--results', root]);
    const page = join(root, 'runs', 'CompressionBench', 'a', 'report', 'index.html');
    expect(existsSync(page)).toBe(pages);
    const shown = pages ? readFileSync(page, 'utf8') : '';
    expect(`${out}${err}${shown}`).toContain('planted');
    const forged = `${out}${err}`.split(/[\n\r\v\f\u0085\u2028\u2029]/).filter((line) => line.startsWith(FORGED));
    // The genuine finding appears once.
    expect(forged.slice(command === 'compare' ? 1 : 0)).toEqual([]);
    expect(`${out}${err}${shown}`).not.toMatch(/\p{Bidi_Control}/u);
  },
  60_000,
);

test('nor do they as Markdown that a program makes, without a terminal', async () => {
  const folder = written('planted\u202e\nturned', ['r1-c1-write']);
  const text = renderMarkdown(summariseRun(await readRun(folder)));
  expect(text).toContain('planted');
  expect(text).not.toMatch(/\p{Bidi_Control}/u);
  expect(text).not.toMatch(/^turned/m);
});
