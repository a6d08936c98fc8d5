import { ratio } from '../../lib/common/format/units';
import { ArmLook } from '../../lib/common/page/arms';
import { loadDrawing } from '../../lib/common/page/drawing';
import {
  type Block,
  type Chart,
  columns,
  details,
  facts,
  heading,
  line,
  numbers,
  printed,
  quantity,
  remark,
  table,
  text,
} from '../../lib/report/blocks';
import { blocksJson } from '../../lib/report/json';
import { blocksMarkdown } from '../../lib/report/markdown';
import { blocksHtml } from '../../lib/report/page';
import { inPlace } from '../../lib/report/sections';
import type { Section } from '../../lib/report/sections/section';

const look = new ArmLook({ arms: [{ name: 'none' }, { name: 'lz4' }] });

async function page(...blocks: readonly Block[]): Promise<string> {
  return blocksHtml(blocks, { look, drawing: await loadDrawing() }).toString();
}
const markdown = (...blocks: readonly Block[]): string => blocksMarkdown(blocks).join('\n\n');

const grid = table({
  caption: 'Quotients',
  columns: [...columns('Arm', 'Remark'), ...numbers('Ratio')],
  rows: [
    ['On write'],
    [{ arm: 'lz4' }, '', quantity(1.82345, ratio, { below: '1.70–1.95' })],
    [{ arm: 'none' }, '', quantity(null, ratio, { reason: 'no sample' })],
  ],
});

const drawn = jest.fn();
const chart: Chart = {
  id: 'one',
  title: 'Rate by data',
  description: 'lz4: median 3 MB/s.',
  caption: line`${{ strong: 'write' }}, MB/s`,
  options: ({ plot }) => {
    drawn();
    return { marks: [plot.dot([{ x: 1, y: 3 }], { x: 'x', y: 'y' })] };
  },
};

