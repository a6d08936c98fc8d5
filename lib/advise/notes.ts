import { decimalBytes } from '../common/format/units';
import { instanceType } from '../fleet/instanceTypes';
import { warnings } from '../storage/common/rules';
import { STORAGES } from '../storage/registry';
import type { Warning } from '../storage/slices/configuration';
import { demandsOf, meanFileBytes, type Requirement, STORAGE_KINDS, storagesOf, takenOf } from './requirement';
import { filesShown, gigabytes } from './wording';

/** MB/s per TB below which data are hardly read: the slowest FSx for Lustre that is sold sustains 12 (HDD). */
const COLD_MBPS_PER_TB = 12;

/** TB from which it pays to think about cold data. */
const COLD_TB = 1;

/** Points that a requirement leaves open and that may change the answer. */
export function notesOf(requirement: Requirement): readonly Warning[] {
  const { capacityTB, workingSetGiB, hoursPerMonth, maxMonthlyUsd, storages } = requirement;
  const rate = demandsOf(requirement).reduce((sum, { requiredMBps }) => sum + requiredMBps, 0);
  const cold =
    capacityTB !== undefined &&
    capacityTB >= COLD_TB &&
    workingSetGiB === undefined &&
    rate / capacityTB < COLD_MBPS_PER_TB;
  const aboutFiles = fileNotes(requirement);
  const mostlyOverhead = aboutFiles.some(({ id }) => id === MOSTLY_OVERHEAD);
  const considered = considersAll(requirement) ? STORAGES : [];
  return [
    ...warnings({
      'fsxbench:all-data-hot':
        cold &&
        !mostlyOverhead &&
        `all ${Number(capacityTB.toPrecision(4))} TB are assumed to be hot. If most are rarely read, say how much is read again and again (--working-set)${considersAll(requirement) ? '' : ', consider all kinds (--storage all)'}, or keep the rest in S3 and link it${requirement.ratio === undefined ? '; a ratio of your data (--data) shows what LZ4 saves' : ''}`,
    }),
    ...aboutFiles,
    ...warnings({
      'fsxbench:creations-write': creationsWrite(requirement),
      'fsxbench:gain-not-shown': gainNotShown(requirement),
      'fsxbench:unit-meant': unitMeant(requirement),
    }),
    ...considered.flatMap(({ label, price: { notAdvised } }) =>
      warnings({ 'fsxbench:not-advised': notAdvised !== undefined && `${label} is not considered: ${notAdvised}` }),
    ),
    ...warnings({
      'fsxbench:part-time':
        hoursPerMonth !== undefined &&
        `the price is that of ${Math.round(hoursPerMonth)} h a month: the file system is deleted in between, so the data live in S3, which is priced separately, and are loaded again each time`,
      'fsxbench:efa-unused':
        couldUseEfa(requirement) &&
        `${requirement.clients?.instanceType} has EFA, over which no client is held to 5 Gbit/s for each file server: --efa considers it`,
      'fsxbench:budget-alone':
        maxMonthlyUsd !== undefined &&
        rate === 0 &&
        capacityTB === undefined &&
        storages === undefined &&
        'only a budget is given: each option is the largest of its kind that it buys, fastest first',
    }),
  ];
}

const considersAll = ({ storages }: Requirement): boolean => storages?.length === STORAGE_KINDS.length;

const MOSTLY_OVERHEAD = 'fsxbench:mostly-overhead';
/** Share of the space above which it is overhead that is bought, rather than data. */
const MOST_OVERHEAD = 0.5;
/** Files beyond which inodes deserve a check; a convention of fsxbench. */
const MANY_FILES = 1e8;

/** Points about the number of files. */
function fileNotes(requirement: Requirement): readonly Warning[] {
  const { files = 0, capacityTB = 0 } = requirement;
  const onObjects = storagesOf(requirement).some(({ price: { candidates } }) => candidates?.takesObjects);
  if (files === 0 || !onObjects) return [];
  const { uncompressed, compressed } = takenOf(requirement);
  const overhead = 1 - 1 / Math.min(uncompressed, compressed);
  const each = decimalBytes((capacityTB * 1e12) / files);
  return warnings({
    [MOSTLY_OVERHEAD]:
      overhead > MOST_OVERHEAD &&
      `files of ${each} are ${Math.floor(overhead * 1000) / 10} % overhead on Lustre: pack them into archives (tar, HDF5, SquashFS)${considersAll(requirement) ? ' or' : ','} write larger records${considersAll(requirement) ? '' : ', or see what they take elsewhere (--storage all)'}`,
    'fsxbench:inodes-unpublished':
      files >= MANY_FILES &&
      `check lfs df -i before loading ${filesShown(requirement)} files: AWS publishes no number of inodes`,
  });
}

/** MB/s below which a note on writes is not worth its lines: every kind is sold with as much. */
const LEAST_MBPS = 1;

/** The writes of the files that are created, beyond those that are asked for; false if there are none. */
function creationsWrite(requirement: Requirement): string | false {
  const { createsPerSecond = 0, writeMBps = 0 } = requirement;
  const each = meanFileBytes(requirement) ?? 0;
  // As precise as the note says it, so that who follows it is told no more.
  const MBps = Number(((createsPerSecond * each) / 1e6).toPrecision(3));
  if (MBps < LEAST_MBPS || MBps <= writeMBps) return false;
  const asked = writeMBps === 0 ? 'which nothing here asks for' : `and only ${gigabytes(writeMBps)} are asked for`;
  return `${createsPerSecond} creations a second of files of ${decimalBytes(each)} write ${gigabytes(MBps)} GB/s, ${asked}: add --write ${gigabytes(MBps)}`;
}

/** An estimate whose interval includes data that LZ4 does not shrink; false for any other. */
function gainNotShown(requirement: Requirement): string | false {
  const { ratio = 1, estimated } = requirement;
  if (ratio === 1 || !estimated?.interval) return false;
  const { low, high } = estimated.interval;
  // Beside the space without LZ4, which for small files is more than their size.
  if (Number((low * takenOf(requirement).uncompressed).toFixed(2)) > 1) return false;
  return `the estimate is between ${low.toFixed(2)} and ${high.toFixed(2)}, so that it does not show that LZ4 saves anything: take an option without it, or estimate more of your data`;
}

/** MB/s above which megabytes were meant rather than gigabytes; a convention of fsxbench. */
const MOST_MEANT_MBPS = 1e6;

/** Rates that are so high that their unit may be a mistake, with what to say for the other; false if there are none. */
function unitMeant({ readMBps = 0, writeMBps = 0 }: Requirement): string | false {
  const high = Object.entries({ '--read': readMBps, '--write': writeMBps }).flatMap(([flag, MBps]) =>
    MBps > MOST_MEANT_MBPS
      ? [`${flag} ${MBps / 1000} is in GB/s; for ${MBps / 1000} MB/s say ${flag} ${MBps / 1000}MB/s`]
      : [],
  );
  return high.length > 0 && high.join('; ');
}

/** True for clients that could reach one of the storages over EFA and are said to use TCP. */
function couldUseEfa(requirement: Requirement): boolean {
  const { clients } = requirement;
  if (clients === undefined || clients.efa) return false;
  const name = clients.instanceType;
  const efa = instanceType(name)?.efa ?? false;
  return storagesOf(requirement).some(
    ({ documented: { performance } }) => performance?.efa?.breach({ name, efa }) === null,
  );
}
