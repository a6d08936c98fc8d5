import { Annotations, Aws, CfnOutput, RemovalPolicy, Stack, type StackProps, Token, Validations } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import type { ArmDefinition } from '../benchmark/benchmark';
import { LIMITS } from '../common/aws/services';
import { ConfigurationError } from '../common/configurationError';
import type { BenchmarkConfiguration } from '../config/benchmark';
import { zoneMayLack } from '../config/offered';
import { warn } from '../constructs/common';
import { alarmTopic, dashboardNameOf, outputDashboard } from '../constructs/dashboard/operations';
import { toDashboard } from '../constructs/dashboard/render';
import type { FleetConstruct, INetwork } from '../constructs/fleet/construct';
import { fleetDeploymentOf } from '../constructs/fleet/registry';
import { guard, ownedBy, tagAll } from '../constructs/guards';
import type { StorageConstruct } from '../constructs/storage/construct';
import { deploymentNamed } from '../constructs/storage/registry';
import type { FleetConfiguration } from '../fleet/configuration';
import { benchmarkDashboard, type ShownBenchmark } from '../observe/benchmarkDashboard';
import type { PriceBook } from '../price/prices';
import { ALARM_TOPIC_OUTPUT, DEPLOYMENT_OUTPUT, type Deployment } from '../schema/deployment';
import type { ModelLimits } from '../schema/model';
import { servicesFor } from '../storage/lookup';
import { STACK_TAG } from '../storage/search';
import { armWarnings, deployArms } from './arms';
import { describeBill, notifyOfBill } from './expiry/budget';
import { Expiry } from './expiry/expiry';
import { existingNetwork, firstAvailabilityZone, LOG_RETENTION, Network } from './network/network';
import { lifeOf, priceOfStack } from './price';
import { quotaWarnings } from './quotas';
import { type IdleFleetProps, idleFleet, type StalledRunProps, stalledRun } from './runAlarms';

/** Patterns for the parameters of the document: anchored, and without a character that a shell would act on. */
export const ALLOWED_PATTERNS = {
  Benchmark: '^[A-Za-z][A-Za-z0-9]{0,63}$',
  RunId: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$',
  // Bucket naming rules (S3 docs).
  Bucket: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
  Sums: '^[0-9a-f]{64} [0-9a-f]{64} [0-9a-f]{64}$',
} as const;

/** Makes the SSM document that starts a run on the leader and returns once the driver runs: SSM allows 48 hours and 24,000 characters of output. */
function runDocument(scope: Construct): ssm.CfnDocument {
  const parameter = (allowedPattern: string, description: string) => ({ type: 'String', allowedPattern, description });
  return new ssm.CfnDocument(new Construct(scope, 'RunDocument'), 'Document', {
    documentType: 'Command',
    documentFormat: 'JSON',
    // Updated in place: running command lines use the name, which a replacement would change.
    updateMethod: 'NewVersion',
    content: {
      schemaVersion: '2.2',
      description: 'Starts the driver of a run on the leader and returns at once',
      parameters: {
        Benchmark: parameter(ALLOWED_PATTERNS.Benchmark, 'Name of the benchmark'),
        RunId: parameter(ALLOWED_PATTERNS.RunId, 'Id of the run, whose plan is in the bucket'),
        Bucket: parameter(ALLOWED_PATTERNS.Bucket, 'Results bucket'),
        Sums: parameter(ALLOWED_PATTERNS.Sums, 'SHA-256 of plan, manifest and driver, which clients may write'),
      },
      mainSteps: [
        {
          action: 'aws:runShellScript',
          name: 'startRun',
          precondition: { StringEquals: ['platformType', 'Linux'] },
          inputs: {
            timeoutSeconds: '300',
            runCommand: [
              // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell of the leader expands it
              '"${FSXBENCH_HOME:-/opt/fsxbench}/bin/start-run" "{{ Benchmark }}" "{{ RunId }}" "{{ Bucket }}" "{{ Sums }}"',
            ],
          },
        },
      ],
    },
  });
}

