import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { compositeAlarm } from './composite';
import { dollars } from './dashboard';
import { runMetric } from './runMetrics';

export interface IdleFleetProps {
  readonly stackName: string;
  /** Has values of at least 1 while clients are there. */
  readonly inService: cloudwatch.Metric;
  readonly hourlyUsd: number | null;
}

/** The alarm, and what it is made of that others need as well. None of those sends a notification. */
export interface IdleFleet {
  readonly alarm: cloudwatch.CompositeAlarm;
  /** Clients have been in service for two hours. */
  readonly inService: cloudwatch.Alarm;
  /** For five minutes every four hours. */
  readonly again: cloudwatch.Alarm;
}

const PERIOD = Duration.minutes(5);

/** Two hours, since shorter pauses between runs are normal. */
const PERIODS = 24;

/** Clients still count as in service if this many periods have no data yet. */
const LATE_PERIODS = 2;

/** Hours (UTC) at the start of which the alarm is cleared for one period, so that it goes off again. */
const HOURS_OF_REMINDERS = [0, 4, 8, 12, 16, 20] as const;

/**
 * Alarm if clients are in service and nothing has run for two hours. Goes off again every four hours while that lasts.
 *
 * Two plain metrics, each with its own meaning of a missing value, joined by a composite alarm. In one expression the driver's metric
 * would be there only while drivers publish, and metric math gives nothing for a metric without a value: see
 * docs/decisions/alarms-that-go-off.md.
 */
export function idleFleet(scope: Construct, props: IdleFleetProps): IdleFleet {
  const { stackName, hourlyUsd } = props;
  const clients = props.inService.with({ period: PERIOD });
  const inService = new cloudwatch.Alarm(scope, 'IdleFleetClients', {
    metric: clients,
    threshold: 1,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: PERIODS + LATE_PERIODS,
    datapointsToAlarm: PERIODS,
    // A value is published as long as clients exist: without a value no client is there, or not for two hours yet.
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    alarmDescription:
      'Clients have been in service for two hours. Input to the idle-fleet alarm; sends no notification itself.',
  });
  const noRun = new cloudwatch.Alarm(scope, 'IdleFleetNoRun', {
    metric: runMetric('runActive', stackName, PERIOD),
    threshold: 1,
    comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
    evaluationPeriods: PERIODS,
    // Without a run nothing is published.
    treatMissingData: cloudwatch.TreatMissingData.BREACHING,
    alarmDescription:
      'No run has been active for two hours. Input to the idle-fleet alarm; sends no notification itself.',
  });
  const hours = HOURS_OF_REMINDERS.map((hour) => `HOUR(clients) == ${hour}`).join(' OR ');
  const again = new cloudwatch.Alarm(scope, 'IdleFleetAgain', {
    metric: new cloudwatch.MathExpression({
      expression: `IF(MINUTE(clients) == 0 AND (${hours}), 1, 0)`,
      usingMetrics: { clients },
      period: PERIOD,
      label: 'time for a reminder',
    }),
    threshold: 1,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    alarmDescription:
      'True for five minutes every four hours, which resets the idle-fleet alarm so that it notifies again. Sends no notification itself.',
  });
  const alarm = compositeAlarm(scope, 'IdleFleetForgotten', {
    all: [inService, noRun],
    none: [again],
    alarmDescription: `No run for two hours, and the stack costs ${dollars(hourlyUsd)} an hour. To stop paying: npx cdk destroy ${stackName}`,
  });
  return { alarm, inService, again };
}
