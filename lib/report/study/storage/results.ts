import type { RunSummary } from '../../../analysis/summary';
import { countedSamples } from '../../../benchmark/common/counted';
import { storageBench } from '../../../benchmark/storage';
import { claimById } from '../../../claims';
import { keyOf } from '../../../common/collections';
import { bytes, counted, NO_VALUE, plain, usd } from '../../../common/format/units';
import { comparePairs, type Interval, isNegligible, meanInterval, meanOf, medianOf } from '../../../common/statistics';
import { HOURS_PER_MONTH } from '../../../price/prices';
import { smallestDifferenceIn } from '../../../schema/plan';
import { reasonsOf } from '../../../schema/sample';
import { systematicErrorOf } from '../../../store/platform';
import { type Block, columns, numbers, quantity, remark, type Text, table } from '../../blocks';
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
  /** Of the mean. */
  readonly interval: Interval | null;
  readonly median: number | null;
  /** Why values are missing. */
  readonly reasons: readonly string[];
}

/** Everything of one metric that a plan did by files and threads. */
export function doneOf(run: RunSummary, metric: string): Done[] {
  const own = countedSamples(run).filter((sample) => sample.metric === metric && sample.fileBytes && sample.threads);
  const groups = Map.groupBy(own, ({ arm, operation, fileBytes, threads }) =>
    keyOf(arm, operation, fileBytes ?? null, threads ?? null),
  );
  return [...groups.values()].flatMap((samples): Done[] => {
    const [first] = samples;
    if (first?.fileBytes === undefined || first.threads === undefined) return [];
    const { arm, operation, fileBytes, threads } = first;
    const values = new Map(samples.flatMap(({ repeat, value }) => (value === null ? [] : [[repeat, value] as const])));
    const all = [...values.values()];
    return [
      {
        arm,
        operation,
        fileBytes,
        threads,
        values,
        mean: meanOf(all),
        interval: meanInterval(all),
        median: medianOf(all),
        reasons: reasonsOf(samples),
      },
    ];
  });
}

export const sameWork = (one: StorageWork, other: StorageWork): boolean =>
  one.operation === other.operation && one.fileBytes === other.fileBytes && one.threads === other.threads;

/** Each piece of work once: large files first, then by direction and threads. */
export function worksOf(done: readonly Done[]): StorageWork[] {
  const works = [
    ...Map.groupBy(done, ({ operation, fileBytes, threads }) => keyOf(operation, fileBytes, threads)).values(),
  ]
    .flatMap(([first]) => first ?? [])
    .map(({ operation, fileBytes, threads }) => ({ operation, fileBytes, threads }));
  const rank = ({ operation }: StorageWork): number => Number(/read/.test(operation));
  return works.sort((a, b) => b.fileBytes - a.fileBytes || rank(a) - rank(b) || a.threads - b.threads);
}

/** The best arm for some work, and those whose repeats do not show a difference from it. */
export interface Best {
  readonly arm: string;
  readonly alike: readonly string[];
}

/** Bounds within which two arms are taken as alike. */
export interface Alike {
  /** The smallest difference that matters, as a share. @default - any may matter */
  readonly smallest?: number | null;
  /** Largest systematic error of a ratio between two arms, as a share. @default 0 */
  readonly systematic?: number;
}

export const alikeIn = (run: RunSummary): Alike => ({
  smallest: smallestDifferenceIn(run.record.plan),
  systematic: systematicErrorOf(run),
});

/** True unless the pairs of two arms show a difference, and one that may matter. Fewer than two pairs show no difference. */
function isAlike(best: Done, other: Done, comparisons: number, { smallest = null, systematic }: Alike): boolean {
  const pairs = [...best.values].flatMap(([repeat, baseline]) => {
    const value = other.values.get(repeat);
    return value !== undefined && value > 0 && baseline > 0 ? [{ baseline, value }] : [];
  });
  if (pairs.length < 2) return true;
  const { different, ratioInterval } = comparePairs(pairs, { comparisons, systematic });
  return different !== true || (ratioInterval !== null && smallest !== null && isNegligible(ratioInterval, smallest));
}

/** The arm with the highest mean in some work; `null` if nothing was measured. */
export function bestOf(done: readonly Done[], alike: Alike = {}): Best | null {
  const known = done.filter((one) => one.mean !== null).sort((a, b) => (b.mean ?? 0) - (a.mean ?? 0));
  const [best, ...others] = known;
  if (best === undefined) return null;
  return {
    arm: best.arm,
    alike: others.filter((other) => isAlike(best, other, others.length, alike)).map(({ arm }) => arm),
  };
}

/** List price of an arm with all of the clients. */
interface ArmPrice {
  readonly arm: string;
  /** Price of the storage alone; `null` with a reason. */
  readonly monthlyUsd: number | null;
  /** Price with the clients, which are paid while data are moved. */
  readonly hourlyUsd: number | null;
  readonly reason: string | null;
}

/** Prices of today, as the manifest recorded them. */
export const pricesOf = ({ record: { manifest }, arms }: RunSummary): ArmPrice[] =>
  arms.map(({ name: arm, deployed }): ArmPrice => {
    const storage = deployed?.hourlyUsd ?? null;
    const clients = manifest?.fleet.hourlyUsd ?? null;
    return {
      arm,
      monthlyUsd: storage === null ? null : storage * HOURS_PER_MONTH,
      hourlyUsd: storage === null || clients === null ? null : storage + clients,
      reason: storage === null ? (deployed?.hourlyReason ?? 'no list price is known') : null,
    };
  });

