import { decimalBytes, plain } from '../common/format/units';
import type { Warning } from '../common/violation';
import { instanceType } from '../fleet/instanceTypes';
import { throughputAt } from '../predict';
import type { StorageConfiguration } from '../schema/deployment';
import { warnings } from '../storage/common/settings';
import { codecOf } from '../storage/lookup';
import { STORAGES } from '../storage/registry';
import { type Assessment, FLOW_WORDS, requestOf } from './checks';
import { type ResolvedRequirement, STORAGE_KINDS } from './requirement';

/** MB/s per TB below which data are hardly read: the slowest FSx for Lustre that is sold sustains 12 (HDD). */
const COLD_MBPS_PER_TB = 12;
/** TB from which it pays to think about cold data. */
const COLD_TB = 1;
/** Share of the space above which it is overhead that is bought, rather than data. */
const MOST_OVERHEAD = 0.5;
/** Files beyond which inodes deserve a check; a convention of fsxbench. */
const MANY_FILES = 1e8;
/** MB/s below which a note on writes is not worth its lines: every kind is sold with as much. */
const LEAST_MBPS = 1;

/** Points that a need leaves open and that may change the answer. */
export function notesOf(need: ResolvedRequirement): readonly Warning[] {
  const { asked, capacityTB, flows, bytesPerFile, hoursPerMonth } = need;
  const all = need.storages.length === STORAGE_KINDS.length;
  // A scan is read once.
  const rate = flows.reduce((sum, { demand, MBps }) => (demand === 'scan' ? sum : sum + MBps), 0);
  const overhead = overheadOf(need);
  const cold =
    capacityTB !== null &&
    capacityTB >= COLD_TB &&
    asked.workingSetGiB === undefined &&
    asked.burst === undefined &&
    rate / capacityTB < COLD_MBPS_PER_TB &&
    overhead <= MOST_OVERHEAD;
  return [
    ...warnings({
      'fsxbench:all-data-hot':
        cold &&
        `all ${Number(capacityTB.toPrecision(4))} TB are assumed to be hot. If most are rarely read, state what is read repeatedly (--working-set)${all ? '' : ', consider all kinds (--storage all)'}, or keep the rest in S3 and link it${asked.ratio === undefined ? '; --data estimates what LZ4 saves' : ''}`,
      'fsxbench:only-working-set':
        asked.workingSetGiB !== undefined &&
        asked.readMBps !== undefined &&
        asked.scanMBps === undefined &&
        capacityTB !== null &&
        asked.workingSetGiB < need.dataGiB * 0.999 &&
        `all reads are assumed to be of the working set; for reads of all ${decimalBytes(capacityTB * 1e12)}, such as a restore, add --scan with their GB/s`,
      'fsxbench:mostly-overhead':
        overhead > MOST_OVERHEAD &&
        bytesPerFile !== null &&
        `files of ${decimalBytes(bytesPerFile)} are ${Math.floor(overhead * 1000) / 10} % overhead on Lustre: pack them into archives (tar, HDF5, SquashFS)${all ? ' or' : ','} write larger records${all ? '' : ', or see what they take elsewhere (--storage all)'}`,
      'fsxbench:inodes-unpublished':
        onLustre(need) &&
        (asked.files ?? 0) >= MANY_FILES &&
        `check lfs df -i before loading ${filesShown(need)} files: AWS publishes no number of inodes`,
      'fsxbench:creations-write': createsWrite(need),
      'fsxbench:gain-not-shown': gainNotShown(need),
    }),
    ...(all ? STORAGES : []).flatMap(({ label, price: { notAdvised } }) =>
      warnings({ 'fsxbench:not-advised': notAdvised !== undefined && `${label} is not considered: ${notAdvised}` }),
    ),
    ...warnings({
      'fsxbench:part-time':
        asked.hoursPerMonth !== undefined &&
        `the price is for ${Math.round(hoursPerMonth)} h per month; between uses the data are in S3, which is priced separately${asked.files === undefined ? '; many files take longer to load than their bytes: --file-size considers it' : ''}`,
      'fsxbench:s3-requests':
        capacityTB !== null &&
        need.storages.some(({ price: { candidates } }) => candidates?.isInS3) &&
        'the S3 price includes the requests that write and read all data once a month, and no more',
      'fsxbench:efa-unused':
        couldUseEfa(need) &&
        `${asked.clients?.instanceType} has EFA, over which no client is limited to 5 Gbit/s per file server: --efa considers it`,
      'fsxbench:budget-alone':
        need.budgetOnly &&
        asked.storages === undefined &&
        'only a budget is given: each option is the largest of its kind that it buys, fastest first',
    }),
  ];
}

const onLustre = ({ storages }: ResolvedRequirement): boolean =>
  storages.some(({ price: { candidates } }) => candidates?.takesObjects);

