import { Template } from 'aws-cdk-lib/assertions';
import type { Requirement } from '../../lib/advise';
import { describeOption } from '../../lib/advise/wording';
import { makeStacks } from '../../lib/deploy/application';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';
import { appWithFlags } from '../support/cdk';
import { advise } from './requirements';

/** Synthesises a cdk.json that holds a fragment: the file systems of each stack that the fragment names. */
function fileSystemsOf(context: Readonly<Record<string, unknown>>): Map<string, Record<string, unknown>[]> {
  const app = appWithFlags(JSON.parse(JSON.stringify(context)));
  const { benchmarks, refused } = makeStacks(app, { account: '123456789012', region: 'us-east-1' });
  expect(refused).toEqual([]);
  const stacks = benchmarks.filter(({ stackName }) => context[stackName] !== undefined);
  // The others are the same in each application.
  for (const { node } of benchmarks.filter((stack) => !stacks.includes(stack))) app.node.tryRemoveChild(node.id);
  return new Map(
    stacks.map((stack) => [
      stack.stackName,
      Object.values(Template.fromStack(stack).findResources('AWS::FSx::FileSystem')).map(
        ({ Properties }) => Properties,
      ),
    ]),
  );
}

/** A configuration as a CloudFormation resource. */
function declared(configuration: LustreStorage): object {
  const { metadata, dataReadCache, efaEnabled, storageType = 'SSD' } = configuration;
  const { deploymentType, perUnitStorageThroughput, throughputCapacity, driveCacheType } = configuration;
  const lustre = {
    DeploymentType: deploymentType,
    PerUnitStorageThroughput: perUnitStorageThroughput,
    ThroughputCapacity: throughputCapacity,
    DriveCacheType: driveCacheType,
    EfaEnabled: efaEnabled,
    MetadataConfiguration: metadata && {
      Mode: metadata.mode,
      ...(metadata.mode === 'USER_PROVISIONED' && { Iops: metadata.iops }),
    },
    DataReadCacheConfiguration: dataReadCache && {
      SizingMode: dataReadCache.sizingMode,
      ...(dataReadCache.sizingMode === 'USER_PROVISIONED' && { SizeGiB: dataReadCache.sizeGiB }),
    },
  };
  return JSON.parse(
    JSON.stringify({
      StorageType: storageType,
      StorageCapacity: configuration.storageCapacityGiB,
      LustreConfiguration: lustre,
    }),
  );
}

const EFA = { count: 8, instanceType: 'c6in.32xlarge', efa: true } as const;
const REQUIREMENTS: readonly Requirement[] = [
  // Every kind: SCRATCH_2, SSD and hard disks of PERSISTENT_1 at each tier, with and without cache, and PERSISTENT_2.
  { readMBps: 2000, writeMBps: 300, workingSetGiB: 900, capacityTB: 8, ratio: 2.2 },
  // Metadata, with MetadataBench in the fragment; Intelligent-Tiering among them.
  { createsPerSecond: 20_000, writeMBps: 2500, capacityTB: 5, clients: EFA },
  { createsPerSecond: 300_000 },
];

const OPTIONS = REQUIREMENTS.flatMap((requirement) =>
  advise(requirement).options.map((option) => ({ words: describeOption(option.configuration), ...option })),
);
/** One without LZ4 of each kind is enough: both arms of CompressionBench differ in that only. */
const TRIED = OPTIONS.filter(({ configuration }) => configuration.dataCompressionType === 'NONE').map(
  (option) => [option.words, option] as const,
);

test('options of every kind that AWS sells are tried', () => {
  const kinds = TRIED.map(
    ([
      ,
      {
        configuration: { deploymentType, storageType, perUnitStorageThroughput, driveCacheType, efaEnabled },
      },
    ]) =>
      [deploymentType, storageType, perUnitStorageThroughput, driveCacheType, efaEnabled && 'EFA']
        .filter(Boolean)
        .join(' '),
  );
  expect([...new Set(kinds)].sort()).toMatchSnapshot();
});

test.each(TRIED)('%s: its fragment synthesises to that file system', (_, { configuration, cdkJson }) => {
  const stacks = fileSystemsOf(cdkJson.context);
  const { LustreConfiguration, ...top } = declared(configuration) as Record<string, object>;
  expect([...stacks.keys()]).toEqual(Object.keys(cdkJson.context));
  for (const fileSystems of stacks.values()) {
    expect(fileSystems.length).toBeGreaterThan(0);
    for (const fileSystem of fileSystems)
      expect(fileSystem).toMatchObject({ ...top, LustreConfiguration: LustreConfiguration as object });
  }
  const compressions = stacks
    .get('CompressionBench')
    ?.map(({ LustreConfiguration: one }) => (one as Record<string, unknown>).DataCompressionType);
  if (compressions !== undefined) expect(compressions.sort()).toEqual(['LZ4', 'NONE']);
});
