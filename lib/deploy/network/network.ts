import { Fn, RemovalPolicy, Token, Validations } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct, DependencyGroup, type IDependable } from 'constructs';
import { CLIENT_SERVICES } from '../../common/aws/services';
import { ConfigurationError } from '../../common/configurationError';
import type { INetwork } from '../../constructs/fleet/construct';
import { isZoneId } from '../../fleet/offerings';

export interface NetworkProps {
  /** By name or id. @default the first of the Region, chosen by CloudFormation: no look-up at synth */
  readonly availabilityZone?: string;
  /** `nat`: a NAT gateway. `endpoints`: no way to the internet, interface endpoints to the AWS services that clients call. @default nat */
  readonly egress?: 'nat' | 'endpoints';
  /** Services that get an interface endpoint with `endpoints`, by the endpoint's construct id. @default - what every client calls */
  readonly services?: Readonly<Record<string, string>>;
  /** Records all flows. @default false */
  readonly flowLogs?: boolean;
}

/** IPv4 range of a new VPC. */
const RANGE = '10.0.0.0/16';

/** Retention of logs, which outlive their stack. */
export const LOG_RETENTION = logs.RetentionDays.ONE_MONTH;

export const firstAvailabilityZone = (): string => Fn.select(0, Fn.getAzs());

/** A network like AWS ParallelCluster's: one zone, a private subnet for compute and storage, a public one for the NAT gateway, no way in. */
export class Network extends Construct implements INetwork {
  readonly vpc: ec2.IVpc;
  readonly subnet: ec2.ISubnet;
  readonly egress: IDependable;

  constructor(scope: Construct, id: string, props: NetworkProps = {}) {
    super(scope, id);
    const { availabilityZone = firstAvailabilityZone(), egress = 'nat', flowLogs = false } = props;
    const { services = CLIENT_SERVICES } = props;
    const computeType = egress === 'nat' ? ec2.SubnetType.PRIVATE_WITH_EGRESS : ec2.SubnetType.PRIVATE_ISOLATED;

    const vpc = new ec2.Vpc(this, 'Vpc', {
      ipAddresses: ec2.IpAddresses.cidr(RANGE),
      availabilityZones: [availabilityZone],
      natGateways: egress === 'nat' ? 1 : 0,
      // The default group of the VPC is used by nothing; emptying it would cost a Lambda function in the stack.
      restrictDefaultSecurityGroup: false,
      subnetConfiguration: [
        // 4,091 addresses: one for each client, and one for each file and metadata server of a file system.
        { name: 'Compute', subnetType: computeType, cidrMask: 20 },
        ...(egress === 'nat'
          ? [{ name: 'Public', subnetType: ec2.SubnetType.PUBLIC, cidrMask: 28, mapPublicIpOnLaunch: false }]
          : []),
      ],
    });
    // Amazon Linux's repositories and the results bucket are in S3: the gateway is free and spares them the NAT gateway's price per GB.
    const gateway = vpc.addGatewayEndpoint('S3', { service: ec2.GatewayVpcEndpointAwsService.S3 });
    const endpoints = egress === 'endpoints' ? this.addInterfaceEndpoints(vpc, computeType, services) : [];

    if (!Token.isUnresolved(availabilityZone)) {
      // cfn-lint and CDK's own check take a named zone for an oversight.
      const reason = 'Someone chose the zone, for capacity or to be near other instances.';
      for (const { node } of [...vpc.publicSubnets, ...vpc.privateSubnets, ...vpc.isolatedSubnets]) {
        const resource = node.defaultChild as ec2.CfnSubnet;
        if (isZoneId(availabilityZone)) {
          // A construct takes names only; CloudFormation takes either (AWS::EC2::Subnet, AvailabilityZoneId).
          resource.availabilityZoneId = availabilityZone;
          resource.availabilityZone = undefined;
        }
        resource.addMetadata('cfn-lint', { config: { ignore_checks: ['W3010'] } });
        Validations.of(resource).acknowledge({ id: 'CloudFormation-Validate::W3010', reason });
      }
    }
    if (!flowLogs) {
      Validations.of(vpc).acknowledge({
        id: 'AwsSolutions-VPC7',
        reason: 'No address of this VPC accepts connections from outside, and it lives only as long as a benchmark.',
      });
    } else this.recordFlows(vpc);

    const subnet = vpc.selectSubnets({ subnetType: computeType }).subnets[0];
    if (subnet === undefined) throw new Error('the compute subnet must exist, got none');
    this.vpc = vpc;
    this.subnet = subnet;
    this.egress = new DependencyGroup(subnet.internetConnectivityEstablished, gateway, ...endpoints);
  }

