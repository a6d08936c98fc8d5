import type { RunSummary } from '../../../analysis/summary';
import { claimById } from '../../../claims';
import { counted, NO_VALUE, usd } from '../../../common/format/units';
import { type Block, columns, numbers, quantity, remark, table } from '../../blocks';
import type { Section } from '../../sections/section';
import { ofStorage, sizeWords } from './cells';
import { doneOf, pricesOf, type StorageWork, sameWork, unitCosts, worksOf } from './results';

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
