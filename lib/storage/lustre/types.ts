/** The address of a page of the FSx for Lustre user guide, as the source of a figure that users see. */
export const guide = (page: string): string => `https://docs.aws.amazon.com/fsx/latest/LustreGuide/${page}.html`;

/** Design figures of one throughput tier for each 1,000 GiB. Throughput in MB/s as [baseline, burst]; both are equal without a burst. */
export interface Tier {
  /** `PerUnitStorageThroughput`, MB/s per TiB; `null` if the type does not have it. */
  readonly perUnit: number | null;
  /** Valid capacities in GiB: the first, and multiples of the step, which is also the capacity of one file server. */
  readonly capacity: { readonly first: number; readonly step: number };
  /** The same with EFA. @default - no EFA */
  readonly efaStep?: number;
  /** Capacity of one storage target without EFA, GiB; `null` if AWS publishes none and nobody has shown one. */
  readonly gibPerTarget: number | null;
  readonly network: readonly [number, number];
  readonly diskRead: readonly [number, number];
  readonly diskWrite: readonly [number, number];
  /** Memory of the file servers that caches data, GiB. */
  readonly memoryGiB: number;
  /** True if some Regions give less network burst. */
  readonly reducible: boolean;
  readonly source: string;
}

/** Figures of storage without a capacity, whose throughput is provisioned instead. */
interface Elastic {
  /** Valid throughput capacities in MB/s: the small ones, and multiples of the step up to the maximum. One file server for each step. */
  readonly throughput: { readonly small: readonly number[]; readonly step: number; readonly max: number };
  /** SSD read cache in GiB for each 1,000 MB/s. */
  readonly cacheGiB: { readonly min: number; readonly max: number; readonly proportional: number };
  /** For each step of throughput. */
  readonly perServer: { readonly networkMBps: number; readonly memoryGB: number; readonly storageGiB: number };
}

interface LustreType {
  readonly deploymentType: keyof typeof DEPLOYMENTS;
  readonly storageType: 'SSD' | 'HDD' | 'INTELLIGENT_TIERING';
  readonly label: string;
  /** Name in a chart. */
  readonly series: string;
  readonly versions: readonly ('2.10' | '2.12' | '2.15')[];
  /** Empty for elastic storage. */
  readonly tiers: readonly Tier[];
  readonly elastic?: Elastic;
  /** Whether it has, or needs, a metadata configuration. EFA needs one. */
  readonly metadata: 'none' | 'optional' | 'required';
  readonly efa: boolean;
  /** True if `driveCacheType` is required, false if it is not allowed. */
  readonly driveCache: boolean;
  /** True if a directory can be linked to S3 by a data repository association. */
  readonly repositories: boolean;
  /** Metrics of its targets: operations, and their share of the documented maximum. */
  readonly metrics: { readonly diskOperations: boolean; readonly diskIops: boolean };
  /** Usage type in AWS's price list, without Region and tier; `null` for several of them. */
  readonly usage: string | null;
}

/** Regions of China, with PERSISTENT_1 alone, "v2.10 or v2.12". Source: https://docs.amazonaws.cn/en_us/fsx/latest/LustreGuide/using-fsx-lustre.html. */
export const CHINA: readonly string[] = ['cn-north-1', 'cn-northwest-1'];

const SSD = guide('ssd-storage');
const HDD = `${SSD}, table of HDD`;
const SSD_CAPACITY = { first: 1200, step: 2400 } as const;

const ssd = (
  perUnit: number,
  network: readonly [number, number],
  disk: readonly [number, number],
  memoryGiB: number,
  more: Partial<Tier> = {},
): Tier => ({
  perUnit,
  capacity: SSD_CAPACITY,
  // Derived from sample outputs of the guide, and seen by third parties.
  gibPerTarget: 1200,
  network,
  diskRead: disk,
  diskWrite: disk,
  memoryGiB,
  reducible: false,
  source: SSD,
  ...more,
});

/** Default of the account's quotas in GiB, for each deployment type and Region. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/limits.html. */
export const DEFAULT_STORAGE_QUOTA_GIB = 100_800;

/**
 * Deployment types. Codes of the quotas: the links of docs.aws.amazon.com/general/latest/gr/fsx.html, and answers of ListServiceQuotas.
 * A link of the whole file system to S3, `s3Link`, is older than PERSISTENT_2.
 */
export const DEPLOYMENTS = {
  SCRATCH_2: {
    replicated: false,
    s3Link: true,
    quota: { label: 'SCRATCH', count: 'L-C48231E5', storage: 'L-AD2FC696' },
    absentIn: CHINA,
  },
  PERSISTENT_1: {
    replicated: true,
    s3Link: true,
    quota: { label: 'PERSISTENT_1', count: 'L-9AFA1F09', storage: 'L-C8640C82' },
    absentIn: [] as readonly string[],
  },
  PERSISTENT_2: {
    replicated: true,
    s3Link: false,
    quota: { label: 'PERSISTENT_2', count: 'L-FD6F2F22', storage: 'L-8F1B9C74' },
    absentIn: CHINA,
  },
} as const;

