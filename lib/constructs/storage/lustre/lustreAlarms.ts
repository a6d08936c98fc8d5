import { Stack, Token } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct, type IConstruct } from 'constructs';
import { viewOfFileSystem } from '../../../storage/lustre/dashboard/view';
import { requireSameEnvironment } from '../../dashboard/sameEnvironment';
import { alarmTopic } from '../../dashboard/topic';
import { metadataAlarms, storageAlarms } from './alarms';
import type { ILustreFileSystem } from './metrics';

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

/** Names that alarms have taken. */
const NAMES = new WeakMap<IConstruct, string>();

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

  /** @throws Error when both a topic and an address for a new one are given, other alarms of the stack have the name, or the file system is in another Region */
  constructor(scope: Construct, id: string, props: LustreAlarmsProps) {
    super(scope, id);
    const { fileSystem, name = fileSystem.fileSystemId, topic, email } = props;
    if (topic !== undefined && email !== undefined)
      throw new Error(`'email' cannot be combined with 'topic', got ${email}: subscribe the address to that topic`);
    requireSameEnvironment(this, fileSystem);
    NAMES.set(this, name);
    const stack = Stack.of(this);
    const duplicate = stack.node
      .findAll()
      .find((it) => it !== this && NAMES.get(it) === name && Stack.of(it) === stack);
    if (duplicate !== undefined) {
      const got = Token.isUnresolved(name) ? 'the id of the same file system' : name;
      throw new Error(
        `'name' must differ from that of ${duplicate.node.path}, since alarms of an account and Region share their names, got ${got}: ` +
          'set it, or have those alarms notify a second topic (addAlarmAction)',
      );
    }
    const words = {
      name,
      subject: `file system ${name}`,
      saturated: 'its clients wait.',
      first:
        'see on the dashboard if one server is busy (spread its files) or all are: then more comes with more capacity, or with more throughput per unit of storage.',
    };
    // By its own name: the id of the file system may change, its alarms are then the same ones.
    const watched = viewOfFileSystem(fileSystem, 'FileSystem', stack.region);
    this.alarms = [...storageAlarms(this, watched, words), ...metadataAlarms(this, watched, words)];
    this.topic = topic ?? alarmTopic(this, email);
    this.addAlarmAction(new SnsAction(this.topic));
  }

  /** Has every alarm do something more when it goes off. */
  addAlarmAction(...actions: cloudwatch.IAlarmAction[]): void {
    for (const alarm of this.alarms) alarm.addAlarmAction(...actions);
  }
}
