import { readFileSync } from 'node:fs';
import { Aws, Duration, Stack, Validations } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as scheduler from 'aws-cdk-lib/aws-scheduler';
import type * as sns from 'aws-cdk-lib/aws-sns';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct, type IConstruct } from 'constructs';
import { assetPath } from '../../common/files';
import { atLeast, below, compositeAlarm } from '../../constructs/dashboard/watch';
import { allow, serviceRole } from '../../constructs/machine/role';
import type { IdleFleet } from '../runAlarms';
import { expiryDefinition } from './definition';

interface ExpiryAlarmsProps {
  readonly machineArn: string;
  readonly topic: sns.ITopic;
  /** Clients that cost money while nothing watches the deadline. @default - none, and no alarm on silence */
  readonly fleet?: Pick<IdleFleet, 'inService' | 'again'>;
  readonly stackName: string;
}

const PERIOD = Duration.minutes(15);

/** A failed attempt is repeated after an hour: an alarm that lasts longer goes off once, while each attempt sends a message. */
const FAILURE_PERIODS = 6;

/** An hour without a successful execution. */
const SILENT_PERIODS = 4;

/**
 * Alarms on a stack that fails to delete itself (Step Functions developer guide, procedure-cw-metrics). A new stack also has no successful execution, so
 * silence counts once clients were in service for two hours, and repeats as for an idle fleet (docs/decisions/alarms-that-go-off.md).
 * @returns `failures`, on executions that fail or hang, which can outlive billed resources; `silent`, if none starts or succeeds
 */
function expiryAlarms(scope: Construct, props: ExpiryAlarmsProps) {
  const { machineArn, topic, fleet, stackName } = props;
  const executions = (metricName: string) =>
    new cloudwatch.Metric({
      namespace: 'AWS/States',
      metricName,
      dimensionsMap: { StateMachineArn: machineArn },
      statistic: cloudwatch.Stats.SUM,
      period: PERIOD,
    });
  const remedy = {
    first:
      fleet === undefined
        ? `see in CloudFormation why ${stackName} stays, and costs money. To stop paying: npx cdk destroy ${stackName}.`
        : `npx fsxbench leftovers says why the stack still exists and incurs charges. To stop paying: npx cdk destroy ${stackName}.`,
    section: 'stack-did-not-delete-itself',
  };
  const failures = [
    ['Failed', 'ExecutionsFailed', 'failed'],
    ['TimedOut', 'ExecutionsTimedOut', 'hung for hours'],
  ].map(([id = '', metric = '', what]) =>
    atLeast(scope, id, {
      metric: executions(metric),
      threshold: 1,
      evaluationPeriods: FAILURE_PERIODS,
      datapointsToAlarm: 1,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
      title: `Deletion of the stack ${what}`,
      meaning: `The state machine that deletes ${stackName} when its time is over ${what}.`,
      ...remedy,
    }),
  );
  for (const alarm of failures) alarm.addAlarmAction(new SnsAction(topic));
  if (fleet === undefined) return { failures, silent: [] };
  const noSuccess = below(scope, 'NoSuccess', {
    metric: executions('ExecutionsSucceeded'),
    threshold: 1,
    evaluationPeriods: SILENT_PERIODS,
    treatMissingData: cloudwatch.TreatMissingData.BREACHING,
    title: 'Deadline of the stack not checked for an hour',
    meaning: 'No execution of the state machine has succeeded for an hour.',
    section: remedy.section,
  });
  const silent = compositeAlarm(scope, 'Silent', {
    all: [fleet.inService, noSuccess],
    none: [fleet.again],
    title: 'Nothing watches the deadline of the stack',
    meaning: `For an hour, nothing has checked whether ${stackName} has expired: its schedule does not start the state machine, or the executions fail.`,
    ...remedy,
  });
  silent.addAlarmAction(new SnsAction(topic));
  return { failures, silent: [silent] };
}

/** Longer than `end-runs` waits for drivers and uploads. */
const SECONDS = 1800;

