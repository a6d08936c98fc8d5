import { instanceType, instanceTypeNames } from '../../fleet/instanceTypes';
import { maxClientsOf, storageOf } from '../../storage/lookup';
import type { ArmDefinition, Benchmark, ProofSettings, Scale } from '../benchmark';
import { clientsFor, type ProofNeed, SPARE } from '../common/clients';
import { paired, published } from './plan/paired';
import { pipeline } from './plan/pipeline';

/** Capacity of each file system: the study's price list has 1228 GB of FSx for Lustre, the smallest that there was. */
const CAPACITY_GIB: Readonly<Record<Scale, number>> = { published: 1200, smoke: 100 };

/** Arms that the study did not have: deployed if the setting `arms` names them. */
const beyondStudy = (scale: Scale): readonly ArmDefinition[] => [
  { name: 'nvme', storage: { kind: 'instance-store' } },
  { name: 's3', storage: { kind: 'mountpoint-s3' } },
  ...(['none', 'lz4', 'zstd'] as const).map((compression) => ({
    name: compression === 'none' ? 'openzfs' : `openzfs-${compression}`,
    storage: {
      kind: 'openzfs',
      deploymentType: 'SINGLE_AZ_2',
      storageCapacityGiB: CAPACITY_GIB[scale],
      throughputMBps: scale === 'published' ? 640 : 160,
      ...(compression === 'none' ? {} : { compression }),
    },
  })),
];

/**
 * EFS, FSx for Lustre, Btrfs on EBS and the LizardFS family on EBS, as the Cloud Pipeline comparison measured them from one c5.2xlarge with
 * 1, 4 and 8 threads. XFS on the same volumes is the control: Btrfs with another compression, and a network in between, are compared
 * with what the volume alone does.
 */
export const storageBench: Benchmark = {
  name: 'StorageBench',
  question: 'Which storage for which size of files, number of threads and budget?',
  study: 'Cloud Pipeline comparison',
  about: ['bytes_written', 'bytes_read'],
  plans: [paired, published, pipeline],
  arms: (scale, settings) => [
    ...(
      [
        ['xfs', 'xfs', undefined],
        ['btrfs', 'btrfs', 'none'],
        ['btrfs-lzo', 'btrfs', 'lzo'],
        ['btrfs-zstd', 'btrfs', 'zstd:3'],
      ] as const
    ).map(([name, filesystem, compression]) => ({
      name,
      storage: { kind: 'ebs', filesystem, compression, volumeType: 'gp2', volumeGiB: CAPACITY_GIB[scale] },
    })),
    {
      name: 'moosefs',
      storage: { kind: 'moosefs', chunkservers: 2, instanceType: 'c5.xlarge', volumeGiB: CAPACITY_GIB[scale] / 2 },
    },
    {
      name: 'lustre',
      storage: {
        kind: 'lustre',
        deploymentType: 'SCRATCH_2',
        storageType: 'SSD',
        storageCapacityGiB: 1200,
        dataCompressionType: 'NONE',
        version: '2.15',
      },
    },
    { name: 'efs', storage: { kind: 'efs', throughputMode: 'bursting' } },
    ...(settings?.arms === undefined ? [] : beyondStudy(scale)),
  ],
  // Only one client mounts an EBS volume.
  fleet: (scale) => ({
    instanceType: scale === 'published' ? 'c5.2xlarge' : 'c5.large',
    clients: 1,
    ranksPerClient: scale === 'published' ? 8 : 2,
  }),
  proof: besideLustre,
  lab: {
    arms: ['xfs', 'btrfs-lzo', 'btrfs-zstd', 'moosefs'],
    // 66 MB/s of a gp2 volume: slow enough for phases of seconds, and not so slow that they take ten minutes.
    scale: 4,
  },
};

/** The reference arm for the question whether the storage has to be FSx for Lustre at all. */
const LUSTRE = 'lustre';

/** Settings that test a storage next to FSx for Lustre; `null` for FSx for Lustre itself, whose sizes other benchmarks compare. */
function besideLustre(need: ProofNeed): ProofSettings | null {
  const { storage, throughputMBps, clients } = need;
  const arm = storageBench.arms('published', { arms: [] }).find((one) => one.storage.kind === storage.kind)?.name;
  if (arm === undefined || arm === LUSTRE) return null;
  const max = maxClientsOf(storageOf(storage));
  const usual = storageBench.fleet('published').instanceType;
  const type = clients?.instanceType ?? (max === undefined ? usual : (typeFor(throughputMBps) ?? usual));
  const { networkBaselineMbps } = instanceType(type) ?? {};
  const needed = Math.max(1, clients?.count ?? 0, clientsFor(need, networkBaselineMbps));
  return { arms: `${arm},${LUSTRE}`, instanceType: type, clients: max ?? needed };
}

/** The smallest c6in, a family without a better path to EBS at its price, that carries a rate to its volumes. */
const typeFor = (throughputMBps: number): string | undefined =>
  instanceTypeNames().find(
    (name) => name.startsWith('c6in.') && (instanceType(name)?.ebsBaselineMBps ?? 0) >= throughputMBps * SPARE,
  );
