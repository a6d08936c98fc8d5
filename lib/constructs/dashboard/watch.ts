import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { sentenceCase } from '../../kit/format/strings';
import type { AlarmWords } from '../../storage/construct';
import { type Announcement, announced } from './announced';

/** From here on something does what it can, in percent of its capacity; an average over a minute hardly ever shows 100. */
const SATURATED_PERCENT = 95;

const FIFTEEN_MINUTES = 15;

/** Metric of an alarm, its limit and its message. */
interface Watched extends Announcement {
  readonly metric: cloudwatch.IMetric;
  readonly threshold: number;
}

type Condition = Pick<cloudwatch.AlarmProps, 'comparisonOperator' | 'evaluationPeriods' | 'treatMissingData'>;

/** Makes alarms that go off under one condition. */
const alarmWhen =
  (condition: Condition) =>
  (scope: Construct, id: string, { metric, threshold, ...words }: Watched): cloudwatch.Alarm =>
    new cloudwatch.Alarm(scope, id, { ...announced(scope, words), metric, threshold, ...condition });

/** Goes off after fifteen minutes at a limit. */
export const reached = alarmWhen({
  comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  evaluationPeriods: FIFTEEN_MINUTES,
  // No value, no traffic: nothing is at its limit.
  treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
});

/** Goes off after three minutes with too little of something left. */
export const runningOut = alarmWhen({
  comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
  evaluationPeriods: 3,
  // What was scarce and is not published still is.
  treatMissingData: cloudwatch.TreatMissingData.IGNORE,
});

/** Goes off when something has used nearly all of what it can do for fifteen minutes, in percent. */
export const saturated = (
  scope: Construct,
  id: string,
  options: {
    readonly metric: cloudwatch.IMetric;
    readonly what: string;
    readonly words: AlarmWords;
    readonly section: string;
  },
): cloudwatch.Alarm =>
  reached(scope, id, {
    ...{ metric: options.metric, threshold: SATURATED_PERCENT, section: options.section },
    title: `${sentenceCase(options.what)} of ${options.words.name} above ${SATURATED_PERCENT} %`,
    meaning: `${sentenceCase(options.words.subject)}: ${options.what} at ${SATURATED_PERCENT} % or more for 15 minutes; ${options.words.saturated}`,
    first: options.words.first,
  });

/** Goes off when less than a share of a file system is free: soon it refuses writes. */
export const almostFull = (
  scope: Construct,
  id: string,
  options: {
    readonly metric: cloudwatch.IMetric;
    readonly capacityBytes: number;
    readonly leastFree: number;
    readonly words: AlarmWords;
  },
): cloudwatch.Alarm =>
  runningOut(scope, id, {
    metric: options.metric,
    threshold: Math.round(options.leastFree * options.capacityBytes),
    title: `Free space of ${options.words.name} below ${options.leastFree * 100} %`,
    meaning: `${sentenceCase(options.words.subject)} has less than ${options.leastFree * 100} % of its space left: soon it refuses writes.`,
    first: 'end the run, or remove data.',
    section: 'space-almost-used-up',
  });
