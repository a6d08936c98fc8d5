import type { RunSummary } from '../../analysis/summary';
import type { Judgement } from '../../claims';
import { bytes, counted, duration, NO_VALUE, plain, ratio, usd } from '../../kit/format/units';
import { groupBy, keyOf } from '../../kit/groupBy';
import type { Part, Sentence } from '../../kit/page/arms';
import { meanInterval } from '../../kit/statistics';
import {
  type Block,
  columns,
  heading,
  joined,
  numbers,
  quantity,
  remark,
  type Text,
  table,
  text,
} from '../../report/blocks';
import type { Section } from '../../report/sections/section';
import { storageBench } from '.';
import { studyCosts } from './monthly';
import {
  type Best,
  bestOf,
  type Done,
  doneOf,
  pricesOf,
  type StorageWork,
  sameWork,
  unitCosts,
  worksOf,
} from './results';

/** The sections of a run of the benchmark; nothing in those of others. */
const ofStorage = (run: RunSummary): boolean => run.benchmark === storageBench.name;

/** Names of files by size: the study's small files are of 500 kB. */
function sizeWords(size: number): string {
  return size % 1000 === 0 && size < 1e6 ? `${size / 1000} kB` : bytes(size);
}

const intervalWords = ({ interval }: Pick<Done, 'interval'>): string | null =>
  interval === null ? null : `${plain(Math.max(0, interval.low))}–${plain(interval.high)}`;

/** A mean with its interval; why it is missing stands under it. */
function cellOf(done: Done | undefined, words: (value: number | null) => string = plain, below?: Text) {
  if (done === undefined) return NO_VALUE;
  const [reason = null] = done.reasons;
  if (done.mean === null) return quantity(null, () => NO_VALUE, { reason, below: reason });
  const missing = reason === null ? null : `${counted(done.reasons.length, 'reason')} for missing values: ${reason}`;
  return quantity(done.mean, words, {
    below: joined(
      [intervalWords(done), below, missing].filter((part) => part),
      '; ',
    ),
  });
}

const arms = (run: RunSummary): Text[] => run.arms.map(({ name }) => ({ arm: name }));

const workWords = ({ operation, fileBytes, threads }: StorageWork): string =>
  `${/read/.test(operation) ? 'Read' : 'Write'} files of ${sizeWords(fileBytes)} by ${counted(threads, 'thread')}`;

function bestWords(best: Best | null, alike = 'not told from it'): Text {
  if (best === null) return NO_VALUE;
  return [
    { strong: { arm: best.arm } },
    best.alike.length > 0 && { below: [`${alike}: `, joined(best.alike.map((arm) => ({ arm })))] },
  ];
}

/** Which storage for which files, threads and budget. */
export const storageAnswer: Section = {
  id: 'which-storage',
  title: 'Which storage',
  isResult: true,
  after: null,
  headline(run) {
    if (!ofStorage(run)) return [];
    const done = doneOf(run, 'throughput');
    const kinds = groupBy(worksOf(done), ({ operation, fileBytes }) => keyOf(operation, fileBytes));
    return [...kinds.values()].flatMap((works) => fastestSentence(works, done));
  },
  blocks(run) {
    if (!ofStorage(run)) return [];
    const done = doneOf(run, 'throughput');
    const works = worksOf(done);
    if (works.length === 0) return [];
    const prices = pricesOf(run);
    const perUsd = (one: Done): Done => {
      const price = run.lab ? null : (prices.find(({ arm }) => arm === one.arm)?.hourlyUsd ?? null);
      const values = new Map(price === null ? [] : [...one.values].map(([repeat, value]) => [repeat, value / price]));
      return { ...one, values, mean: one.mean === null || price === null ? null : one.mean / price };
    };
    const rows = works.map((work) => {
      const own = done.filter((one) => sameWork(one, work));
      return [
        workWords(work),
        ...run.arms.map(({ name }) => cellOf(own.find(({ arm }) => arm === name))),
        bestWords(bestOf(own)),
        run.lab ? NO_VALUE : bestWords(bestOf(own.map(perUsd))),
      ];
    });
    return [
      text(
        'MB/s of the corrected workloads: data that do not compress, synced before the clock stops, read from a cache that was emptied. Under each mean is its 95 % interval. The fastest arm stands with those that the paired repeats do not tell from it.',
      ),
      table({
        caption: 'Which storage for which files, threads and budget (MB/s)',
        captionHidden: true,
        columns: [...columns('Work'), ...numbers(...arms(run)), ...columns('Fastest', 'Most for a dollar')],
        rows: [
          ...rows,
          [
            'List price of the storage, USD a month',
            ...prices.map(({ monthlyUsd, reason }) => quantity(monthlyUsd, usd, { reason, below: reason })),
            bestWords(bestOf(prices.map(cheapness)), 'as cheap'),
            NO_VALUE,
          ],
        ],
      }),
      run.lab &&
        remark(
          'Rates of the lab are those of one machine: nothing follows from them for a dollar on AWS. The list prices are those of the storages that the lab stands in for.',
        ),
    ];
  },
};