  /** Kept with the clients' logs, and for the same reason, when the stack is gone. */
  private recordFlows(vpc: ec2.Vpc): void {
    const kept = { retention: LOG_RETENTION, removalPolicy: RemovalPolicy.RETAIN };
    const logGroup = new logs.LogGroup(this, 'FlowLogs', kept);
    vpc.addFlowLog('FlowLog', { destination: ec2.FlowLogDestination.toCloudWatchLogs(logGroup) });
  }

  private addInterfaceEndpoints(
    vpc: ec2.Vpc,
    subnetType: ec2.SubnetType,
    services: Readonly<Record<string, string>>,
  ): ec2.IInterfaceVpcEndpoint[] {
    const group = new ec2.SecurityGroup(this, 'EndpointGroup', {
      vpc,
      description: 'HTTPS from the VPC to the interface endpoints',
      allowAllOutbound: false,
    });
    group.addIngressRule(ec2.Peer.ipv4(RANGE), ec2.Port.HTTPS, 'HTTPS from the VPC');
    return Object.entries(services).map(([name, service]) =>
      vpc.addInterfaceEndpoint(name, {
        service: new ec2.InterfaceVpcEndpointAwsService(service),
        subnets: { subnetType },
        securityGroups: [group],
        open: false,
      }),
    );
  }
}

export interface ExistingNetworkProps {
  readonly vpcId: string;
  /** @default any zone in which the VPC has a private subnet */
  readonly availabilityZone?: string;
  /** @default the first private subnet of the zone */
  readonly subnetId?: string;
}

/** A private subnet of an existing VPC, given or the zone's first, by a look-up. Its owner provides access to AWS. @throws ConfigurationError without one */
export function existingNetwork(scope: Construct, id: string, props: ExistingNetworkProps): INetwork {
  const { vpcId, subnetId, availabilityZone } = props;
  const vpc = ec2.Vpc.fromLookup(scope, id, { vpcId });
  if (vpc.vpcId !== vpcId) return notLookedUpYet(scope, `${id}NotLookedUp`, vpcId, availabilityZone);
  const candidates = [...vpc.privateSubnets, ...vpc.isolatedSubnets];
  const inZone = candidates.filter((it) => availabilityZone === undefined || it.availabilityZone === availabilityZone);
  const where = availabilityZone === undefined ? '' : ` in ${availabilityZone}`;
  if (subnetId !== undefined) {
    const named = inZone.find((it) => it.subnetId === subnetId);
    if (named !== undefined) return { vpc, subnet: named, egress: new DependencyGroup() };
    const there = inZone.map((it) => `${it.subnetId} (${it.availabilityZone}, ${it.ipv4CidrBlock})`);
    const next =
      `Take one of: ${there.join(', ') || 'none'}. ` +
      'If the VPC has changed since it was looked up, forget what was found: npx cdk context --clear';
    throw new ConfigurationError([
      { property: 'subnetId', must: `a private subnet of ${vpcId}${where}`, got: subnetId, next },
    ]);
  }
  const [subnet] = inZone;
  if (subnet === undefined) {
    const zones = [...new Set(candidates.map((it) => it.availabilityZone))].join(', ') || 'none at all';
    throw new ConfigurationError([
      `'vpcId' must name a VPC with a private subnet${where}, ` +
        `got "${vpcId}" with private subnets in ${zones}. Set 'availabilityZone' to one of them or choose another VPC.`,
    ]);
  }
  return { vpc, subnet, egress: new DependencyGroup() };
}

/** Stands for a VPC that is not looked up yet: CDK's stand-in has ids that its own check refuses, and zones of no Region, so the application would end before. */
function notLookedUpYet(scope: Construct, id: string, vpcId: string, zone = firstAvailabilityZone()): INetwork {
  const vpc = ec2.Vpc.fromVpcAttributes(scope, id, {
    vpcId,
    vpcCidrBlock: '10.0.0.0/16',
    availabilityZones: [zone],
    isolatedSubnetIds: ['subnet-00000000'],
    isolatedSubnetRouteTableIds: ['rtb-00000000'],
    isolatedSubnetIpv4CidrBlocks: ['10.0.0.0/20'],
  });
  const [subnet] = vpc.isolatedSubnets as [ec2.ISubnet];
  return { vpc, subnet, egress: new DependencyGroup() };
}
