import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { clusterBench } from '../../../lib/benchmark/cluster';
import { compressionBench } from '../../../lib/benchmark/compression';
import { metadataBench } from '../../../lib/benchmark/metadata';
import type { ClusterConfiguration } from '../../../lib/fleet/parallelcluster/configuration';
import { resourcesOf, stacksWith, theOnly } from '../../support/cdk';
import { filledIn } from '../../support/cluster';
import { CLIENTS_OVER_EFA } from '../../support/options';

const ROOT = join(__dirname, '../../..');

/** The cluster of a stack as its provider would get it. */
function deployed(settings: object, definition = compressionBench): ClusterConfiguration {
  const { bench } = stacksWith({ fleet: 'parallelcluster', ...settings }, undefined, undefined, definition);
  const { Properties } = theOnly(resourcesOf(bench), 'Custom::PclusterCluster');
  return filledIn(Properties.ClusterConfiguration) as ClusterConfiguration;
}

const IOR = { instanceType: 'c5n.18xlarge' };
const right = deployed(IOR);
const { Scheduling, HeadNode, SharedStorage } = right;
const [queue] = Scheduling.SlurmQueues;
const [resource] = queue?.ComputeResources ?? [];
const [storage] = SharedStorage ?? [];
const withQueue = (change: object) => ({
  ...right,
  Scheduling: { ...Scheduling, SlurmQueues: [{ ...queue, ...change }] },
});
const withResource = (change: object) => withQueue({ ComputeResources: [{ ...resource, ...change }] });
const withStorage = (FsxLustreSettings: object) => ({ ...right, SharedStorage: [{ ...storage, FsxLustreSettings }] });
const FileSystemId = 'fs-0123456789abcdef0';

const ACCEPTED: Readonly<Record<string, object>> = {
  'ClusterBench, 208 nodes': deployed({}, clusterBench),
  'CompressionBench with 2 nodes': deployed({ ...IOR, clients: 2 }),
  'CompressionBench with 8 nodes': right,
  'CompressionBench with 208 nodes': deployed({ ...IOR, queues: ['c5.9xlarge:200'] }),
  'CompressionBench on Spot': deployed({ ...IOR, purchase: 'spot', placement: 'none' }),
  'Lustre over EFA': deployed(CLIENTS_OVER_EFA),
  MetadataBench: deployed({ arms: ['p250-12000'] }, metadataBench),
};

const REFUSED: Readonly<Record<string, readonly [configuration: object, says: string]>> = {
  'Amazon Linux 2': [{ ...right, Image: { Os: 'alinux2' } }, 'Must be one of: alinux2023'],
  'AWS Batch': [{ ...right, Scheduling: { ...Scheduling, Scheduler: 'awsbatch' } }, 'Must be one of: slurm'],
  'EFA on c5.9xlarge': [
    withResource({ InstanceType: 'c5.9xlarge' }),
    "Instance type 'c5.9xlarge' does not support EFA.",
  ],
  'metadata IOPS': [withStorage({ FileSystemId, MetadataConfiguration: { Mode: 'AUTOMATIC' } }), 'Unknown field'],
  'an id beside a capacity': [
    withStorage({ FileSystemId, StorageCapacity: 1200 }),
    'storage_capacity cannot be specified',
  ],
  'a head node too small for 208 nodes': [
    { ...deployed({ ...IOR, queues: ['c5.9xlarge:200'] }), HeadNode: { ...HeadNode, InstanceType: 'c5.xlarge' } },
    'at least 8.92 GB of memory',
  ],
  'a name that Slurm does not take': [withQueue({ Name: 'IOR_Queue' }), 'Name must begin with a letter'],
  'fewer nodes than it keeps': [withResource({ MinCount: 9 }), 'Max count must be greater'],
  'a misspelt key': [{ ...right, HeadNod: {} }, 'Unknown field'],
};

// The user's configuration, which may be wrong, must not matter.
process.env.AWS_PROFILE = 'no-such-profile';

/** `ran`: validators that had all they ask for; `skipped`: those that ask the account, neither passed nor failed. */
type Verdict = Record<'ran' | 'skipped', string[]> & {
  accepted: boolean;
  problems: { level: string; message: string }[];
};

/** The verdict of ParallelCluster's own code on each configuration, without AWS; `null` where scripts/test.mjs has not installed it. */
function validated(configurations: readonly object[]): readonly Verdict[] | null {
  const packages = join(ROOT, '.lab/parallelcluster');
  if (!existsSync(join(packages, 'fsxbench-stamp'))) return null;
  const { status, stdout, stderr } = spawnSync(join(ROOT, '.lab/venv/bin/python'), [join(__dirname, 'validate.py')], {
    input: JSON.stringify(configurations),
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
    env: { ...process.env, PYTHONPATH: packages },
  });
  if (status !== 0) throw new Error(`ParallelCluster's validators broke: ${stderr}`);
  return JSON.parse(stdout);
}

const verdicts = validated([...Object.values(ACCEPTED), ...Object.values(REFUSED).map(([wrong]) => wrong)]);
const each = verdicts === null ? test.skip.each : test.each;
const number = (index: number): Verdict => verdicts?.[index] as Verdict;

describe("ParallelCluster's own code", () => {
  each(Object.keys(ACCEPTED).map((name, index) => [name, index] as const))('accepts %s', (_, index) => {
    const { problems, accepted } = number(index);
    expect(problems.filter(({ level }) => level === 'ERROR')).toEqual([]);
    expect(accepted).toBe(true);
  });

  each(Object.entries(REFUSED).map(([name, [, says]], index) => [name, says, index] as const))(
    'refuses %s',
    (_, says, index) => {
      const { problems, accepted } = number(Object.keys(ACCEPTED).length + index);
      expect(accepted).toBe(false);
      expect(problems.map(({ message }) => message).join('\n')).toContain(says);
    },
  );

  each([['skipped']])('has what asks the account %s, and nothing of it passed', () => {
    const { ran, skipped } = number(1);
    expect(ran.length).toBeGreaterThan(50);
    expect(skipped).toEqual(expect.arrayContaining(['SecurityGroupsValidator', 'AdditionalIamPolicyValidator']));
    expect(ran.filter((validator) => skipped.includes(validator))).toEqual([]);
  });
});
