import { askAll } from '../../common/aws/account';
import { BOUNDED } from '../../common/aws/connection';
import { type CostOptions, itemLine, unknownQuantity } from '../../price/line';
import { PUBLISHED } from '../../price/prices';
import type { CostLine } from '../../schema/cost';
import type { Described } from '../../schema/run';
import type { CandidatesCapability, Family } from '../candidates';
import { describeEach } from '../common/fsx';
import { seenIn } from '../common/graphs';
import { settingsBy, settingsThatSet } from '../common/settings';
import { idByDnsName, NFS_OVER_LOOPBACK, nfsFilesystem } from '../common/substitutes';
import { type ResourceSearch, stackOf } from '../search';
import type { Storage } from '../storage';
import {
  AVAILABILITIES,
  checkEfs,
  describeEfs,
  EFS_SETTINGS,
  type EfsStorage,
  efsSchema,
  withSettings,
} from './configuration';
import { EFS_METRICS, efsDashboard } from './dashboard';
import { BURSTING, FILES, INCLUDED_MIBPS_PER_GIB, limitsOf, meteredBytes, PROVISIONED_MIBPS } from './documented';

/** List price of a file system: what is stored, what is provisioned beyond what that includes, and with elastic throughput each byte that is moved. */
function efsLines(
  configuration: EfsStorage,
  { region, label = 'EFS', storedGiB, book = PUBLISHED }: CostOptions,
): readonly CostLine[] {
  const { availability = 'regional', throughputMode, provisionedThroughputMiBps = 0 } = configuration;
  const priced = (what: string, quantity: number, item: string, unit: string) =>
    itemLine(`${label}: ${what}`, quantity, item, { region, book }, unit);
  const item = `efs/${availability}/storage`;
  const what = `storage (${describeEfs(configuration)})`;
  const lines: CostLine[] = [
    storedGiB === undefined
      ? unknownQuantity(`${label}: ${what}`, book.priceOf(item, region))
      : priced(what, storedGiB, item, 'GB-month'),
  ];
  if (throughputMode === 'provisioned') {
    const billed = Math.max(0, provisionedThroughputMiBps - (storedGiB ?? 0) * INCLUDED_MIBPS_PER_GIB);
    const beyond = storedGiB === undefined ? 'throughput' : 'throughput beyond what the stored data include';
    lines.push(priced(beyond, billed, 'efs/provisioned-throughput', 'MiBps-month'));
  }
  if (throughputMode === 'elastic') {
    const reason = 'elastic throughput is billed by the bytes that are moved';
    for (const way of ['read', 'write']) {
      const price = book.priceOf(`efs/elastic-${way}`, region);
      lines.push(unknownQuantity(`${label}: bytes that clients ${way}`, price, { unit: 'GB', reason }));
    }
  }
  return lines;
}

const SERIES: Readonly<Record<(typeof AVAILABILITIES)[number], string>> = {
  regional: 'EFS Regional',
  'one-zone': 'EFS One Zone',
};

/** EFS file systems to choose from: provisioned throughput by size, and elastic. Not bursting, whose throughput depends on the stored amount. */
const candidates: CandidatesCapability<EfsStorage> = {
  families: () =>
    AVAILABILITIES.flatMap((availability): Family<EfsStorage>[] => [
      {
        sizes: PROVISIONED_MIBPS.max - PROVISIONED_MIBPS.min + 1,
        at: (size) => ({
          kind: 'efs',
          throughputMode: 'provisioned',
          provisionedThroughputMiBps: PROVISIONED_MIBPS.min + size,
          availability,
        }),
      },
      { sizes: 1, at: () => ({ kind: 'efs', throughputMode: 'elastic', availability }) },
    ]),
  fileBytes: meteredBytes,
  settings: settingsBy(EFS_SETTINGS),
  series: Object.values(SERIES),
  seriesOf: ({ availability = 'regional' }) => SERIES[availability],
};

/** Performance modes by their names in the API. */
const PERFORMANCE: Readonly<Record<string, EfsStorage['performanceMode']>> = {
  generalPurpose: 'general-purpose',
  maxIO: 'max-io',
};

