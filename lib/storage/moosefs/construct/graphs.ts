import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { countedOperations, countedThroughput } from '../../../constructs/dashboard/countedGraphs';
import { graph, linePerArm } from '../../../constructs/dashboard/graph';
import type { ArmView } from '../../construct';
import { limitsOf } from '../limits';
import type { MooseFsServers } from './servers';

type Arm = ArmView<MooseFsServers>;

/** Names of the limits on a graph. */
const NAMES = {
  server_network: 'network of the chunkservers',
  server_ebs: 'EBS bandwidth of the chunkservers',
  disk: 'volumes',
};

/** Throughput of the clients, counted by the chunkservers. */
export const dataGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] => countedThroughput(arms, limitsOf, NAMES);

/** The master's work by its kind. */
export const metadataGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] => [
  countedOperations(arms, 'Metadata operations', ['MetadataOperations']),
  countedOperations(arms, 'Files', ['FileCreates', 'FileOpens', 'FileDeletes', 'Stats']),
  countedOperations(arms, 'Directories and names', ['DirectoryCreates', 'DirectoryDeletes', 'Renames']),
];

/** Load of the master and space used on the chunkservers. */
export function serverGraphs(arms: readonly Arm[]): cloudwatch.IWidget[] {
  return [
    graph({
      ...{ title: 'CPU of the master, which serves metadata with one thread', width: 12, unit: '%', max: 100 },
      left: linePerArm(arms, ({ storage }, options) => storage.metric('MasterCpu', options)),
    }),
    graph({
      ...{ title: 'Space of the chunkservers, all copies', width: 12, unit: 'bytes' },
      left: arms.flatMap(({ storage, name }) => [
        storage.metric('UsedBytes', { label: `${name} used` }),
        storage.metric('FreeBytes', { label: `${name} free` }),
      ]),
    }),
  ];
}
