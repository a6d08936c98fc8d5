import type { CompareArmsOptions } from '../../../analysis/compare/comparisons';
import type { RunSummary } from '../../../analysis/summary';
import { countedSamples } from '../../../benchmark/common/counted';
import { storageBench } from '../../../benchmark/storage';
import { claimById } from '../../../claims';
import { keyOf } from '../../../common/collections';
import { bytes, counted, NO_VALUE, plain, usd } from '../../../common/format/units';
import { comparePairs, type Interval, isNegligible, meanInterval, meanOf, medianOf } from '../../../common/statistics';
import { HOURS_PER_MONTH } from '../../../price/prices';
import { smallestDifferenceIn } from '../../../schema/plan';
import { reasonsOf, type Sample } from '../../../schema/sample';
import { systematicErrorOf } from '../../../store/platform';
import { armColumn, type Block, column, number, quantity, remark, type Text, tableOf } from '../../blocks';
import type { Section } from '../../sections/section';

/** A unit of work: its data, direction and number of threads. */
export interface StorageWork {
  readonly operation: string;
  readonly fileBytes: number;
  readonly threads: number;
}

/** Results of an arm for some work; its values by repeat. */
export interface Done extends StorageWork {
  readonly arm: string;
  /** Seconds of a loop; MB/s of a corrected workload. */
  readonly values: ReadonlyMap<number, number>;
  readonly mean: number | null;
  readonly interval: Interval | null;
  readonly median: number | null;
  readonly reasons: readonly string[];
}

/** Everything of one metric that a plan did by files and threads. */
export function doneOf(run: RunSummary, metric: string): Done[] {
  const own = countedSamples(run).filter((sample) => sample.metric === metric && sample.fileBytes && sample.threads);
  const groups = Map.groupBy(own, ({ arm, operation, fileBytes, threads }) =>
    keyOf(arm, operation, fileBytes ?? null, threads ?? null),
  );
  return [...groups.values()].flatMap((samples): Done | [] => {
    const { arm, operation, fileBytes, threads } = samples[0] as Sample;
    if (fileBytes === undefined || threads === undefined) return [];
    const values = new Map(samples.flatMap(({ repeat, value }) => (value === null ? [] : [[repeat, value] as const])));
    const all = [...values.values()];
    const statistics = { mean: meanOf(all), interval: meanInterval(all), median: medianOf(all) };
    return { arm, operation, fileBytes, threads, values, ...statistics, reasons: reasonsOf(samples) };
  });
}

export const sameWork = (one: StorageWork, other: StorageWork): boolean =>
  one.operation === other.operation && one.fileBytes === other.fileBytes && one.threads === other.threads;

/** Each piece of work once: large files first, then by direction and threads. */
export function worksOf(done: readonly Done[]): StorageWork[] {
  const groups = Map.groupBy(done, ({ operation, fileBytes, threads }) => keyOf(operation, fileBytes, threads));
  const works = [...groups.values()].map(([first]) => {
    const { operation, fileBytes, threads } = first as Done;
    return { operation, fileBytes, threads };
  });
  const rank = ({ operation }: StorageWork): number => Number(/read/.test(operation));
  return works.sort((a, b) => b.fileBytes - a.fileBytes || rank(a) - rank(b) || a.threads - b.threads);
}

/** The best arm for some work, and those whose repeats do not show a difference from it. */
export type Best = NonNullable<ReturnType<typeof bestOf>>;

/** Bounds within which two arms are taken as alike. */
export type Alike = Pick<CompareArmsOptions, 'smallest' | 'systematic'>;

export const alikeIn = (run: RunSummary): Alike => ({
  smallest: smallestDifferenceIn(run.record.plan),
  systematic: systematicErrorOf(run),
});

