import { Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import {
  type Ceiling,
  ceilingLines,
  graph,
  idOf,
  inMegabytes,
  linePerArm,
  MINUTE,
} from '../../../deploy/dashboard/graph';
import type { ArmView } from '../../construct';
import { limitsOf } from '../limits';
import type { MooseFsServers } from './servers';

type Arm = ArmView<MooseFsServers>;

/** How limits are called on a graph. */
const NAMES: Readonly<Record<string, string>> = {
  server_network: 'network of the chunkservers',
  server_ebs: 'EBS bandwidth of the chunkservers',
  disk: 'volumes',
};

function ceilings({ storage }: Arm, mode: 'write' | 'read'): Ceiling[] {
  return limitsOf(storage.configuration, { mode, region: Stack.of(storage).region }).flatMap(
    ({ name, baselineMBps }) => {
      const label = NAMES[name];
      return label === undefined ? [] : [{ label, megabytesPerSecond: Math.round(baselineMBps) }];
    },
  );
}

/** What is counted in a minute, as a rate. */
function perSecond(arm: Arm, name: string, options: cloudwatch.MathExpressionOptions = {}) {
  const id = `${name.charAt(0).toLowerCase()}${name.slice(1)}_${idOf(arm)}`;
  return new cloudwatch.MathExpression({
    expression: `${id} / PERIOD(${id})`,
    usingMetrics: { [id]: arm.storage.metric(name) },
    period: MINUTE,
    ...options,
  });
}

/** What clients see, as the chunkservers count it. */
export function dataGraphs(arms: readonly Arm[]): cloudwatch.IWidget[] {
  const throughput = (title: string, name: string, mode: 'write' | 'read') =>
    graph({
      ...{ title, width: 12, unit: 'MB/s' },
      left: linePerArm(arms, (arm, options) => inMegabytes(perSecond(arm, name), `${mode}_${idOf(arm)}`, options)),
      ceilings: ceilingLines(arms, (arm) => ceilings(arm, mode)),
    });
  return [
    throughput('Clients: write throughput', 'BytesWritten', 'write'),
    throughput('Clients: read throughput', 'BytesRead', 'read'),
  ];
}

/** The master's work by its kind. */
export function metadataGraphs(arms: readonly Arm[]): cloudwatch.IWidget[] {
  const operations = (title: string, names: readonly string[], width: number) =>
    graph({
      ...{ title, width, unit: 'operations/s' },
      left: arms.flatMap((arm) =>
        names.map((name) =>
          perSecond(arm, name, { label: `${arm.name} ${name}`, ...(names.length === 1 && { color: arm.colour }) }),
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
