import type { RunSummary } from '../../../analysis/summary';
import { storageBench } from '../../../benchmark/storage';
import type { Judgement } from '../../../claims';
import { ownValue } from '../../../common/collections';
import { bytes, counted, duration, NO_VALUE, plain, precise, ratio } from '../../../common/format/units';
import { meanInterval } from '../../../common/statistics';
import { type Block, column, heading, number, quantity, remark, tableOf, text } from '../../blocks';
import type { Section } from '../../sections/section';
import {
  cellOf,
  type Done,
  describeSize,
  describeWork,
  doneOf,
  ofStorage,
  type StorageWork,
  sameWork,
  worksOf,
} from './results';

const LOOP_WORDS: Readonly<Record<string, string>> = {
  create_large_file: 'Create the large file',
  read_large_file: 'Read the large file',
  create_small_files: 'Create the small files',
  read_small_files: 'Read the small files',
};

/** The study's tables, with this run's times next to the published ones. */
export const studyTables: Section = {
  id: 'study',
  title: 'The study’s tables, measured',
  isResult: true,
  after: 'which-storage',
  blocks(run) {
    if (!ofStorage(run)) return [];
    const real = doneOf(run, 'seconds');
    if (real.length === 0) return [];
    const cpu = [doneOf(run, 'user_seconds'), doneOf(run, 'system_seconds')];
    const own = run.analysis.verdicts.filter(({ claim }) => claim.study === storageBench.study);
    const timed = own.filter(({ claim }) => claim.conditions.threads !== undefined);
    const beside = timed.some(({ verdict }) => verdict !== 'not comparable');
    return [
      text(
        `These are the loops of “${own[0]?.claim.source.title ?? storageBench.study}”, as published and with their flaws: writes are no faster than /dev/urandom, and reads move 512 bytes at a time. Each time is in seconds until the last thread finished, with the 95 % interval of the mean, and the user and system time per thread.${beside ? ' The last columns have the published seconds of the study’s storages, each with its verdict.' : ''}`,
      ),
      ...[...new Set(real.map(({ threads }) => threads))]
        .sort((a, b) => a - b)
        .flatMap((threads) => [
          heading(counted(threads, 'thread')),
          timesOf(run, threads, real, cpu, beside ? own : []),
        ]),
      reasonsOf(timed, beside),
      ...besideCorrected(run, real),
    ];
  },
};

const STORAGES = ['EFS', 'LUSTRE', 'BTRFS on EBS', 'LizardFS on EBS'] as const;

function timesOf(
  run: RunSummary,
  threads: number,
  real: readonly Done[],
  cpu: readonly (readonly Done[])[],
  judged: readonly Judgement[],
): Block {
  const works = worksOf(real.filter((one) => one.threads === threads));
  const published = judged.length > 0;
  const caption = `Seconds by ${counted(threads, 'thread')}${published ? ': this run, and as published' : ''}`;
  return tableOf(works, { caption, captionHidden: true }, [
    column('Loop', ({ operation, fileBytes }) => [
      ownValue(LOOP_WORDS, operation) ?? operation,
      { below: `${describeSize(fileBytes)} each` },
    ]),
    ...run.arms.map(({ name }) =>
      number({ arm: name }, (work: StorageWork) => {
        const of = (list: readonly Done[]) => list.find((one) => one.arm === name && sameWork(one, work));
        const [user, system] = cpu.map((list) => of(list)?.mean ?? null);
        const each = (value: number | null | undefined): string =>
          value == null ? NO_VALUE : (value / threads).toFixed(3);
        return cellOf(of(real), plain, `user ${each(user)}, sys ${each(system)}`);
      }),
    ),
    ...(published ? STORAGES : []).map((storage) =>
      number({ soft: `published: ${storage}` }, (work: StorageWork) => publishedCell(judged, storage, work)),
    ),
  ]);
}

function publishedCell(judged: readonly Judgement[], storage: string, { operation, threads }: StorageWork) {
  const found = judged.find(
    ({ claim: { conditions } }) =>
      conditions.storage === storage && conditions.operation === operation && conditions.threads === threads,
  );
  if (found === undefined) return NO_VALUE;
  const { claim, verdict, errata } = found;
  return quantity(claim.value, plain, {
    below: [verdict, errata.length > 0 && `; erratum: ${errata.join(' ').replace(/\.$/, '')}`],
  });
}

