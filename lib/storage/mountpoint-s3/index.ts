import { whole } from '../../kit/field';
import { IN_MIB } from '../../kit/quantity';
import type { CandidatesCapability } from '../candidates';
import { NO_CAPACITY } from '../filesystem';
import { seenIn } from '../kit/metrics';
import { settingsBy, settingWords, withProperties } from '../kit/settings';
import { capacityOf, spaceByDu } from '../kit/space';
import type { StandIn } from '../standIn';
import type { Storage } from '../storage';
import { describeMountpoint, type MountpointStorage, mountpointSchema, partMiBOf } from './configuration';
import { mountpointLines } from './cost';
import { mountpointDashboard } from './dashboard';
import { PARTS, SEMANTICS_PAGE } from './documented';
import { limitsOf } from './limits';
import { S3_METRICS } from './metricTable';
import { checkMountpoint } from './rules';
import { mountpointSearch } from './search';
import { S3_PROPERTIES } from './settings';

/** Mountpoint itself, where this machine has it, on a bucket of the emulator: what it can and cannot do is real, no rate is. */
const MOUNTPOINT_ON_EMULATOR: StandIn = {
  name: 'mountpoint-s3',
  label: 'Mountpoint for Amazon S3 on an emulated bucket',
  filesystem: 'fuse',
  actually: 'Mountpoint for Amazon S3 on a bucket of moto, an emulator in Python',
  program: { path: 'storage/mountpoint-s3/lab/stand-in', variables: {} },
};

/** One bucket: it has no size, and what its requests cost depends on the files. */
const candidates: CandidatesCapability<MountpointStorage> = {
  families: () => [{ sizes: 1, at: () => ({ kind: 'mountpoint-s3' }) }],
  // What programs lack there decides more than any rate.
  caveats: (configuration) => checkMountpoint(configuration).warnings,
  settings: settingsBy(S3_PROPERTIES),
  words: (configuration) => `${describeMountpoint(configuration)}, not POSIX`,
  series: ['S3'],
  seriesOf: () => 'S3',
};

const MIB = 2 ** 20;

/** Mountpoint for Amazon S3: files of a bucket, written once and from the beginning to the end. */
export const mountpointS3: Storage<MountpointStorage> = {
  kind: 'mountpoint-s3',
  label: 'Mountpoint for Amazon S3',
  configuration: {
    schema: mountpointSchema,
    settings: {
      s3PartMiB: whole(
        PARTS.leastMiB,
        PARTS.mostMiB,
        ' of MiB',
        'A file has 10,000 parts at most, and each file that is written keeps one in memory.',
        IN_MIB,
      ),
    },
    withSettings: withProperties(S3_PROPERTIES),
    describe: describeMountpoint,
    check: checkMountpoint,
    words: settingWords(S3_PROPERTIES),
    conditions: () => ({ storage: 'Mountpoint for Amazon S3' }),
  },
  documented: {
    limits: limitsOf,
    limitNames: { requests: { words: 'the requests that S3 takes below one prefix', short: 'requests' } },
    performance: {
      burstReason: () => 'it is no burst: S3 takes more requests once it has split a busy prefix',
    },
  },
  price: {
    cost: mountpointLines,
    // Errors of the service; and what tells that something happens.
    alarmMetrics: (_, about) => 1 + seenIn(S3_METRICS, about),
    candidates,
  },
  account: {
    fromDescription: (_, planned = null) => planned,
    search: mountpointSearch,
    quotas: [],
    // Clients reach S3 by a gateway of the network.
    addresses: () => 0,
    metrics: S3_METRICS,
    dashboard: mountpointDashboard,
  },
  client: {
    filesystems: [
      {
        // Mountpoint names no type of its own.
        type: 'fuse',
        remote: true,
        renames: false,
        space: spaceByDu,
        capacity: {
          source: NO_CAPACITY,
          read: async () => ({
            measured: capacityOf([], 'a bucket has no size, and what is stored S3 says once a day'),
            failure: null,
          }),
        },
      },
    ],
    files: (configuration) => ({
      lacks: ['rewriting', 'renaming', 'lasting-directories'],
      largestBytes: PARTS.mostOfFile * partMiBOf(configuration) * MIB,
      source: SEMANTICS_PAGE,
    }),
  },
  lab: { standIns: () => [MOUNTPOINT_ON_EMULATOR] },
};
