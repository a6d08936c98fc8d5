import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { summarise } from '../../lib/analysis/summary';
import { ArmLook } from '../../lib/kit/page/arms';
import { loadDrawing } from '../../lib/kit/page/drawing';
import { STYLE } from '../../lib/kit/page/style';
import { kneeChart } from '../../lib/report/kneeChart';
import { readRun } from '../../lib/store/readRun';

const RUN = join(__dirname, '..', 'fixtures', 'model', 'compression');
const PICTURE = join(__dirname, '..', '..', 'docs', 'pictures', 'knee.svg');

/** A chart of the report that stands alone: with the page's colours, and the size that it has in the README. */
function standalone(chart: string): string {
  const [light] = STYLE.match(/:root \{[^}]*\}/) ?? [''];
  const style = `<style>${light.replace(/\s+/g, ' ')} svg { color: var(--ink); background: var(--paper); font: 10px var(--sans); }</style>`;
  return `${chart.replace('<svg class="chart"', '<svg xmlns="http://www.w3.org/2000/svg" width="720"').replace('<title', `${style}<title`)}\n`;
}

/** `DRAW=1 npx jest test/report/picture.test.ts` draws it anew. */
test('the README’s picture of the knee is drawn from a run that was measured', async () => {
  // Plot moves lines by half a pixel where it finds a test runner's `it`.
  const { it } = globalThis;
  Reflect.deleteProperty(globalThis, 'it');
  const { plot, draw } = await loadDrawing();
  globalThis.it = it;
  const summary = summarise(await readRun(RUN));
  const chart = kneeChart(summary, 'knee');
  if (chart === null) throw new Error('the run shows no knee');
  const { title, description, options } = chart;
  const drawn = standalone(
    String(draw(options({ plot, look: new ArmLook(summary) }), { id: 'knee', title, description })),
  );
  if (process.env.DRAW) writeFileSync(PICTURE, drawn);
  expect(drawn).toBe(readFileSync(PICTURE, 'utf8'));
});

test('what the picture shows is the law: reproduced up to 2.5:1, refuted nowhere, and the knee is network ÷ disk', async () => {
  const { analysis, validity } = summarise(await readRun(RUN));
  const { verdicts = [], knees = [] } = analysis.law ?? {};
  expect(validity).not.toBe('INVALID');
  expect(verdicts.filter(({ ratio }) => (ratio ?? 0) <= 2.5).map(({ verdict }) => verdict)).toEqual(
    Array(4).fill('reproduced'),
  );
  expect(verdicts.map(({ verdict }) => verdict)).not.toContain('not reproduced');
  expect(knees.map(({ errorPercent }) => Math.abs(errorPercent) < 10)).toEqual([true]);
});
