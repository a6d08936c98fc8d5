import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ALARM_TOPIC_OUTPUT } from '../../../schema/deployment';
import type { WatchedFileSystem } from '../../../storage/lustre/watch';
import { dashboardNameOf, outputDashboard } from '../../dashboard/operations';
import { guardOperations } from '../../guards';
import { LustreAlarms } from './alarms';
import { LustreDashboard } from './dashboard';
import { ForeignLustre } from './metrics';

/** Without metadata IOPS there is no alarm on them, and percentages are of 12,000 for each target. */
export type LustreDashboardStackProps = StackProps & WatchedFileSystem;

/** A dashboard and alarms for any file system of the account: it needs no other stack, and changes nothing of the file system. */
export class LustreDashboardStack extends Stack {
  constructor(scope: Construct, id: string, props: LustreDashboardStackProps) {
    const { fileSystemId, metadataIops, alarmEmail, kmsKeyArn, ...stackProps } = props;
    super(scope, id, { description: `What ${fileSystemId} does, by metadata target`, ...stackProps });

    const fileSystem = new ForeignLustre(this, 'FileSystem', { fileSystemId, metadataIops });
    const alarms = new LustreAlarms(this, 'Alarms', { fileSystem, email: alarmEmail });
    guardOperations(this, { kmsKeyArn, alarmEmail });
    const { dashboardName } = new LustreDashboard(this, 'Dashboard', {
      fileSystem,
      alarms: alarms.alarms,
      dashboardName: dashboardNameOf(this),
    });
    new CfnOutput(this, 'DashboardName', { value: dashboardName, description: 'Dashboard of the file system' });
    outputDashboard(this, dashboardName);
    new CfnOutput(this, ALARM_TOPIC_OUTPUT, {
      value: alarms.topic.topicArn,
      description: 'Topic that gets every alarm',
    });
  }
}
