import type { Requirement } from '../../lib/advise';
import { notesOf } from '../../lib/advise/notes';
import { resolve, STORAGE_KINDS } from '../../lib/advise/requirement';
import { predict } from '../../lib/predict';
import { PUBLISHED } from '../../lib/price/prices';
import { advise } from './requirements';

/** The requirements of docs/advise.md, from a budget to hundreds of millions of files. */
const ASKED: readonly (readonly [string, Requirement])[] = [
  ['small files', { capacityTB: 5, files: 5e9, ratio: 1.2 }],
  ['genomics', { capacityTB: 50, readMBps: 4000, ratio: 2.2, clients: { count: 16, instanceType: 'c5n.9xlarge' } }],
  ['many files', { capacityTB: 200, readMBps: 40_000, files: 3e8 }],
  ['a budget', { maxMonthlyUsd: 5000 }],
  ['creations', { createsPerSecond: 20_000 }],
  ['clients over EFA', { readMBps: 60_000, clients: { count: 4, instanceType: 'c6in.32xlarge', efa: true } }],
  ['few slow clients', { writeMBps: 500, clients: { count: 2, instanceType: 'c5n.large' }, capacityTB: 1 }],
];

test.each(ASKED)('%s: in every proposed proof the file system is the limit, not its clients', (_, requirement) => {
  const { options } = advise(requirement);
  for (const { configuration, cdkJson } of options) {
    const { CompressionBench, MetadataBench } = cdkJson.context;
    if (requirement.createsPerSecond !== undefined) {
      const { metadataPerSecond } = predict({ configuration });
      expect(metadataPerSecond?.file_create).toBeGreaterThanOrEqual(requirement.createsPerSecond);
      // No throughput is asked for.
      expect([CompressionBench, MetadataBench]).toEqual([undefined, expect.anything()]);
      continue;
    }
    const { clients, instanceType, ...more } = CompressionBench as { clients: number; instanceType: string };
    // Over EFA if it was requested and the file system has it.
    const efa = requirement.clients?.efa === true && 'efaEnabled' in configuration;
    expect('efaClients' in more).toBe(efa);
    const readShare = requirement.readMBps === undefined ? 0 : 1;
    const ratio = configuration.dataCompressionType === 'LZ4' ? requirement.ratio : undefined;
    const { binding, throughputMBps } = predict({
      configuration,
      readShare,
      ratio,
      clients: { count: clients / 2, instanceType, efa },
      workingSetGiB:
        configuration.storageType === 'INTELLIGENT_TIERING' && requirement.capacityTB !== undefined
          ? (requirement.capacityTB * 1e12) / 2 ** 30
          : undefined,
    });
    expect([JSON.stringify(configuration), clients, binding.baseline]).toEqual([
      expect.anything(),
      expect.any(Number),
      expect.not.stringMatching(/^client_/),
    ]);
    expect(throughputMBps.baseline).toBeGreaterThanOrEqual(requirement.readMBps ?? requirement.writeMBps ?? 0);
    expect(PUBLISHED.instancePriceOf(instanceType, 'us-east-1')).not.toBeNull();
  }
});

test('a proof of creations is measured by clients of the user’s type, and no fewer than the user has', () => {
  const fleetOf = (clients?: Requirement['clients']) =>
    advise({ createsPerSecond: 20_000, clients }).options[0]?.cdkJson.context.MetadataBench;
  const { clients: ofStudy } = fleetOf() as { clients: number };
  expect(fleetOf()).not.toHaveProperty('instanceType');
  expect(fleetOf({ count: ofStudy + 7, instanceType: 'c6in.8xlarge' })).toMatchObject({
    clients: 2 * Math.ceil((ofStudy + 7) / 2),
    instanceType: 'c6in.8xlarge',
  });
  expect(fleetOf({ count: 2, instanceType: 'c6in.8xlarge' })).toMatchObject({ clients: ofStudy });
});

const CLIENTS = { count: 60, instanceType: 'c5n.9xlarge' };

test.each<[string, string, Requirement]>([
  ['2 clients create 3,333 files per second', 'that the metadata servers reach 20,000', { createsPerSecond: 20_000 }],
  [
    '10 clients create 18,868 files per second',
    'that the metadata servers reach 200,000',
    { createsPerSecond: 200_000 },
  ],
  ['1 client reaches 1.88 GB/s (client_oss_path)', 'that the file system reaches 3.6 GB/s', { writeMBps: 3000 }],
  [
    '1 client reaches 6.25 GB/s (client_nic)',
    'that the file system reaches 30 GB/s',
    { readMBps: 30_000, capacityTB: 100 },
  ],
  [
    '6 clients reach 37.5 GB/s (client_nic)',
    'that the file system reaches 300 GB/s',
    { readMBps: 300_000, capacityTB: 1000 },
  ],
  // The throughput is what the most clients are for, and it is proven first.
  [
    '1 client reaches 6.25 GB/s (client_nic)',
    'that the file system reaches 31.2 GB/s',
    { writeMBps: 30_000, createsPerSecond: 20_000 },
  ],
  [
    '16 clients create 30,380 files per second',
    'that the metadata servers reach 300,000',
    { readMBps: 30_000, files: 1e9, capacityTB: 100 },
  ],
  [
    '50 clients reach 313 GB/s (client_nic)',
    'that the file system reaches 3330 GB/s',
    { burst: { terabytes: 200, seconds: 60, everySeconds: 3600 } },
  ],
  ['the file system reaches its limit', 'how 60 × c5n.9xlarge share it', { writeMBps: 3000, clients: CLIENTS }],
])('a cheaper proof: %s, not %s', (shows, cannotShow, requirement) => {
  const { experiments, cheaper } = advise(requirement).options[0]?.proof ?? {};
  expect(cheaper).toMatchObject({ shows, cannotShow, benchmark: experiments?.[0]?.benchmark });
  const clients = experiments?.map((one) => one.clients) ?? [];
  expect(clients).toEqual(clients.toSorted((a, b) => b - a));
  expect(cheaper?.clients).toBeLessThan(clients[0] ?? 0);
});

