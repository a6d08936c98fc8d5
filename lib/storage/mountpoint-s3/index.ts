import type { CandidatesCapability } from '../candidates';
import { seenIn } from '../common/graphs';
import { clientNetwork, type Limit, type LimitOptions, limit } from '../common/limits';
import { capacityOf, spaceByDu } from '../common/space';
import { NO_CAPACITY } from '../filesystem';
import type { Storage, Substitute } from '../storage';
import {
  checkMountpoint,
  MOST_PARTS,
  MOUNTPOINT_WORDS,
  type MountpointStorage,
  mountpointSchema,
  PART_BYTES,
  READ_PART_BYTES,
  REQUESTS_PAGE,
  REQUESTS_PER_SECOND,
  SEMANTICS_PAGE,
} from './configuration';
import { mountpointLines, mountpointSearch } from './cost';
import { mountpointDashboard, S3_METRICS } from './dashboard';

/** Throughput of the requests that S3 accepts per prefix at first, each a part of a large file or a whole small one; and the clients' network, if given. */
export function limitsOf(
  _configuration: MountpointStorage,
  { mode = 'write', clients }: LimitOptions = {},
): readonly Limit[] {
  const bytes = mode === 'write' ? PART_BYTES : READ_PART_BYTES;
  const rate = REQUESTS_PER_SECOND[mode];
  const source = `${rate} requests/s below one prefix, each a part of ${bytes / 2 ** 20} MiB (${REQUESTS_PAGE})`;
  return [...clientNetwork(clients), limit('requests', source, (rate * bytes) / 1e6)];
}

/** Mountpoint itself, where this computer has it, on a bucket of the emulator: what it can and cannot do is real, no rate is. */
const MOUNTPOINT_ON_EMULATOR: Substitute = {
  name: 'mountpoint-s3',
  label: 'Mountpoint for Amazon S3 on an emulated bucket',
  filesystem: 'fuse',
  actually: 'Mountpoint for Amazon S3 on a bucket of moto, an emulator in Python',
  program: { path: 'storage/mountpoint-s3/lab/stand-in', variables: {} },
};

/** Files per second for certain: each that is written takes four requests, and S3 accepts this many below one prefix. */
const FILES = {
  value: REQUESTS_PER_SECOND.write / 4,
  source: `follow from the requests that S3 accepts below one prefix (${REQUESTS_PAGE})`,
};

/** One bucket, which has no size. */
const candidates: CandidatesCapability<MountpointStorage> = {
  families: () => [{ sizes: 1, at: () => ({ kind: 'mountpoint-s3' }) }],
  filesPerSecond: () => FILES,
  isInS3: true,
  settings: () => ({}),
  words: () => `${MOUNTPOINT_WORDS}, for programs that only write whole files (not POSIX)`,
  series: ['S3'],
  seriesOf: () => 'S3',
};

/** Mountpoint for Amazon S3: files of a bucket, written once and from the beginning to the end. */
export const mountpointS3: Storage<MountpointStorage> = {
  kind: 'mountpoint-s3',
  label: 'Mountpoint for Amazon S3',
  configuration: {
    schema: mountpointSchema,
    settings: {},
    withSettings: (configuration) => configuration,
    describe: () => MOUNTPOINT_WORDS,
    check: checkMountpoint,
  },
  documented: {
    limits: limitsOf,
    limitNames: { requests: { words: 'the requests that S3 takes below one prefix', short: 'requests' } },
    conditions: () => ({ storage: 'Mountpoint for Amazon S3' }),
  },
  price: { cost: mountpointLines, candidates },
  account: { fromDescription: (_, planned = null) => planned, search: mountpointSearch },
  monitoring: {
    metrics: S3_METRICS,
    dashboard: mountpointDashboard,
    // Errors of the service, and the metrics that show activity.
    alarmMetrics: (_, about) => 1 + seenIn(S3_METRICS, about),
  },
  client: {
    filesystems: [
      {
        // Mountpoint sets no subtype.
        type: 'fuse',
        remote: true,
        renames: false,
        space: spaceByDu,
        capacity: {
          source: NO_CAPACITY,
          read: async () => ({
            measured: capacityOf([], 'a bucket has no size, and S3 reports once a day what is stored'),
            failure: null,
          }),
        },
      },
    ],
    files: () => ({
      lacks: ['rewriting', 'renaming', 'lasting-directories'],
      largestBytes: MOST_PARTS * PART_BYTES,
      source: SEMANTICS_PAGE,
    }),
  },
  substitutes: () => [MOUNTPOINT_ON_EMULATOR],
};
