import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct, IDependable } from 'constructs';
import type { Warning } from '../../common/violation';
import type { ShownArm } from '../../dashboard/graph';
import type { StorageConfiguration } from '../../schema/deployment';
import type { EfaCapability } from '../../storage/performance';
import type { MetricRole } from '../../storage/storage';

/** Values with which a booting client mounts a storage: input of `assets/storage/<kind>/mount`, which takes every decision. */
export type MountValues = Readonly<Record<string, string | number>>;

/** Entry by which AWS ParallelCluster attaches an existing file system (https://docs.aws.amazon.com/parallelcluster/latest/ug/SharedStorage-v3.html). */
export interface SharedStorage {
  readonly StorageType: 'FsxLustre';
  readonly FsxLustreSettings: { readonly FileSystemId: string };
}

export interface StorageConstruct extends Construct {
  /** Id of the resource in its service: `fs-…`. */
  readonly resourceId: string;
  /** Ids of the resources that publish its metrics. @default - it is one */
  readonly parts?: readonly string[];
  mountValues(): MountValues;
  /** @default - a cluster mounts it by its mount script, as other clients do */
  readonly sharedStorage?: SharedStorage;
  /** Lets clients mount it. @param settled a client resource that takes minutes: new rules are visible everywhere once it exists */
  grantMount(clients: ec2.IConnectable, settled?: IDependable): void;
  /** Lets clients do in AWS what their mount script does. @default - it does nothing there */
  grantClients?(clients: iam.IRole): void;
  /** The metric of a role, of the storage as a whole; `null` where its service publishes none. */
  metricOf(role: MetricRole, options?: cloudwatch.MetricOptions): cloudwatch.Metric | null;
}

/** A storage that clients of other applications mount as well. */
export interface MountableStorage extends StorageConstruct {
  /** Its kind of storage, and the folder of the scripts that mount it. */
  readonly kind: string;
  readonly vpc: ec2.IVpc;
  readonly subnet: ec2.ISubnet;
  /** Why clients of this type, with EFA or without, cannot mount it over EFA; `null` if they can. */
  readonly efaViolation: EfaCapability['violation'];
}

export interface ArmView<S = StorageConstruct, C extends StorageConfiguration = StorageConfiguration>
  extends ShownArm<C> {
  readonly storage: S;
}

/** Words with which an alarm names a storage, and advises on one that is at its limit. */
export interface AlarmWords {
  /** `lz4`, `fs-…`. */
  readonly name: string;
  /** `arm lz4`, `file system fs-…`. */
  readonly subject: string;
  /** Consequence of a limit that was reached. */
  readonly saturated: string;
  /** First thing to do about it. */
  readonly first: string;
}

export interface DeployProps<C extends StorageConfiguration = StorageConfiguration> {
  readonly vpc: ec2.IVpc;
  /** All arms of a benchmark live in one subnet, near their clients. */
  readonly subnet: ec2.ISubnet;
  /** Dependency of servers that download something at boot: the routes out of the subnet. */
  readonly egress: IDependable;
  /** Log group of the stack, for the logs of servers. */
  readonly logGroup: logs.ILogGroup;
  readonly configuration: C;
  /** Encrypts a file system of AWS, or a bucket. @default - a key of AWS */
  readonly kmsKey?: kms.IKey;
  /** True if the run tests the tool and not the speed: advice on performance is then of no use. */
  readonly smoke: boolean;
}

/** The CDK half of a storage: what makes it, and what shows and watches it in CloudWatch. */
export interface StorageDeployment<
  C extends StorageConfiguration = StorageConfiguration,
  S extends StorageConstruct = StorageConstruct,
> {
  /** Kind of the storage, as its plain half names it. */
  readonly kind: string;
  deploy(scope: Construct, id: string, props: DeployProps<C>): S;
  /** Alarms on one arm that send notifications. @param about roles of the metrics that show the benchmark's activity */
  alarms(scope: Construct, arm: ArmView<S, C>, words: AlarmWords, about: readonly MetricRole[]): cloudwatch.Alarm[];
  /** Warnings about all arms together: legal but surprising. @default - nothing */
  warnings?(configurations: readonly C[], clients: { readonly efa: boolean }): readonly Warning[];
}
