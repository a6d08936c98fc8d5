import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { imageOf, launchDefaults, newestImage } from '../../../constructs/machine/instance';
import type { Purchase } from '../../fleet';

interface LaunchOptions {
  readonly instanceType: ec2.InstanceType;
  readonly image: string | undefined;
  readonly kernel: string;
  readonly userData: ec2.UserData;
  readonly group: ec2.ISecurityGroup;
  readonly purchase: Purchase;
  readonly placementGroup: ec2.IPlacementGroup | undefined;
  readonly rootVolumeGiB: number;
  readonly efa: boolean;
  readonly instanceProfile: iam.IInstanceProfile;
}

/** Launch template of the clients. */
export function launchTemplate(scope: Construct, options: LaunchOptions): ec2.LaunchTemplate {
  const {
    instanceType,
    image,
    kernel,
    userData,
    group,
    purchase,
    placementGroup,
    instanceProfile,
    rootVolumeGiB,
    efa,
  } = options;
  const template = new ec2.LaunchTemplate(scope, 'Template', {
    ...launchDefaults(rootVolumeGiB),
    instanceType,
    // A template that held the newest image's id would change with each new image, and the next `cdk deploy`, for whatever reason, would
    // replace the clients of a run (docs/decisions/newest-image.md).
    machineImage: image === undefined ? newestImage(instanceType, kernel) : imageOf(image),
    userData,
    instanceProfile,
    securityGroup: group,
    placementGroup,
    detailedMonitoring: true,
    // Auto Scaling accepts one-time requests only, and needs no more: it asks again itself.
    ...(purchase.kind === 'spot' && { spotOptions: { requestType: ec2.SpotRequestType.ONE_TIME } }),
  });
  const resource = template.node.defaultChild as ec2.CfnLaunchTemplate;
  if (efa) {
    // Groups belong to the interface then (EC2 API, CreateLaunchTemplate).
    resource.addPropertyDeletionOverride('LaunchTemplateData.SecurityGroupIds');
    resource.addPropertyOverride('LaunchTemplateData.NetworkInterfaces', [
      { DeviceIndex: 0, NetworkCardIndex: 0, InterfaceType: 'efa', Groups: [group.securityGroupId] },
    ]);
  }
  if (purchase.kind === 'capacity-reservation') {
    resource.addPropertyOverride('LaunchTemplateData.CapacityReservationSpecification', {
      CapacityReservationTarget: { CapacityReservationId: purchase.id },
    });
  }
  return template;
}
