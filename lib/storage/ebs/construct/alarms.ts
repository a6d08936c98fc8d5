import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { AlarmWords, ArmView } from '../../construct';
import type { EbsMetricName } from '../metricTable';
import type { EbsVolumes } from './volumes';

const FIFTEEN_MINUTES = 15;
/** gp2: a volume of 1,000 GiB and less falls to its baseline minutes after this. */
const FEW_CREDITS_PERCENT = 10;

/** Each volume against what it may do. */
export function ebsAlarms(scope: Construct, arm: ArmView<EbsVolumes>, words: AlarmWords): cloudwatch.Alarm[] {
  const { name, storage } = arm;
  const subject = words.subject.charAt(0).toUpperCase() + words.subject.slice(1);
  return storage.volumeIds.flatMap((volume, index) => {
    const which = storage.volumeIds.length === 1 ? 'its volume' : `volume ${index + 1} of ${storage.volumeIds.length}`;
    const exceeded = (id: string, metric: EbsMetricName, what: string) =>
      new cloudwatch.Alarm(scope, `${id}-${name}-${index + 1}`, {
        metric: storage.metric(metric, volume),
        threshold: 1,
        comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: FIFTEEN_MINUTES,
        // No value, no traffic: nothing is exceeded.
        treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
        alarmDescription: `${subject}: ${which} has been at its ${what} for 15 minutes: ${words.saturated}`,
      });
    const credits = () =>
      new cloudwatch.Alarm(scope, `Credits-${name}-${index + 1}`, {
        metric: storage.metric('BurstBalance', volume),
        threshold: FEW_CREDITS_PERCENT,
        comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
        evaluationPeriods: 3,
        // Credits that were few and are not published still are.
        treatMissingData: cloudwatch.TreatMissingData.IGNORE,
        alarmDescription: `${subject}: ${which} has hardly any burst credits left: end the run, or what it measures afterwards is the baseline.`,
      });
    return [
      exceeded('Throughput', 'VolumeThroughputExceededCheck', 'throughput'),
      exceeded('Operations', 'VolumeIOPSExceededCheck', 'IOPS'),
      ...(storage.configuration.volumeType === 'gp2' ? [credits()] : []),
    ];
  });
}
