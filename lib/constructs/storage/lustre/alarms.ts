import { Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { LIMITS } from '../../../common/aws/services';
import { chunks } from '../../../common/collections';
import { sentenceCase } from '../../../common/format/text';
import { idOf } from '../../../dashboard/graph';
import { metadataIopsUtilization } from '../../../storage/lustre/dashboard/expressions';
import { iopsPerTarget, type LustreView, viewOfFileSystem } from '../../../storage/lustre/dashboard/view';
import { alarmTopic, requireSameEnvironment } from '../../dashboard/operations';
import { toExpression } from '../../dashboard/render';
import { atLeast, reached, saturated } from '../../dashboard/watch';
import type { AlarmWords } from '../construct';
import { type ILustreFileSystem, lustreMetricAcross } from './metrics';

/** Alarm threshold of a target's usage, in percent. Space granted to clients' caches comes on top, so writes fail before 100. */
const FULL_PERCENT = 90;

/** Metadata is slow before it is at its limit: operations wait for one another. */
const METADATA_PERCENT = 90;

/** An alarm reads two metrics of each target: reads and writes. */
const TARGETS_PER_ALARM = Math.floor(LIMITS.alarmMetrics.max / 2);

/** Alarms on every server or target of a file system: one query over all of them, since alarms cannot search. */
export function storageAlarms(scope: Construct, arm: LustreView, words: AlarmWords): cloudwatch.Alarm[] {
  const { name } = arm;
  const capacity = atLeast(scope, `Capacity-${name}`, {
    metric: lustreMetricAcross(arm, 'StorageCapacityUtilization', 'MAX'),
    threshold: FULL_PERCENT,
    evaluationPeriods: 3,
    // FSx may publish nothing during maintenance, and a target that was full still is.
    treatMissingData: cloudwatch.TreatMissingData.IGNORE,
    title: `Fullest storage target of ${words.name} above ${FULL_PERCENT} %`,
    meaning: `A storage target of ${words.subject} is ${FULL_PERCENT} % full: writes slow down and then fail.`,
    first: 'lfs df names the target; remove data, or end the run and plan smaller files.',
    section: 'storage-target-almost-full',
  });
  const busiest = (metric: 'NetworkThroughputUtilization' | 'FileServerDiskThroughputUtilization') =>
    lustreMetricAcross(arm, metric, 'MAX');
  return [
    capacity,
    saturated(scope, `Network-${name}`, {
      metric: busiest('NetworkThroughputUtilization'),
      what: 'server network',
      section: 'server-network-at-its-limit',
      words,
    }),
    saturated(scope, `Disk-${name}`, {
      metric: busiest('FileServerDiskThroughputUtilization'),
      what: 'disk throughput',
      section: 'disks-at-their-limit',
      words,
    }),
  ];
}

/** Alarms on saturated metadata: the CPU of any metadata server and, with known provisioned IOPS, those of each target. */
export function metadataAlarms(scope: Construct, arm: LustreView, words: AlarmWords): cloudwatch.Alarm[] {
  const { name, fileSystemId, metadata } = arm;
  const saturation = (id: string, metric: cloudwatch.IMetric, { what, whose = '', section }: Saturation) =>
    reached(scope, `${id}-${name}`, {
      metric,
      threshold: METADATA_PERCENT,
      section,
      title: `${sentenceCase(what)} of ${words.name} above ${METADATA_PERCENT} %${whose}`,
      meaning: `${sentenceCase(words.subject)}: ${what} at ${METADATA_PERCENT} % or more for 15 minutes, so file operations wait.`,
      first: recommendation(arm),
    });
  const cpu = saturation('MetadataCpu', lustreMetricAcross(arm, 'CPUUtilization', 'MAX'), {
    what: 'metadata server CPU',
    section: 'metadata-server-cpu-at-its-limit',
  });
  if (metadata === null) return [cpu];
  const { targets, provisionedIops } = metadata;
  const source = { fileSystemId, key: idOf(arm) };
  const iops = chunks(targets, TARGETS_PER_ALARM).map((part, index, all) =>
    saturation(
      `MetadataIops${index}`,
      toExpression(metadataIopsUtilization(source, part, iopsPerTarget(provisionedIops, arm.model)), {
        label: 'metadata IOPS (%)',
      }),
      {
        what: 'metadata IOPS',
        whose:
          all.length === 1
            ? ''
            : `, ${part.length === 1 ? `target ${part[0]}` : `targets ${part[0]} to ${part.at(-1)}`}`,
        section: 'metadata-iops-at-their-limit',
      },
    ),
  );
  return [cpu, ...iops];
}

interface Saturation {
  readonly what: string;
  /** @default - of all targets */
  readonly whose?: string;
  readonly section: string;
}

function recommendation({ fileSystemId, metadata, metadataIopsAbove }: LustreView): string {
  const scale = (iops: number | 'N') => `npx fsxbench scale metadata ${fileSystemId} --iops ${iops}`;
  const spread = 'Directories stay on the metadata target where they were made: make new ones to use new targets.';
  if (metadata === null) {
    // Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html.
    return metadataIopsAbove === null
      ? `Raise the metadata IOPS, if the file system was made with a metadata configuration: ${scale('N')}. ${spread}`
      : 'It was made without a metadata configuration, which cannot be added: make a new file system with metadata IOPS for these files.';
  }
  const { provisionedIops, targets } = metadata;
  const next = metadataIopsAbove?.[0];
  const busy = targets.length > 1 ? 'If only one target is busy, spread the directories (lfs mkdir -i). ' : '';
  return next !== undefined
    ? `${busy}To raise the ${provisionedIops} metadata IOPS: ${scale(next)}. ${spread}`
    : `${busy}This is the maximum of metadata IOPS: use another file system for a part of the files.`;
}

export interface LustreAlarmsProps {
  /** File system to watch: a `LustreFileSystem`, or one that exists (`LustreFileSystem.fromFileSystemAttributes`). */
  readonly fileSystem: ILustreFileSystem;
  /** Its name in the alarms' names, which must be unique in an account and Region. @default - the id of the file system */
  readonly name?: string;
  /** Topic that gets every alarm. CloudWatch must be allowed to publish to it. @default - a new one */
  readonly topic?: sns.ITopic;
  /** Address that a new topic notifies once it is confirmed, or ARN of an existing topic. @default - none: subscribe to `topic` */
  readonly email?: string;
}

/**
 * Alarms on the limits of a file system:
 *
 * - the fullest storage target at 90 % for 3 minutes: writes slow down and then fail;
 * - network or disks of a file server at 95 % of what they can do for 15 minutes;
 * - CPU of a metadata server, or the provisioned metadata IOPS of a target where they are known, at 90 % for 15 minutes.
 *
 * Each says in its description what it means and what to do first. Sources of the metrics and of their limits:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/fs-metrics.html, and performance.html there.
 */
export class LustreAlarms extends Construct {
  /** The alarms, for a dashboard, for further actions, or to change a property of one. */
  readonly alarms: readonly cloudwatch.Alarm[];
  /** Topic that gets every alarm. */
  readonly topic: sns.ITopic;

  /** @throws Error when both a topic and an address for a new one are given, or the file system is in another Region */
  constructor(scope: Construct, id: string, props: LustreAlarmsProps) {
    super(scope, id);
    const { fileSystem, name = fileSystem.fileSystemId, topic, email } = props;
    if (topic !== undefined && email !== undefined)
      throw new Error(`'email' cannot be combined with 'topic', got ${email}: subscribe the address to that topic`);
    requireSameEnvironment(this, fileSystem);
    const words = {
      name,
      subject: `file system ${name}`,
      saturated: 'its clients wait.',
      first:
        'see on the dashboard if one server is busy (spread its files) or all are: then more comes with more capacity, or with more throughput per unit of storage.',
    };
    // By its own name: the id of the file system may change, its alarms are then the same ones.
    const watched = viewOfFileSystem(fileSystem, 'FileSystem', Stack.of(this).region);
    this.alarms = [...storageAlarms(this, watched, words), ...metadataAlarms(this, watched, words)];
    this.topic = topic ?? alarmTopic(this, email);
    this.addAlarmAction(new SnsAction(this.topic));
  }

  /** Has every alarm do something more when it goes off. */
  addAlarmAction(...actions: cloudwatch.IAlarmAction[]): void {
    for (const alarm of this.alarms) alarm.addAlarmAction(...actions);
  }
}
