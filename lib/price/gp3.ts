import type { CostLine } from '../schema/cost';
import { GP3, type Gp3Volume, gp3Of } from '../storage/common/gp3';
import type { CostOptions } from '../storage/slices/price';
import { itemLine } from './line';

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
