import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { idOf, MINUTE } from '../../../deploy/dashboard/graph';
import type { AlarmWords, ArmView } from '../../construct';
import type { EfsFileSystem } from './fileSystem';

/** An average over a minute hardly ever shows 100. */
const SATURATED_PERCENT = 95;

const FIFTEEN_MINUTES = 15;

/** At 100 MiB/s they are gone half an hour later: time to end a run before its figures mean something else. */
const FEW_CREDITS_BYTES = 180 * 2 ** 30;

const AT_LEAST = cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD;

/** Metered against permitted throughput, and what else the file system has a limit of. */
export function efsAlarms(scope: Construct, arm: ArmView<EfsFileSystem>, words: AlarmWords): cloudwatch.Alarm[] {
  const { name, storage } = arm;
  const { throughputMode, performanceMode } = storage.configuration;
  const subject = words.subject.charAt(0).toUpperCase() + words.subject.slice(1);
  const saturated = (id: string, metric: cloudwatch.IMetric, what: string) =>
    new cloudwatch.Alarm(scope, `${id}-${name}`, {
      metric,
      threshold: SATURATED_PERCENT,
      comparisonOperator: AT_LEAST,
      evaluationPeriods: FIFTEEN_MINUTES,
      // No value, no traffic: nothing is saturated.
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
      alarmDescription: `${subject} has been at the limit of its ${what} for 15 minutes: ${words.saturated}`,
    });
  const [metered, permitted] = [`metered_${idOf(arm)}`, `permitted_${idOf(arm)}`];
  const used = new cloudwatch.MathExpression({
    expression: `100 * ${metered} / PERIOD(${metered}) / ${permitted}`,
    usingMetrics: {
      [metered]: storage.metric('MeteredIOBytes'),
      [permitted]: storage.metric('PermittedThroughput'),
    },
    period: MINUTE,
    label: 'metered throughput (%)',
  });
  const credits = () =>
    new cloudwatch.Alarm(scope, `Credits-${name}`, {
      metric: storage.metric('BurstCreditBalance'),
      threshold: FEW_CREDITS_BYTES,
      comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 3,
      // Credits that were few and are not published still are.
      treatMissingData: cloudwatch.TreatMissingData.IGNORE,
      alarmDescription: `${subject} has burst credits for less than half an hour: end the run, or what it measures afterwards is the baseline.`,
    });
  return [
    saturated('Throughput', used, 'permitted throughput'),
    ...(performanceMode === 'max-io' ? [] : [saturated('Operations', storage.metric('PercentIOLimit'), 'operations')]),
    ...(throughputMode === 'bursting' ? [credits()] : []),
  ];
}