/** Why cells are not comparable, each reason once. */
function reasonsOf(cells: readonly Judgement[], beside: boolean): Block | null {
  const without = cells.filter(({ verdict }) => verdict === 'not comparable');
  const reasons = [...new Set(without.map(({ because }) => because))];
  if (reasons.length === 0) return null;
  const shown = reasons.slice(0, 4).join('; ');
  const more = reasons.length > 4 ? `; and ${reasons.length - 4} more` : '';
  const what = beside
    ? `Not comparable (${counted(without.length, 'cell')} of ${cells.length}):`
    : `None of the ${counted(cells.length, 'published time')} can be compared, because`;
  return remark(`${what} ${shown}${more}.`);
}

/** MB/s of the loops next to those of the corrected workloads on the same files. */
function besideCorrected(run: RunSummary, loops: readonly Done[]): Block[] {
  const corrected = doneOf(run, 'throughput');
  const moved = doneOf(run, 'bytes');
  const works = worksOf(corrected).flatMap((work) => {
    const reads = work.operation === 'read';
    const loop = worksOf(loops).find(
      (one) =>
        one.fileBytes === work.fileBytes && one.threads === work.threads && /^read/.test(one.operation) === reads,
    );
    return loop === undefined ? [] : { ...work, loop };
  });
  if (works.length === 0) return [];
  return [
    heading('What the loops hide'),
    text(
      'MB/s of the study’s loops, then MB/s of the corrected workload with the same file size and number of threads, and loop ÷ corrected.',
    ),
    tableOf(works, { caption: 'MB/s of the loops and of the corrected workloads', captionHidden: true }, [
      column('Work', describeWork),
      ...run.arms.map(({ name }) =>
        number({ arm: name }, ({ loop, ...work }: (typeof works)[number]) => {
          const meanOf = (list: readonly Done[], of: StorageWork): number | null =>
            list.find((one) => one.arm === name && sameWork(one, of))?.mean ?? null;
          const [time, amount, right] = [meanOf(loops, loop), meanOf(moved, loop), meanOf(corrected, work)];
          const rate = time && amount ? amount / time / 1e6 : null;
          const share = rate === null || right === null ? null : rate / right;
          return quantity(rate, precise, {
            below: right === null ? null : `corrected ${precise(right)}: ${ratio(share)} ×`,
          });
        }),
      ),
    ]),
  ];
}

const PIPELINE = [
  ['seconds', 'Wall time', duration],
  ['user_seconds', 'User time', duration],
  ['system_seconds', 'System time', duration],
  ['bytes_read', 'Read by its programs', bytes],
  ['bytes_written', 'Written by its programs', bytes],
  ['output_bytes', 'Declared outputs', bytes],
] as const;

/** A real pipeline: what it took on each storage. */
export const pipelineSection: Section = {
  id: 'pipeline',
  title: 'Pipeline',
  isResult: true,
  after: 'study',
  blocks(run) {
    if (!ofStorage(run)) return [];
    const cells = run.cells.filter(({ operation }) => operation === 'run');
    if (cells.length === 0) return [];
    const measures = PIPELINE.flatMap(([metric, label, words]) => {
      const own = cells.filter((cell) => cell.metric === metric);
      return own.every(({ count }) => count === 0) ? [] : { metric, label, words, own };
    });
    return [
      text(
        'Means over the repeats; wall time has its 95 % interval. The inputs were prepared and caches dropped before the clock started.',
      ),
      tableOf(measures, { caption: 'A pipeline on each storage', captionHidden: true }, [
        column('Measure', ({ label }) => label),
        ...run.arms.map(({ name }) =>
          number({ arm: name }, ({ metric, words, own }: (typeof measures)[number]) => {
            const cell = own.find(({ arm }) => arm === name);
            const interval = meanInterval(cell?.samples.flatMap(({ value }) => value ?? []) ?? []);
            const range =
              metric === 'seconds' && interval !== null && `${plain(interval.low)}–${plain(interval.high)} s`;
            const reason = cell?.samples.find(({ value }) => value === null)?.reason;
            return quantity(cell?.mean ?? null, words, { below: range || reason });
          }),
        ),
      ]),
    ];
  },
};