/** `Files of 1 GiB were written fastest by 1 thread on xfs (512 MB/s); by 4 threads on efs (900 MB/s) or lustre.` */
function fastestSentence(works: readonly StorageWork[], done: readonly Done[]): Sentence[] {
  const [first] = works;
  if (first === undefined) return [];
  const parts = works.flatMap((work): Part[] => {
    const own = done.filter((one) => sameWork(one, work));
    const best = bestOf(own);
    if (best === null) return [];
    const mean = own.find(({ arm }) => arm === best.arm)?.mean ?? null;
    const others = best.alike.flatMap((arm): Part[] => [' or ', { arm }]);
    const known = own.filter(({ mean: value }) => value !== null).length;
    if (known > 1 && best.alike.length === known - 1)
      return [`${work === first ? ' ' : '; '}by ${counted(work.threads, 'thread')} on no arm for certain`];
    return [
      `${work === first ? ' ' : '; '}by ${counted(work.threads, 'thread')} on `,
      { arm: best.arm },
      ` (${plain(mean)} MB/s)`,
      ...others,
    ];
  });
  if (parts.length === 0) return [];
  const verb = first.operation === 'read' ? 'read' : 'written';
  return [[`Files of ${sizeWords(first.fileBytes)} were ${verb} fastest`, ...parts, '.']];
}

/** A price as something of which more is better. */
function cheapness({ arm, monthlyUsd }: { arm: string; monthlyUsd: number | null }): Done {
  const mean = monthlyUsd === null || monthlyUsd <= 0 ? null : 1 / monthlyUsd;
  const values = new Map(mean === null ? [] : [1, 2].map((repeat) => [repeat, mean * (1 + repeat * 1e-12)]));
  return { arm, operation: 'price', fileBytes: 0, threads: 0, values, mean, interval: null, reasons: [] };
}

const LOOP_WORDS: Readonly<Record<string, string>> = {
  create_large_file: 'Create the large file',
  read_large_file: 'Read the large file',
  create_small_files: 'Create the small files',
  read_small_files: 'Read the small files',
};