/** Not in the bundle alone, which a client that was never booted lacks. */
const SCRIPT = readFileSync(assetPath('client/end-runs.sh'), 'utf8');

function endDocument(scope: Construct, bucketName: string): ssm.CfnDocument {
  return new ssm.CfnDocument(scope, 'EndRuns', {
    documentType: 'Command',
    documentFormat: 'JSON',
    updateMethod: 'NewVersion',
    content: {
      schemaVersion: '2.2',
      description: 'Ends the runs of a client, and fails unless their results are in the bucket',
      mainSteps: [
        {
          action: 'aws:runShellScript',
          name: 'endRuns',
          precondition: { StringEquals: ['platformType', 'Linux'] },
          inputs: {
            timeoutSeconds: String(SECONDS),
            runCommand: [`FSXBENCH_BUCKET='${bucketName}'`, ...SCRIPT.trimEnd().split('\n')],
          },
        },
      ],
    },
  });
}

interface ExpiryProps {
  readonly hours: number;
  /** Hours from the stack's creation that the budget pays for. @default - no budget */
  readonly budgetHours?: number;
  /** Runs that are ended first, and their results awaited. @default - the stack has none */
  readonly runs?: {
    readonly results: s3.IBucket;
    readonly fleet: Pick<IdleFleet, 'inService' | 'again'>;
    /** Tags of the machines on which drivers run, whose names no resource of this construct may refer to. */
    readonly leaders: Readonly<Record<string, string>>;
  };
  /** Reports why the stack could not be deleted, and gets the alarms on the state machine. */
  readonly topic: sns.ITopic;
  /** ARN of the key that encrypts the topic. @default - that of AWS */
  readonly topicKey?: string;
}

/** Lifetime that no stack reaches. */
const UNLIMITED_HOURS = 100 * 365 * 24;

function commandStatements(
  stack: Stack,
  { document, leaders }: { readonly document: string; readonly leaders: Readonly<Record<string, string>> },
): iam.PolicyStatement[] {
  const tags = Object.entries(leaders).map(([tag, value]) => [`ssm:resourceTag/${tag}`, value]);
  return [
    allow(
      'EndRuns',
      ['ssm:SendCommand'],
      [stack.formatArn({ service: 'ssm', resource: 'document', resourceName: document })],
    ),
    allow('Clients', ['ssm:SendCommand'], [`arn:${Aws.PARTITION}:ec2:${Aws.REGION}:${Aws.ACCOUNT_ID}:instance/*`], {
      StringEquals: Object.fromEntries(tags),
    }),
  ];
}

