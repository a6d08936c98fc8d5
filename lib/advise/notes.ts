import { instanceType } from '../fleet/instanceTypes';
import { STORAGES } from '../storage/registry';
import type { Breach } from '../storage/storage';
import { demandsOf, type Requirement, STORAGE_KINDS, storagesOf } from './requirement';

/** MB/s per TB below which data are hardly read: the slowest FSx for Lustre that is sold sustains 12 (HDD). */
const COLD_MBPS_PER_TB = 12;

/** Points that a requirement leaves open and that may change the answer. */
export function notesOf(requirement: Requirement): readonly Breach[] {
  const { capacityTB, workingSetGiB, hoursPerMonth, maxMonthlyUsd, storages } = requirement;
  const rate = demandsOf(requirement).reduce((sum, { requiredMBps }) => sum + requiredMBps, 0);
  const cold = capacityTB !== undefined && workingSetGiB === undefined && rate / capacityTB < COLD_MBPS_PER_TB;
  return [
    ...(cold
      ? [
          {
            id: 'fsxbench:all-data-hot',
            message: `all ${Number(capacityTB.toPrecision(4))} TB are taken for hot. If most are rarely read, say how much is read again and again (--working-set), consider all kinds (--storage all), or keep the rest in S3 and link it; a ratio of your data (--data) shows what LZ4 saves`,
          },
        ]
      : []),
    ...(storages?.length === STORAGE_KINDS.length
      ? STORAGES.flatMap(({ label, notAdvised }) =>
          notAdvised === undefined
            ? []
            : [{ id: 'fsxbench:not-advised', message: `${label} is not considered: ${notAdvised}` }],
        )
      : []),
    ...(hoursPerMonth === undefined
      ? []
      : [
          {
            id: 'fsxbench:part-time',
            message: `the price is that of ${Math.round(hoursPerMonth)} h a month: the file system is deleted in between, so the data live in S3, which is priced separately, and are loaded again each time`,
          },
        ]),
    ...(couldUseEfa(requirement)
      ? [
          {
            id: 'fsxbench:efa-unused',
            message: `${requirement.clients?.instanceType} has EFA, over which no client is held to 5 Gbit/s for each file server: --efa considers it`,
          },
        ]
      : []),
    ...(maxMonthlyUsd !== undefined && rate === 0 && capacityTB === undefined && storages === undefined
      ? [
          {
            id: 'fsxbench:budget-alone',
            message:
              'nothing but a budget is given: each option is the largest of its kind that it buys, the fastest first',
          },
        ]
      : []),
  ];
}

/** True for clients that could reach one of the storages over EFA and are said to use TCP. */
function couldUseEfa(requirement: Requirement): boolean {
  const { clients } = requirement;
  if (clients === undefined || clients.efa) return false;
  const name = clients.instanceType;
  const efa = instanceType(name)?.efa ?? false;
  return storagesOf(requirement).some(({ performance }) => performance?.efa?.problem({ name, efa }) === null);
}
