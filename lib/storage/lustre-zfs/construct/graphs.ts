import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { countedOperations, countedThroughput } from '../../../constructs/dashboard/countedGraphs';
import { graph, linePerArm } from '../../../constructs/dashboard/graph';
import type { ArmView } from '../../construct';
import { limitsOf } from '../limits';
import type { LustreZfsFileSystem } from './fileSystem';

type Arm = ArmView<LustreZfsFileSystem>;

/** Names of the limits on a graph. */
const NAMES = { server_network: 'network of the servers' };

/** Throughput of the clients, counted by the object storage targets. */
export const dataGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] => countedThroughput(arms, limitsOf, NAMES);

/** The work of targets by its kind. */
export const metadataGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] => [
  countedOperations(arms, 'Metadata operations', ['MetadataOperations', 'Stats', 'Renames']),
  countedOperations(arms, 'Files', ['FileCreates', 'FileOpens', 'FileDeletes', 'DirectoryCreates', 'DirectoryDeletes']),
  countedOperations(arms, 'Object storage requests', ['WriteOperations', 'ReadOperations']),
];

/** Load of the compressing servers, and the space that it saves. */
export function serverGraphs(arms: readonly Arm[]): cloudwatch.IWidget[] {
  return [
    graph({
      ...{ title: 'CPU of the busiest server', width: 8, unit: '%', max: 100 },
      left: linePerArm(arms, ({ storage }, options) => storage.metric('ServerCpu', options)),
    }),
    graph({
      ...{ title: 'Data before and after compression', width: 8, unit: 'bytes' },
      left: arms.flatMap(({ storage, name }) => [
        storage.metric('LogicalBytes', { label: `${name} before` }),
        storage.metric('UsedBytes', { label: `${name} after` }),
      ]),
    }),
    graph({
      ...{ title: 'Free space of the pools', width: 8, unit: 'bytes' },
      left: linePerArm(arms, ({ storage }, options) => storage.metric('FreeBytes', options)),
    }),
  ];
}
