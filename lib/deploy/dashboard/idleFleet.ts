import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { toMetric } from '../../constructs/dashboard/render';
import { atLeast, below, compositeAlarm } from '../../constructs/dashboard/watch';
import { dollars, runMetric } from '../../observe/benchmarkDashboard';

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

const SECTION = 'fleet-idle';

const PERIOD = Duration.minutes(5);

/** Two hours, since shorter pauses between runs are normal. */
const PERIODS = 24;

/** Clients still count as in service if this many periods have no data yet. */
const LATE_PERIODS = 2;

/** Hours (UTC) at whose start the alarm is cleared for one period, so it goes off again. */
const HOURS_OF_REMINDERS = [0, 4, 8, 12, 16, 20] as const;

/**
 * Alarm if clients are in service and nothing has run for two hours; repeated every four hours. A composite of two plain metrics, each with its own
 * rule for missing data: an expression has no value while one of them lacks data (docs/decisions/alarms-that-go-off.md).
 */
export function idleFleet(scope: Construct, props: IdleFleetProps): IdleFleet {
  const { stackName, hourlyUsd } = props;
  const clients = props.inService.with({ period: PERIOD });
  const inService = atLeast(scope, 'IdleFleetClients', {
    metric: clients,
    threshold: 1,
    evaluationPeriods: PERIODS + LATE_PERIODS,
    datapointsToAlarm: PERIODS,
    // A value is published as long as clients exist: without a value no client is there, or not for two hours yet.
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    title: 'Clients in service for two hours',
    meaning: 'Clients have been in service for two hours.',
    section: SECTION,
  });
  const noRun = below(scope, 'IdleFleetNoRun', {
    metric: toMetric(runMetric('runActive', stackName), { period: PERIOD }),
    threshold: 1,
    evaluationPeriods: PERIODS,
    // Without a run nothing is published.
    treatMissingData: cloudwatch.TreatMissingData.BREACHING,
    title: 'No run for two hours',
    meaning: 'No run has been active for two hours.',
    section: SECTION,
  });
  const hours = HOURS_OF_REMINDERS.map((hour) => `HOUR(clients) == ${hour}`).join(' OR ');
  const again = atLeast(scope, 'IdleFleetAgain', {
    metric: new cloudwatch.MathExpression({
      expression: `IF(MINUTE(clients) == 0 AND (${hours}), 1, 0)`,
      usingMetrics: { clients },
      period: PERIOD,
      label: 'time for a reminder',
    }),
    threshold: 1,
    evaluationPeriods: 1,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    title: 'Reminder of an idle fleet',
    meaning:
      'In alarm for five minutes every four hours, which resets the alarm on an idle fleet so that it notifies again.',
    section: SECTION,
  });
  const alarm = compositeAlarm(scope, 'IdleFleetForgotten', {
    all: [inService, noRun],
    none: [again],
    title: 'Fleet idle for two hours',
    meaning: `No run for two hours, and the stack costs ${dollars(hourlyUsd)} per hour.`,
    first: `ask its owner whether a client is in use. To stop paying: npx cdk destroy ${stackName}.`,
    section: SECTION,
  });
  return { alarm, inService, again };
}
