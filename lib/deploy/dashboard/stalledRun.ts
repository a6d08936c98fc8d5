import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { ArmView } from './arm';
import { compositeAlarm } from './composite';
import { RUN_ACTIVE, runMetric } from './runMetrics';

export interface StalledRunProps {
  readonly stackName: string;
  readonly arms: readonly ArmView[];
  /** What the benchmark measures. */
  readonly subject: 'data' | 'metadata';
}

const PERIOD = Duration.minutes(5);

/** A quarter of an hour: no step of a benchmark does nothing for so long. */
const PERIODS = 3;

/** What tells that something happens on an arm, by the id of its alarm. Files of a metadata benchmark are empty: it moves no byte. */
const SEEN: Readonly<
  Record<
    StalledRunProps['subject'],
    { readonly what: string; readonly of: (arm: ArmView) => Readonly<Record<string, cloudwatch.IMetric>> }
  >
> = {
  data: {
    what: 'read or written a byte',
    of: ({ storage }) => ({
      Read: storage.metric('DataReadBytes', { period: PERIOD }),
      Written: storage.metric('DataWriteBytes', { period: PERIOD }),
    }),
  },
  metadata: {
    what: 'done a metadata operation',
    of: ({ storage }) => ({ Metadata: storage.metric('MetadataOperations', { period: PERIOD }) }),
  },
};

/**
 * The driver says that a run is active, and for 15 minutes no arm has moved a byte, or seen a metadata operation.
 *
 * Plain metrics joined by a composite alarm, for the reason that `idleFleet` has. A rule takes 100 alarms (CloudWatch user guide,
 * composite alarms), more than a stack of so many arms has room for.
 */
export function stalledRun(scope: Construct, { stackName, arms, subject }: StalledRunProps): cloudwatch.CompositeAlarm {
  const { what, of } = SEEN[subject];
  const active = new cloudwatch.Alarm(scope, 'StalledRunActive', {
    // The least value: a run that ends publishes a last 0, and is not active in that period any more.
    metric: runMetric(RUN_ACTIVE, stackName, PERIOD).with({ statistic: cloudwatch.Stats.MINIMUM }),
    threshold: 1,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: PERIODS,
    // No run, no value: nothing can be stuck. A driver that dies is the affair of the alarm on an idle fleet.
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    alarmDescription:
      'A run has been active for 15 minutes. Part of the alarm on a stalled run; tells nobody by itself.',
  });
  const quiet = arms.flatMap((arm) =>
    Object.entries(of(arm)).map(
      ([id, metric]) =>
        new cloudwatch.Alarm(scope, `Stalled${id}-${arm.name}`, {
          metric,
          threshold: 1,
          comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
          evaluationPeriods: PERIODS,
          // A file system that publishes nothing has done nothing.
          treatMissingData: cloudwatch.TreatMissingData.BREACHING,
          alarmDescription: `On arm ${arm.name} no client has ${what} for 15 minutes. Part of the alarm on a stalled run; tells nobody by itself.`,
        }),
    ),
  );
  return compositeAlarm(scope, 'StalledOnEveryArm', {
    all: [active, ...quiet],
    alarmDescription: `A run is active, but no client has ${what} for 15 minutes. See \`fsxbench watch\`, then driver.log on the leader.`,
  });
}
