import { LAB_RUNS, labRun, recordLabRun } from './labRuns';

/** `RECORD=results/runs/BENCHMARK/RUN npx jest test/report/labRuns.test.ts` records a run anew. */
test.each(LAB_RUNS)('the recorded run of %s is whole, of the lab, and names nobody’s folders', async (benchmark) => {
  const { RECORD } = process.env;
  if (RECORD?.includes(`/${benchmark}/`)) await recordLabRun(RECORD);
  const record = await labRun(benchmark);
  expect(record).toMatchObject({
    plan: { benchmark },
    manifest: { lab: true },
    status: { state: 'done' },
    problems: [],
  });
  expect(record.samples.filter(({ phase, value }) => phase === 'measure' && value !== null).length).toBeGreaterThan(10);
  expect(JSON.stringify(record)).not.toMatch(/\/(?:root|work|home\/(?!user\/))/);
});
