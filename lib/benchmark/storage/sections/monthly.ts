import { claimById } from '../../../claims';

/** Cost of a storage by the study's own calculation. */
export interface StudyCost {
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
      ...{ storage: 'EFS', formula: `${efs.gb} GB × ${efs.usd} USD/GB-month`, per: 'month', erratum: null },
      ...{ usd: published?.value ?? 0, monthlyUsd: FORMULAS.efs(efs.gb, efs.usd) },
    },
    {
      ...{ storage: 'LUSTRE', formula: `${lustre.gb} GB × ${lustre.usd} USD/GB-hour × ${HOURS_OF_MONTH} h` },
      ...{ per: 'month', erratum: null, usd: hourly?.value ?? 0, monthlyUsd: FORMULAS.lustre(lustre.gb, lustre.usd) },
    },
    {
      ...{
        storage: 'EBS',
        formula: `${ebs.gb} GB × ${ebs.usd} USD/GB-month × 86,400 s ÷ (86,400 s × ${DAYS_OF_MONTH})`,
      },
      ...{ per: 'day', erratum: daily?.errata[0] ?? null, usd: daily?.value ?? 0 },
      monthlyUsd: FORMULAS.ebsADay(ebs.gb, ebs.usd) * DAYS_OF_MONTH,
    },
  ];
}