/** Values that most types share. */
const USUAL = {
  storageType: 'SSD',
  versions: ['2.10', '2.12', '2.15'],
  metadata: 'none',
  efa: false,
  driveCache: false,
  repositories: true,
  metrics: { diskOperations: true, diskIops: true },
} as const;

/**
 * Everything that differs between the FSx for Lustre types: options, settings, rules, limits, prices, quotas and candidates derive from this table.
 * Its keys are part of price keys (`fsx/PERSISTENT_1_SSD/50`). A new type is a row here, and its prices in lib/price/prices.json.
 * Sources: FSx API reference, CreateFileSystem and its Lustre configuration (values);
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/ssd-storage.html (rates; the persistent ones are the same since 2022); using-fsx-lustre.html
 * (servers) and increase-storage-capacity.html (EFA) there.
 */
export const LUSTRE_TYPES = {
  SCRATCH_2: {
    ...USUAL,
    deploymentType: 'SCRATCH_2',
    label: 'SCRATCH_2',
    series: 'SCRATCH_2',
    tiers: [{ ...ssd(0, [200, 1300], [200, 200], 6.7), perUnit: null, diskWrite: [100, 100] }],
    metrics: { diskOperations: false, diskIops: false },
    usage: 'Storage',
  },
  PERSISTENT_1_SSD: {
    ...USUAL,
    deploymentType: 'PERSISTENT_1',
    label: 'PERSISTENT_1 SSD',
    series: 'PERSISTENT_1 SSD',
    tiers: [
      ssd(50, [250, 1300], [50, 240], 2.2, { reducible: true }),
      ssd(100, [500, 1300], [100, 240], 4.4, { reducible: true }),
      ssd(200, [750, 1300], [200, 240], 8.8, { reducible: true }),
    ],
    usage: 'Storage.SSD',
  },
  PERSISTENT_1_HDD: {
    ...USUAL,
    deploymentType: 'PERSISTENT_1',
    storageType: 'HDD',
    label: 'PERSISTENT_1 HDD',
    series: 'PERSISTENT_1 HDD',
    tiers: [
      {
        perUnit: 12,
        capacity: { first: 6000, step: 6000 },
        // 6,000 GiB were seen with 4 targets.
        gibPerTarget: 1500,
        // The guide marks this burst as reduced to 530 in some Regions, which cannot be: the mark is ignored.
        network: [40, 375],
        diskRead: [12, 80],
        diskWrite: [12, 50],
        memoryGiB: 0.4,
        reducible: false,
        source: HDD,
      },
      {
        perUnit: 40,
        capacity: { first: 1800, step: 1800 },
        gibPerTarget: null,
        network: [150, 1300],
        diskRead: [40, 250],
        diskWrite: [40, 150],
        memoryGiB: 1.5,
        reducible: true,
        source: HDD,
      },
    ],
    driveCache: true,
    metrics: { diskOperations: true, diskIops: false },
    usage: null,
  },
  PERSISTENT_2_SSD: {
    ...USUAL,
    deploymentType: 'PERSISTENT_2',
    label: 'PERSISTENT_2 SSD',
    series: 'PERSISTENT_2 SSD',
    versions: ['2.12', '2.15'],
    tiers: [
      ssd(125, [320, 1300], [125, 500], 3.4, { efaStep: 38_400 }),
      ssd(250, [640, 1300], [250, 500], 6.8, { efaStep: 19_200 }),
      ssd(500, [1300, 1300], [500, 500], 13.7, { efaStep: 9600 }),
      ssd(1000, [2600, 2600], [1000, 1000], 27.3, { efaStep: 4800 }),
    ],
    metadata: 'optional',
    efa: true,
    usage: 'Storage.SSD',
  },
  PERSISTENT_2_INTELLIGENT_TIERING: {
    ...USUAL,
    deploymentType: 'PERSISTENT_2',
    storageType: 'INTELLIGENT_TIERING',
    label: 'PERSISTENT_2 INTELLIGENT_TIERING',
    series: 'Intelligent-Tiering',
    // Its metadata configuration exists from 2.15 only.
    versions: ['2.15'],
    tiers: [],
    // botocore 1.44.8, ThroughputCapacity and LustreReadCacheConfiguration; intelligent-tiering-file-systems.html of the guide for a server.
    elastic: {
      throughput: { small: [1000, 2000], step: 4000, max: 2_000_000 },
      cacheGiB: { min: 8, max: 32_768, proportional: 5000 },
      perServer: { networkMBps: 12_500, memoryGB: 76.8, storageGiB: 512 * 1024 },
    },
    metadata: 'required',
    efa: true,
    // https://docs.aws.amazon.com/fsx/latest/APIReference/API_DataRepositoryAssociation.html
    repositories: false,
    usage: null,
  },
} as const satisfies Readonly<Record<string, LustreType>>;

