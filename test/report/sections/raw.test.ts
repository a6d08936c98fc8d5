import type { DetailsBlock, Text } from '../../../lib/report/blocks';
import { raw, rawLinks, samples } from '../../../lib/report/sections/samples';
import type { Section } from '../../../lib/report/sections/section';
import { isShown, plainText } from '../../../lib/report/shown';
import type { Sample } from '../../../lib/schema/sample';
import { sampleOf } from '../../support/records';

type Parts = Pick<DetailsBlock, 'summary'> & {
  readonly lists: Text[];
  readonly rows: string[][];
  readonly words: string[];
};
/** Returns what the page opens below each title of a section. */
const opened = (section: Section, record: object): Parts[] =>
  section
    .blocks({ record } as never)
    .filter(isShown)
    .flatMap((block): Parts[] => {
      if (block.kind !== 'details') return [];
      return [
        {
          summary: plainText(block.summary),
          lists: block.blocks.flatMap((one) => (one.kind === 'list' ? one.items : [])),
          rows: block.blocks.flatMap((one) =>
            one.kind === 'table' ? one.rows.map((row) => row.map((field) => plainText(field as Text))) : [],
          ),
          words: block.blocks.flatMap((one) => (one.kind === 'text' ? plainText(one.text) : [])),
        },
      ];
    });
const filesIn = (folder: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ path: `raw/${folder}/${at}.out`, bytes: 1500 }));

test.each([
  ['3,000 files are all named', [2000, 1000], [2000, 1000], []],
  ['of 3,001 the first hundred of each folder', [2900, 101], [100, 100], ['2,800 more files', '1 more file']],
  ['a folder of a hundred has no more', [2901, 100], [100, 100], ['2,801 more files']],
  ['none', [], [], []],
])('raw files: %s', (_, counts, named, more) => {
  const folders = opened(raw, { raw: counts.flatMap((count, folder) => filesIn(`f${folder}`, count)) });
  expect(folders.map(({ lists }) => lists.length)).toEqual(named);
  expect(folders.flatMap(({ words }) => words)).toEqual(more.map((left) => `And ${left} in this folder.`));
  expect(folders.map(({ summary }) => summary)).toEqual(
    counts.map((count, at) => `raw/f${at} ${count.toLocaleString('en')} files`),
  );
  if (counts.length > 0) expect(plainText(folders[0]?.lists[0])).toBe('0.out 1.46 KiB');
});

test('a value links to the output of its step, else to its JSON, else to the first of the clients’ files', () => {
  const link = rawLinks(
    ['r/a.cmd', 'r/a.json', 'r/a.out', 'r/b.cmd', 'r/b.json', 'r/c.n1.out', 'r/c.n2.out', 'r/d 1.out'].map((path) => ({
      path,
      bytes: 1,
    })),
  );
  expect(['r/a', 'r/b', 'r/c', 'r/d 1', 'r/e', null].map((stem) => link(stem, 'client'))).toEqual([
    ...['../r/a.out', '../r/b.json', '../r/c.n1.out', '../r/d%201.out'].map((to) => ({ link: to, text: 'client' })),
    ...['client', 'client'],
  ]);
});

const rowsOf = (all: readonly Sample[], superseded: readonly Sample[] = []) =>
  opened(samples, { samples: all, superseded, raw: [] }).flatMap(({ rows }) => rows);

test('of more samples than 1000 the report shows the first', () => {
  const all = Array.from({ length: 1001 }, (_, at) => sampleOf({ step: `s${at}`, value: at }));
  expect(rowsOf(all)).toHaveLength(1000);
});

test('what was recorded on one occasion is one row, with its remarks', () => {
  const one = sampleOf({
    step: 's1',
    iteration: 2,
    value: 1_234_567,
    attempt: 2,
    phase: 'warm-up',
    problems: ['slow'],
  });
  const again = sampleOf({ step: 's2', attempt: 1, value: 1234.56789, compressibility: 2.6 });
  const rows = rowsOf(
    [
      ...[one, { ...one, metric: 'operations', unit: '1', value: 7, cautions: ['odd', 'slow'] }],
      ...[again, { ...again, attempt: 3, value: null, reason: 'killed' }],
    ],
    [again],
  );
  const seen = rows.map(([step, , data, operation, values, , , remarks]) => [step, data, operation, values, remarks]);
  expect(seen).toEqual([
    ['s1', '', 'write 2', 'throughput 1,234,567 MB/s · operations 7', 'attempt 2, warm-up, slow, odd'],
    ['s2', '2.6:1', 'write', 'throughput 1234.57 MB/s', 'attempt 1, superseded'],
    ['s2', '2.6:1', 'write', expect.stringMatching(/^throughput . killed$/), 'attempt 3'],
  ]);
});