/** True unless the pairs of two arms show a difference, and one that may matter. Fewer than two pairs show no difference. */
function isAlike(best: Done, other: Done, comparisons: number, { smallest = null, systematic }: Alike): boolean {
  const pairs = [...best.values].flatMap(([repeat, baseline]) => {
    const value = other.values.get(repeat) ?? 0;
    return value > 0 && baseline > 0 ? { baseline, value } : [];
  });
  if (pairs.length < 2) return true;
  const { different, ratioInterval } = comparePairs(pairs, { comparisons, systematic });
  return different !== true || (ratioInterval !== null && smallest !== null && isNegligible(ratioInterval, smallest));
}

export function bestOf(done: readonly Done[], alike: Alike = {}) {
  const known = done.filter((one) => one.mean !== null).sort((a, b) => (b.mean ?? 0) - (a.mean ?? 0));
  const [best, ...others] = known;
  if (best === undefined) return null;
  return {
    arm: best.arm,
    alike: others.filter((other) => isAlike(best, other, others.length, alike)).map(({ arm }) => arm),
  };
}

type ArmPrice = ReturnType<typeof pricesOf>[number];

/** Prices of today, as the manifest recorded them. */
export const pricesOf = ({ record: { manifest }, arms }: RunSummary) =>
  arms.map(({ name: arm, deployed }) => {
    const storage = deployed?.hourlyUsd ?? null;
    const clients = manifest?.fleet.hourlyUsd ?? null;
    return {
      arm,
      /** Of the storage alone; `null` with a reason. */
      monthlyUsd: storage === null ? null : storage * HOURS_PER_MONTH,
      /** With the clients, which are paid while data are moved. */
      hourlyUsd: storage === null || clients === null ? null : storage + clients,
      reason: storage === null ? (deployed?.hourlyReason ?? 'no list price is known') : null,
    };
  });

/** Cost of a rate while it lasts: USD for a TB, and for a million files of a size. */
export function unitCosts(hourlyUsd: number, rateMBps: number, fileBytes: number) {
  const perByte = hourlyUsd / 3600 / (rateMBps * 1e6);
  return { perTb: perByte * 1e12, perMillion: perByte * fileBytes * 1e6 };
}

/** True of a run of the benchmark: its sections have nothing in those of others. */
export const ofStorage = (run: RunSummary): boolean => run.benchmark === storageBench.name;

/** Names of files by size: the study's small files are of 500 kB. */
export const describeSize = (size: number): string =>
  size % 1000 === 0 && size < 1e6 ? `${size / 1000} kB` : bytes(size);

const describeInterval = ({ interval }: Pick<Done, 'interval'>): string | null =>
  interval === null ? null : `${plain(Math.max(0, interval.low))}–${plain(interval.high)}`;

/** A mean with its interval below, if there are enough repeats for one, and with the reasons for missing values. */
export function cellOf(done: Done | undefined, words: (value: number | null) => string = plain, below?: string) {
  if (done === undefined) return NO_VALUE;
  const [reason = null] = done.reasons;
  if (done.mean === null) return quantity(null, () => NO_VALUE, { reason, below: reason });
  const missing = reason === null ? null : `${counted(done.reasons.length, 'reason')} for missing values: ${reason}`;
  return quantity(done.mean, words, {
    below: [describeInterval(done), below, missing].filter((part) => part).join('; '),
  });
}

export const arms = (run: RunSummary): Text[] => run.arms.map(({ name }) => ({ arm: name }));

export const describeWork = ({ operation, fileBytes, threads }: StorageWork): string =>
  `${/read/.test(operation) ? 'Read' : 'Write'} files of ${describeSize(fileBytes)} by ${counted(threads, 'thread')}`;

const DAYS_OF_MONTH = 30;
const HOURS_OF_MONTH = 24 * DAYS_OF_MONTH;

/** Prices and amounts that the study took, in us-east-1. */
const TAKEN = {
  efs: { gb: 1024, usd: 0.3 },
  // 0.14 USD a GB-month, divided by 30 days of 24 hours and rounded as printed.
  lustre: { gb: 1228, usd: 0.000194 },
  ebs: { gb: 1228, usd: 0.1 },
} as const;

