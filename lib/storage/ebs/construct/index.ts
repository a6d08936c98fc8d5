import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { reached, runningOut } from '../../../constructs/dashboard/watch';
import { sentenceCase } from '../../../kit/format/strings';
import type { AlarmWords, ArmView, StorageDeployment } from '../../construct';
import type { EbsStorage } from '../configuration';
import type { EbsMetricName } from '../metricTable';
import { EbsVolumes } from './volumes';

/** gp2: a volume of 1,000 GiB and less falls to its baseline minutes after this. */
const FEW_CREDITS_PERCENT = 10;

/** Each volume against what it may do. */
function alarms(scope: Construct, arm: ArmView<EbsVolumes>, words: AlarmWords): cloudwatch.Alarm[] {
  const { name, storage } = arm;
  return storage.volumeIds.flatMap((volume, index) => {
    const which = storage.volumeIds.length === 1 ? 'its volume' : `volume ${index + 1} of ${storage.volumeIds.length}`;
    const label = storage.volumeIds.length === 1 ? words.name : `${words.name} (${index + 1})`;
    const subject = `${sentenceCase(words.subject)}: ${which}`;
    const exceeded = (id: string, metric: EbsMetricName, what: string) =>
      reached(scope, `${id}-${name}-${index + 1}`, {
        metric: storage.metric(metric, volume),
        threshold: 1,
        title: `Volume ${what} of ${label} at the limit`,
        meaning: `${subject} has been at its ${what} for 15 minutes: ${words.saturated}`,
        first: words.first,
        section: 'a-volume-or-file-system-at-its-limit',
      });
    const credits = () =>
      runningOut(scope, `Credits-${name}-${index + 1}`, {
        metric: storage.metric('BurstBalance', volume),
        threshold: FEW_CREDITS_PERCENT,
        title: `Burst credits of ${label} below ${FEW_CREDITS_PERCENT} %`,
        meaning: `${subject} has hardly any burst credits left: what a run measures afterwards is the baseline.`,
        first: 'end the run.',
        section: 'burst-credits-almost-used-up',
      });
    return [
      exceeded('Throughput', 'VolumeThroughputExceededCheck', 'throughput'),
      exceeded('Operations', 'VolumeIOPSExceededCheck', 'IOPS'),
      ...(storage.configuration.volumeType === 'gp2' ? [credits()] : []),
    ];
  });
}

/** Volumes of EBS in templates and in alarms. */
export const ebsDeployment: StorageDeployment<EbsStorage, EbsVolumes> = {
  kind: 'ebs',
  deploy: (scope, id, { subnet, configuration }) => new EbsVolumes(scope, id, { subnet, configuration }),
  alarms,
};
