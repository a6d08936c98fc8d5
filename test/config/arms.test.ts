import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { ConfigurationError } from '../../lib/common/configurationError';
import { armsOf } from '../../lib/config/benchmark';
import type { Settings } from '../../lib/config/fields';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';

const arms = (settings: Settings, definition = metadataBench) => armsOf(definition, 'published', settings);
const names = (settings: Settings) => arms(settings).map(({ name }) => name);

function problemsOf(settings: Settings, definition = metadataBench): readonly string[] {
  try {
    arms(settings, definition);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  throw new Error(`accepted ${JSON.stringify(settings)}`);
}

test('are what their names say, whatever is chosen', () => {
  const settings: Settings = { metadataIopsSweep: ['none', 'automatic', 12_000, 24_000] };
  for (const { name, storage } of arms(settings)) {
    const lustre = storage as LustreStorage;
    const { metadata } = lustre;
    const level = metadata?.mode === 'USER_PROVISIONED' ? metadata.iops : (metadata?.mode ?? 'none').toLowerCase();
    expect(name).toBe(`p${lustre.perUnitStorageThroughput}-${level}`);
  }
});

test.each<[Settings, string[]]>([
  [{}, ['p250-none', 'p250-12000', 'p250-192000', 'p1000-none', 'p1000-12000', 'p1000-192000']],
  [{ metadataIops: 24_000 }, ['p250-24000', 'p1000-24000']],
  [{ perUnitStorageThroughput: 500 }, ['p500-none', 'p500-12000', 'p500-192000']],
  [{ storageCapacityGiB: 1200, metadataIopsSweep: [1500], perUnitStorageThroughput: 125 }, ['p125-1500']],
  [{ metadataIopsSweep: [12_000, 24_000], arms: ['p1000-24000'] }, ['p1000-24000']],
  [{ storageType: 'INTELLIGENT_TIERING', throughputCapacity: 4000, dataReadCache: 'none' }, ['it-6000', 'it-12000']],
])('of %j are %j', (settings, expected) => {
  expect(names(settings)).toEqual(expected);
});

test.each<[string, Settings, string]>([
  ...[5000, 13_000, 204_000].map((iops): [string, Settings, string] => [
    `${iops}`,
    { metadataIops: iops },
    `'metadataIops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got ${iops}. Take `,
  ]),
  ...[5000, 18_000].map((iops): [string, Settings, string] => [
    `${iops} on Intelligent-Tiering`,
    {
      storageType: 'INTELLIGENT_TIERING',
      throughputCapacity: 4000,
      dataReadCache: 'none',
      metadataIops: iops,
    },
    `'metadataIops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got ${iops}. Take `,
  ]),
  ...[1500, 12_000, 192_000].map((iops): [string, Settings, string] => [
    `${iops} on PERSISTENT_1`,
    { deploymentType: 'PERSISTENT_1', perUnitStorageThroughput: 200, metadataIops: iops },
    `'metadataIops' (${iops}) cannot be combined with PERSISTENT_1: only PERSISTENT_2 has a metadata configuration. Leave it out, or use PERSISTENT_2.`,
  ]),
])(
  'metadata IOPS of %s are refused before anything is deployed, once, with what is allowed',
  (_, settings, message) => {
    const [problem, ...others] = problemsOf(settings);
    expect(problem).toContain(message);
    expect(others).toEqual([]);
  },
);

test('keep the settings that are not about what differs', () => {
  for (const { storage } of arms({ storageCapacityGiB: 24_000, lustreVersion: '2.15', efa: false })) {
    expect(storage).toMatchObject({ storageCapacityGiB: 24_000 });
  }
});

test('can be one of the compression study as well', () => {
  expect(arms({ arms: ['lz4'] }, compressionBench).map(({ name }) => name)).toEqual(['lz4']);
});

test.each<[Settings, string]>([
  [
    { metadataIops: 6000, metadataIopsSweep: [12_000] },
    "'metadataIops' (6000) cannot be combined with 'metadataIopsSweep': both choose the metadata IOPS of the arms. Put it into the sweep.",
  ],
  [
    { arms: ['p250-1200', 'zzz'] },
    "'arms' must be of p250-none, p250-12000, p250-192000, p1000-none, p1000-12000, p1000-192000, got \"p250-1200\". Did you mean 'p250-12000'?",
  ],
  [
    { storageCapacityGiB: 1200, metadataIopsSweep: [1500, 3000, 6000, 12_000, 24_000, 36_000, 48_000, 60_000] },
    "MetadataBench must have at most 14 arms, got 16. Choose some with 'arms'.",
  ],
  [
    { metadataIopsSweep: [192_000, 180_000, 168_000] },
    "'metadataIops' must be of at most 62 metadata servers in all (one for each 12000 IOPS of an arm), got 90. Choose fewer of the large ones with 'arms'.",
  ],
  [
    { metadataIopsSweep: [6000, 12_000], perUnitStorageThroughput: 250 },
    "'metadataIops' must be at least 12000 with 12000 GiB, got 6000. Take 12000, or at most 9600 GiB: FSx refuses fewer than AUTOMATIC gives to the capacity. [fsxbench:lustre-metadata-min]",
  ],
  [
    { perUnitStorageThroughput: 200 },
    "'perUnitStorageThroughput' must be one of [125,250,500,1000] MB/s/TiB with PERSISTENT_2 SSD, got 200",
  ],
])('refuse %j', (settings, message) => {
  expect(problemsOf(settings)[0]).toContain(message);
});

test('refuse a sweep where metadata is not what differs', () => {
  expect(problemsOf({ metadataIopsSweep: [1500] }, compressionBench)).toEqual([
    "'metadataIopsSweep' ([1500]) cannot be combined with CompressionBench: it is a setting of MetadataBench. Put it into the section of a benchmark that has it.",
  ]);
});

test('refuse a setting of a storage that no arm is of', () => {
  const directories = { ...compressionBench, arms: () => [{ name: 'here', storage: { kind: 'directory' } }] };
  expect(problemsOf({ deploymentType: 'SCRATCH_2', clients: 2 }, directories)).toEqual([
    '\'deploymentType\' ("SCRATCH_2") cannot be combined with CompressionBench: it is a setting of FSx for Lustre. Put it into the section of a benchmark that has it.',
  ]);
});
