import { targetLabel } from '../../kit/format/targets';
import { bytes, ratio } from '../../kit/format/units';
import { type CellContent, figure, table } from '../../kit/page/layout';
import { html } from '../../kit/page/markup';
import { spaceChart } from '../charts';
import type { PageSection } from './section';

export const space: PageSection = {
  id: 'space',
  title: 'Space',
  isResult: true,
  render(context) {
    const { summary, look } = context;
    if (summary.space.length === 0) return null;
    const drawn = summary.space.some(({ target, count }) => target !== null && count > 0);
    const sources = [...new Set(summary.space.flatMap(({ readings }) => readings.map(({ source }) => source)))];
    const rows = summary.space.map(({ arm, target, readings, median, min, max, byFreeSpace }): CellContent[] => {
      const whole = readings.find(
        ({ apparentBytes, allocatedBytes }) => apparentBytes !== null && allocatedBytes !== null,
      );
      const range = ratio(min) === ratio(max) ? '' : html`<br><span class="soft">${ratio(min)}–${ratio(max)}</span>`;
      return [
        targetLabel(target),
        look.label(arm),
        html`${ratio(median)}${range}`,
        byFreeSpace === null ? '–' : ratio(byFreeSpace),
        bytes(whole?.apparentBytes ?? null),
        bytes(whole?.allocatedBytes ?? null),
      ];
    });
    const missing = summary.space.flatMap(({ arm, target, readings }) =>
      readings.flatMap(({ ratio: value, repeat, reason }) =>
        value === null
          ? [
              html`<p class="soft">${look.label(arm)} at ${targetLabel(target)}, repeat ${repeat}: ${reason ?? ''}.</p>\n`,
            ]
          : [],
      ),
    );
    const unread = summary.space.flatMap(({ arm, target, freeSpaceReasons }) =>
      freeSpaceReasons.map(
        (reason) => html`<p class="soft">${look.label(arm)} at ${targetLabel(target)}, by free space: ${reason}.</p>\n`,
      ),
    );
    const figures = table({
      caption: 'Space taken: compression ratio by what was asked for',
      captionHidden: true,
      columns: [
        { label: 'Asked for' },
        { label: 'Arm' },
        { label: 'Reached', numeric: true },
        { label: 'By free space', numeric: true },
        { label: 'Data', numeric: true },
        { label: 'Space', numeric: true },
      ],
      rows,
    });
    return html`<p>The ratio is the size of the data over the space that it takes, read back by ${sources.join(', ')} after the data were written. What a tool was asked to write is the dashed line. Data and space are those of the first reading; the ratio by free space is what the file system’s used space grew by, which is rougher.</p>
<div class="charts aside">${drawn && figure(spaceChart(context, 'space-chart'), html`<strong>Ratio read back</strong> against ratio asked for. ${summary.arms.map(({ name }) => html`${look.label(name)} `)}`)}
<div>${figures}${missing}${unread}</div></div>`;
  },
};
