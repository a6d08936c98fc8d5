import { Stack } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { ceilingsOf, graph, idOf, linePerArm, perSecond, throughputGraphs } from '../../../deploy/dashboard/graph';
import { camelCase } from '../../../kit/format/words';
import type { ArmView } from '../../construct';
import { limitsOf } from '../limits';
import type { MooseFsServers } from './servers';

type Arm = ArmView<MooseFsServers>;

/** How limits are called on a graph. */
const NAMES = {
  server_network: 'network of the chunkservers',
  server_ebs: 'EBS bandwidth of the chunkservers',
  disk: 'volumes',
};

const rate = (arm: Arm, name: string, options?: cloudwatch.MathExpressionOptions) =>
  perSecond(arm.storage.metric(name), `${camelCase(name)}_${idOf(arm)}`, options);

/** What clients see, as the chunkservers count it. */
export const dataGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] =>
  throughputGraphs(arms, {
    width: 12,
    rate: (arm, mode) => rate(arm, mode === 'write' ? 'BytesWritten' : 'BytesRead'),
    ceilings: ({ storage }, mode) =>
      ceilingsOf(limitsOf(storage.configuration, { mode, region: Stack.of(storage).region }), NAMES),
  });

/** The master's work by its kind. */
export function metadataGraphs(arms: readonly Arm[]): cloudwatch.IWidget[] {
  const operations = (title: string, names: readonly string[], width: number) =>
    graph({
      ...{ title, width, unit: 'operations/s' },
      left: arms.flatMap((arm) =>
        names.map((name) =>
          rate(arm, name, { label: `${arm.name} ${name}`, ...(names.length === 1 && { color: arm.colour }) }),
        ),
      ),
    });
  return [
    operations('Metadata operations', ['MetadataOperations'], 8),
    operations('Files', ['FileCreates', 'FileOpens', 'FileDeletes', 'Stats'], 8),
    operations('Directories and names', ['DirectoryCreates', 'DirectoryDeletes', 'Renames'], 8),
  ];
}

/** How busy the master is, and how full the chunkservers. */
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
