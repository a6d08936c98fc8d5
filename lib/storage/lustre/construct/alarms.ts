import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { chunks } from '../../../constructs/dashboard/chunks';
import { idOf } from '../../../constructs/dashboard/graph';
import { atLimit } from '../../../constructs/dashboard/watch';
import { LIMITS } from '../../../kit/aws/serviceLimits';
import { sentenceCase } from '../../../kit/format/strings';
import type { AlarmWords } from '../../construct';
import { lustreMetricAcross, metadataIopsUtilization } from './metrics';
import { iopsPerTarget, type LustreView } from './view';

/** Alarm threshold of a target's usage, in percent. Space granted to clients' caches comes on top, so writes fail before 100. */
const FULL_PERCENT = 90;

/** Metadata is slow before it is at its limit: operations wait for one another. */
const METADATA_PERCENT = 90;

/** An alarm reads two metrics of each target: reads and writes. */
const TARGETS_PER_ALARM = Math.floor(LIMITS.alarmMetrics.most / 2);

/** Alarms on every server or target of a file system: one query over all of them, since alarms cannot search. */
export function storageAlarms(scope: Construct, { name, storage }: LustreView, words: AlarmWords): cloudwatch.Alarm[] {
  const capacity = new cloudwatch.Alarm(scope, `Capacity-${name}`, {
    metric: lustreMetricAcross(storage, 'StorageCapacityUtilization', 'MAX'),
    threshold: FULL_PERCENT,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 3,
    // FSx may publish nothing during maintenance, and a target that was full still is.
    treatMissingData: cloudwatch.TreatMissingData.IGNORE,
    alarmDescription: `A storage target of ${words.subject} is ${FULL_PERCENT} % full: writes slow down and then fail. Remove data, or plan smaller files.`,
  });
  const saturated = (id: string, metric: cloudwatch.IMetric, what: string) =>
    atLimit(scope, `${id}-${name}`, {
      metric,
      alarmDescription: `${sentenceCase(words.subject)} has been at the limit of its ${what} for 15 minutes: ${words.saturated}`,
    });
  return [
    capacity,
    saturated('Network', lustreMetricAcross(storage, 'NetworkThroughputUtilization', 'MAX'), "servers' network"),
    saturated('Disk', lustreMetricAcross(storage, 'FileServerDiskThroughputUtilization', 'MAX'), 'disks'),
  ];
}

/** Alarms on saturated metadata: the CPU of any metadata server and, where the provisioned IOPS are known, those of each target. */
export function metadataAlarms(scope: Construct, arm: LustreView, { subject }: AlarmWords): cloudwatch.Alarm[] {
  const { name, storage, metadata } = arm;
  const saturation = (id: string, metric: cloudwatch.IMetric, what: string) =>
    atLimit(scope, `${id}-${name}`, {
      metric,
      threshold: METADATA_PERCENT,
      alarmDescription: `${sentenceCase(subject)}: ${what} at ${METADATA_PERCENT} % or more for 15 minutes, so file operations wait. ${recommendation(arm)}`,
    });
  const cpu = saturation(
    'MetadataCpu',
    lustreMetricAcross(storage, 'CPUUtilization', 'MAX'),
    'the CPU of a metadata server has been',
  );
  if (metadata === null) return [cpu];
  const { targets, provisionedIops } = metadata;
  const source = { fileSystemId: storage.fileSystemId, key: idOf(arm) };
  const iops = chunks(targets, TARGETS_PER_ALARM).map((part, index) =>
    saturation(
      `MetadataIops${index}`,
      metadataIopsUtilization(source, part, iopsPerTarget(provisionedIops)),
      'the metadata IOPS of a target have been',
    ),
  );
  return [cpu, ...iops];
}

/** Advice for metadata at its limit. */
function recommendation({ storage, metadata, metadataIopsAbove }: LustreView): string {
  const scale = (iops: number | 'N') => `npx fsxbench scale metadata ${storage.fileSystemId} --iops ${iops}`;
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
    : `${busy}These are the most metadata IOPS there are: use another file system for a part of the files.`;
}
