import { Duration, Names, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { chunks } from '../../../constructs/dashboard/chunks';
import { LIMITS } from '../../../kit/aws/serviceLimits';
import { describeLustre } from '../documented';
import { LUSTRE_NAMESPACE } from '../metricTable';
import { clientGraphs, restGraphs, serverGraphs, spaceGraphs, undrawn } from './graphs';
import { METADATA_GOOD, metadataFirstGraphs } from './metadataGraphs';
import type { ILustreFileSystem } from './metrics';
import { iopsPerTarget, viewOfFileSystem } from './view';

/** File system that a dashboard shows, with its alarms and its words. */
export interface LustreDashboardProps {
  /**
   * The file system that is shown first: a `LustreFileSystem`, or one that exists (`LustreFileSystem.fromFileSystemAttributes`). Where
   * its metadata IOPS are not known, percentages are of 12,000 for each target until somebody chooses others on the dashboard.
   */
  readonly fileSystem: ILustreFileSystem;
  /** Description of the file system, for people. @default - its configuration, or its id */
  readonly description?: string;
  /** Shown as a row of states. @default - none, and no word of alarms or of choosing another file system */
  readonly alarms?: readonly cloudwatch.IAlarm[];
  /**
   * Name of the dashboard. Dashboards of an account share their names in all Regions, and a second one of a name overwrites the first
   * (CloudWatch API reference, PutDashboard).
   * @default - the construct's path and the Region
   */
  readonly dashboardName?: string;
}

/** Inputs of each part of the dashboard. */
interface Shown {
  readonly fileSystemId: string;
  readonly description: string;
  readonly alarms: readonly cloudwatch.IAlarm[] | undefined;
  /** Metadata IOPS of each metadata target that percentages are of. */
  readonly limit: number;
}

/**
 * Metadata IOPS that one metadata target can be provisioned with. Source: FSx API reference;
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/dne-metadata-performance.html.
 */
const TARGET_IOPS = [1500, 3000, 6000, 12_000] as const;

/**
 * The number as no other one in the dashboard is written, so that the variable replaces it alone: it is a number with and without
 * the variable.
 */
const limitText = (iops: number): string => `${iops}.0`;

/** Every file system of Lustre in the account and Region. FreeDataStorageCapacity is a metric of no other kind of FSx. */
const LUSTRE_FILE_SYSTEMS = {
  namespace: LUSTRE_NAMESPACE,
  dimensions: ['FileSystemId', 'StorageTargetId'],
  metricName: 'FreeDataStorageCapacity',
  populateFrom: 'FileSystemId',
};

/**
 * Variables are patterns, not properties: they replace text, so that they reach into SEARCH as well.
 */
function variables({ fileSystemId, limit }: Shown): cloudwatch.DashboardVariable[] {
  return [
    new cloudwatch.DashboardVariable({
      id: 'fileSystem',
      label: 'File system',
      type: cloudwatch.VariableType.PATTERN,
      value: fileSystemId,
      inputType: cloudwatch.VariableInputType.SELECT,
      values: cloudwatch.Values.fromSearchComponents(LUSTRE_FILE_SYSTEMS),
      defaultValue: cloudwatch.DefaultValue.value(fileSystemId),
      visible: true,
    }),
    new cloudwatch.DashboardVariable({
      id: 'targetIops',
      label: 'Metadata IOPS of each metadata target',
      type: cloudwatch.VariableType.PATTERN,
      value: limitText(limit).replace('.', '\\.'),
      inputType: cloudwatch.VariableInputType.SELECT,
      values: cloudwatch.Values.fromValues(
        ...TARGET_IOPS.map((iops) => ({ label: `${iops}`, value: limitText(iops) })),
      ),
      defaultValue: cloudwatch.DefaultValue.value(limitText(limit)),
      visible: true,
    }),
  ];
}

const CHOICE = [
  'Choose another file system above. Its metadata targets appear by themselves; choose the metadata IOPS that each of them has: what is',
  'provisioned, at most 12000 (above, every 12000 have a target of their own). Alarms watch the file system that this stack was deployed for.',
];

function header({ description, fileSystemId, alarms }: Shown): cloudwatch.IWidget {
  const markdown = [
    `# FSx for Lustre: ${fileSystemId}`,
    ...(alarms === undefined ? [description] : CHOICE),
    '',
    ...METADATA_GOOD,
    '',
    '**Throughput.** What first reaches 100 % is the limit: the *network* of the file servers for what is in their memory, their *disks* for the',
    'rest. Targets should fill evenly; from 90 % on writes slow down. With LZ4, *logical ÷ physical* says what compression saves.',
  ].join('\n');
  return new cloudwatch.TextWidget({ markdown, width: 24, height: 8 });
}

/**
 * A dashboard of one file system as ops teams look at it: metadata first, by target, then throughput against the documented ceilings,
 * servers, and space. Any other file system of the account and Region can be chosen on it.
 */
export class LustreDashboard extends Construct {
  /** Name of the dashboard, for links to it. */
  readonly dashboardName: string;
  /** Text that CloudWatch gets; it may contain tokens. */
  readonly body: string;

  constructor(scope: Construct, id: string, props: LustreDashboardProps) {
    super(scope, id);
    const { fileSystem, dashboardName = uniqueName(this), alarms } = props;
    const { fileSystemId, configuration } = fileSystem;
    const { description = configuration === undefined ? fileSystemId : describeLustre(configuration) } = props;
    const limit = iopsPerTarget(fileSystem.metadataIops);
    const about = { fileSystemId, description, alarms, limit };
    const dashboard = new cloudwatch.Dashboard(this, 'Dashboard', {
      dashboardName,
      defaultInterval: Duration.hours(3),
      // Sums over a minute are divided by 60: a coarser period on a longer view would make the rates wrong.
      periodOverride: cloudwatch.PeriodOverride.INHERIT,
      variables: variables(about),
    });
    dashboard.addWidgets(header(about));
    for (const part of chunks(alarms ?? [], LIMITS.widgetAlarms.most)) {
      dashboard.addWidgets(new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms: part, width: 24, height: 3 }));
    }
    // Metadata targets of another file system that somebody chooses have other names: they are searched for.
    const shown = [{ ...viewOfFileSystem(fileSystem, fileSystemId), metadata: null }];
    for (const row of metadataFirstGraphs(shown, { limitOfUnknown: limitText(limit) })) {
      dashboard.addWidgets(...row);
    }
    dashboard.addWidgets(...clientGraphs(shown));
    dashboard.addWidgets(...serverGraphs(shown, { metadata: false }));
    dashboard.addWidgets(...spaceGraphs(shown));
    dashboard.addWidgets(...restGraphs(shown));
    dashboard.addWidgets(...undrawn(shown));
    const cfn = dashboard.node.defaultChild as cloudwatch.CfnDashboard;
    this.dashboardName = cfn.ref;
    this.body = cfn.dashboardBody;
  }
}

/** Several dashboards may be in one stack. */
const uniqueName = (scope: Construct): string =>
  `${Names.uniqueResourceName(scope, { maxLength: 200, separator: '-' })}-${Stack.of(scope).region}`;