/** The study's tables, with this run's times beside the published ones. */
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
    return [
      text(
        `The loops as the study printed them, timed by the shell: seconds until the last thread was done, with the 95 % interval of the mean, and user and system time of one thread. They are those of “${own[0]?.claim.source.title ?? storageBench.study}”, with their flaws: what is written is as fast as /dev/urandom makes it, and reads move 512 bytes at a time. The last columns have the published seconds of the study’s storages, each with its verdict.`,
      ),
      ...[...new Set(real.map(({ threads }) => threads))]
        .sort((a, b) => a - b)
        .flatMap((threads): Block[] => [heading(counted(threads, 'thread')), timesOf(run, threads, real, cpu, own)]),
      reasonsOf(own),
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
  return table({
    caption: `Seconds by ${counted(threads, 'thread')}: this run, and as published`,
    captionHidden: true,
    columns: [
      ...columns('Loop'),
      ...numbers(...arms(run), ...STORAGES.map((name) => ({ soft: `published: ${name}` }))),
    ],
    rows: works.map((work) => [
      [LOOP_WORDS[work.operation] ?? work.operation, { below: `${sizeWords(work.fileBytes)} each` }],
      ...run.arms.map(({ name }) => {
        const of = (list: readonly Done[]): Done | undefined =>
          list.find((one) => one.arm === name && sameWork(one, work));
        const [user, system] = cpu.map((list) => of(list)?.mean ?? null);
        const each = (value: number | null | undefined): string =>
          value == null ? NO_VALUE : (value / threads).toFixed(3);
        return cellOf(of(real), plain, { below: `user ${each(user)}, sys ${each(system)}` });
      }),
      ...STORAGES.map((storage) => publishedCell(judged, storage, work)),
    ]),
  });
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
function reasonsOf(judged: readonly Judgement[]): Block | null {
  const cells = judged.filter(({ claim }) => claim.conditions.threads !== undefined);
  const reasons = [
    ...new Set(cells.flatMap(({ verdict, because }) => (verdict === 'not comparable' ? [because] : []))),
  ];
  if (reasons.length === 0) return null;
  const shown = reasons.slice(0, 4).join('; ');
  return remark(
    `Not comparable (${counted(cells.filter(({ verdict }) => verdict === 'not comparable').length, 'cell')} of ${cells.length}): ${shown}${reasons.length > 4 ? `; and ${reasons.length - 4} more` : ''}.`,
  );
}

/** MB/s of the loops beside those of the corrected workloads on the same files. */
function besideCorrected(run: RunSummary, loops: readonly Done[]): Block[] {
  const corrected = doneOf(run, 'throughput');
  const moved = doneOf(run, 'bytes');
  const rows = worksOf(corrected).flatMap((work) => {
    const reads = work.operation === 'read';
    const loop = worksOf(loops).find(
      (one) =>
        one.fileBytes === work.fileBytes && one.threads === work.threads && /^read/.test(one.operation) === reads,
    );
    if (loop === undefined) return [];
    return [
      [
        workWords(work),
        ...run.arms.map(({ name }) => {
          const [time, amount] = [loops, moved].map((list) =>
            list.find((one) => one.arm === name && sameWork(one, loop)),
          );
          const right = corrected.find((one) => one.arm === name && sameWork(one, work))?.mean ?? null;
          const rate = time?.mean && amount?.mean ? amount.mean / time.mean / 1e6 : null;
          const share = rate === null || right === null ? null : rate / right;
          return quantity(rate, plain, {
            below: right === null ? null : `corrected ${plain(right)}; ${ratio(share)} of it`,
          });
        }),
      ],
    ];
  });
  if (rows.length === 0) return [];
  return [
    heading('What the loops hide'),
    text(
      'MB/s of the study’s loops, and below it of the corrected workload on files of the same size by as many threads.',
    ),
    table({
      caption: 'MB/s of the loops and of the corrected workloads',
      captionHidden: true,
      columns: [...columns('Work'), ...numbers(...arms(run))],
      rows,
    }),
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
    const rows = PIPELINE.flatMap(([metric, label, words]) => {
      const own = cells.filter((cell) => cell.metric === metric);
      if (own.every(({ count }) => count === 0)) return [];
      return [
        [
          label,
          ...run.arms.map(({ name }) => {
            const cell = own.find(({ arm }) => arm === name);
            const interval = meanInterval(cell?.samples.flatMap(({ value }) => value ?? []) ?? []);
            const range =
              metric === 'seconds' && interval !== null && `${plain(interval.low)}–${plain(interval.high)} s`;
            const reason = cell?.samples.find(({ value }) => value === null)?.reason;
            return quantity(cell?.mean ?? null, words, { below: range || reason });
          }),
        ],
      ];
    });
    return [
      text(
        'Means over the repeats; of the wall time with its 95 % interval. The inputs were made, and caches dropped, before the clock started.',
      ),
      table({
        caption: 'A pipeline on each storage',
        captionHidden: true,
        columns: [...columns('Measure'), ...numbers(...arms(run))],
        rows,
      }),
    ];
  },
};

/** What the study calculated, what is wrong with it, and what this run's storages cost. */
export const storageCosts: Section = {
  id: 'storage-costs',
  title: 'Cost',
  isResult: true,
  after: 'pipeline',
  blocks(run) {
    if (!ofStorage(run)) return [];
    return [
      table({
        caption: 'Monthly cost as the study calculated it',
        columns: [...columns('Storage', 'Formula'), ...numbers('As published', 'A month, corrected')],
        rows: studyCosts().map(({ storage, formula, usd: published, per, monthlyUsd, erratum }) => [
          [storage, erratum && { below: `Erratum: ${erratum}` }],
          formula,
          quantity(published, (value) => `${usd(value)} a ${per}`),
          quantity(monthlyUsd, usd),
        ]),
      }),
      ...today(run),
      remark(
        'The study leaves out the instances that serve LizardFS; the list price of an arm holds its servers and volumes. The clients count while data are moved.',
      ),
    ];
  },
};

function today(run: RunSummary): Block[] {
  const prices = pricesOf(run);
  const rates = doneOf(run, 'throughput');
  const basis = run.record.manifest?.stack?.priceBasis;
  const works = worksOf(rates).filter(({ operation }) => operation === 'write');
  const most = Math.max(0, ...works.map(({ threads }) => threads));
  const columnsOf = works.filter(({ threads }) => threads === most);
  const words = (work: StorageWork): string =>
    work.fileBytes < 1e6
      ? `USD per million files of ${sizeWords(work.fileBytes)}`
      : `USD per TB in files of ${sizeWords(work.fileBytes)}`;
  return [
    table({
      caption: `Today’s list prices${basis ? ` (${basis})` : ''}, and what writing costs at the measured rate`,
      columns: [
        ...columns('Arm'),
        ...numbers('USD a month', ...columnsOf.map((work) => `${words(work)}, ${counted(most, 'thread')}`)),
      ],
      rows: prices.map(({ arm, monthlyUsd, hourlyUsd, reason }) => [
        { arm },
        quantity(monthlyUsd, usd, { reason, below: reason }),
        ...columnsOf.map((work) => {
          const rate = rates.find((one) => one.arm === arm && sameWork(one, work))?.mean ?? null;
          const why = run.lab
            ? 'nothing in the lab costs money'
            : hourlyUsd === null
              ? 'no price'
              : rate === null
                ? 'not measured'
                : null;
          if (why !== null || hourlyUsd === null || rate === null)
            return quantity(null, () => NO_VALUE, { reason: why, below: why });
          const { perTb, perMillion } = unitCosts(hourlyUsd, rate, work.fileBytes);
          return quantity(work.fileBytes < 1e6 ? perMillion : perTb, usd);
        }),
      ]),
    }),
  ];
}