/** Cost of a rate while it lasts: USD for a TB, and for a million files of a size. */
export function unitCosts(
  hourlyUsd: number,
  rateMBps: number,
  fileBytes: number,
): { perTb: number; perMillion: number } {
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

/** Cost of a storage by the study's own calculation. */
interface StudyCost {
  /** Name of the storage in claims. */
  readonly storage: string;
  readonly formula: string;
  /** The published figure. */
  readonly usd: number;
  /** Period that the published figure covers. */
  readonly per: 'month' | 'day';
  /** A month, by the study's own price. */
  readonly monthlyUsd: number;
  readonly erratum: string | null;
}

const DAYS_OF_MONTH = 30;
const HOURS_OF_MONTH = 24 * DAYS_OF_MONTH;

/** The study's arithmetic: GB of EFS by the month, of FSx for Lustre by the hour over a month, of EBS by the second, over a day. */
const FORMULAS = {
  efs: (gb: number, usdPerGbMonth: number): number => gb * usdPerGbMonth,
  lustre: (gb: number, usdPerGbHour: number): number => gb * usdPerGbHour * HOURS_OF_MONTH,
  ebsADay: (gb: number, usdPerGbMonth: number): number => (gb * usdPerGbMonth * 86_400) / (86_400 * DAYS_OF_MONTH),
} as const;

/** Prices and amounts that the study took, in us-east-1. */
const TAKEN = {
  efs: { gb: 1024, usd: 0.3 },
  // 0.14 USD a GB-month, divided by 30 days of 24 hours and rounded as printed.
  lustre: { gb: 1228, usd: 0.000194 },
  ebs: { gb: 1228, usd: 0.1 },
} as const;

/** The three storages that the study prices, with its one error corrected. LizardFS lies on the same volumes as Btrfs. */
export function studyCosts(): StudyCost[] {
  const { efs, lustre, ebs } = TAKEN;
  const [published, hourly, daily] = (['efs', 'lustre', 'ebs'] as const).map((name) =>
    claimById(`cloudpipeline.cost.${name}`),
  );
  return [
    {
      storage: 'EFS',
      formula: `${efs.gb} GB × ${efs.usd} USD/GB-month`,
      per: 'month',
      erratum: null,
      usd: published?.value ?? 0,
      monthlyUsd: FORMULAS.efs(efs.gb, efs.usd),
    },
    {
      storage: 'LUSTRE',
      formula: `${lustre.gb} GB × ${lustre.usd} USD/GB-hour × ${HOURS_OF_MONTH} h`,
      per: 'month',
      erratum: null,
      usd: hourly?.value ?? 0,
      monthlyUsd: FORMULAS.lustre(lustre.gb, lustre.usd),
    },
    {
      storage: 'EBS',
      formula: `${ebs.gb} GB × ${ebs.usd} USD/GB-month × 86,400 s ÷ (86,400 s × ${DAYS_OF_MONTH})`,
      per: 'day',
      erratum: daily?.errata[0] ?? null,
      usd: daily?.value ?? 0,
      monthlyUsd: FORMULAS.ebsADay(ebs.gb, ebs.usd) * DAYS_OF_MONTH,
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
      table({
        caption: 'Monthly cost as the study calculated it',
        columns: [...columns('Storage', 'Formula'), ...numbers('As published', 'Per month, corrected')],
        rows: studyCosts().map(({ storage, formula, usd: published, per, monthlyUsd, erratum }) => [
          [storage, erratum && { below: `Erratum: ${erratum}` }],
          formula,
          quantity(published, (value) => `${usd(value)} per ${per}`),
          quantity(monthlyUsd, usd),
        ]),
      }),
      ...today(run),
      remark(
        'The study leaves out the instances that serve LizardFS; an arm’s list price includes its servers and volumes. The cost of writing includes the clients.',
      ),
    ];
  },
};

function today(run: RunSummary): Block[] {
  const prices = pricesOf(run);
  const rates = doneOf(run, 'throughput');
  const basis = run.record.manifest?.stack?.priceBasis;
  const works = worksOf(rates).filter(({ operation }) => operation === 'write');
  const max = Math.max(0, ...works.map(({ threads }) => threads));
  const columnsOf = works.filter(({ threads }) => threads === max);
  const words = (work: StorageWork): string =>
    work.fileBytes < 1e6
      ? `USD per million files of ${describeSize(work.fileBytes)}`
      : `USD per TB in files of ${describeSize(work.fileBytes)}`;
  return [
    table({
      caption: `Today’s list prices${basis ? ` (${basis})` : ''}, and what writing costs at the measured rate`,
      columns: [
        ...columns('Arm'),
        ...numbers('USD per month', ...columnsOf.map((work) => `${words(work)}, ${counted(max, 'thread')}`)),
      ],
      rows: prices.map(({ arm, monthlyUsd, hourlyUsd, reason }) => [
        { arm },
        quantity(monthlyUsd, usd, { reason, below: reason }),
        ...columnsOf.map((work) => {
          const rate = rates.find((one) => one.arm === arm && sameWork(one, work))?.mean ?? null;
          const none = (why: string) => quantity(null, () => NO_VALUE, { reason: why, below: why });
          if (run.lab) return none('nothing in the lab costs money');
          if (hourlyUsd === null) return none('no price');
          if (rate === null) return none('not measured');
          const { perTb, perMillion } = unitCosts(hourlyUsd, rate, work.fileBytes);
          return quantity(work.fileBytes < 1e6 ? perMillion : perTb, usd);
        }),
      ]),
    }),
  ];
}
