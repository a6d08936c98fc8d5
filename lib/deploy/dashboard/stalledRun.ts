import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { toMetric } from '../../constructs/dashboard/render';
import { atLeast, below, compositeAlarm } from '../../constructs/dashboard/watch';
import type { ArmView } from '../../constructs/storage/construct';
import { runMetric } from '../../observe/benchmarkDashboard';
import type { MetricRole } from '../../storage/storage';

export interface StalledRunProps {
  readonly stackName: string;
  readonly arms: readonly ArmView[];
  /** Roles of the metrics that show activity: a metadata benchmark has empty files and moves no data. */
  readonly about: readonly MetricRole[];
}

const SECTION = 'run-stalled';

const PERIOD = Duration.minutes(5);

/** 15 minutes: no step of a benchmark is idle for that long. */
const PERIODS = 3;

/** Client activity, in the id of an alarm and in words. */
interface Done {
  readonly id: string;
  readonly done: string;
  readonly what: string;
  /** Its absence. */
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

/**
 * Alarm if the driver reports an active run, but no arm has moved data, or had a metadata operation, for 15 minutes. A composite, as `idleFleet`;
 * its limit of 100 alarms (CloudWatch user guide, composite alarms) exceeds the arms of a stack.
 */
export function stalledRun(scope: Construct, { stackName, arms, about }: StalledRunProps): cloudwatch.CompositeAlarm {
  const seen = doneBy(about);
  const what = inWords(seen.map(([, one]) => one));
  const active = atLeast(scope, 'StalledRunActive', {
    // The minimum: a run that ends publishes a last 0, and is not active in that period any more.
    metric: toMetric(runMetric('runActive', stackName), { period: PERIOD }).with({
      statistic: cloudwatch.Stats.MINIMUM,
    }),
    threshold: 1,
    evaluationPeriods: PERIODS,
    // Without a run there is no value, and nothing can be stalled. The idle fleet alarm covers a dead driver.
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    title: 'Run active for 15 minutes',
    meaning: 'A run has been active for 15 minutes.',
    section: SECTION,
  });
  const quiet = arms.flatMap((arm) =>
    seen.flatMap(([role, { id, none }]) => {
      const metric = arm.storage.metricOf(role, { period: PERIOD });
      if (metric === null) return [];
      return [
        below(scope, `Stalled${id}-${arm.name}`, {
          metric,
          threshold: 1,
          evaluationPeriods: PERIODS,
          // A file system that publishes nothing has been idle.
          treatMissingData: cloudwatch.TreatMissingData.BREACHING,
          title: `${none} on ${arm.name} for 15 minutes`,
          meaning: `No client has ${what} on arm ${arm.name} for 15 minutes.`,
          section: SECTION,
        }),
      ];
    }),
  );
  return compositeAlarm(scope, 'StalledOnEveryArm', {
    all: [active, ...quiet],
    title: 'Run stalled for 15 minutes',
    meaning: `A run is active, but no client has ${what} for 15 minutes.`,
    first: 'npx fsxbench watch, then driver.log on the leader.',
    section: SECTION,
  });
}
