import { Annotations, CfnOutput, RemovalPolicy, Stack, type StackProps, Token } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import type { ArmDefinition } from '../benchmark/benchmark';
import { LIMITS } from '../common/aws/serviceLimits';
import { ConfigurationError } from '../common/configurationError';
import type { BenchmarkConfiguration } from '../config/benchmark';
import { zoneMayLack } from '../config/offered';
import { warn } from '../constructs/checked';
import { dashboardNameOf, outputDashboard } from '../constructs/dashboard/name';
import { toDashboard } from '../constructs/dashboard/render';
import type { INetwork } from '../constructs/fleet/construct';
import { fleetDeploymentOf } from '../constructs/fleet/registry';
import { guard, ownedBy, tagAll } from '../constructs/guards';
import { benchmarkDashboard, type ShownBenchmark } from '../observe/benchmarkDashboard';
import type { PriceBook } from '../price/prices';
import { ALARM_TOPIC_OUTPUT, DEPLOYMENT_OUTPUT, type Deployment } from '../schema/deployment';
import type { ModelLimits } from '../schema/model';
import { servicesFor } from '../storage/outbound';
import { armWarnings, deployArms } from './arms';
import { BenchmarkAlarms } from './dashboard/alarms';
import { Expiry } from './expiry/expiry';
import { allowInputs, grantStorage } from './grants';
import { existingNetwork, firstAvailabilityZone, Network } from './network/network';
import { lifeOf, priceOfStack } from './price';
import { quotaWarnings } from './quotas';
import { RunDocument } from './runDocument';

export interface BenchmarkStackProps extends StackProps {
  readonly configuration: BenchmarkConfiguration;
  /** The bucket of `BenchResults`: a cross-stack reference, so that this stack can be deleted and its results stay. */
  readonly results: s3.IBucket;
  /** Prices for the announced hourly cost. @default the built-in prices */
  readonly book?: PriceBook;
  /** Limits of the lab's scale models, which its dashboard and alarms compare with. @default - the documented ones */
  readonly models?: ModelLimits;
  /** Owner of the stack if the configuration names none. @default - anybody may update the stack */
  readonly user?: string;
}

/**
 * A complete benchmark: network, one file system per arm, clients, the document that starts a run, dashboard and alarms.
 * Deleting it leaves nothing that costs money except the logs of its clients, which expire.
 */
export class BenchmarkStack extends Stack {
  private readonly zone: string;

  constructor(scope: Construct, id: string, props: BenchmarkStackProps) {
    const { configuration, results, book, models, user, ...stackProps } = props;
    super(scope, id, { description: configuration.definition.question, ...stackProps });
    this.zone = configuration.network.availabilityZone ?? firstAvailabilityZone();
    const { fleet, scale } = configuration;

    const price = priceOfStack(configuration, this.region, book);
    Annotations.of(this).addInfo(price.announcement);
    this.addWarnings(configuration);
    const life = lifeOf(configuration, price);
    const network = this.network(configuration);
    const logGroup = new logs.LogGroup(this, 'Logs', {
      // They tell why a boot failed, when CloudFormation has taken the rest back: no policy keeps a resource then and not when its
      // stack is destroyed. What expires, and then is nothing, costs nothing worth mentioning (docs/decisions/log-group-stays.md).
      removalPolicy: RemovalPolicy.RETAIN,
      retention: configuration.logRetentionDays,
    });
    const arms = deployArms(this, configuration, { network, logGroup, price, models });
    const clients = fleetDeploymentOf(fleet).deploy(this, {
      configuration: fleet,
      network,
      benchmark: configuration.definition.name,
      results,
      logGroup,
      tags: configuration.tags,
      mounts: arms.map(({ name, kind, mountPoint, storage }) => ({ name, kind, mountPoint, ...storage.mountValues() })),
      sharedStorages: Object.fromEntries(
        arms.flatMap(({ mountPoint, storage: { sharedStorage } }) =>
          sharedStorage === undefined ? [] : [[mountPoint, sharedStorage]],
        ),
      ),
    });
    for (const { name, storage } of arms) {
      storage.grantMount(clients, clients.settled);
      grantStorage(storage, name, fleet, clients);
      // A client mounts at boot, so the ports must be open by then.
      clients.bootAfter(storage);
    }

    allowInputs(configuration, clients);
    guard(this, configuration, clients.role !== null);
    tagAll(this, configuration.tags);
    const owner = configuration.owner ?? user;
    if (owner !== undefined) ownedBy(this, owner);
    const { metricDimensions, inService } = clients;
    const { question, about } = configuration.definition;
    const seen = { stackName: this.stackName, about, arms, hourlyUsd: price.hourlyUsd };
    const { alarms, topic, idleFleet } = new BenchmarkAlarms(this, 'Alarms', {
      ...seen,
      inService,
      email: configuration.alarmEmail,
    });
    const expiry =
      life === null
        ? null
        : new Expiry(this, 'Expiry', {
            ...life,
            runs: { results, fleet: idleFleet, leaders: clients.leaders },
            topic,
            topicKey: configuration.guards.operationsKey,
          });
    const dashboardName = this.dashboard({
      ...seen,
      metricDimensions,
      question,
      fleetDescription: `${fleet.clients} × ${fleet.instanceType}`,
      alarms: [...alarms, ...(expiry?.alarms ?? [])].map(({ alarmArn }) => alarmArn),
    });
    const { documentName } = new RunDocument(this, 'RunDocument');
    expiry?.guard(...(network instanceof Network ? [network] : []), ...arms.map(({ storage }) => storage), clients);
    outputDashboard(this, dashboardName);
    new CfnOutput(this, ALARM_TOPIC_OUTPUT, { value: topic.topicArn, description: 'Topic that gets every alarm' });

    this.output({
      schema: 'fsxbench.deployment/1',
      benchmark: configuration.definition.name,
      scale,
      bucket: results.bucketName,
      document: documentName,
      fleet: fleet.kind,
      ...clients.found,
      instanceType: fleet.instanceType,
      image: clients.imageId,
      clients: fleet.clients,
      ranksPerClient: fleet.ranksPerClient,
      iorVersion: fleet.iorVersion,
      dashboard: dashboardName,
      logGroup: logGroup.logGroupName,
      hourlyUsd: price.hourlyUsd,
      priceBasis: price.hourlyUsd === null ? undefined : (price.basis ?? undefined),
      expiry: life === null || expiry === null ? undefined : { ...life, deadline: expiry.deadline },
      arms: arms.map(({ name, description, mountPoint, hourlyUsd, storage }, index) => ({
        name,
        description,
        fileSystemId: storage.resourceId,
        mountPoint,
        configuration: (configuration.arms[index] as ArmDefinition).storage,
        hourlyUsd,
      })),
    });
  }

