import { Stack } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { ceilingsOf, graph, idOf, linePerArm, perSecond, throughputGraphs } from '../../../deploy/dashboard/graph';
import { camelCase } from '../../../kit/format/words';
import type { ArmView } from '../../construct';
import { limitsOf } from '../limits';
import type { LustreZfsFileSystem } from './fileSystem';

type Arm = ArmView<LustreZfsFileSystem>;

/** How limits are called on a graph. */
const NAMES = { server_network: 'network of the servers' };

const rate = (arm: Arm, name: string, options?: cloudwatch.MathExpressionOptions) =>
  perSecond(arm.storage.metric(name), `${camelCase(name)}_${idOf(arm)}`, options);

/** What clients see, as the object storage targets count it. */
export const dataGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] =>
  throughputGraphs(arms, {
    width: 12,
    rate: (arm, mode) => rate(arm, mode === 'write' ? 'BytesWritten' : 'BytesRead'),
    ceilings: ({ storage }, mode) =>
      ceilingsOf(limitsOf(storage.configuration, { mode, region: Stack.of(storage).region }), NAMES),
  });

/** The work of targets by its kind. */
export function metadataGraphs(arms: readonly Arm[]): cloudwatch.IWidget[] {
  const operations = (title: string, names: readonly string[]) =>
    graph({
      ...{ title, width: 8, unit: 'operations/s' },
      left: arms.flatMap((arm) => names.map((name) => rate(arm, name, { label: `${arm.name} ${name}` }))),
    });
  return [
    operations('Metadata operations', ['MetadataOperations', 'Stats', 'Renames']),
    operations('Files', ['FileCreates', 'FileOpens', 'FileDeletes', 'DirectoryCreates', 'DirectoryDeletes']),
    operations('Object storage requests', ['WriteOperations', 'ReadOperations']),
  ];
}

/** What compresses, and what it saves. */
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
