import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { summarise } from '../../lib/analysis/summary';
import { figuresOf, readRun, renderMarkdown, toJson } from '../../lib/report';

const RUNS = join(__dirname, '..', 'fixtures', 'runs');
const names = readdirSync(RUNS, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** `WRITE=1 npx jest test/report/recordedRuns.test.ts` writes them anew. */
describe.each(names)('the report of %s is byte for byte', (name) => {
  test.each([
    ['expected.md', renderMarkdown],
    ['expected.json', (summary) => `${JSON.stringify(toJson(summary))}\n`],
  ] satisfies [string, (summary: ReturnType<typeof summarise>) => string][])('%s', async (file, render) => {
    const report = render(summarise(await readRun(join(RUNS, name))));
    if (process.env.WRITE) writeFileSync(join(RUNS, name, file), report);
    expect(report).toBe(readFileSync(join(RUNS, name, file), 'utf8'));
  });

  test('a figure of a cell, of a comparison or of the cost that is missing has its reason beside it', async () => {
    const run = summarise(await readRun(join(RUNS, name)));
    const { cells, comparisons, cost } = toJson(run);
    const figures = [...cells, ...comparisons, cost, ...cost.lines].map(({ reason, ...one }) => {
      const { compressibility: _, ...own }: Record<string, unknown> = { ...one };
      return { missing: Object.keys(own).filter((key) => own[key] === null), reason: reason ?? '' };
    });
    expect(figures.filter(({ missing, reason }) => missing.length > 0 !== (reason !== ''))).toEqual([]);
    const { costUsd, costReason = '' } = figuresOf(run);
    expect(costReason !== '').toBe(costUsd === null);
  });
});
