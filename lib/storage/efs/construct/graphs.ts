import { Stack } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import {
  ceilingsOf,
  graph,
  idOf,
  inMegabytes,
  linePerArm,
  perSecond,
  throughputGraphs,
} from '../../../constructs/dashboard/graph';
import type { ArmView } from '../../construct';
import { limitsOf } from '../limits';
import type { EfsFileSystem } from './fileSystem';

type Arm = ArmView<EfsFileSystem>;

/** Throughput and operations of the clients. */
export function clientGraphs(arms: readonly Arm[]): cloudwatch.IWidget[] {
  return [
    ...throughputGraphs(arms, {
      width: 8,
      rate: (arm, mode) =>
        perSecond(
          arm.storage.metric(mode === 'write' ? 'DataWriteIOBytes' : 'DataReadIOBytes'),
          `${mode}_bytes_${idOf(arm)}`,
        ),
      ceilings: ({ storage }, mode) =>
        ceilingsOf(limitsOf(storage.configuration, { mode, region: Stack.of(storage).region }), {
          metered_throughput: 'metered throughput, sustained',
        }),
    }),
    graph({
      title: 'Clients: connections',
      width: 8,
      unit: 'connections',
      left: linePerArm(arms, ({ storage }, options) => storage.metric('ClientConnections', options)),
    }),
  ];
}

/** Throughput that EFS permits at the moment, and the part in use. */
export function allowedGraphs(arms: readonly Arm[]): cloudwatch.IWidget[] {
  return [
    graph({
      title: 'Metered throughput and what is permitted',
      width: 12,
      unit: 'MB/s',
      left: arms.flatMap((arm) => [
        inMegabytes(
          perSecond(arm.storage.metric('MeteredIOBytes'), `metered_bytes_${idOf(arm)}`),
          `metered_${idOf(arm)}`,
          { label: `${arm.name} metered`, color: arm.colour },
        ),
        inMegabytes(arm.storage.metric('PermittedThroughput'), `permitted_${idOf(arm)}`, {
          label: `${arm.name} permitted`,
        }),
      ]),
    }),
    graph({
      title: 'Operations against the limit of General Purpose',
      width: 6,
      unit: '%',
      max: 100,
      left: linePerArm(arms, ({ storage }, options) => storage.metric('PercentIOLimit', options)),
    }),
    graph({
      title: 'Burst credits (bursting only)',
      width: 6,
      unit: 'bytes',
      left: linePerArm(arms, ({ storage }, options) => storage.metric('BurstCreditBalance', options)),
    }),
  ];
}

/** Metadata operations: EFS counts them in one, without telling creates from stats. */
export function metadataGraphs(arms: readonly Arm[]): cloudwatch.IWidget[] {
  return [
    graph({
      title: 'Metadata operations',
      width: 24,
      unit: 'operations/s',
      left: linePerArm(arms, (arm, options) =>
        perSecond(arm.storage.metric('MetadataIOBytes'), `metadata_${idOf(arm)}`, options),
      ),
    }),
  ];
}
