import { type AccountQuota, askAll } from '../../common/aws/account';
import { type CostOptions, itemLine } from '../../price/line';
import type { CostLine } from '../../schema/cost';
import { stackOf } from '../search';

export interface Gp3Volume {
  readonly sizeGiB: number;
  /** @default 3000, which the price includes */
  readonly iops?: number | undefined;
  /** @default 125, which the price includes */
  readonly throughputMiBps?: number | undefined;
}

export const GP3_PAGE = 'https://docs.aws.amazon.com/ebs/latest/userguide/general-purpose.html';

/** Limits of a volume, and its defaults (`min`). Source: {@link GP3_PAGE}. */
export const GP3 = {
  sizeGiB: { min: 1, max: 65_536 },
  iops: { min: 3000, max: 80_000, maxPerGiB: 500 },
  throughputMiBps: { min: 125, max: 2000, maxPerIops: 0.25 },
} as const;

/** Volumes attached to one instance here, by the names /dev/sdf to /dev/sdp: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/device_naming.html. */
export const DEVICE_NAMES = 11;

export const gp3Of = ({ sizeGiB, iops = GP3.iops.min, throughputMiBps = GP3.throughputMiBps.min }: Gp3Volume) => ({
  sizeGiB,
  iops,
  throughputMiBps,
});

/** AWS's list has a price per GiB/s. */
const MIBPS_PER_GIBPS = 1024;

/** List price of gp3 volumes: their size, and IOPS and throughput beyond those included in it. */
export function gp3Lines(volume: Gp3Volume, count: number, { label = 'EBS', ...pricing }: CostOptions): CostLine[] {
  const { sizeGiB, iops, throughputMiBps } = gp3Of(volume);
  const line = (what: string, each: number, item: string, unit: string): CostLine[] =>
    each === 0 ? [] : [itemLine(`${label}: ${what}`, count * each, item, pricing, unit)];
  return [
    ...line(`${count} × gp3 ${sizeGiB} GiB`, sizeGiB, 'ebs/gp3', 'GB-month'),
    ...line('gp3 IOPS above 3,000', iops - GP3.iops.min, 'ebs/gp3-iops', 'IOPS-month'),
    ...line(
      'gp3 throughput above 125 MiB/s',
      (throughputMiBps - GP3.throughputMiBps.min) / MIBPS_PER_GIBPS,
      'ebs/gp3-throughput',
      'GiBps-month',
    ),
  ];
}

/** Codes and defaults: https://docs.aws.amazon.com/general/latest/gr/ebs-service.html. */
const QUOTAS = {
  gp3: { code: 'L-7A658B76', usual: { value: 50, warning: 'fsxbench:gp3-quota', of: 'gp3 volumes' } },
  gp2: { code: 'L-D18FCD1D' },
  io2: { code: 'L-09BD8365' },
} as const;

export const EBS_QUOTA_TYPES = Object.keys(QUOTAS) as readonly (keyof typeof QUOTAS)[];

/** Storage in TiB that all volumes of a type in a Region may have together. */
export const ebsQuota = (type: keyof typeof QUOTAS): AccountQuota => ({
  ...QUOTAS[type],
  name: `EBS ${type} storage`,
  service: 'ebs',
  unit: 'TiB',
  used: async (account, butOf) => {
    const Filters = [{ Name: 'volume-type', Values: [type] }];
    const volumes = await askAll(account, 'ec2:DescribeVolumes', { Filters }, 'Volumes');
    return volumes.filter((volume) => stackOf(volume) !== butOf).reduce((sum, { Size = 0 }) => sum + Size / 1024, 0);
  },
});
