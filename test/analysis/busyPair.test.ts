import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareRuns } from '../../lib/analysis/compare/compare';
import { type RunSummary, summarise } from '../../lib/analysis/summary';
import { answerOf } from '../../lib/report/answers';
import { loadBetween } from '../../lib/run/clients/clientLoad';
import { type LoadReading, loadReadingSchema } from '../../lib/schema/environment';
import { withLoad } from './faultyRuns';
import { withSamples } from './runs';

const FOLDER = join(__dirname, '../fixtures/load');

/** Output of client-load on one machine of two processors: nearly idle, and while others compiled on it at a load of 14. */
const reading = (name: string): LoadReading =>
  loadReadingSchema.parse(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')));

/** The same run, on clients that are all as one was recorded. */
function measuredOn(machine: 'idle' | 'busy'): RunSummary {
  const load = loadBetween(null, reading(`${machine}-before`), reading(`${machine}-after`));
  const run = withSamples(withLoad(load), ({ load: own = [], ...sample }) => ({
    ...sample,
    load: Array.from({ length: sample.clients }).flatMap(() => own),
  }));
  return summarise(run);
}

const outcomeOf = ({ analysis: { checks } }: RunSummary) => checks.find(({ id }) => id === 'busy-client');

test('of two runs alike, the one on a busy machine says what was wrong, and the other that nothing was', () => {
  const [idle, busy] = [measuredOn('idle'), measuredOn('busy')];
  expect(outcomeOf(idle)).toMatchObject({ state: 'passed', issues: [] });
  expect(idle.validity).toBe('VALID');
  expect(outcomeOf(busy)?.state).toBe('found');
  const { validity, faults } = answerOf(busy);
  expect(validity).toBe('WARN');
  expect(faults).toContainEqual(
    expect.stringMatching(
      /ran other work during \d+ measured phases.*just before or after, others took 78\.4 % of its processors \(tsc, apt-get/,
    ),
  );
  const [issue] = outcomeOf(busy)?.issues ?? [];
  expect(issue?.actual).toMatch(
    /^load average 14\.1 on 2 processors, 99\.\d % busy, .* with the tool, processes waited/,
  );
  expect(issue?.suggestion).toContain('stop all other work on the clients');
});

test('compare says which run was made on a busy machine', () => {
  const { cautions } = compareRuns(measuredOn('idle'), measuredOn('busy'));
  expect(cautions).toEqual([expect.stringMatching(/^\S+ is WARN: busy-client$/)]);
});
