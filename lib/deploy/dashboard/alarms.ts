import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { alarmTopic } from '../../constructs/dashboard/topic';
import type { ArmView } from '../../constructs/storage/construct';
import { deploymentNamed } from '../../constructs/storage/registry';
import type { MetricRole } from '../../storage/role';
import { type IdleFleet, type IdleFleetProps, idleFleet } from './idleFleet';
import { type StalledRunProps, stalledRun } from './stalledRun';

export interface BenchmarkAlarmsProps extends IdleFleetProps, StalledRunProps {
  /** Address for every alarm, once confirmed. @default - none; others can subscribe to the topic */
  readonly email?: string;
}

/** Alarms: an arm is full or at its limit, a run is stalled, or an idle fleet costs money. */
export class BenchmarkAlarms extends Construct {
  readonly topic: sns.Topic;
  /** The alarms that notify. Components of composite alarms are excluded, since most of them are normally in alarm. */
  readonly alarms: readonly cloudwatch.AlarmBase[];
  readonly idleFleet: IdleFleet;

  constructor(scope: Construct, id: string, props: BenchmarkAlarmsProps) {
    super(scope, id);
    const { stackName, arms, email, about } = props;

    this.topic = alarmTopic(this, email);
    this.idleFleet = idleFleet(this, props);
    this.alarms = [
      ...arms.flatMap((arm) => this.armAlarms(arm, about)),
      stalledRun(this, { stackName, arms, about }),
      this.idleFleet.alarm,
    ];
    for (const alarm of this.alarms) alarm.addAlarmAction(new SnsAction(this.topic));
  }

  private armAlarms(arm: ArmView, about: readonly MetricRole[]): cloudwatch.Alarm[] {
    const words = {
      name: arm.name,
      subject: `arm ${arm.name}`,
      saturated: 'during a run this is what its throughput measures, otherwise somebody else uses it.',
      first: 'see on the dashboard if a run is active. If none is, find the client whose network is busy.',
    };
    return deploymentNamed(arm.kind).alarms(this, arm, words, about);
  }
}
