import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { toExpression } from '../../../constructs/dashboard/render';
import { runningOut, saturated } from '../../../constructs/dashboard/watch';
import { named, perSecond, product, quotient } from '../../../dashboard/expression';
import { idOf } from '../../../dashboard/graph';
import { sentenceCase } from '../../../kit/format/strings';
import type { AlarmWords, ArmView, StorageDeployment } from '../../construct';
import { metricOf } from '../../kit/graphs';
import type { EfsStorage } from '../configuration';
import { EFS_METRICS, type EfsMetricName } from '../metricTable';
import { EfsFileSystem } from './fileSystem';

/** At 100 MiB/s they are gone half an hour later: time to end a run before its figures mean something else. */
const FEW_CREDITS_BYTES = 180 * 2 ** 30;

/** Metered against permitted throughput, and what else the file system has a limit of. */
function alarms(scope: Construct, arm: ArmView<EfsFileSystem>, words: AlarmWords): cloudwatch.Alarm[] {
  const { name, storage } = arm;
  const { throughputMode, performanceMode } = storage.configuration;
  const atLimit = (id: string, metric: cloudwatch.IMetric, what: string) =>
    saturated(scope, `${id}-${name}`, { metric, what, words, section: 'a-volume-or-file-system-at-its-limit' });
  const metric = (name: EfsMetricName) => metricOf(EFS_METRICS, arm.resourceId, name);
  const used = toExpression(
    quotient(
      product(100, perSecond(metric('MeteredIOBytes'), `metered_${idOf(arm)}`)),
      named(metric('PermittedThroughput'), `permitted_${idOf(arm)}`),
    ),
    { label: 'metered throughput (%)' },
  );
  const credits = () =>
    runningOut(scope, `Credits-${name}`, {
      metric: storage.metric('BurstCreditBalance'),
      threshold: FEW_CREDITS_BYTES,
      title: `Burst credits of ${words.name} below half an hour`,
      meaning: `${sentenceCase(words.subject)} has burst credits for less than half an hour: what a run measures afterwards is the baseline.`,
      first: 'end the run.',
      section: 'burst-credits-almost-used-up',
    });
  return [
    atLimit('Throughput', used, 'permitted throughput'),
    ...(performanceMode === 'max-io' ? [] : [atLimit('Operations', storage.metric('PercentIOLimit'), 'operations')]),
    ...(throughputMode === 'bursting' ? [credits()] : []),
  ];
}

/** EFS in templates and in alarms. */
export const efsDeployment: StorageDeployment<EfsStorage, EfsFileSystem> = {
  kind: 'efs',
  deploy: (scope, id, { smoke: _, ...props }) => new EfsFileSystem(scope, id, props),
  alarms,
};