describe('what a file says never becomes markup', () => {
  const hostile = '<img src=x onerror=alert(1)> | `x` [a](b) **b**';
  const everywhere: Block[] = [
    text(line`${hostile} ${{ strong: hostile }} ${{ soft: hostile }} ${{ arm: hostile }}`),
    heading(hostile),
    facts([[hostile, hostile]]),
    table({
      caption: hostile,
      columns: columns(hostile, 'b'),
      rows: [[hostile], [{ code: hostile }, { below: hostile }]],
    }),
    printed(hostile, { kind: 'list', items: [hostile] }),
    { kind: 'callout', id: 'place', title: hostile, lines: [hostile] },
    {
      kind: 'issues',
      issues: [{ id: hostile, severity: 'error', message: hostile, expected: hostile, actual: hostile }],
    },
  ];

  test('on the page', async () => {
    expect(await page(...everywhere)).not.toContain('<img');
  });

  test('in Markdown, where a bar within a table would also make a cell', () => {
    const prose = markdown(...everywhere)
      // Code is shown unchanged.
      .replace(/(?<![\\`])(`+) .*? \1(?!`)/g, 'code');
    expect(prose).not.toMatch(/<img|\[a\]\(b\)|(?<!\\)\*\*b/);
    const rows = markdown(...everywhere)
      .split('\n')
      .filter((row) => row.startsWith('|'))
      .map((row) => row.split(/(?<!\\)\|/).length);
    expect(new Set(rows)).toEqual(new Set([4]));
  });
});

test('a finding has its next step in each form', async () => {
  const issue = { id: 'run-incomplete', severity: 'warning', message: 'It ended early.', expected: 'all', actual: '1' };
  const issues: Block = {
    kind: 'issues',
    issues: [{ ...issue, severity: 'warning', suggestion: 'run it with --resume' }],
  };
  for (const form of [await page(issues), markdown(issues)]) expect(form).toContain(' Next: run it with --resume.');
  expect(JSON.stringify(blocksJson([issues]))).toContain('run it with --resume');
  expect(markdown({ ...issues, issues: [{ ...issue, severity: 'warning' }] })).toBe(
    '- **warning: Run did not reach its end.** It ended early. Expected all; found 1. `run-incomplete`',
  );
});

describe('a table', () => {
  test('names its groups, and stands a number above its interval or beside its reason', async () => {
    const html = await page(grid);
    expect(html).toContain('<th scope="colgroup" colspan="3">On write</th>');
    expect(html).toContain('<td class="number">1.82<br><span class="soft">1.70–1.95</span></td>');
    expect(html).toContain('<td class="number">– <span class="soft">no sample</span></td>');
  });

  test('loses columns in Markdown that say nothing, and aligns numbers to the right', () => {
    expect(markdown(grid)).toBe(
      'Quotients:\n\n| Arm | Ratio |\n| --- | --: |\n| **On write** |  |\n| lz4 | 1.82 (1.70–1.95) |\n| none | – no sample |',
    );
  });

  test('has numbers as they are for programs, and a reason beside one that is missing', () => {
    expect(blocksJson([grid])).toEqual([
      {
        kind: 'table',
        caption: 'Quotients',
        columns: ['Arm', 'Ratio'],
        rows: [['On write'], ['lz4', 1.82345], ['none', { value: null, reason: 'no sample' }]],
      },
    ]);
  });
});

describe('a chart', () => {
  const charts: Block = { kind: 'charts', charts: [chart] };

  test('is drawn for a page alone, with its words for those who do not see it', async () => {
    drawn.mockClear();
    markdown(charts);
    blocksJson([charts]);
    expect(drawn).not.toHaveBeenCalled();
    const html = await page(charts);
    expect(drawn).toHaveBeenCalledTimes(1);
    expect(html).toContain('<title id="one-title">Rate by data</title><desc id="one-desc">lz4: median 3 MB/s.</desc>');
    expect(html).toContain('<figcaption><strong>write</strong>, MB/s</figcaption>');
  });

  test('is its figures in Markdown, and its description where it has none', () => {
    expect(markdown(charts)).toBe('Rate by data: lz4: median 3 MB/s.');
    const withFigures: Block = { ...charts, figures: [printed('Figures: write', grid)] };
    expect(markdown(withFigures)).toMatch(/^\*\*Figures: write\*\*\n\nQuotients:\n\n\| Arm \|/);
    expect(blocksJson([withFigures]).map(({ kind }) => kind)).toEqual(['charts', 'table']);
  });
});

test('what only the page opens on demand is left out of Markdown and JSON', async () => {
  const hidden = details('Every step', remark('step 1'));
  expect(await page(hidden)).toBe('<details><summary>Every step</summary>\n<p class="soft">step 1</p>\n</details>\n');
  expect(markdown(hidden)).toBe('');
  expect(blocksJson([hidden])).toEqual([]);
});

test('facts without a value are left out everywhere, and zero is a value', async () => {
  const block = facts([
    ['Zone', null],
    ['Retries', 0],
  ]);
  expect(await page(block)).toBe('<dl class="facts"><div><dt>Retries</dt><dd>0</dd></div>\n</dl>\n');
  expect(markdown(block)).toBe('- Retries: 0');
  expect(blocksJson([block])).toEqual([{ kind: 'facts', facts: [{ name: 'Retries', value: '0' }] }]);
});

describe('a section of a plug-in', () => {
  const section = (id: string, more: Partial<Section> = {}): Section => ({ id, title: id, blocks: () => [], ...more });
  const own = [section('rates', { isResult: true }), section('space', { isResult: true }), section('plan')];
  const ids = (added: readonly Section[]): string[] => inPlace(own, added).map(({ id }) => id);

  test('stands behind the one that it names, or behind the last result', () => {
    expect(ids([section('mine', { after: 'rates' }), section('other')])).toEqual([
      ...['rates', 'mine', 'space', 'other', 'plan'],
    ]);
  });

  test('cannot stand behind one that there is not, nor take the id of another', () => {
    expect(() => ids([section('mine', { after: 'nowhere' })])).toThrow(
      "'after' of the section 'mine' must be one of rates, space, plan, got 'nowhere'",
    );
    expect(() => ids([section('plan')])).toThrow("two sections of the report have the id 'plan'");
  });
});
