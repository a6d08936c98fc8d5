import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type { Construct, IDependable } from 'constructs';
import type { Warning } from '../../common/violation';
import type { FleetConfiguration } from '../../fleet/configuration';
import type { Deployment } from '../../schema/deployment';
import type { MountValues, SharedStorage } from '../storage/construct';

/** The network of the file systems and their clients: one subnet of one VPC. */
export interface INetwork {
  readonly vpc: ec2.IVpc;
  /** File systems and clients share it: traffic between Availability Zones would cost money and time. */
  readonly subnet: ec2.ISubnet;
  /** Resources that must exist before a client boots: its routes out of the subnet. */
  readonly egress: IDependable;
}

/** Mount of one arm on a client; `assets/storage/<kind>/mount` takes the other values. */
export interface ClientMount extends MountValues {
  readonly name: string;
  readonly kind: string;
  readonly mountPoint: string;
}

export interface FleetDeployProps {
  readonly configuration: FleetConfiguration;
  readonly network: INetwork;
  /** Name of the benchmark: below it are the runs that clients write and the builds that they read. */
  readonly benchmark: string;
  readonly mounts: readonly ClientMount[];
  /** Storages that a cluster attaches by itself, by mount point. */
  readonly sharedStorages: Readonly<Record<string, SharedStorage>>;
  /** Bucket for runs and builds. */
  readonly results: s3.IBucket;
  readonly logGroup: logs.ILogGroup;
  /** Tags of the stack's resources, for machines that something else makes. */
  readonly tags: Readonly<Record<string, string>>;
}

export interface FleetConstruct extends Construct, ec2.IConnectable {
  /** EC2's metrics of all clients together have these dimensions. */
  readonly metricDimensions: Readonly<Record<string, string>>;
  /** Has values of at least 1 while there are machines that cost money. */
  readonly inService: cloudwatch.Metric;
  /** Outputs by which the command line finds the clients. */
  readonly found: Pick<Deployment, 'autoScalingGroup' | 'leader' | 'queue'>;
  /** Tags that the machines on which drivers run have together, known without any resource of the fleet. */
  readonly leaders: Readonly<Record<string, string>>;
  /** Image that they boot: its id, or `resolve:ssm:` and the parameter that holds it when one is launched. */
  readonly imageId: string;
  /** Role of the clients in AWS; `null` where something else makes their roles. */
  readonly role: iam.IRole | null;
  /** Takes minutes: rules that were made before it are seen everywhere once it is there. */
  readonly settled: IDependable;
  /** No client boots before these are there. */
  bootAfter(...dependencies: readonly IDependable[]): void;
}

/** The CDK half of a fleet. */
export interface FleetDeployment {
  /** Kind of the fleet, as its plain half names it. */
  readonly kind: string;
  deploy(scope: Construct, props: FleetDeployProps): FleetConstruct;
  /** Warnings: legal but surprising. @param options `isolated`: the network has no way to the internet */
  warnings(
    configuration: FleetConfiguration,
    options: { readonly benchmark: string; readonly isolated: boolean },
  ): readonly Warning[];
}
