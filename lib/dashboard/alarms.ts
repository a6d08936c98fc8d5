import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as subscriptions from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { ArmView } from './arm';
import { dollars } from './dashboard';
import { RUN_ACTIVE, runMetric } from './runMetrics';

export interface BenchmarkAlarmsProps {
  readonly stackName: string;
  readonly arms: readonly ArmView[];
  readonly autoScalingGroupName: string;
  readonly hourlyUsd: number | null;
  /** Gets every alarm once its owner has confirmed. @default - nobody; others can subscribe to the topic */
  readonly email?: string;
}

const FIVE_MINUTES = Duration.minutes(5);

/** How full a target may be, in percent. Space granted to caches of clients comes on top, so writes fail before 100. */
const FULL_PERCENT = 90;

/** From here on a server does what it can, in percent of its capacity; an average over a minute hardly ever shows 100. */
const SATURATED_PERCENT = 95;

/** What someone should know without looking: an arm is full or at its limit, a run is stuck, or money is spent on nothing. */
export class BenchmarkAlarms extends Construct {
  readonly topic: sns.Topic;
  readonly alarms: readonly cloudwatch.Alarm[];

  constructor(scope: Construct, id: string, props: BenchmarkAlarmsProps) {
    super(scope, id);
    const { arms, email } = props;

    this.topic = new sns.Topic(this, 'Topic', { enforceSSL: true });
    // The rule above replaces the default policy, by which alarms of the account could publish.
    this.topic.addToResourcePolicy(
      new iam.PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (email !== undefined) this.topic.addSubscription(new subscriptions.EmailSubscription(email));

    this.alarms = [...arms.flatMap((arm) => this.armAlarms(arm)), this.stalledRun(props), this.idleFleet(props)];
    for (const alarm of this.alarms) alarm.addAlarmAction(new SnsAction(this.topic));
  }

  /** Of any server or target of the arm: one query over all of them, since alarms cannot search. */
  private armAlarms({ name, storage }: ArmView): cloudwatch.Alarm[] {
    const capacity = new cloudwatch.Alarm(this, `Capacity-${name}`, {
      metric: storage.metricAcross('StorageCapacityUtilization', 'MAX'),
      threshold: FULL_PERCENT,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 3,
      // FSx may publish nothing during maintenance, and a target that was full still is.
      treatMissingData: cloudwatch.TreatMissingData.IGNORE,
      alarmDescription: `A storage target of arm ${name} is ${FULL_PERCENT} % full: writes slow down and then fail. Remove data, or plan smaller files.`,
    });
    const saturated = (id: string, metric: cloudwatch.IMetric, what: string) =>
      new cloudwatch.Alarm(this, `${id}-${name}`, {
        metric,
        threshold: SATURATED_PERCENT,
        comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: 15,
        // No value, no traffic: nothing is saturated.
        treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
        alarmDescription: `Arm ${name} has been at the limit of its ${what} for 15 minutes: during a run this is what its throughput measures, otherwise somebody else uses it.`,
      });
    return [
      capacity,
      saturated('Network', storage.metricAcross('NetworkThroughputUtilization', 'MAX'), "servers' network"),
      saturated('Disk', storage.metricAcross('FileServerDiskThroughputUtilization', 'MAX'), 'disks'),
    ];
  }

  /** The driver says that a run is active, and for 15 minutes no arm has moved a byte. */
  private stalledRun({ stackName, arms }: BenchmarkAlarmsProps): cloudwatch.Alarm {
    const usingMetrics: Record<string, cloudwatch.IMetric> = { active: runMetric(RUN_ACTIVE, stackName, FIVE_MINUTES) };
    for (const { name, storage } of arms) {
      usingMetrics[`read_${name}`] = storage.metricDataReadBytes({ period: FIVE_MINUTES });
      usingMetrics[`written_${name}`] = storage.metricDataWriteBytes({ period: FIVE_MINUTES });
    }
    // Without FILL a file system that publishes nothing would make the sum, and with it the alarm, disappear.
    const bytes = arms.map(({ name }) => `FILL(read_${name}, 0) + FILL(written_${name}, 0)`).join(' + ');
    return new cloudwatch.Alarm(this, 'StalledRun', {
      metric: new cloudwatch.MathExpression({
        expression: `IF(active > 0 AND (${bytes}) < 1, 1, 0)`,
        usingMetrics,
        period: FIVE_MINUTES,
        label: 'run active without a byte',
      }),
      threshold: 1,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 3,
      // No run, no value: nothing can be stuck. A driver that dies is the idle alarm's affair.
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
      alarmDescription:
        'A run is active, but no client has read or written a byte for 15 minutes. See `fsxbench watch`, then driver.log on the leader.',
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
