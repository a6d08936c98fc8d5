import { targetLabel } from '../../kit/format/targets';
import { bytes, counted, duration } from '../../kit/format/units';
import { type CellContent, code, details, facts, identifier, table } from '../../kit/page/layout';
import { html, type Markup } from '../../kit/page/markup';
import type { Step } from '../../schema/plan';
import { secondsBetween } from '../summary';
import type { Context, PageSection } from './section';

export const plan: PageSection = {
  id: 'plan',
  title: 'The plan',
  render(context) {
    const { plan: made } = context.record;
    if (made === null) return null;
    const { totals, fleet, steps } = made;
    const done = context.summary.steps.filter(({ state }) => state === 'done').length;
    const ranks = counted(fleet.ranksPerClient, 'rank');
    return html`${facts([
      ['Steps', `${done} of ${steps.length} done`],
      ['Clients', `${fleet.clients} with ${ranks} each`],
      ['Expected', duration(totals.expectedSeconds)],
      ['Took', context.summary.seconds === null ? null : duration(context.summary.seconds)],
      ['Writes at most', totals.bytesWritten ? bytes(totals.bytesWritten) : null],
      ['Reads at most', totals.bytesRead ? bytes(totals.bytesRead) : null],
      ...Object.entries(made.parameters).map(
        ([name, value]) => [code(name), Array.isArray(value) ? value.join(', ') : String(value)] as const,
      ),
    ])}
${details(`Every step (${steps.length})`, stepTable(context))}
${details('Every command', commands(steps))}`;
  },
};

function stepTable({ summary }: Context): Markup {
  return table({
    caption: 'Steps and what became of them',
    captionHidden: true,
    columns: [
      { label: 'Step' },
      { label: 'Phase' },
      { label: 'Data' },
      { label: 'State' },
      { label: 'Expected', numeric: true },
      { label: 'Took', numeric: true },
    ],
    rows: summary.steps.map(({ id, phase, target, state, attempts, expectedSeconds, startedAt, endedAt, reasons }) => [
      identifier(id),
      phase,
      target === null ? '' : targetLabel(target),
      html`${state}${attempts > 1 && `, attempt ${attempts}`}${reasons.length > 0 && html`<br><span class="soft">${reasons.join('; ')}</span>`}`,
      duration(expectedSeconds),
      duration(secondsBetween(startedAt, endedAt)),
    ]),
  });
}

/** Each command once, with the steps that ran it. */
function commands(steps: readonly Step[]): Markup {
  const uses = new Map<string, { where: Set<string>; ranks: number }>();
  for (const { id, tasks } of steps) {
    for (const { action } of tasks) {
      if (action.kind !== 'workload') continue;
      const line = action.command.join(' ');
      const use = uses.get(line) ?? { where: new Set(), ranks: action.ranksPerClient };
      use.where.add(id);
      uses.set(line, use);
    }
  }
  if (uses.size === 0) return html`<p>The plan runs no tool.</p>`;
  const rows = [...uses].map(([line, { where, ranks }]): CellContent[] => {
    const [first = '', ...others] = where;
    const more = others.length === 0 ? '' : ` and ${counted(others.length, 'more step')}`;
    return [html`${code(first)}${more}`, String(ranks), code(line)];
  });
  return table({
    caption:
      'Commands without their launcher; {dir} is the data directory of the step, {dirs} those of a round on all metadata targets',
    columns: [{ label: 'Step' }, { label: 'Ranks a client', numeric: true }, { label: 'Command' }],
    rows,
  });
}
