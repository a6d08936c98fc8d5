import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { type ArmView, idOf } from './arm';
import { chunks } from './chunks';
import { dollars } from './dashboard';
import { RUN_ACTIVE, runMetric } from './runMetrics';
import { metadataAlarms, storageAlarms } from './storageAlarms';
import { alarmTopic } from './topic';

export interface BenchmarkAlarmsProps {
  readonly stackName: string;
  readonly arms: readonly ArmView[];
  readonly autoScalingGroupName: string;
  readonly hourlyUsd: number | null;
  /** What the benchmark measures. @default data */
  readonly subject?: 'data' | 'metadata';
  /** Gets every alarm once its owner has confirmed. @default - nobody; others can subscribe to the topic */
  readonly email?: string;
}

const FIVE_MINUTES = Duration.minutes(5);

/** An alarm on metric math reads 10 metrics at most (CloudWatch quotas); one of them says that a run is active. */
const METRICS_OF_ARMS = 9;

/** What tells that something happens on an arm. */
interface Seen {
  /** Of each arm. */
  readonly metrics: number;
  readonly what: string;
  readonly label: string;
  readonly ofArm: (arm: ArmView) => Record<string, cloudwatch.IMetric>;
}

const BYTES_SEEN: Seen = {
  metrics: 2,
  what: 'read or written a byte',
  label: 'run active without a byte',
  ofArm: (arm) => ({
    [`read_${idOf(arm)}`]: arm.storage.metricDataReadBytes({ period: FIVE_MINUTES }),
    [`written_${idOf(arm)}`]: arm.storage.metricDataWriteBytes({ period: FIVE_MINUTES }),
  }),
};

const METADATA_SEEN: Seen = {
  metrics: 1,
  what: 'done a metadata operation',
  label: 'run active without a metadata operation',
  ofArm: (arm) => ({ [`metadata_${idOf(arm)}`]: arm.storage.metricMetadataOperations({ period: FIVE_MINUTES }) }),
};

/** What someone should know without looking: an arm is full or at its limit, a run is stuck, or money is spent on nothing. */
export class BenchmarkAlarms extends Construct {
  readonly topic: sns.Topic;
  readonly alarms: readonly cloudwatch.AlarmBase[];

  constructor(scope: Construct, id: string, props: BenchmarkAlarmsProps) {
    super(scope, id);
    const { arms, email, subject = 'data' } = props;

    this.topic = alarmTopic(this, email);
    this.alarms = [
      ...arms.flatMap((arm) => this.armAlarms(arm, subject)),
      this.stalledRun(props),
      this.idleFleet(props),
    ];
    for (const alarm of this.alarms) alarm.addAlarmAction(new SnsAction(this.topic));
  }

  private armAlarms(arm: ArmView, subject: 'data' | 'metadata'): cloudwatch.Alarm[] {
    const words = {
      subject: `arm ${arm.name}`,
      saturated: 'during a run this is what its throughput measures, otherwise somebody else uses it.',
    };
    const alarms = storageAlarms(this, arm, words);
    return subject === 'metadata' ? [...alarms, ...metadataAlarms(this, arm, words)] : alarms;
  }

  /** The driver says that a run is active, and for 15 minutes no arm has moved a byte, or seen a metadata operation. */
  private stalledRun({ stackName, arms, subject = 'data' }: BenchmarkAlarmsProps): cloudwatch.AlarmBase {
    // Files of a metadata benchmark are empty: it moves no byte.
    const seen = subject === 'metadata' ? METADATA_SEEN : BYTES_SEEN;
    const parts = chunks(arms, Math.floor(METRICS_OF_ARMS / seen.metrics));
    const what = `no client has ${seen.what} for 15 minutes. See \`fsxbench watch\`, then driver.log on the leader.`;
    const stalled = (id: string, part: readonly ArmView[], where: string) => {
      const each = part.map((arm) => seen.ofArm(arm));
      // Without FILL a file system that publishes nothing would make the sum, and with it the alarm, disappear.
      const sum = each.flatMap((metrics) => Object.keys(metrics).map((key) => `FILL(${key}, 0)`)).join(' + ');
      return new cloudwatch.Alarm(this, id, {
        metric: new cloudwatch.MathExpression({
          expression: `IF(active > 0 AND (${sum}) < 1, 1, 0)`,
          usingMetrics: Object.assign({ active: runMetric(RUN_ACTIVE, stackName, FIVE_MINUTES) }, ...each),
          period: FIVE_MINUTES,
          label: seen.label,
        }),
        threshold: 1,
        comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: 3,
        // No run, no value: nothing can be stuck. A driver that dies is the idle alarm's affair.
        treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
        alarmDescription: `A run is active, but ${where}${what}`,
      });
    };
    if (parts.length === 1) return stalled('StalledRun', arms, '');
    const each = parts.map((part, index) =>
      stalled(`StalledRun${index}`, part, `on ${part.map(({ name }) => name).join(', ')} `),
    );
    // An id of its own: CloudFormation lets no resource become one of another type when arms are added.
    return new cloudwatch.CompositeAlarm(this, 'StalledOnEveryArm', {
      alarmRule: cloudwatch.AlarmRule.allOf(
        ...each.map((alarm) => cloudwatch.AlarmRule.fromAlarm(alarm, cloudwatch.AlarmState.ALARM)),
      ),
      alarmDescription: `A run is active, but ${what}`,
    });
  }

  /** Clients are in service and nothing has run for two hours: money is spent on nothing. */
  private idleFleet({ stackName, autoScalingGroupName, hourlyUsd }: BenchmarkAlarmsProps): cloudwatch.Alarm {
    const inService = new cloudwatch.Metric({
      namespace: 'AWS/AutoScaling',
      metricName: 'GroupInServiceInstances',
      dimensionsMap: { AutoScalingGroupName: autoScalingGroupName },
      statistic: cloudwatch.Stats.MAXIMUM,
      period: FIVE_MINUTES,
    });
    return new cloudwatch.Alarm(this, 'IdleFleet', {
      metric: new cloudwatch.MathExpression({
        expression: 'IF(clients > 0, 1 - FILL(active, 0), 0)',
        usingMetrics: { clients: inService, active: runMetric(RUN_ACTIVE, stackName, FIVE_MINUTES) },
        period: FIVE_MINUTES,
        label: 'clients in service without a run',
      }),
      threshold: 1,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 24,
      // CloudWatch has nothing to fill when no driver has published for long, which is the very case that this alarm is for.
      treatMissingData: cloudwatch.TreatMissingData.BREACHING,
      alarmDescription: `Nothing has run for two hours, and the stack costs ${dollars(hourlyUsd)} an hour. Stop paying: npx cdk destroy ${stackName}`,
    });
  }
}