/**
 * The three storages that the study prices, by its own calculation, with its one error corrected: GB of EFS by the month, of FSx for Lustre by the
 * hour over a month, of EBS by the second, over a day. LizardFS lies on the same volumes as Btrfs.
 */
export function studyCosts() {
  const { efs, lustre, ebs } = TAKEN;
  const published = (name: keyof typeof TAKEN) => claimById(`cloudpipeline.cost.${name}`);
  return [
    {
      storage: 'EFS',
      formula: `${efs.gb} GB × ${efs.usd} USD/GB-month`,
      per: 'month',
      erratum: null,
      usd: published('efs')?.value ?? 0,
      monthlyUsd: efs.gb * efs.usd,
    },
    {
      storage: 'LUSTRE',
      formula: `${lustre.gb} GB × ${lustre.usd} USD/GB-hour × ${HOURS_OF_MONTH} h`,
      per: 'month',
      erratum: null,
      usd: published('lustre')?.value ?? 0,
      monthlyUsd: lustre.gb * lustre.usd * HOURS_OF_MONTH,
    },
    {
      storage: 'EBS',
      formula: `${ebs.gb} GB × ${ebs.usd} USD/GB-month × 86,400 s ÷ (86,400 s × ${DAYS_OF_MONTH})`,
      per: 'day',
      erratum: published('ebs')?.errata[0] ?? null,
      usd: published('ebs')?.value ?? 0,
      monthlyUsd: ebs.gb * ebs.usd,
    },
  ];
}

/** The study's calculation, its errors, and the cost of this run's storages. */
export const storageCosts: Section = {
  id: 'storage-costs',
  title: 'Cost',
  isResult: true,
  after: 'pipeline',
  blocks(run) {
    if (!ofStorage(run)) return [];
    return [
      tableOf(studyCosts(), { caption: 'Monthly cost as the study calculated it' }, [
        column('Storage', ({ storage, erratum }) => [storage, erratum && { below: `Erratum: ${erratum}` }]),
        column('Formula', ({ formula }) => formula),
        number('As published', ({ usd: published, per }) => quantity(published, (value) => `${usd(value)} per ${per}`)),
        number('Per month, corrected', ({ monthlyUsd }) => monthlyUsd, usd),
      ]),
      today(run),
      remark(
        'The study leaves out the instances that serve LizardFS; an arm’s list price includes its servers and volumes. The cost of writing includes the clients.',
      ),
    ];
  },
};

function today(run: RunSummary): Block {
  const rates = doneOf(run, 'throughput');
  const basis = run.record.manifest?.stack?.priceBasis;
  const works = worksOf(rates).filter(({ operation }) => operation === 'write');
  const max = Math.max(0, ...works.map(({ threads }) => threads));
  const words = ({ fileBytes }: StorageWork): string =>
    `USD per ${fileBytes < 1e6 ? 'million files of' : 'TB in files of'} ${describeSize(fileBytes)}`;
  const caption = `Today’s list prices${basis ? ` (${basis})` : ''}, and what writing costs at the measured rate`;
  return tableOf(pricesOf(run), { caption }, [
    armColumn(),
    number('USD per month', ({ monthlyUsd, reason }) => quantity(monthlyUsd, usd, { reason, below: reason })),
    ...works
      .filter(({ threads }) => threads === max)
      .map((work) =>
        number(`${words(work)}, ${counted(max, 'thread')}`, ({ arm, hourlyUsd }: ArmPrice) => {
          const rate = rates.find((one) => one.arm === arm && sameWork(one, work))?.mean ?? null;
          const none = (why: string) => quantity(null, () => NO_VALUE, { reason: why, below: why });
          if (run.lab) return none('nothing in the lab costs money');
          if (hourlyUsd === null) return none('no price');
          if (rate === null) return none('not measured');
          const { perTb, perMillion } = unitCosts(hourlyUsd, rate, work.fileBytes);
          return quantity(work.fileBytes < 1e6 ? perMillion : perTb, usd);
        }),
      ),
  ]);
}
