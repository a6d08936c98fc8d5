import { Fn, RemovalPolicy, Stack, Tags, Validations } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { sentenceCase } from '../../common/format/text';
import { metricOf } from '../../storage/common/graphs';
import { mountOptionOf } from '../../storage/ebs';
import { checkEbs, type EbsStorage } from '../../storage/ebs/configuration';
import { EBS_METRICS, type EbsMetricName, SEPARATOR } from '../../storage/ebs/dashboard';
import type { MetricRole } from '../../storage/storage';
import { checked, zoneOf } from '../common';
import { toMetric } from '../dashboard/render';
import { reached, runningOut } from '../dashboard/watch';
import { acknowledgeVolumeKey, shownArn, volumeKeyStatements } from '../machine/role';
import type { AlarmWords, ArmView, DeployProps, MountValues, StorageConstruct, StorageDeployment } from './construct';

/** Metrics of the volumes for roles that no service counts as clients see them: both are idle at the same time. */
const NEAREST: Partial<Record<MetricRole, EbsMetricName>> = {
  bytes_read: 'VolumeReadBytes',
  bytes_written: 'VolumeWriteBytes',
};

/**
 * Volumes of one arm. They are resources of the stack and not block devices of the launch template: so their ids are known to dashboard,
 * alarms and runs. The client attaches them itself when it boots, since an Auto Scaling group has no attachments.
 */
export class EbsVolumes extends Construct implements StorageConstruct {
  readonly configuration: EbsStorage;
  readonly volumeIds: readonly string[];

  constructor(
    scope: Construct,
    id: string,
    { subnet, configuration }: Pick<DeployProps<EbsStorage>, 'subnet' | 'configuration'>,
  ) {
    super(scope, id);
    checked(this, checkEbs(configuration));
    const { volumeType, volumeGiB, volumes = 1, iops, throughputMiBps } = configuration;
    this.configuration = configuration;
    this.volumeIds = Array.from({ length: volumes }, (_, index) => {
      const volume = new ec2.CfnVolume(this, `Volume${index + 1}`, {
        // A volume can be attached in its own zone only.
        availabilityZone: zoneOf(subnet),
        volumeType,
        size: volumeGiB,
        iops,
        throughput: throughputMiBps,
        encrypted: true,
      });
      // Its data can be written again, and a volume that is left over is billed on.
      volume.applyRemovalPolicy(RemovalPolicy.DESTROY);
      Tags.of(volume).add('Name', `${Stack.of(this).stackName} ${id}`);
      return volume.ref;
    });
  }

  get parts(): readonly string[] {
    return this.volumeIds;
  }

  get resourceId(): string {
    return Fn.join(SEPARATOR, [...this.volumeIds]);
  }

  mountValues(): MountValues {
    const { filesystem, compression = 'none' } = this.configuration;
    const options = filesystem === 'btrfs' ? `noatime,${mountOptionOf(compression)}` : 'noatime';
    return { volumeIds: Fn.join(' ', [...this.volumeIds]), filesystem, mountOptions: options };
  }

  /** Grants nothing: instances reach volumes by their own path to EBS, so no port is opened. */
  grantMount(): void {}

  grantClients(clients: iam.IRole): void {
    const stack = Stack.of(this);
    const arn = (resource: string, resourceName: string): string =>
      stack.formatArn({ service: 'ec2', resource, resourceName });
    const resources = [...this.volumeIds.map((id) => arn('volume', id)), arn('instance', '*')];
    clients.addToPrincipalPolicy(new iam.PolicyStatement({ actions: ['ec2:AttachVolume'], resources }));
    for (const statement of volumeKeyStatements(this, 'attach')) clients.addToPrincipalPolicy(statement);
    acknowledgeVolumeKey(clients);
    Validations.of(clients).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${shownArn(this, 'ec2')}:instance/*]`,
      reason: 'Volumes of this stack are attached to an instance whose id is known only when it boots.',
    });
  }

  metric(name: EbsMetricName, volumeId: string, options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return toMetric(metricOf(EBS_METRICS, volumeId, name), options);
  }

  /** The metric of the first volume: RAID-0 spreads the work over all of them. */
  metricOf(role: MetricRole, options?: cloudwatch.MetricOptions): cloudwatch.Metric | null {
    const name = EBS_METRICS.table.find((metric) => metric.role === role)?.name ?? NEAREST[role];
    const [first] = this.volumeIds;
    return name === undefined || first === undefined ? null : this.metric(name as EbsMetricName, first, options);
  }
}

/** gp2: a volume of 1,000 GiB and less falls to its baseline minutes after this. */
const FEW_CREDITS_PERCENT = 10;

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

export const ebsDeployment: StorageDeployment<EbsStorage, EbsVolumes> = {
  kind: 'ebs',
  deploy: (scope, id, props) => new EbsVolumes(scope, id, props),
  alarms,
};