/** From what DescribeFileSystems answered; what it leaves out is as planned. */
function fromDescription(described: Described | null, planned: EfsStorage | null = null): EfsStorage | null {
  const { ThroughputMode, ProvisionedThroughputInMibps, PerformanceMode, AvailabilityZoneName } = described ?? {};
  if (ThroughputMode === undefined) return planned;
  const found = efsSchema.safeParse({
    ...planned,
    kind: 'efs',
    throughputMode: ThroughputMode,
    provisionedThroughputMiBps: ThroughputMode === 'provisioned' ? ProvisionedThroughputInMibps : undefined,
    availability: AvailabilityZoneName === undefined ? 'regional' : 'one-zone',
    performanceMode: PERFORMANCE[String(PerformanceMode)] ?? planned?.performanceMode,
  });
  return found.success ? found.data : null;
}

/** EFS's answers about file systems, unmodified (API reference, DescribeFileSystems). */
async function describeAll(ids: readonly string[]): Promise<ReadonlyMap<string, Described>> {
  const { EFSClient, DescribeFileSystemsCommand } = await import('@aws-sdk/client-efs');
  const client = new EFSClient(BOUNDED);
  return describeEach(ids, async (FileSystemId) => {
    const { FileSystems = [] } = await client.send(new DescribeFileSystemsCommand({ FileSystemId }));
    return FileSystems;
  });
}

const efsSearch: ResourceSearch = {
  label: 'EFS',
  find: async (account, { region, book }) => {
    const all = await askAll(account, 'elasticfilesystem:DescribeFileSystems', {}, 'FileSystems');
    return all
      .filter(({ LifeCycleState }) => LifeCycleState !== 'deleting' && LifeCycleState !== 'deleted')
      .flatMap((one) => {
        const configuration = fromDescription(one as unknown as Described);
        if (configuration === null) return [];
        const id = one.FileSystemId ?? '';
        const storedGiB = (one.SizeInBytes?.Value ?? 0) / 2 ** 30;
        return {
          id,
          what: describeEfs(configuration),
          stack: stackOf(one),
          lines: efsLines(configuration, { region, book, storedGiB }).filter(({ quantity }) => quantity !== null),
          remove: `aws efs delete-file-system --file-system-id ${id} --region ${region}`,
          configuration,
        };
      });
  },
};

export const efs: Storage<EfsStorage> = {
  kind: 'efs',
  label: 'EFS',
  configuration: {
    schema: efsSchema,
    ...settingsThatSet<EfsStorage>(EFS_SETTINGS),
    withSettings,
    describe: describeEfs,
    check: checkEfs,
  },
  documented: {
    limits: limitsOf,
    limitNames: {
      client_efs_path: { words: 'what EFS serves one client', short: 'per client' },
      file_system: { words: 'the most that EFS serves of one file system', short: 'file system' },
      metered_throughput: { words: 'the metered throughput', short: 'metered' },
    },
    performance: {
      burstReason: ({ throughputMode }) =>
        throughputMode === 'bursting'
          ? `the ${BURSTING.firstCreditsTiB} TiB of credits of a new file system last for a time that depends on its load`
          : 'the range of the file system is not a burst: some Regions sustain the higher figure',
    },
  },
  price: { cost: efsLines, candidates },
  account: {
    fromDescription,
    describeAll,
    identify: idByDnsName('efs'),
    search: efsSearch,
    quotas: [
      {
        // Codes: https://docs.aws.amazon.com/general/latest/gr/elasticfilesystem.html.
        name: 'EFS file systems',
        service: 'elasticfilesystem',
        code: 'L-848C634D',
        unit: 'file systems',
        of: () => 1,
      },
    ],
    // The mount target's.
    addresses: () => 1,
  },
  monitoring: {
    metrics: EFS_METRICS,
    dashboard: efsDashboard,
    // Metered and permitted throughput, operations, credits.
    alarmMetrics: ({ throughputMode }, about) =>
      3 + (throughputMode === 'bursting' ? 1 : 0) + seenIn(EFS_METRICS, about),
  },
  client: { filesystems: [nfsFilesystem], files: () => FILES },
  substitutes: () => [NFS_OVER_LOOPBACK],
};
