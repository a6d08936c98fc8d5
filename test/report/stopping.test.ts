import { summarise } from '../../lib/analysis/summary';
import { renderMarkdown } from '../../lib/report';
import { SETTLED } from '../../lib/schema/plan';
import type { RunRecord } from '../../lib/store/record';
import { syntheticRun } from './syntheticRun';

/** A run of ten repeats with a precision, of which data made for 2.6:1 were settled after so many. */
function report(settledAfter: number): string {
  const run = syntheticRun({ repeats: 10, compressibilities: [1, 2.6] });
  const samples = run.samples.flatMap((sample) => {
    const isLeftOut = sample.compressibility === 2.6 && sample.repeat > settledAfter;
    if (!isLeftOut) return [sample];
    if (sample.phase !== 'measure') return [];
    return [
      { ...sample, operation: 'task', metric: 'seconds', unit: 's', source: 'driver', value: 0, cautions: [SETTLED] },
    ];
  });
  const plan = run.plan && { ...run.plan, parameters: { ...run.plan.parameters, repeats: 10, precision: 2 } };
  return renderMarkdown(summarise({ ...run, plan, samples } as RunRecord));
}

test('the report says what was left out, after how many repeats, and at which level its intervals are', () => {
  const page = report(8);
  expect(page).toContain(
    'The plan asks for ± 2 % in at most 10 repeats. Work whose every interval was no wider got no more of them: **lz4** on 2.6:1 after 8 repeats. Any other work got all repeats.',
  );
  expect(page).toMatch(
    /an interim analysis after every repeat from 8 on .* each is of 97\.\d+ % by itself \(Pocock’s boundary\)/,
  );
  expect(page).not.toMatch(/says “settled”|missing-samples/);
});

test('and that nothing was', () => {
  expect(report(10)).toContain('± 2 % in at most 10 repeats. No work was settled before the last of them.');
});
