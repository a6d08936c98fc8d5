import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import { colourOf } from '../../../constructs/dashboard/graph';
import { dashboardUrl } from '../../../constructs/dashboard/name';
import { alarmTopic } from '../../../constructs/dashboard/topic';
import { encryptOperations } from '../../../constructs/guards';
import { ALARM_TOPIC_OUTPUT } from '../../../schema/deployment';
import type { WatchedFileSystem } from '../../storage';
import { metadataIopsAbove } from '../documented';
import { metadataAlarms, storageAlarms } from './alarms';
import { LustreDashboard } from './dashboard';
import { ForeignLustre } from './fileSystem';
import { iopsPerTarget, type LustreView, metadataView } from './view';

/** Metadata IOPS assumed where none are named: one target of the largest size, which AUTOMATIC gives from 12,000 GiB. */
const ASSUMED_IOPS = 12_000;

/** Without metadata IOPS there is no alarm on them, and percentages are of 12,000 for each target. */
export type LustreDashboardStackProps = StackProps & WatchedFileSystem;

/** A dashboard and alarms for any file system of the account: it needs no other stack, and changes nothing of the file system. */
export class LustreDashboardStack extends Stack {
  constructor(scope: Construct, id: string, props: LustreDashboardStackProps) {
    const { fileSystemId, metadataIops, alarmEmail, operationsKey, ...stackProps } = props;
    super(scope, id, { description: `What ${fileSystemId} does, by metadata target`, ...stackProps });

    const fileSystem: LustreView = {
      name: fileSystemId,
      colour: colourOf(0),
      storage: new ForeignLustre(this, 'FileSystem', { fileSystemId }),
      ceilings: { write: [], read: [] },
      // A dashboard on which another file system can be chosen shows what any of them may have.
      publishes: () => true,
      metadata: metadataView(metadataIops ?? null),
      // Of which storage type it is, nobody says here; `scale` knows, and refuses what that type does not take.
      metadataIopsAbove: metadataIops === undefined ? null : metadataIopsAbove(metadataIops),
    };
    const alarms = new Construct(this, 'Alarms');
    const words = {
      name: fileSystemId,
      subject: `file system ${fileSystemId}`,
      saturated: 'its clients wait.',
      first:
        'see on the dashboard if one server is busy (spread its files) or all are: then more comes with more capacity, or with more throughput per unit of storage.',
    };
    // By a name of its own: the id of the file system may change, its alarms are then the same ones.
    const watched = { ...fileSystem, name: 'FileSystem' };
    const all = [...storageAlarms(alarms, watched, words), ...metadataAlarms(alarms, watched, words)];
    const topic = alarmTopic(alarms, alarmEmail);
    encryptOperations(this, operationsKey);
    for (const alarm of all) alarm.addAlarmAction(new SnsAction(topic));

    const { dashboardName } = new LustreDashboard(this, 'Dashboard', {
      fileSystem,
      fileSystemId,
      description: fileSystemId,
      iopsPerTarget: iopsPerTarget(metadataIops ?? ASSUMED_IOPS),
      alarms: all,
    });
    new CfnOutput(this, 'DashboardName', { value: dashboardName, description: 'Dashboard of the file system' });
    new CfnOutput(this, 'DashboardUrl', {
      value: dashboardUrl(this, dashboardName),
      description: 'The dashboard in a browser',
    });
    new CfnOutput(this, ALARM_TOPIC_OUTPUT, { value: topic.topicArn, description: 'Topic that gets every alarm' });
  }
}
