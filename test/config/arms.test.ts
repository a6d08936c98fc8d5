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

test('keep the settings that are not about what differs', () => {
  for (const { storage } of arms({ storageCapacityGiB: 24_000, lustreVersion: '2.15', efa: false })) {
    expect(storage).toMatchObject({ storageCapacityGiB: 24_000 });
  }
});

test('can be one of the compression study as well', () => {
  expect(arms({ arms: ['lz4'] }, compressionBench).map(({ name }) => name)).toEqual(['lz4']);
});

const TIERED: Settings = { storageType: 'INTELLIGENT_TIERING', throughputCapacity: 4000, dataReadCache: 'none' };
const P1: Settings = { deploymentType: 'PERSISTENT_1', perUnitStorageThroughput: 200 };

test.each<Settings>([
  ...[5000, 13_000, 204_000].map((metadataIops) => ({ metadataIops })),
  ...[5000, 18_000].map((metadataIops) => ({ ...TIERED, metadataIops })),
  ...[1500, 12_000, 192_000].map((metadataIops) => ({ ...P1, metadataIops })),
  { metadataIops: 6000, metadataIopsSweep: [12_000] },
  { arms: ['p250-1200', 'zzz'] },
  { storageCapacityGiB: 1200, metadataIopsSweep: [1500, 3000, 6000, 12_000, 24_000, 36_000, 48_000, 60_000] },
  { metadataIopsSweep: [192_000, 180_000, 168_000] },
  { metadataIopsSweep: [6000, 12_000], perUnitStorageThroughput: 250 },
  { perUnitStorageThroughput: 200 },
])('refuse %j before anything is deployed, in the words of the snapshot', (settings) => {
  expect(problemsOf(settings)).toMatchSnapshot();
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

test('are at most 14', () => {
  const levels = ['none', 'automatic', 12_000, 24_000, 36_000, 48_000, 60_000, 72_000] as const;
  expect(names({ metadataIopsSweep: levels.slice(0, 7) })).toHaveLength(14);
  const refused = "MetadataBench must have at most 14 arms, got 16. Choose some with 'arms'.";
  expect(problemsOf({ metadataIopsSweep: levels })).toEqual([refused]);
});
