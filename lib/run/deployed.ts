import { fleetCost } from '../cost/deployment';
import type { FleetKind } from '../fleet/fleet';
import { fleetOf } from '../fleet/registry';
import { BOUNDED } from '../kit/aws/bounded';
import type { ClientConfig } from '../schema/client';
import { ALARM_TOPIC_OUTPUT, DEPLOYMENT_OUTPUT, type Deployment, deploymentSchema } from '../schema/deployment';
import { readText } from '../schema/document';
import { METRICS_PERIOD } from '../schema/metrics';
import type { Plan } from '../schema/plan';
import type { DeployedArm, Described, Manifest } from '../schema/run';
import { checkConfigurations } from '../storage/configurations';
import { storageOf, storageOrNone } from '../storage/lookup';

/** True if an emulator on this machine replaces AWS. */
export function inLab(environment: NodeJS.ProcessEnv = process.env): boolean {
  const endpoint = environment.AWS_ENDPOINT_URL;
  return endpoint !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(endpoint).hostname);
}

/** A deployed stack of a benchmark. */
export interface DeployedStack {
  readonly name: string;
  readonly id: string;
  readonly region: string;
  readonly account: string;
  /** CloudFormation's. */
  readonly status: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly deployment: Deployment;
  /** ARN of the topic that gets its alarms. @default - the stack has no such output */
  readonly alarmTopic?: string;
}

/** @throws if there is no such stack, with the next step */
async function stackNamed(name: string, advice: string) {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const answer = await new CloudFormationClient(BOUNDED)
    .send(new DescribeStacksCommand({ StackName: name }))
    .catch((error: Error) => {
      if (!/does not exist/.test(error.message)) throw error;
      throw new Error(`there is no stack ${name} in this account and Region: ${advice}`);
    });
  return answer.Stacks?.[0];
}

/** The value of a parameter of Systems Manager. */
export async function parameterNamed(Name: string): Promise<string | undefined> {
  const { SSMClient, GetParameterCommand } = await import('@aws-sdk/client-ssm');
  return (await new SSMClient(BOUNDED).send(new GetParameterCommand({ Name }))).Parameter?.Value;
}

/**
 * Reads the deployment document of a benchmark's stack.
 *
 * @throws if the stack does not exist or is not ready, with the command that deploys it
 */
export async function findDeployment(benchmark: string): Promise<DeployedStack> {
  const stack = await stackNamed(benchmark, `deploy it with npx cdk deploy ${benchmark}`);
  const output = (key: string) => stack?.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
  const parameter = output(DEPLOYMENT_OUTPUT);
  if (!stack?.StackId || !parameter) {
    throw new Error(
      `the stack ${benchmark} is ${stack?.StackStatus ?? 'unknown'} and has no output ${DEPLOYMENT_OUTPUT}: wait until it is deployed, or deploy it again`,
    );
  }
  const value = await parameterNamed(parameter);
  if (!value) throw new Error(`the parameter ${parameter} of the stack ${benchmark} is empty: deploy it again`);
  const [, , , region = '', account = ''] = stack.StackId.split(':');
  const alarmTopic = output(ALARM_TOPIC_OUTPUT);
  return {
    name: stack.StackName ?? benchmark,
    id: stack.StackId,
    region,
    account,
    status: stack.StackStatus ?? 'unknown',
    createdAt: stack.CreationTime?.getTime() ?? Date.now(),
    deployment: deploymentIn(value, benchmark),
    alarmTopic,
  };
}

/** @throws if the stack was deployed by an incompatible version, or its parameter was modified */
function deploymentIn(value: string, benchmark: string): Deployment {
  try {
    return readText(deploymentSchema.superRefine(checkConfigurations), value);
  } catch (error) {
    throw new Error(
      `the deployment parameter of the stack ${benchmark} cannot be read (${(error as Error).message}): deploy it again with npx cdk deploy ${benchmark}`,
    );
  }
}

/** The name of the results bucket, from the stack that outlives the benchmarks. */
export async function findResultsBucket(): Promise<string> {
  const stack = await stackNamed('BenchResults', 'create the results bucket with npx cdk deploy BenchResults');
  const bucket = stack?.Outputs?.find((output) => output.OutputKey === 'BucketName')?.OutputValue;
  if (!bucket) throw new Error('the stack BenchResults has no output BucketName: deploy it again');
  return bucket;
}

/** The kind of a deployed fleet. */
export function fleetOfDeployment({ fleet }: Pick<Deployment, 'fleet'>): FleetKind {
  return fleetOf({ kind: fleet });
}

