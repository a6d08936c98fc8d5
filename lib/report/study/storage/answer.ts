import { keyOf } from '../../../common/collections';
import { listed } from '../../../common/format/text';
import { counted, NO_VALUE, plain, usd } from '../../../common/format/units';
import type { Part, Sentence } from '../../../common/page/arms';
import { columns, joined, numbers, quantity, remark, type Text, table, text } from '../../blocks';
import type { Section } from '../../sections/section';
import {
  type Alike,
  alikeIn,
  arms,
  type Best,
  bestOf,
  cellOf,
  type Done,
  describeSize,
  describeWork,
  doneOf,
  ofStorage,
  pricesOf,
  type StorageWork,
  sameWork,
  worksOf,
} from './results';

function describeBest(best: Best | null, alike = 'not shown to be slower'): Text {
  if (best === null) return NO_VALUE;
  return [
    { strong: { arm: best.arm } },
    best.alike.length > 0 && { below: [`${alike}: `, joined(best.alike.map((arm) => ({ arm })))] },
  ];
}

/** Recommended storage by file size, threads and budget. */
export const storageAnswer: Section = {
  id: 'which-storage',
  title: 'Which storage',
  isResult: true,
  after: null,
  headline(run) {
    if (!ofStorage(run)) return [];
    const done = doneOf(run, 'throughput');
    const kinds = Map.groupBy(worksOf(done), ({ operation, fileBytes }) => keyOf(operation, fileBytes));
    return [...kinds.values()].flatMap((works) => fastestSentence(works, done, alikeIn(run)));
  },
  blocks(run) {
    if (!ofStorage(run)) return [];
    const done = doneOf(run, 'throughput');
    const works = worksOf(done);
    if (works.length === 0) return [];
    const prices = pricesOf(run);
    const alike = alikeIn(run);
    const perUsd = (one: Done): Done => {
      const price = prices.find(({ arm }) => arm === one.arm)?.hourlyUsd ?? null;
      const values = new Map(price === null ? [] : [...one.values].map(([repeat, value]) => [repeat, value / price]));
      return { ...one, values, mean: one.mean === null || price === null ? null : one.mean / price };
    };
    const rows = works.map((work) => {
      const own = done.filter((one) => sameWork(one, work));
      return [
        describeWork(work),
        ...run.arms.map(({ name }) => cellOf(own.find(({ arm }) => arm === name))),
        describeBest(bestOf(own, alike)),
        ...(run.lab ? [] : [describeBest(bestOf(own.map(perUsd), alike))]),
      ];
    });
    return [
      text(
        'Mean MB/s of the corrected workloads, with 95 % intervals. Their data do not compress, writes end with a sync, and caches are dropped before reads. Arms whose paired repeats do not show them to be meaningfully slower are listed with the fastest arm.',
      ),
      table({
        caption: 'Which storage for which files, threads and budget (MB/s)',
        captionHidden: true,
        columns: [
          ...columns('Work'),
          ...numbers(...arms(run)),
          ...columns('Fastest', ...(run.lab ? [] : ['Most for a dollar'])),
        ],
        rows: [
          ...rows,
          [
            'List price of the storage, USD per month',
            ...prices.map(({ monthlyUsd, reason }) => quantity(monthlyUsd, usd, { reason, below: reason })),
            describeBest(bestOf(prices.map(cheapness)), 'as cheap'),
            ...(run.lab ? [] : [NO_VALUE]),
          ],
        ],
      }),
      run.lab &&
        remark(
          'The lab’s rates do not apply to AWS, so they are not divided by a price. The list prices are those of the storages that the lab replaces.',
        ),
    ];
  },
};

/** `Fastest at writing files of 1 GiB: xfs (512 MB/s) with 1 thread; efs (900 MB/s) or lustre (880) with 4 threads`: medians. */
function fastestSentence(works: readonly StorageWork[], done: readonly Done[], alike: Alike): Sentence[] {
  const clauses = works.flatMap((work): { threads: number; words: Part[] } | [] => {
    const { threads } = work;
    const own = done.filter((one) => sameWork(one, work));
    const best = bestOf(own, alike);
    if (best === null) return [];
    const known = own.filter(({ mean: value }) => value !== null).length;
    if (known > 1 && best.alike.length === known - 1) return { threads, words: ['no clear winner'] };
    const medianIn = (name: string): string => plain(own.find(({ arm }) => arm === name)?.median ?? null);
    const others = best.alike.flatMap((arm): Part[] => [' or ', { arm }, ` (${medianIn(arm)})`]);
    return { threads, words: [{ arm: best.arm }, ` (${medianIn(best.arm)} MB/s)`, ...others] };
  });
  const [first] = works;
  if (first === undefined || clauses.length === 0) return [];
  const groups = [...Map.groupBy(clauses, ({ words }) => JSON.stringify(words)).values()];
  const parts = groups.flatMap((group, index): Part[] => [
    index === 0 ? ' ' : '; ',
    ...(group[0]?.words ?? []),
    ` with ${describeThread(group.map(({ threads }) => threads))}`,
  ]);
  const verb = first.operation === 'read' ? 'reading' : 'writing';
  return [[`Fastest at ${verb} files of ${describeSize(first.fileBytes)}:`, ...parts, '.']];
}

/** `1 thread`, `1, 4 and 8 threads` */
const describeThread = (threads: readonly number[]): string =>
  threads.length === 1 ? counted(threads[0] as number, 'thread') : `${listed(threads.map(String))} threads`;

/** The inverse of a price, since more is better in this comparison. */
function cheapness({ arm, monthlyUsd }: { arm: string; monthlyUsd: number | null }): Done {
  const mean = monthlyUsd === null || monthlyUsd <= 0 ? null : 1 / monthlyUsd;
  const values = new Map(mean === null ? [] : [1, 2].map((repeat) => [repeat, mean * (1 + repeat * 1e-12)]));
  return { arm, operation: 'price', fileBytes: 0, threads: 0, values, mean, interval: null, median: null, reasons: [] };
}
