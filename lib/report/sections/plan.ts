import { type RunSummary, secondsBetween } from '../../analysis/summary';
import { compressibilityLabel } from '../../common/format/text';
import { bytes, counted, duration, plain } from '../../common/format/units';
import { runTime } from '../../plan/runTime';
import type { Step } from '../../schema/plan';
import { type Block, column, details, facts, number, tableOf, text } from '../blocks';
import type { Section } from './section';

export const plan: Section = {
  id: 'plan',
  title: 'The plan',
  blocks(run) {
    const { plan: made } = run.record;
    if (made === null) return [];
    const { totals, fleet, steps } = made;
    const done = run.steps.filter(({ state }) => state === 'done').length;
    return [
      facts([
        ['Steps', `${done} of ${steps.length} done`],
        ['Clients', `${fleet.clients} with ${counted(fleet.ranksPerClient, 'rank')} each`],
        ['Expected', duration(totals.expectedSeconds)],
        ['Took', run.seconds === null ? null : duration(run.seconds)],
        ...measuring(run, made.steps),
        ['Writes at most', totals.bytesWritten ? bytes(totals.bytesWritten) : null],
        ['Reads at most', totals.bytesRead ? bytes(totals.bytesRead) : null],
        ...Object.entries(made.parameters).map(
          ([name, value]) => [{ code: name }, Array.isArray(value) ? value.join(', ') : String(value)] as const,
        ),
      ]),
      details(`Every step (${steps.length})`, stepTable(run)),
      details('Every command', commands(steps)),
    ];
  },
};

/** The measured share of a run's time, and the purposes of the rest. */
function measuring({ steps, seconds }: RunSummary, planned: readonly Step[]): (readonly [string, string])[] {
  if (seconds === null) return [];
  const taken = new Map(steps.map(({ id, startedAt, endedAt }) => [id, secondsBetween(startedAt, endedAt)]));
  const { measuredSeconds, perMeasured, others } = runTime(planned, ({ id }) => taken.get(id) ?? null, seconds);
  if (perMeasured === null) return [];
  const rest = others.map((one) => `${one.purpose} ${duration(one.seconds)}`);
  return [
    ['Measured', `${duration(measuredSeconds)}: ${plain(perMeasured)} minutes of run for each measured minute`],
    ['The other time', rest.join(', ')],
  ];
}

const stepTable = ({ steps }: RunSummary): Block =>
  tableOf(steps, { caption: 'Steps and what became of them', captionHidden: true }, [
    column('Step', ({ id }) => ({ id })),
    column('Phase', ({ phase }) => phase),
    column('Data', ({ compressibility }) => (compressibility === null ? '' : compressibilityLabel(compressibility))),
    column('State', ({ state, attempts, reasons }) => [
      state,
      attempts > 1 && `, attempt ${attempts}`,
      reasons.length > 0 && { below: reasons.join('; ') },
    ]),
    number('Expected', ({ expectedSeconds }) => expectedSeconds, duration),
    number('Took', ({ startedAt, endedAt }) => secondsBetween(startedAt, endedAt), duration),
  ]);

/** Each command once, with the steps that ran it. */
function commands(steps: readonly Step[]): Block {
  const uses = new Map<string, { where: string[]; ranks: number }>();
  for (const { id, tasks } of steps)
    for (const { action } of tasks) {
      if (action.kind !== 'workload') continue;
      const line = action.command.join(' ');
      const use = uses.get(line) ?? { where: [], ranks: action.ranksPerClient };
      if (!use.where.includes(id)) use.where.push(id);
      uses.set(line, use);
    }
  if (uses.size === 0) return text('The plan runs no tool.');
  const caption =
    'Commands without their launcher; {dir} is the data directory of the step, {dirs} those of a round on all metadata targets';
  return tableOf([...uses], { caption }, [
    column(
      'Step',
      ([
        ,
        {
          where: [first = '', ...others],
        },
      ]) => [{ code: first }, others.length > 0 && ` and ${counted(others.length, 'more step')}`],
    ),
    number('Ranks per client', ([, { ranks }]) => ranks, String),
    column('Command', ([line]) => ({ code: line })),
  ]);
}