type DeploymentArms = Pick<Deployment, 'arms'>['arms'];

/** The services' unmodified descriptions of the arms' file systems; `null` for one that does not exist. */
export async function describeArms(arms: DeploymentArms): Promise<Map<string, Described | null>> {
  const kinds = [...new Set(arms.map(({ configuration }) => storageOf(configuration)))];
  const answers = kinds.map(async (kind) => {
    const own = arms.filter(({ configuration }) => storageOf(configuration) === kind);
    const ids = own.map(({ fileSystemId }) => fileSystemId);
    const known = await kind.account.describeAll?.(ids);
    return ids.map((id) => [id, known?.get(id) ?? null] as const);
  });
  return new Map((await Promise.all(answers)).flat());
}

/** Includes the service's own choices, such as the maintenance window. */
export function withDescriptions(deployment: Deployment, described: ReadonlyMap<string, Described | null>): Deployment {
  return {
    ...deployment,
    arms: deployment.arms.map((arm) => {
      const { configuration } = arm;
      const answer = described.get(arm.fileSystemId) ?? null;
      return {
        ...arm,
        configuration: storageOf(configuration).documented.maintenance?.chosen(configuration, answer) ?? configuration,
      };
    }),
  };
}

/**
 * The manifest of a run on a deployment, read through the services' own APIs.
 *
 * @param client of the lab, where that stands in for the deployment
 */
export async function deployedManifest(
  run: string,
  stack: DeployedStack,
  plan: Plan,
  client: ClientConfig | null,
): Promise<Manifest> {
  const { deployment } = stack;
  const planned = new Set(plan.arms.map(({ name }) => name));
  const worked = deployment.arms.filter(({ name }) => planned.has(name));
  const described = await describeArms(worked);
  const arms = worked.map(({ name, description, fileSystemId, configuration, hourlyUsd }): DeployedArm => {
    const { actually = null, model, servers } = client?.arms[name] ?? {};
    return {
      name,
      description,
      kind: storageOf(configuration).kind,
      fileSystemId,
      describe: described.get(fileSystemId) ?? null,
      hourlyUsd,
      hourlyReason: hourlyUsd === null ? 'one of its prices is unknown' : undefined,
      actually,
      model,
      serverCpu: servers?.cpu,
    };
  });
  const clients = fleetCost(deployment.instanceType, deployment.clients);
  return {
    schema: 'fsxbench.manifest/1',
    run,
    benchmark: deployment.benchmark,
    lab: client !== null,
    stack: { name: stack.name, id: stack.id, hourlyUsd: deployment.hourlyUsd, priceBasis: deployment.priceBasis },
    region: stack.region,
    account: stack.account,
    arms,
    fleet: {
      kind: deployment.fleet,
      autoScalingGroup: deployment.autoScalingGroup,
      instanceType: deployment.instanceType,
      ...(await fleetOfDeployment(deployment).find(deployment)),
      hourlyUsd: clients.hourlyUsd,
      hourlyReason: clients.reason,
    },
    bucket: deployment.bucket,
    document: deployment.document,
    dashboard: deployment.dashboard,
    metricsPeriodSeconds: METRICS_PERIOD[client === null ? 'aws' : 'lab'],
    tools: client?.tools ?? {},
    notices: client === null ? [] : [...labNotices(arms), ...(client.notices ?? [])],
  };
}

/** Notices for readers of a lab run: whose rates these are not. */
export function labNotices(arms: readonly Pick<DeployedArm, 'kind' | 'model'>[]): readonly string[] {
  const labels = new Set(arms.map(({ kind }) => storageOrNone(kind)?.label ?? kind));
  const none = `is a property of ${[...labels].join(' or ')}, and nothing in it cost money.`;
  const scales = [...new Set(arms.flatMap(({ model }) => model?.scale ?? []))];
  if (scales.length === 0)
    return [
      'This run took place in the lab: an emulator answered for AWS, and the work was done on local file systems of one machine.',
      `No rate, ratio or time in it ${none}`,
    ];
  const links = arms.some(({ model }) => model?.held.some(({ name }) => name.startsWith('network_')));
  return [
    `This run took place in the lab, in a scale model of 1:${scales.join(', 1:')}: an emulator answered for AWS, and the kernel held each arm's ${links ? 'disk and network' : 'disks'} at AWS's documented figures divided by that scale. Data were really compressed, sent and written.`,
    `What it shows are laws, such as how throughput follows compression; no rate in it ${none}`,
  ];
}
