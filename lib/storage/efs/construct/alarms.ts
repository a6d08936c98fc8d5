import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { idOf, MINUTE } from '../../../constructs/dashboard/graph';
import { atLimit, runningOut } from '../../../constructs/dashboard/watch';
import { sentenceCase } from '../../../kit/format/strings';
import type { AlarmWords, ArmView } from '../../construct';
import type { EfsFileSystem } from './fileSystem';

/** At 100 MiB/s they are gone half an hour later: time to end a run before its figures mean something else. */
const FEW_CREDITS_BYTES = 180 * 2 ** 30;

/** Metered against permitted throughput, and what else the file system has a limit of. */
export function efsAlarms(scope: Construct, arm: ArmView<EfsFileSystem>, words: AlarmWords): cloudwatch.Alarm[] {
  const { name, storage } = arm;
  const { throughputMode, performanceMode } = storage.configuration;
  const subject = sentenceCase(words.subject);
  const saturated = (id: string, metric: cloudwatch.IMetric, what: string) =>
    atLimit(scope, `${id}-${name}`, {
      metric,
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
    runningOut(scope, `Credits-${name}`, {
      metric: storage.metric('BurstCreditBalance'),
      threshold: FEW_CREDITS_BYTES,
      alarmDescription: `${subject} has burst credits for less than half an hour: end the run, or what it measures afterwards is the baseline.`,
    });
  return [
    saturated('Throughput', used, 'permitted throughput'),
    ...(performanceMode === 'max-io' ? [] : [saturated('Operations', storage.metric('PercentIOLimit'), 'operations')]),
    ...(throughputMode === 'bursting' ? [credits()] : []),
  ];
}