/** The types that differ in what AWS allows, promises and charges. */
export type LustreKind = keyof typeof LUSTRE_TYPES;

const distinct = <T>(values: readonly T[]): [T, ...T[]] => [...new Set(values)] as [T, ...T[]];
const ROWS = Object.entries(LUSTRE_TYPES) as readonly (readonly [LustreKind, LustreType])[];

/** Deployment types and storage types, each once: what settings and options accept. */
export const DEPLOYMENT_TYPES = distinct(ROWS.map(([, { deploymentType }]) => deploymentType));
export const STORAGE_TYPES = distinct(ROWS.map(([, { storageType }]) => storageType));

/** Properties that identify a type; a description by AWS may name a type that fsxbench does not support. */
export interface TypeNames {
  readonly deploymentType: string;
  /** @default SSD */
  readonly storageType?: string;
}

export const storageTypesOf = (deploymentType: string): readonly string[] =>
  ROWS.filter(([, type]) => type.deploymentType === deploymentType).map(([, { storageType }]) => storageType);

/** The kind of a configuration; `null` if its deployment and storage types do not go together. */
export const kindOf = ({ deploymentType, storageType = 'SSD' }: TypeNames): LustreKind | null =>
  ROWS.find(([, type]) => type.deploymentType === deploymentType && type.storageType === storageType)?.[0] ?? null;

/** The row of a configuration; `null` as with {@link kindOf}. */
export function typeOf(configuration: TypeNames): LustreType | null {
  const kind = kindOf(configuration);
  return kind === null ? null : LUSTRE_TYPES[kind];
}

/** Values of MB/s per TiB of a type; empty if the type does not have the property. */
export const perUnitsOf = ({ tiers }: Pick<LustreType, 'tiers'>): readonly number[] =>
  tiers.flatMap(({ perUnit }) => (perUnit === null ? [] : [perUnit]));

/** The tier of a configuration; `null` for elastic storage and for a throughput that its type does not have. */
export function tierOf(configuration: TypeNames & { readonly perUnitStorageThroughput?: number }): Tier | null {
  const tiers = typeOf(configuration)?.tiers ?? [];
  return tiers.find(({ perUnit }) => perUnit === null || perUnit === configuration.perUnitStorageThroughput) ?? null;
}

/** The figures of elastic storage, which one type has. */
export const TIERING = LUSTRE_TYPES.PERSISTENT_2_INTELLIGENT_TIERING.elastic;

/** True for storage without a capacity. */
export const isElastic = (configuration: TypeNames): boolean => typeOf(configuration)?.elastic !== undefined;

/** Default quotas of all Intelligent-Tiering in a Region: throughput, and read cache. Source: as {@link DEFAULT_STORAGE_QUOTA_GIB}. */
export const DEFAULT_TIERING_QUOTA = { throughputMBps: 100_000, readCacheGiB: 100_800 } as const;

/** Metadata IOPS that can be provisioned. Source: botocore 1.44.8, CreateFileSystemLustreMetadataConfiguration. */
export const METADATA_IOPS = { small: [1500, 3000, 6000], step: 12_000, max: 192_000 } as const;

/** MB/s for each 1,000 GiB of HDD's read cache on SSD, without burst: https://docs.aws.amazon.com/fsx/latest/LustreGuide/ssd-storage.html, table of HDD. */
export const READ_CACHE_MBPS = 200;

/** MB/s of network burst for each 1,000 GiB in {@link REDUCED_BURST_REGIONS}. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/ssd-storage.html. */
export const REDUCED_BURST = 530;

export const REDUCED_BURST_REGIONS: readonly string[] = [
  ...['af-south-1', 'ap-east-1', 'ap-northeast-3', 'ap-southeast-1', 'ca-central-1', ...CHINA],
  ...['eu-central-1', 'eu-north-1', 'eu-south-1', 'eu-west-2', 'me-south-1', 'sa-east-1'],
];

/** Higher values are typos: over a hundred times the default quota of an account (https://docs.aws.amazon.com/fsx/latest/LustreGuide/limits.html). */
export const MOST_CAPACITY_GIB = 20_000_000;

/** AWS's "TiB" in throughput is 1,000 GiB: 2,400 GiB × 50 = 120 MB/s in the API reference. */
export const GIB = { TiB: 1000, GiB: 1 } as const;