/** For the wildcards in the resources of these commands. */
const NAG_OF_COMMANDS = [
  {
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'ssm:ListCommands, ssm:ListCommandInvocations and ec2:DescribeInstances support no narrower resource.',
  },
  {
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ec2:<AWS::Region>:<AWS::AccountId>:instance/*]',
    reason: 'Clients are found by their tags, which the condition names: their ids are known to Auto Scaling alone.',
  },
];

/**
 * Deletes the stack when its time is over: a schedule starts a state machine, which first ends the runs and asks the clients whether all results are in the
 * bucket (docs/decisions/expiry.md). Made before anything that is billed and deleted after it ({@link guard}), it sees how the deletion ends.
 */
export class Expiry extends Construct {
  /** Name of the parameter that holds when the stack expires. */
  readonly deadline: string;
  readonly alarms: readonly cloudwatch.AlarmBase[];
  /** Constructs that outlive everything that is billed: it must depend on them. */
  readonly last: readonly IConstruct[];

  constructor(scope: Construct, id: string, props: ExpiryProps) {
    super(scope, id);
    const { hours, budgetHours = UNLIMITED_HOURS, runs, topic, topicKey } = props;
    const stack = Stack.of(this);

    const deadline = new ssm.StringParameter(this, 'Deadline', {
      // The state machine replaces it by a time; a new value, which only another setting makes, lets the time begin anew.
      stringValue: `${hours} h after the deployment${props.budgetHours === undefined ? '' : `, ${budgetHours} h after the creation at the latest`}`,
      description: `When ${stack.stackName} deletes itself${runs === undefined ? ', in UTC: 2030-12-31T18:00:00Z' : ': npx fsxbench extend'}`,
    });
    this.deadline = deadline.parameterName;
    const ending = runs && { document: endDocument(this, runs.results.bucketName).ref, leaders: runs.leaders };

    const role = serviceRole(this, 'Role', 'states', 'Deletes the stack when its time is over', {
      Expiry: [
        allow('Deadline', ['ssm:GetParameter', 'ssm:PutParameter'], [deadline.parameterArn]),
        // CloudFormation deletes with the role that the stack was deployed with, not with this one.
        allow('Stack', ['cloudformation:DescribeStacks', 'cloudformation:DeleteStack'], [Aws.STACK_ID]),
        ...(ending === undefined ? [] : commandStatements(stack, ending)),
        allow('Message', ['sns:Publish'], [topic.topicArn]),
        // To publish to a topic with a key takes the key (SNS developer guide, sns-key-management).
        ...(topicKey === undefined ? [] : [allow('TopicKey', ['kms:Decrypt', 'kms:GenerateDataKey'], [topicKey])]),
        ...(ending === undefined
          ? []
          : [allow('Answers', ['ssm:ListCommands', 'ssm:ListCommandInvocations', 'ec2:DescribeInstances'], ['*'])]),
      ],
    });
    if (ending !== undefined) Validations.of(role).acknowledge(...NAG_OF_COMMANDS);

    const keep =
      runs === undefined
        ? `aws ssm put-parameter --overwrite --name ${deadline.parameterName} --value 2030-12-31T18:00:00Z`
        : `npx fsxbench extend ${stack.stackName} --hours 24`;
    const machine = new sfn.CfnStateMachine(this, 'Machine', {
      roleArn: role.roleArn,
      definitionString: stack.toJsonString(
        expiryDefinition({
          partition: Aws.PARTITION,
          stackId: Aws.STACK_ID,
          deadline: deadline.parameterName,
          hours,
          budgetHours,
          retryHours: Math.min(1, hours),
          runs: ending,
          topic: topic.topicArn,
          subject: `${stack.stackName} has expired, but is not deleted`,
          advice: `${stack.stackName} has expired, but could not be deleted and continues to incur charges. The next attempt is in an hour. To keep it: ${keep}`,
        }),
      ),
    });
    Validations.of(machine).acknowledge(
      { id: 'AwsSolutions-SF1', reason: 'Step Functions keeps the history of each execution for 90 days.' },
      { id: 'AwsSolutions-SF2', reason: 'It calls a few services one after the other: its history has every time.' },
    );
    // The topic keeps its subscribers until the state machine is gone.
    machine.node.addDependency(...topic.node.children.filter((child) => child !== topic.node.defaultChild));

    const start = serviceRole(this, 'SchedulerRole', 'scheduler', 'Starts the state machine that deletes the stack', {
      Start: [allow('Start', ['states:StartExecution'], [machine.ref])],
    });
    const schedule = new scheduler.CfnSchedule(this, 'Schedule', {
      description: `Looks whether ${stack.stackName} has expired`,
      scheduleExpression: hours < 1 ? 'rate(1 minute)' : 'rate(15 minutes)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: { arn: machine.ref, roleArn: start.roleArn },
    });
    const { stackName } = stack;
    const { failures, silent } = expiryAlarms(this, { machineArn: machine.ref, topic, fleet: runs?.fleet, stackName });
    this.alarms = [...failures, ...silent];
    this.last = [schedule, ...failures];
  }

  /** Has these made after this and deleted before it. */
  guard(...constructs: readonly IConstruct[]): void {
    for (const construct of constructs) construct.node.addDependency(...this.last);
  }
}
