import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type * as sns from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { atLeast, below, compositeAlarm } from '../../constructs/dashboard/watch';
import type { IdleFleet } from '../dashboard/idleFleet';

export interface ExpiryAlarmsProps {
  readonly machineArn: string;
  readonly topic: sns.ITopic;
  /** Clients that cost money while nothing watches the deadline. @default - none, and no alarm on silence */
  readonly fleet?: Pick<IdleFleet, 'inService' | 'again'>;
  readonly stackName: string;
}

/** Period of the schedule. */
const PERIOD = Duration.minutes(15);

/** A failed attempt is repeated after an hour: an alarm that lasts longer goes off once, while messages tell of each attempt. */
const FAILURE_PERIODS = 6;

/** An hour without a successful execution. */
const SILENT_PERIODS = 4;

/** The alarms on a state machine that should end a stack. */
export interface ExpiryAlarms {
  /** On executions that fail or hang. They know nothing of what is billed, so that they can outlive it. */
  readonly failures: readonly cloudwatch.Alarm[];
  /** On executions that never start or never succeed: a schedule that may not start them, is off, or is gone. */
  readonly silent: cloudwatch.CompositeAlarm | null;
}

/**
 * Alarms on a stack that fails to delete itself. Metrics: Step Functions developer guide, procedure-cw-metrics.
 *
 * A new stack has no successful execution, either. So its silence counts once clients have been in service for two hours, by when somebody
 * may have confirmed the address, and goes off again as the alarm on an idle fleet does (docs/decisions/alarms-that-go-off.md).
 */
export function expiryAlarms(scope: Construct, props: ExpiryAlarmsProps): ExpiryAlarms {
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
        : `npx fsxbench leftovers says why the stack stays, and costs money. To stop paying: npx cdk destroy ${stackName}.`,
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
  const tell = (...alarms: cloudwatch.AlarmBase[]): void => {
    for (const alarm of alarms) alarm.addAlarmAction(new SnsAction(topic));
  };
  if (fleet === undefined) {
    tell(...failures);
    return { failures, silent: null };
  }
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
    meaning: `Nothing has looked for an hour whether the time of ${stackName} is over: its schedule does not start the state machine, or that does not succeed.`,
    ...remedy,
  });
  tell(...failures, silent);
  return { failures, silent };
}
