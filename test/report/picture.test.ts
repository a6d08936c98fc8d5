import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunSummary, summarise } from '../../lib/analysis/summary';
import { ArmLook } from '../../lib/common/page/arms';
import { loadDrawing } from '../../lib/common/page/drawing';
import { STYLE } from '../../lib/common/page/frame';
import type { Chart } from '../../lib/report/blocks';
import { forestPlot } from '../../lib/report/forest';
import { kneeChart } from '../../lib/report/sections/limits';
import { readRun } from '../../lib/store/readRun';
import { exampleReport } from './exampleReport';

const RUN = join(__dirname, '..', 'fixtures', 'model', 'compression');
const PICTURES = join(__dirname, '..', '..', 'docs', 'pictures');

/** A chart of the report that stands alone: with the page's colours, and the size that it has in the README. */
function standalone(chart: string, width: number): string {
  const [light] = STYLE.match(/:root \{[^}]*\}/) ?? [''];
  const style = `<style>${light.replace(/\s+/g, ' ')} svg { color: var(--ink); background: var(--paper); font: 10px var(--sans); }</style>`;
  return `${chart.replace('<svg class="chart"', `<svg xmlns="http://www.w3.org/2000/svg" width="${width}"`).replace('<title', `${style}<title`)}\n`;
}

/** `DRAW=1 npx jest test/report/picture.test.ts` draws them anew. */
test.each<[string, number, (run: RunSummary) => Chart | undefined | null]>([
  ['forest', 792, (run) => forestPlot(run)?.charts[0]],
  ['knee', 720, (run) => kneeChart(run, 'knee')],
])('the README’s picture %s is drawn from a run that was measured', async (name, width, chartOf) => {
  // Plot moves lines by half a pixel where it finds a test runner's `it`.
  const { it } = globalThis;
  Reflect.deleteProperty(globalThis, 'it');
  const { plot, draw } = await loadDrawing();
  globalThis.it = it;
  const summary = summarise(await readRun(RUN));
  const chart = chartOf(summary);
  if (!chart) throw new Error(`the run shows no ${name}`);
  const { id, title, description, options } = chart;
  const drawn = standalone(
    String(draw(options({ plot, look: new ArmLook(summary) }), { id, title, description })),
    width,
  );
  const picture = join(PICTURES, `${name}.svg`);
  if (process.env.DRAW) writeFileSync(picture, drawn);
  expect(drawn).toBe(readFileSync(picture, 'utf8'));
});

test('what the picture shows is the scaling model: reproduced up to 2.5:1, refuted nowhere, and the knee is network ÷ disk', async () => {
  const { analysis, validity } = summarise(await readRun(RUN));
  const { verdicts = [], knees = [] } = analysis.scalingModel ?? {};
  expect(validity).not.toBe('INVALID');
  expect(verdicts.filter(({ ratio }) => (ratio ?? 0) <= 2.5).map(({ verdict }) => verdict)).toEqual(
    Array(4).fill('reproduced'),
  );
  expect(verdicts.map(({ verdict }) => verdict)).not.toContain('not reproduced');
  expect(knees.map(({ errorPercent }) => Math.abs(errorPercent) < 10)).toEqual([true]);
});

const FOLDER = join(__dirname, '..', '..', 'docs', 'example-report');

// Plot moves lines by half a pixel where it finds a test runner's `it`.
beforeAll(async () => {
  const { it } = globalThis;
  Reflect.deleteProperty(globalThis, 'it');
  await loadDrawing();
  globalThis.it = it;
});

/** `DRAW=1 npx jest test/report/picture.test.ts` writes it anew. */
test('the example report is what the code makes of its run, which is VALID', async () => {
  const { validity, files } = await exampleReport();
  expect(validity).toBe('VALID');
  for (const [name, text] of Object.entries(files)) {
    expect(text.length).toBeLessThan(400_000);
    expect(text).toContain('Example with invented figures: LZ4 against no compression on FSx for Lustre');
    if (process.env.DRAW) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(join(FOLDER, name), text);
    }
    expect(readFileSync(join(FOLDER, name), 'utf8') === text).toBe(true);
  }
});