  /** The benchmark's single zone, overridden because CDK would look up its list in the account at synth. */
  override get availabilityZones(): string[] {
    return [this.zone];
  }

  /** Makes the dashboard in CloudWatch, and returns its name. */
  private dashboard(shown: ShownBenchmark): string {
    const dashboard = new cloudwatch.Dashboard(new Construct(this, 'Dashboard'), 'Dashboard', {
      dashboardName: dashboardNameOf(this),
      ...toDashboard(benchmarkDashboard(shown)),
    });
    return (dashboard.node.defaultChild as cloudwatch.CfnDashboard).ref;
  }

  /** Publishes the deployment as a parameter, so that the stack's outputs stay readable. */
  private output(deployment: Deployment): void {
    // Once its ids are resolved: a token stands for up to 64 characters.
    const longest = JSON.stringify(deployment).replaceAll(/\$\{Token\[[^\]]*\]\}/g, 'x'.repeat(64));
    const parameter = new ssm.StringParameter(this, 'DeploymentParameter', {
      stringValue: this.toJsonString(deployment),
      // Many arms need more than a standard parameter holds; a larger one costs 0.05 USD per month (Systems Manager pricing).
      tier: longest.length > LIMITS.standardParameterBytes.most ? ssm.ParameterTier.ADVANCED : undefined,
      description: `What ${this.stackName} deployed, for the command line`,
    });
    new CfnOutput(this, DEPLOYMENT_OUTPUT, {
      value: parameter.parameterName,
      description: 'Parameter that says what was deployed',
    });
    new CfnOutput(this, 'HourlyUsd', {
      value: deployment.hourlyUsd === null ? 'unknown' : deployment.hourlyUsd.toFixed(2),
      description: 'List price of this stack an hour, in USD',
    });
  }

  /** Warns about legal but surprising configurations. */
  private addWarnings(configuration: BenchmarkConfiguration): void {
    const { fleet, network } = configuration;
    const { availabilityZone, vpcId } = network;
    const region = Token.isUnresolved(this.region) ? undefined : this.region;
    const lacking = zoneMayLack(fleet.instanceType, { region, availabilityZone });
    // With a VPC or a reservation the zone is known.
    const reserved = fleet.purchase.kind === 'capacity-reservation';
    if (lacking !== null && vpcId === undefined && !reserved) Annotations.of(this).addInfo(lacking);
    if (configuration.scale === 'published' && configuration.alarmEmail === undefined)
      Annotations.of(this).addInfo(
        "nobody is notified when an alarm goes off: set 'alarmEmail' (-c alarmEmail=you@example.com), or subscribe to the topic in the output AlarmTopic",
      );
    warn(this, quotaWarnings(configuration));
    const isolated = vpcId === undefined && network.egress === 'endpoints';
    warn(this, fleetDeploymentOf(fleet).warnings(fleet, { benchmark: this.stackName, isolated }));
    warn(this, armWarnings(configuration));
  }

  private network({ arms, network, logRetentionDays }: BenchmarkConfiguration): INetwork {
    const { availabilityZone, vpcId, subnetId, cidr, egress, flowLogs } = network;
    if (vpcId !== undefined && (Token.isUnresolved(this.account) || Token.isUnresolved(this.region)))
      throw new ConfigurationError([
        `'vpcId' must be looked up in an account, got "${vpcId}" without credentials. ` +
          'Configure them (aws configure), or leave it out for a VPC of its own.',
      ]);
    if (vpcId !== undefined) return existingNetwork(this, 'Vpc', { vpcId, subnetId, availabilityZone });
    return new Network(this, 'Network', {
      availabilityZone,
      cidr,
      egress,
      services: servicesFor(arms.map(({ storage }) => storage)),
      flowLogRetentionDays: flowLogs ? logRetentionDays : undefined,
    });
  }
}