/** Share of the space on Lustre that is not data. */
function overheadOf(need: ResolvedRequirement): number {
  const { uncompressed, compressed } = need.taken;
  return need.bytesPerFile === null || !onLustre(need) ? 0 : 1 - 1 / Math.min(uncompressed, compressed);
}

const ROUGHLY = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  compactDisplay: 'long',
  maximumSignificantDigits: 2,
});

/** The number of files: `120,000,000` that were stated or counted, `about 2.4 million` that were extrapolated. */
export function filesShown({ asked: { files = 0, estimated } }: ResolvedRequirement): string {
  return estimated === undefined || estimated.like === null
    ? Math.round(files).toLocaleString('en-US')
    : `about ${ROUGHLY.format(files)}`;
}

const gigabytes = (MBps: number): string => String(Number((MBps / 1000).toPrecision(3)));

/** Warns if creating the files writes more than the requested write rate; false otherwise. */
function createsWrite({ asked, bytesPerFile }: ResolvedRequirement): string | false {
  const { createsPerSecond = 0, writeMBps = 0 } = asked;
  // Rounded to three digits, as in the note: the rate of a user who follows the note must not seem too low.
  const MBps = Number(((createsPerSecond * (bytesPerFile ?? 0)) / 1e6).toPrecision(3));
  if (MBps < LEAST_MBPS || MBps <= writeMBps) return false;
  const stated = writeMBps === 0 ? 'and no write rate is required' : `but only ${gigabytes(writeMBps)} are required`;
  return `${createsPerSecond} creates per second of files of ${decimalBytes(bytesPerFile ?? 0)} write ${gigabytes(MBps)} GB/s, ${stated}: add --write ${gigabytes(MBps)}`;
}

/** An estimate whose interval includes data that LZ4 does not shrink; false for any other. */
function gainNotShown({ asked: { ratio = 1, estimated }, taken }: ResolvedRequirement): string | false {
  if (ratio === 1 || !estimated?.interval) return false;
  const { low, high } = estimated.interval;
  // Compared with the space without LZ4, which for small files is more than their size.
  if (Number((low * taken.uncompressed).toFixed(2)) > 1) return false;
  return `the estimate is between ${low.toFixed(2)} and ${high.toFixed(2)}, so it does not show that LZ4 saves anything: take an option without it, or estimate more of your data`;
}

/** True for clients that could reach one of the storages over EFA and are said to use TCP. */
function couldUseEfa({ asked: { clients }, storages }: ResolvedRequirement): boolean {
  if (clients === undefined || clients.efa) return false;
  const name = clients.instanceType;
  const efa = instanceType(name)?.efa ?? false;
  return storages.some(({ documented: { performance } }) => performance?.efa?.violation({ name, efa }) === null);
}

/** Points at which a configuration may miss what its data imply. They do not change its rank. */
export function optionNotes(
  configuration: StorageConfiguration,
  need: ResolvedRequirement,
  { fill }: Pick<Assessment, 'fill'>,
): readonly Warning[] {
  const compresses = codecOf(configuration) !== null;
  return warnings({
    'fsxbench:least-compressible-type': compresses && minMisses(configuration, need),
    'fsxbench:low-ratio-overfills': compresses && lowOverfills(need, fill ?? 0),
  });
}

/** The rates at which the type of file that compresses least misses the need; false if it meets it. */
function minMisses(configuration: StorageConfiguration, need: ResolvedRequirement): string | false {
  const min = need.asked.estimated?.min;
  if (!min || need.flows.length === 0) return false;
  // `(none)`, `(numbered)` and `(others)` are not endings of names.
  const files = min.type.startsWith('(') ? `files ${min.type}` : `.${min.type}`;
  const request = requestOf(configuration, need);
  const mixes = need.flows.map(({ readShare }) => ({ readShare, workingSetGiB: request.workingSetGiB }));
  const found = throughputAt(mixes, { ...request, ratio: min.ratio });
  const misses = need.flows.flatMap(({ demand, MBps }, index) => {
    const sustained = found[index]?.throughputMBps.baseline ?? MBps;
    const words = `${FLOW_WORDS[demand]} of ${files} alone, ${min.ratio.toFixed(2)}:1, reach ${gigabytes(sustained)} of ${gigabytes(MBps)} GB/s`;
    return sustained < MBps * (1 - 1e-9) ? [words] : [];
  });
  return misses.length > 0 && `the ratio is a mean of types that differ: ${misses.join('; ')}`;
}

/** The share of the space that the data fill at the low end of the ratio, if that is more than they may. */
function lowOverfills({ asked, taken, maxFill }: ResolvedRequirement, fill: number): string | false {
  const { interval } = asked.estimated ?? {};
  if (!interval || interval.low <= 0) return false;
  const low = Math.min(1 / interval.low, taken.uncompressed) / taken.compressed;
  const [max, filled] = [Math.round(maxFill * 100), Math.round(fill * low * 100)];
  return (
    filled > max &&
    `at the low end of the ratio, ${plain(interval.low)}:1, the data fill ${filled} %, above the ${max} % that they may`
  );
}
