import { askAll } from '../../common/aws/account';
import { BOUNDED } from '../../common/aws/bounded';
import type { Described } from '../../schema/run';
import { seenIn } from '../common/metrics';
import { idByDnsName, nfsFilesystem } from '../common/nfs';
import { settingsThatSet } from '../common/settings';
import { NFS_OVER_LOOPBACK } from '../common/standIns';
import { type ResourceSearch, stackOf } from '../search';
import type { Storage } from '../storage';
import { checkEfs, describeEfs, EFS_SETTINGS, type EfsStorage, efsSchema, withSettings } from './configuration';
import { EFS_METRICS, efsDashboard } from './dashboard';
import { BURSTING, FILES, limitsOf } from './documented';
import { candidates, efsLines } from './price';

/** Performance modes by their names in the API. */
const PERFORMANCE: Readonly<Record<string, EfsStorage['performanceMode']>> = {
  generalPurpose: 'general-purpose',
  maxIO: 'max-io',
};

/** From what DescribeFileSystems answered; what it leaves out is as planned. */
function fromDescription(described: Described | null, planned: EfsStorage | null = null): EfsStorage | null {
  const { ThroughputMode, ProvisionedThroughputInMibps, PerformanceMode, AvailabilityZoneName, Encrypted } =
    described ?? {};
  if (ThroughputMode === undefined) return planned;
  const found = efsSchema.safeParse({
    ...planned,
    kind: 'efs',
    throughputMode: ThroughputMode,
    provisionedThroughputMiBps: ThroughputMode === 'provisioned' ? ProvisionedThroughputInMibps : undefined,
    availability: AvailabilityZoneName === undefined ? 'regional' : 'one-zone',
    performanceMode: PERFORMANCE[String(PerformanceMode)] ?? planned?.performanceMode,
    encrypted: Encrypted ?? planned?.encrypted,
  });
  return found.success ? found.data : null;
}

/** The answers of EFS about file systems, unmodified; it is asked for one at a time (API reference, DescribeFileSystems). */
async function describeAll(ids: readonly string[]): Promise<ReadonlyMap<string, Described>> {
  const { EFSClient, DescribeFileSystemsCommand, FileSystemNotFound } = await import('@aws-sdk/client-efs');
  const client = new EFSClient(BOUNDED);
  const answers = ids.map(async (FileSystemId): Promise<[string, Described][]> => {
    try {
      const { FileSystems = [] } = await client.send(new DescribeFileSystemsCommand({ FileSystemId }));
      return FileSystems.map((one) => [FileSystemId, one as unknown as Described]);
    } catch (error) {
      if (error instanceof FileSystemNotFound) return [];
      throw error;
    }
  });
  return new Map((await Promise.all(answers)).flat());
}

/** File systems of EFS, with what they store. */
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

/** Amazon EFS. */
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
          ? `the ${BURSTING.firstCreditsTiB} TiB of credits of a new file system last as long as its load lets them`
          : 'that of the file system is no burst: some Regions sustain the higher figure',
    },
  },
  price: {
    cost: efsLines,
    // Metered and permitted throughput, operations, credits.
    alarmMetrics: ({ throughputMode, performanceMode }, about) =>
      2 + (performanceMode === 'max-io' ? 0 : 1) + (throughputMode === 'bursting' ? 1 : 0) + seenIn(EFS_METRICS, about),
    candidates,
  },
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
    metrics: EFS_METRICS,
    dashboard: efsDashboard,
  },
  client: { filesystems: [nfsFilesystem], files: () => FILES },
  lab: { standIns: () => [NFS_OVER_LOOPBACK] },
};
