import { CfnOutput, Names, Stack, type StackProps } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { ALARM_TOPIC_OUTPUT } from '../../../schema/deployment';
import { dashboardOfFileSystem, limitText, VARIABLES } from '../../../storage/lustre/dashboard';
import { iopsPerTarget } from '../../../storage/lustre/dashboard/view';
import { LUSTRE_NAMESPACE } from '../../../storage/lustre/metricTable';
import type { WatchedFileSystem } from '../../../storage/lustre/watch';
import { dashboardNameOf, outputDashboard, requireSameEnvironment } from '../../dashboard/operations';
import { toDashboard } from '../../dashboard/render';
import { guardOperations } from '../../guards';
import { LustreAlarms } from './alarms';
import { ForeignLustre, type ILustreFileSystem } from './metrics';

/** File system that a dashboard shows, with its alarms and its words. */
export interface LustreDashboardProps {
  /**
   * The first file system shown: a `LustreFileSystem`, or `LustreFileSystem.fromFileSystemAttributes`. With unknown metadata IOPS, percentages are
   * of 12,000 per target, until others are chosen on the dashboard.
   */
  readonly fileSystem: ILustreFileSystem;
  /** Description of the file system, for people. @default - its configuration, or its id */
  readonly description?: string;
  /** Shown as a row of states. @default - none, and no word of alarms or of choosing another file system */
  readonly alarms?: readonly cloudwatch.IAlarm[];
  /**
   * Name of the dashboard, unique in the account: another of the same name overwrites it (PutDashboard). @default - the construct's path and the
   * Region
   */
  readonly dashboardName?: string;
}

/** Metadata IOPS of a target (FSx API reference; https://docs.aws.amazon.com/fsx/latest/LustreGuide/dne-metadata-performance.html). */
const TARGET_IOPS = [1500, 3000, 6000, 12_000] as const;

/** Every FSx for Lustre file system in the account and Region: only this FSx type publishes FreeDataStorageCapacity. */
const LUSTRE_FILE_SYSTEMS = {
  namespace: LUSTRE_NAMESPACE,
  dimensions: ['FileSystemId', 'StorageTargetId'],
  metricName: 'FreeDataStorageCapacity',
  populateFrom: 'FileSystemId',
};

function variables(fileSystemId: string, limit: string): cloudwatch.DashboardVariable[] {
  return [
    new cloudwatch.DashboardVariable({
      id: VARIABLES.fileSystem,
      label: 'File system',
      type: cloudwatch.VariableType.PATTERN,
      value: fileSystemId,
      inputType: cloudwatch.VariableInputType.SELECT,
      values: cloudwatch.Values.fromSearchComponents(LUSTRE_FILE_SYSTEMS),
      defaultValue: cloudwatch.DefaultValue.value(fileSystemId),
      visible: true,
    }),
    new cloudwatch.DashboardVariable({
      id: VARIABLES.targetIops,
      label: 'Metadata IOPS of each metadata target',
      type: cloudwatch.VariableType.PATTERN,
      value: limit.replace('.', '\\.'),
      inputType: cloudwatch.VariableInputType.SELECT,
      values: cloudwatch.Values.fromValues(
        ...TARGET_IOPS.map((iops) => ({ label: `${iops}`, value: limitText(iops) })),
      ),
      defaultValue: cloudwatch.DefaultValue.value(limit),
      visible: true,
    }),
  ];
}

/**
 * A dashboard of one file system for ops teams: metadata by target, throughput against the documented ceilings, servers, and space. Any other file
 * system of the account and Region can be selected.
 */
export class LustreDashboard extends Construct {
  /** Name of the dashboard, for links to it. */
  readonly dashboardName: string;

  /** @throws Error when the file system is in another Region or account */
  constructor(scope: Construct, id: string, props: LustreDashboardProps) {
    super(scope, id);
    const { fileSystem, dashboardName = uniqueName(this), alarms } = props;
    requireSameEnvironment(this, fileSystem);
    const { fileSystemId, key, configuration, metadataIops } = fileSystem;
    const dashboard = new cloudwatch.Dashboard(this, 'Dashboard', {
      dashboardName,
      variables: variables(fileSystemId, limitText(iopsPerTarget(metadataIops))),
      ...toDashboard(
        dashboardOfFileSystem({
          fileSystemId,
          key,
          configuration,
          metadataIops,
          region: Stack.of(this).region,
          description: props.description,
          alarms: alarms?.map(({ alarmArn }) => alarmArn),
        }),
      ),
    });
    this.dashboardName = (dashboard.node.defaultChild as cloudwatch.CfnDashboard).ref;
  }
}

/** Several dashboards may be in one stack. */
const uniqueName = (scope: Construct): string =>
  `${Names.uniqueResourceName(scope, { maxLength: 200, separator: '-' })}-${Stack.of(scope).region}`;

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
