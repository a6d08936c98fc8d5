import { sep } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { sentenceCase } from '../../common/format/text';
import type { AlarmWords } from '../storage/construct';

/** The runbook, whose sections alarms link to, from the folder of the application: a clone, or a project that has the package. */
const RUNBOOK = `${__dirname.split(sep).includes('node_modules') ? 'node_modules/fsxbench/' : ''}docs/alarms.md`;

interface Announcement {
  /** Its name in the console and in mail, before the stack's: `Metadata IOPS of lz4 above 90 %`. */
  readonly title: string;
  readonly meaning: string;
  /** First thing to do. @default - an input of a composite alarm, which sends no notification itself */
  readonly first?: string;
  /** Anchor of its section in the runbook. */
  readonly section: string;
}

/** Name and description of an alarm. The name includes the stack's: an account's alarms share names in a Region (docs/decisions/alarm-names.md). */
function announced(scope: Construct, { title, meaning, first, section }: Announcement) {
  const next = first === undefined ? 'An input of another alarm; sends no notification itself.' : `First: ${first}`;
  const alarmName = `${title}${first === undefined ? ', input only' : ''} (${Stack.of(scope).stackName})`;
  return { alarmName, alarmDescription: `${meaning} ${next} Runbook: ${RUNBOOK}#${section}` };
}

/** Utilisation that counts as saturated, in percent: an average over a minute hardly ever shows 100. */
const SATURATED_PERCENT = 95;

const FIFTEEN_MINUTES = 15;

interface Watched extends Announcement {
  readonly metric: cloudwatch.IMetric;
  readonly threshold: number;
}

type Condition = Pick<cloudwatch.AlarmProps, 'evaluationPeriods' | 'datapointsToAlarm' | 'treatMissingData'>;

const alarmOn =
  (comparisonOperator: cloudwatch.ComparisonOperator) =>
  (scope: Construct, id: string, watched: Watched & Condition): cloudwatch.Alarm =>
    new cloudwatch.Alarm(scope, id, { ...watched, ...announced(scope, watched), comparisonOperator });

export const atLeast = alarmOn(cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD);

export const below = alarmOn(cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD);

/** Goes off after fifteen minutes at a limit. */
export const reached = (scope: Construct, id: string, watched: Watched): cloudwatch.Alarm =>
  atLeast(scope, id, {
    ...watched,
    evaluationPeriods: FIFTEEN_MINUTES,
    // No value, no traffic: nothing is at its limit.
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
  });

/** Goes off after three minutes with too little of something left. */
export const runningOut = (scope: Construct, id: string, watched: Watched): cloudwatch.Alarm =>
  below(scope, id, {
    ...watched,
    evaluationPeriods: 3,
    // A resource that was scarce before a gap in its metric is assumed to be scarce still.
    treatMissingData: cloudwatch.TreatMissingData.IGNORE,
  });

/** An alarm on a utilisation in percent that has been near 100 for fifteen minutes. */
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
    metric: options.metric,
    threshold: SATURATED_PERCENT,
    section: options.section,
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
    readonly minFree: number;
    readonly words: AlarmWords;
  },
): cloudwatch.Alarm =>
  runningOut(scope, id, {
    metric: options.metric,
    threshold: Math.round(options.minFree * options.capacityBytes),
    title: `Free space of ${options.words.name} below ${options.minFree * 100} %`,
    meaning: `${sentenceCase(options.words.subject)} has less than ${options.minFree * 100} % of its space left: soon it refuses writes.`,
    first: 'end the run, or remove data.',
    section: 'space-almost-used-up',
  });

/** An alarm that is in alarm while all of some alarms are and none of others is. */
export function compositeAlarm(
  scope: Construct,
  id: string,
  { all, none = [], ...words }: CompositeProps,
): cloudwatch.CompositeAlarm {
  const { ALARM } = cloudwatch.AlarmState;
  const goesOff = (alarm: cloudwatch.IAlarm) => cloudwatch.AlarmRule.fromAlarm(alarm, ALARM);
  const { alarmName, alarmDescription } = announced(scope, words);
  return new cloudwatch.CompositeAlarm(scope, id, {
    compositeAlarmName: alarmName,
    alarmDescription,
    alarmRule: cloudwatch.AlarmRule.allOf(
      ...all.map(goesOff),
      ...none.map((alarm) => cloudwatch.AlarmRule.not(goesOff(alarm))),
    ),
  });
}

interface CompositeProps extends Announcement {
  readonly all: readonly cloudwatch.IAlarm[];
  /** @default - no other */
  readonly none?: readonly cloudwatch.IAlarm[];
}