const estimated = (low: number) => ({ like: null, interval: { low, high: 2 }, min: null });
const MANY = { capacityTB: 100, readMBps: 2000 };
const MADE = { capacityTB: 1, readMBps: 100, files: 1e6, createsPerSecond: 1000 };
const SMALL = { capacityTB: 0.1, readMBps: 100, files: 1e6 };
const GAIN = { capacityTB: 10, readMBps: 2000, ratio: 1.1 };
const EFA = { count: 4, instanceType: 'c6in.32xlarge' };
const NOT_ADVISED = 'not-advised not-advised';

test.each<[string, Requirement]>([
  ['all-data-hot', { capacityTB: 100, readMBps: 1199 }],
  ['', { capacityTB: 100, readMBps: 1200 }],
  ['all-data-hot', { capacityTB: 1, readMBps: 1 }],
  ['', { capacityTB: 0.99, readMBps: 1 }],
  ['all-data-hot', { capacityTB: 100, readMBps: 1000, scanMBps: 50_000 }],
  ['', { capacityTB: 100, burst: { terabytes: 2, seconds: 60, everySeconds: 3600 } }],
  ['only-working-set', { ...MANY, workingSetGiB: 100 }],
  ['', { capacityTB: 100, writeMBps: 1000, workingSetGiB: 100 }],
  ['', { ...MANY, scanMBps: 1000, workingSetGiB: 100 }],
  ['', { ...MANY, workingSetGiB: 93_132 }],
  ['mostly-overhead inodes-unpublished', { capacityTB: 5, files: 5e9 }],
  ['inodes-unpublished', { ...MANY, files: 1e8 }],
  ['', { ...MANY, files: 99_999_999 }],
  ['', { ...MANY, files: 1e8, storages: ['efs'] }],
  ['creations-write', { ...MADE, writeMBps: 999 }],
  ['', { ...MADE, writeMBps: 1000 }],
  ['creations-write', { ...SMALL, createsPerSecond: 10 }],
  ['', { ...SMALL, createsPerSecond: 9 }],
  ['gain-not-shown', { ...GAIN, estimated: estimated(1) }],
  ['', { ...GAIN, estimated: estimated(1.01) }],
  ['', { ...GAIN, ratio: 1, estimated: estimated(1) }],
  ['', { ...GAIN, estimated: estimated(1), taken: { uncompressed: 1.2, compressed: 0.9 } }],
  ['part-time', { ...GAIN, hoursPerMonth: 365 }],
  ['s3-requests', { ...GAIN, storages: ['mountpoint-s3'] }],
  [`${NOT_ADVISED} s3-requests`, { ...GAIN, storages: STORAGE_KINDS }],
  [NOT_ADVISED, { readMBps: 2000, storages: STORAGE_KINDS }],
  ['efa-unused', { readMBps: 2000, clients: EFA }],
  ['', { readMBps: 2000, clients: { ...EFA, efa: true } }],
  ['', { readMBps: 2000, clients: { ...EFA, instanceType: 'c5n.large' } }],
  ['budget-alone', { maxMonthlyUsd: 5000 }],
  ['', { maxMonthlyUsd: 5000, storages: ['lustre'] }],
  ['', { maxMonthlyUsd: 5000, readMBps: 100 }],
])('notes: %s of %j', (ids, requirement) => {
  expect(
    notesOf(resolve(requirement))
      .map(({ id }) => id.replace('fsxbench:', ''))
      .join(' '),
  ).toBe(ids);
});

test.each<[string, Requirement]>([
  [
    'state what is read repeatedly (--working-set), consider all kinds (--storage all), or keep the rest in S3 and link it; --data estimates what LZ4 saves',
    { capacityTB: 100, readMBps: 1 },
  ],
  [
    'state what is read repeatedly (--working-set), or keep the rest in S3 and link it',
    { capacityTB: 100, readMBps: 1, ratio: 2, storages: STORAGE_KINDS },
  ],
  [
    '(tar, HDF5, SquashFS), write larger records, or see what they take elsewhere (--storage all)',
    { capacityTB: 5, files: 5e9 },
  ],
  ['(tar, HDF5, SquashFS) or write larger records', { capacityTB: 5, files: 5e9, storages: STORAGE_KINDS }],
  ['before loading 200,000,000 files', { ...MANY, files: 2e8, estimated: estimated(1.2) }],
  ['before loading about 200 million files', { ...MANY, files: 2e8, estimated: { ...estimated(1.2), like: '/data' } }],
  ['write 1 GB/s, and no write rate is required: add --write 1', MADE],
  ['write 1 GB/s, but only 0.999 are required: add --write 1', { ...MADE, writeMBps: 999 }],
  [
    'priced separately; many files take longer to load than their bytes: --file-size considers it',
    { ...GAIN, hoursPerMonth: 365 },
  ],
  ['between uses the data are in S3, which is priced separately', { ...GAIN, hoursPerMonth: 365, files: 1e6 }],
])('a note says: %s', (words, requirement) => {
  expect(`${notesOf(resolve(requirement))[0]?.message}.`).toMatch(
    new RegExp(`${words.replaceAll(/[().]/g, '\\$&')}(: AWS.*)?\\.$`),
  );
});
