import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { toMetric } from '../constructs/dashboard/render';
import { atLeast, below, compositeAlarm } from '../constructs/dashboard/watch';
import type { ArmView } from '../constructs/storage/construct';
import { dollars, runMetric } from '../observe/benchmarkDashboard';
import type { MetricRole } from '../storage/storage';

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

const IDLE_SECTION = 'fleet-idle';

const PERIOD = Duration.minutes(5);

/** Two hours, since shorter pauses between runs are normal. */
const IDLE_PERIODS = 24;

/** Clients still count as in service if this many periods have no data yet. */
const LATE_PERIODS = 2;

/** Hours (UTC) at whose start the alarm is cleared for one period, so it goes off again. */
const HOURS_OF_REMINDERS = [0, 4, 8, 12, 16, 20] as const;

/** Alarm on an idle fleet, repeated every four hours, by two metrics: an expression has no value while one lacks data (docs/decisions/alarms-that-go-off.md). */
export function idleFleet(scope: Construct, props: IdleFleetProps): IdleFleet {
  const { stackName, hourlyUsd } = props;
  const clients = props.inService.with({ period: PERIOD });
  const inService = atLeast(scope, 'IdleFleetClients', {
    metric: clients,
    threshold: 1,
    evaluationPeriods: IDLE_PERIODS + LATE_PERIODS,
    datapointsToAlarm: IDLE_PERIODS,
    // A value is published as long as clients exist: without a value no client is there, or not for two hours yet.
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    title: 'Clients in service for two hours',
    meaning: 'Clients have been in service for two hours.',
    section: IDLE_SECTION,
  });
  const noRun = below(scope, 'IdleFleetNoRun', {
    metric: toMetric(runMetric('runActive', stackName), { period: PERIOD }),
    threshold: 1,
    evaluationPeriods: IDLE_PERIODS,
    // Without a run nothing is published.
    treatMissingData: cloudwatch.TreatMissingData.BREACHING,
    title: 'No run for two hours',
    meaning: 'No run has been active for two hours.',
    section: IDLE_SECTION,
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
    section: IDLE_SECTION,
  });
  const alarm = compositeAlarm(scope, 'IdleFleetForgotten', {
    all: [inService, noRun],
    none: [again],
    title: 'Fleet idle for two hours',
    meaning: `No run for two hours, and the stack costs ${dollars(hourlyUsd)} per hour.`,
    first: `ask its owner whether a client is in use. To stop paying: npx cdk destroy ${stackName}.`,
    section: IDLE_SECTION,
  });
  return { alarm, inService, again };
}

export interface StalledRunProps {
  readonly stackName: string;
  readonly arms: readonly ArmView[];
  /** Roles of the metrics that show activity: a metadata benchmark has empty files and moves no data. */
  readonly about: readonly MetricRole[];
}

const STALLED_SECTION = 'run-stalled';

/** 15 minutes: no step of a benchmark is idle for that long. */
const STALLED_PERIODS = 3;

interface Done {
  readonly id: string;
  readonly done: string;
  readonly what: string;
  readonly none: string;
}

const DONE: ReadonlyMap<MetricRole, Done> = new Map([
  ['bytes_read', { id: 'Read', done: 'read', what: 'any data', none: 'No data read' }],
  ['bytes_written', { id: 'Written', done: 'written', what: 'any data', none: 'No data written' }],
  [
    'metadata_operations',
    { id: 'Metadata', done: 'performed', what: 'any metadata operation', none: 'No metadata operation' },
  ],
]);

/** Activities of a benchmark, always in the same order. @throws Error if no role is an activity of clients */
function doneBy(about: readonly MetricRole[]): [MetricRole, Done][] {
  const found = [...DONE].filter(([role]) => about.includes(role));
  if (found.length > 0) return found;
  throw new Error(`'about' must name one of ${[...DONE.keys()].join(', ')}, got ${about.join(', ') || 'nothing'}`);
}

/** `read or written any data`. */
function inWords(all: readonly Done[]): string {
  const byWhat = [...Map.groupBy(all, ({ what }) => what)];
  return byWhat.map(([what, same]) => `${same.map(({ done }) => done).join(' or ')} ${what}`).join(' or ');
}

/** Alarm if a run is active, but no arm did anything for 15 minutes. Its limit of 100 alarms (CloudWatch user guide) exceeds the arms of a stack. */
export function stalledRun(scope: Construct, { stackName, arms, about }: StalledRunProps): cloudwatch.CompositeAlarm {
  const seen = doneBy(about);
  const what = inWords(seen.map(([, one]) => one));
  const active = atLeast(scope, 'StalledRunActive', {
    // The minimum: a run that ends publishes a last 0, and is not active in that period any more.
    metric: toMetric(runMetric('runActive', stackName), { period: PERIOD }).with({
      statistic: cloudwatch.Stats.MINIMUM,
    }),
    threshold: 1,
    evaluationPeriods: STALLED_PERIODS,
    // Without a run there is no value, and nothing can be stalled. The idle fleet alarm covers a dead driver.
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    title: 'Run active for 15 minutes',
    meaning: 'A run has been active for 15 minutes.',
    section: STALLED_SECTION,
  });
  const quiet = arms.flatMap((arm) =>
    seen.flatMap(([role, { id, none }]) => {
      const metric = arm.storage.metricOf(role, { period: PERIOD });
      if (metric === null) return [];
      return [
        below(scope, `Stalled${id}-${arm.name}`, {
          metric,
          threshold: 1,
          evaluationPeriods: STALLED_PERIODS,
          // A file system that publishes nothing has been idle.
          treatMissingData: cloudwatch.TreatMissingData.BREACHING,
          title: `${none} on ${arm.name} for 15 minutes`,
          meaning: `No client has ${what} on arm ${arm.name} for 15 minutes.`,
          section: STALLED_SECTION,
        }),
      ];
    }),
  );
  return compositeAlarm(scope, 'StalledOnEveryArm', {
    all: [active, ...quiet],
    title: 'Run stalled for 15 minutes',
    meaning: `A run is active, but no client has ${what} for 15 minutes.`,
    first: 'npx fsxbench watch, then driver.log on the leader.',
    section: STALLED_SECTION,
  });
}