/** Lets clients read what a plan fetches for the user's program. @throws ConfigurationError if the rights cannot be granted */
function allowInputs({ inputs, fleet }: BenchmarkConfiguration, { role }: FleetConstruct): void {
  if (inputs.length === 0) return;
  if (role === null)
    throw new ConfigurationError([
      `'inputs' cannot be combined with fleet ${fleet.kind}, whose roles are made outside this stack, got ${inputs.join(', ')}. ` +
        "Leave it out, or set 'fleet' to ec2.",
    ]);
  const resources = inputs.map((input) => {
    const [bucket, ...prefix] = input.slice('s3://'.length).split('/');
    return `arn:${Aws.PARTITION}:s3:::${bucket}/${prefix.join('/')}*`;
  });
  role.addToPrincipalPolicy(new iam.PolicyStatement({ sid: 'Inputs', actions: ['s3:GetObject'], resources }));
  for (const resource of resources)
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${resource.replace(Aws.PARTITION, '<AWS::Partition>')}]`,
      reason: 'The user names the prefix whose objects are the inputs of a pipeline.',
    });
}

/** Grants clients the rights to mount a storage, if it needs any. @throws ConfigurationError if the fleet cannot be granted rights */
function grantStorage(storage: StorageConstruct, arm: string, { kind }: FleetConfiguration, { role }: FleetConstruct) {
  if (storage.grantClients === undefined) return;
  if (role === null)
    throw new ConfigurationError([
      `'fleet' must be one whose roles this stack makes with arm ${arm}, which clients need rights to mount, got ${kind}. ` +
        "Set it to ec2, or leave the arm out with 'arms'.",
    ]);
  storage.grantClients(role);
}

interface BenchmarkAlarmsProps extends IdleFleetProps, StalledRunProps {
  /** Address for every alarm, once confirmed, or ARN of an existing topic. @default - none; others can subscribe to the topic */
  readonly email?: string;
}

/** Alarms: an arm is full or at its limit, a run is stalled, or an idle fleet costs money. */
function benchmarkAlarms(stack: Stack, props: BenchmarkAlarmsProps) {
  const scope = new Construct(stack, 'Alarms');
  const { stackName, arms, email, about } = props;
  const topic = alarmTopic(scope, email);
  const idle = idleFleet(scope, props);
  /** Alarms that notify. Components of composite alarms are excluded, since most of them are normally in alarm. */
  const alarms: readonly cloudwatch.AlarmBase[] = [
    ...arms.flatMap((arm) => {
      const words = {
        name: arm.name,
        subject: `arm ${arm.name}`,
        saturated: 'during a run this is what its throughput measures, otherwise somebody else uses it.',
        first: 'see on the dashboard if a run is active. If none is, find the client whose network is busy.',
      };
      return deploymentNamed(arm.configuration.kind).alarms(scope, arm, words, about);
    }),
    stalledRun(scope, { stackName, arms, about }),
    idle.alarm,
  ];
  for (const alarm of alarms) alarm.addAlarmAction(new SnsAction(topic));
  return { topic, alarms, idleFleet: idle };
}

export interface BenchmarkStackProps extends StackProps {
  readonly configuration: BenchmarkConfiguration;
  /** The bucket of `BenchResults`, by a cross-stack reference: this stack can be deleted and its results stay. */
  readonly results: s3.IBucket;
  /** Prices for the announced hourly cost. @default the built-in prices */
  readonly book?: PriceBook;
  /** Limits of the lab's scale models, which its dashboard and alarms compare with. @default - the documented ones */
  readonly models?: ModelLimits;
  /** Owner of the stack if the configuration names none. @default - anybody may update the stack */
  readonly user?: string;
}

/** A complete benchmark: network, arms, clients, the document that starts a run, dashboard and alarms. Deleted, it leaves only expiring logs. */
export class BenchmarkStack extends Stack {
  private readonly zone: string;

  constructor(scope: Construct, id: string, props: BenchmarkStackProps) {
    const { configuration, results, book, models, user, ...stackProps } = props;
    super(scope, id, { description: configuration.definition.question, ...stackProps });
    this.zone = configuration.network.availabilityZone ?? firstAvailabilityZone();
    const { fleet, scale } = configuration;

    const price = priceOfStack(configuration, this.region, book);
    Annotations.of(this).addInfo(price.announcement);
    const { maxCostUsd } = configuration;
    const costTag = { key: STACK_TAG, value: this.stackName };
    // Tags of an account cost nothing, but each one has to be activated: without a budget nobody needs this one.
    const tags =
      maxCostUsd === undefined ? configuration.tags : { ...configuration.tags, [costTag.key]: costTag.value };
    if (maxCostUsd !== undefined) Annotations.of(this).addInfo(describeBill(maxCostUsd, costTag));
    this.addWarnings(configuration);
    const life = lifeOf(configuration, price);
    const network = this.network(configuration);
    const logGroup = new logs.LogGroup(this, 'Logs', {
      // The logs show why a boot failed after CloudFormation has rolled back: no policy keeps a resource in that case and deletes it with its
      // stack. An empty, expired log group costs next to nothing (docs/decisions/log-group-stays.md).
      removalPolicy: RemovalPolicy.RETAIN,
      retention: LOG_RETENTION,
    });
    const { kmsKeyArn } = configuration.guards;
    const kmsKey = kmsKeyArn === undefined ? undefined : kms.Key.fromKeyArn(this, 'Key', kmsKeyArn);
    const arms = deployArms(this, configuration, { network, logGroup, price, models, kmsKey });
    const clients = fleetDeploymentOf(fleet).deploy(this, {
      configuration: fleet,
      network,
      benchmark: configuration.definition.name,
      results,
      logGroup,
      tags,
      mounts: arms.map(({ name, configuration: { kind }, mountPoint, storage }) => ({
        ...{ name, kind, mountPoint },
        ...storage.mountValues(),
      })),
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
    tagAll(this, tags);
    const owner = configuration.owner ?? user;
    if (owner !== undefined) ownedBy(this, owner);
    const { metricDimensions, inService } = clients;
    const { question, about } = configuration.definition;
    const seen = { stackName: this.stackName, about, arms, hourlyUsd: price.hourlyUsd };
    const { alarms, topic, idleFleet } = benchmarkAlarms(this, { ...seen, inService, email: configuration.alarmEmail });
    if (maxCostUsd !== undefined) notifyOfBill(this, { usd: maxCostUsd, tag: costTag, topic });
    const expiry =
      life === null
        ? null
        : new Expiry(this, 'Expiry', {
            ...life,
            runs: { results, fleet: idleFleet, leaders: clients.leaders },
            topic,
            topicKey: kmsKeyArn,
          });
    const dashboardName = this.dashboard({
      ...seen,
      metricDimensions,
      question,
      fleetDescription: `${fleet.clients} × ${fleet.instanceType}`,
      alarms: [...alarms, ...(expiry?.alarms ?? [])].map(({ alarmArn }) => alarmArn),
    });
    const document = runDocument(this);
    expiry?.guard(...(network instanceof Network ? [network] : []), ...arms.map(({ storage }) => storage), clients);
    outputDashboard(this, dashboardName);
    new CfnOutput(this, ALARM_TOPIC_OUTPUT, { value: topic.topicArn, description: 'Topic that gets every alarm' });

    this.output({
      schema: 'fsxbench.deployment/1',
      benchmark: configuration.definition.name,
      scale,
      bucket: results.bucketName,
      document: document.ref,
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

  private dashboard(shown: ShownBenchmark): string {
    const dashboard = new cloudwatch.Dashboard(new Construct(this, 'Dashboard'), 'Dashboard', {
      dashboardName: dashboardNameOf(this),
      ...toDashboard(benchmarkDashboard(shown)),
    });
    return (dashboard.node.defaultChild as cloudwatch.CfnDashboard).ref;
  }

  /** Publishes the deployment as a parameter, which keeps the stack's outputs readable. */
  private output(deployment: Deployment): void {
    // Once its ids are resolved: a token stands for up to 64 characters.
    const longest = JSON.stringify(deployment).replaceAll(/\$\{Token\[[^\]]*\]\}/g, 'x'.repeat(64));
    const parameter = new ssm.StringParameter(this, 'DeploymentParameter', {
      stringValue: this.toJsonString(deployment),
      // Many arms need more than a standard parameter holds; a larger one costs 0.05 USD per month (Systems Manager pricing).
      tier: longest.length > LIMITS.standardParameterBytes.max ? ssm.ParameterTier.ADVANCED : undefined,
      description: `What ${this.stackName} deployed, for the command line`,
    });
    new CfnOutput(this, DEPLOYMENT_OUTPUT, {
      value: parameter.parameterName,
      description: 'Parameter that says what was deployed',
    });
    new CfnOutput(this, 'HourlyUsd', {
      value: deployment.hourlyUsd === null ? 'unknown' : deployment.hourlyUsd.toFixed(2),
      description: 'List price of this stack in USD per hour',
    });
  }

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
    // Of a VPC that is brought along, 'egress' cannot be set.
    const isolated = network.egress === 'endpoints';
    warn(this, fleetDeploymentOf(fleet).warnings(fleet, { benchmark: this.stackName, isolated }));
    warn(this, armWarnings(configuration));
  }

  private network({ arms, network }: BenchmarkConfiguration): INetwork {
    const { availabilityZone, vpcId, subnetId, egress, flowLogs } = network;
    if (vpcId !== undefined && (Token.isUnresolved(this.account) || Token.isUnresolved(this.region)))
      throw new ConfigurationError([
        `'vpcId' must be looked up in an account, got "${vpcId}" without credentials. ` +
          'Configure them (aws configure), or leave it out for a new VPC.',
      ]);
    if (vpcId !== undefined) return existingNetwork(this, 'Vpc', { vpcId, subnetId, availabilityZone });
    return new Network(this, 'Network', {
      availabilityZone,
      egress,
      services: servicesFor(arms.map(({ storage }) => storage)),
      flowLogs,
    });
  }
}
