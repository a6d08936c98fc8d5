import { Aws, type CfnResource, CfnStack, CustomResource, Duration, Fn, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as assets from 'aws-cdk-lib/aws-s3-assets';
import { Construct, type IDependable } from 'constructs';
import { assignments } from '../../../common/format/text';
import { bySlurm } from '../../../fleet/common/slurm';
import { parallelCluster } from '../../../fleet/parallelcluster';
import {
  CLIENT_QUEUE,
  type ClusterFleet,
  clusterConfiguration,
  PARALLELCLUSTER_VERSION,
} from '../../../fleet/parallelcluster/configuration';
import { STACK_TAG } from '../../../storage/search';
import { stackDigits } from '../../common';
import { Builder, bundleAsset } from '../../machine/bundle';
import { acknowledgeClientWildcards, buildCachePrefix, clientStatements } from '../../machine/permissions';
import { acknowledgeVolumeKey, allow, armsText, objectArn, volumeKeyStatements } from '../../machine/role';
import { newestImage } from '../../machine/server';
import { buildEnvironment, CLIENT_SCRIPT_PATH } from '../../machine/userData';
import type { FleetConstruct, FleetDeployment, FleetDeployProps } from '../construct';

/** Below this path the provider's own role may attach policies to nodes (parallelcluster-policies.yaml of aws-parallelcluster, statement IamPolicy). */
const POLICY_PATH = '/parallelcluster/';

/** The official provider, whose Lambda function makes clusters: https://docs.aws.amazon.com/parallelcluster/latest/ug/cloudformation-v3.html */
const PROVIDER =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills it in
  'https://${AWS::Region}-aws-parallelcluster.s3.${AWS::Region}.${AWS::URLSuffix}/parallelcluster/' +
  `${PARALLELCLUSTER_VERSION}/templates/custom_resource/cluster.yaml`;

/**
 * Name of the cluster: the stack's name, which identifies orphaned resources, and digits of its id, so a second deployment in the account does not
 * clash with the first. It begins with a letter and has at most 60 characters.
 */
const CLUSTER_NAME = Fn.join('-', [Aws.STACK_NAME, stackDigits()]);

/** A cluster with Slurm: a head node, on which drivers run, and nodes that come and go with its jobs. */
class Cluster extends Construct implements FleetConstruct {
  readonly connections: ec2.Connections;
  /** ParallelCluster makes the roles of its nodes, to which it attaches a policy of ours. */
  readonly role = null;
  readonly imageId: string;
  readonly bundle: assets.Asset;
  readonly metricDimensions: Readonly<Record<string, string>>;
  private readonly cluster: CustomResource;
  private readonly group: ec2.SecurityGroup;

  constructor(scope: Construct, id: string, props: FleetDeployProps & { readonly configuration: ClusterFleet }) {
    super(scope, id);
    const { configuration: fleet, network, benchmark, mounts, sharedStorages, results, logGroup, tags } = props;
    const stack = Stack.of(this);

    this.group = new ec2.SecurityGroup(this, 'SecurityGroup', {
      vpc: network.vpc,
      description: 'Nodes of the cluster',
      allowAllOutbound: false,
    });
    this.connections = new ec2.Connections({ securityGroups: [this.group] });
    this.metricDimensions = { InstanceType: fleet.instanceType };
    this.imageId = `ParallelCluster ${PARALLELCLUSTER_VERSION}, Amazon Linux 2023`;

    this.bundle = bundleAsset(this);
    const boot = new assets.Asset(this, 'Boot', { path: CLIENT_SCRIPT_PATH });
    const permissions = { benchmark, results, bundle: this.bundle, logGroup };
    const nodes = new iam.ManagedPolicy(this, 'Nodes', {
      path: POLICY_PATH,
      description: 'Nodes of the cluster',
      // The head node starts the others.
      statements: [...Object.values(clientStatements(permissions)).flat(), ...volumeKeyStatements(this, 'start')],
    });
    acknowledgeClientWildcards(nodes, permissions);
    acknowledgeVolumeKey(nodes);
    // The provider checks that the script exists before it creates a cluster.
    const provider = new iam.ManagedPolicy(this, 'ProviderPolicy', {
      description: 'What the provider of clusters reads',
      statements: [allow('Boot', ['s3:GetObject'], [objectArn(boot)])],
    });

    this.cluster = new CustomResource(this, 'Resource', {
      resourceType: 'Custom::PclusterCluster',
      serviceToken: this.provider(provider).getAtt('Outputs.ServiceToken').toString(),
      // No `serviceTimeout`: the provider hands every property that it does not know to a function, which refuses it.
      properties: {
        ClusterName: CLUSTER_NAME,
        // In place of the attribute of that name, with which CloudFormation would never call the provider.
        DeletionPolicy: 'Delete',
        ClusterConfiguration: clusterConfiguration(fleet, {
          stackName: stack.stackName,
          tags,
          subnetId: network.subnet.subnetId,
          securityGroupId: this.group.securityGroupId,
          policyArn: nodes.managedPolicyArn,
          boot: {
            Script: boot.s3ObjectUrl,
            Args: assignments({
              FSXBENCH_ROLE: 'node',
              FSXBENCH_LAUNCH: bySlurm.name,
              FSXBENCH_PARTITION: CLIENT_QUEUE,
              FSXBENCH_SHARED: SHARED,
              FSXBENCH_BUNDLE_URL: this.bundle.s3ObjectUrl,
              FSXBENCH_REGION: stack.region,
              FSXBENCH_STACK: stack.stackName,
              FSXBENCH_BOOT_SECONDS: String(Duration.minutes(fleet.bootTimeoutMinutes - MARGIN_MINUTES).toSeconds()),
              FSXBENCH_ARMS: armsText(mounts),
              FSXBENCH_CACHE_URL: results.s3UrlForObject(buildCachePrefix(benchmark)),
              ...buildEnvironment(fleet),
              FSXBENCH_NETWORK_CIDR: network.subnet.ipv4CidrBlock,
              FSXBENCH_LOG_GROUP: logGroup.logGroupName,
              ...(fleet.tuning !== 'advised' && { FSXBENCH_TUNING: fleet.tuning }),
            }),
          },
          reads: [boot, this.bundle].map(({ s3BucketName, s3ObjectKey }) => ({
            bucket: s3BucketName,
            key: s3ObjectKey,
          })),
          storages: Object.entries(sharedStorages).map(([point, storage]) => ({
            Name: point.slice(1).replaceAll('/', '-'),
            MountDir: point,
            ...storage,
          })),
          logRetentionDays: LOG_RETENTION_DAYS,
        }),
      },
    });
    this.cluster.node.addDependency(network.egress);
    // It names each file system, and yet must wait for all that belongs to one: its rules, its links to S3.
    (this.cluster.node.defaultChild as CfnResource).addMetadata('cfn-lint', { config: { ignore_checks: ['W3005'] } });
  }

  get inService(): cloudwatch.Metric {
    return new cloudwatch.Metric({
      namespace: 'AWS/EC2',
      metricName: 'CPUUtilization',
      dimensionsMap: { InstanceId: this.headNodeId },
      statistic: cloudwatch.Stats.SAMPLE_COUNT,
    });
  }

  /** Source: https://docs.aws.amazon.com/parallelcluster/latest/ug/tags-v3.html */
  get leaders() {
    return { 'parallelcluster:cluster-name': CLUSTER_NAME, 'parallelcluster:node-type': 'HeadNode' };
  }

  get found() {
    return { autoScalingGroup: null, leader: this.headNodeId, queue: CLIENT_QUEUE };
  }

  /** Rules are made with the group, long before the cluster. */
  get settled(): IDependable {
    return this.group;
  }

  bootAfter(...dependencies: readonly IDependable[]): void {
    this.cluster.node.addDependency(...dependencies);
  }

  private get headNodeId(): string {
    return this.cluster.getAttString('headNode.instanceId');
  }

  private provider(policy: iam.IManagedPolicy): CfnStack {
    return new CfnStack(this, 'Provider', {
      templateUrl: Fn.sub(PROVIDER),
      parameters: { AdditionalIamPolicies: policy.managedPolicyArn },
      // Tags the resources that it leaves as well: it keeps a log group.
      tags: [{ key: STACK_TAG, value: Stack.of(this).stackName }],
    });
  }
}

/** Subtracted from ParallelCluster's timeout: the reason for a slow boot must arrive before it. */
const MARGIN_MINUTES = 5;

/** The head node exports /home to all nodes (https://docs.aws.amazon.com/parallelcluster/latest/ug/SharedStorage-v3.html). */
const SHARED = '/home/fsxbench-shared';

/** Retention of ParallelCluster's own logs, which go with the cluster; those of the clients are in the stack's group. */
const LOG_RETENTION_DAYS = 14;

/** A cluster of AWS ParallelCluster, and the machine that builds what its nodes run. */
export const clusterDeployment: FleetDeployment = {
  kind: parallelCluster.kind,
  deploy(scope, props) {
    const configuration = props.configuration as ClusterFleet;
    const clients = new Cluster(scope, 'Fleet', { ...props, configuration });
    const instanceType = new ec2.InstanceType(configuration.instanceType);
    clients.bootAfter(
      new Builder(scope, 'Builder', {
        ...configuration,
        ...props,
        instanceType,
        bootTimeout: Duration.minutes(configuration.bootTimeoutMinutes),
        // ParallelCluster's image is a later state of the same operating system, which is what a build is known by.
        imageId: newestImage(instanceType, configuration.kernel).getImage(scope).imageId,
        bundle: clients.bundle,
      }),
    );
    return clients;
  },
  warnings: () => [],
};
