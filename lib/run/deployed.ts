import { BOUNDED } from '../common/aws/connection';
import { DEPLOYMENT_OUTPUT, type Deployment, deploymentSchema } from '../schema/deployment';
import { readText } from '../schema/document';
import { checkConfigurations } from '../storage/lookup';

/** True if an emulator on this computer replaces AWS. */
export function inLab(environment: NodeJS.ProcessEnv = process.env): boolean {
  const endpoint = environment.AWS_ENDPOINT_URL;
  return endpoint !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(endpoint).hostname);
}

/** A stack, and the reader of its outputs. @throws if there is no such stack, with the next step */
async function stackNamed(name: string, advice: string) {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const { Stacks: [stack] = [] } = await new CloudFormationClient(BOUNDED)
    .send(new DescribeStacksCommand({ StackName: name }))
    .catch((error: Error) => {
      if (!/does not exist/.test(error.message)) throw error;
      throw new Error(`there is no stack ${name} in this account and Region: ${advice}`);
    });
  return { stack, output: (key: string) => stack?.Outputs?.find((one) => one.OutputKey === key)?.OutputValue };
}

export async function parameterNamed(Name: string): Promise<string | undefined> {
  const { SSMClient, GetParameterCommand } = await import('@aws-sdk/client-ssm');
  return (await new SSMClient(BOUNDED).send(new GetParameterCommand({ Name }))).Parameter?.Value;
}

export type DeployedStack = Awaited<ReturnType<typeof findDeployment>>;

/** Reads the deployment document of a benchmark's stack. @throws if the stack does not exist or is not ready, with the command that deploys it */
export async function findDeployment(benchmark: string) {
  const { stack, output } = await stackNamed(benchmark, `deploy it with npx cdk deploy ${benchmark}`);
  const parameter = output(DEPLOYMENT_OUTPUT);
  if (!stack?.StackId || !parameter)
    throw new Error(
      `the stack ${benchmark} is ${stack?.StackStatus ?? 'unknown'} and has no output ${DEPLOYMENT_OUTPUT}: wait until it is deployed, or deploy it again`,
    );
  const value = await parameterNamed(parameter);
  if (!value) throw new Error(`the parameter ${parameter} of the stack ${benchmark} is empty: deploy it again`);
  const [, , , region = '', account = ''] = stack.StackId.split(':');
  return {
    name: stack.StackName ?? benchmark,
    id: stack.StackId,
    region,
    account,
    status: stack.StackStatus ?? 'unknown',
    /** Milliseconds since 1970. */
    createdAt: stack.CreationTime?.getTime() ?? Date.now(),
    deployment: deploymentIn(value, benchmark),
  };
}

function deploymentIn(value: string, benchmark: string): Deployment {
  try {
    return readText(deploymentSchema.superRefine(checkConfigurations), value);
  } catch (error) {
    throw new Error(
      `the deployment parameter of the stack ${benchmark} cannot be read (${(error as Error).message}): deploy it again with npx cdk deploy ${benchmark}`,
    );
  }
}

export async function findResultsBucket(): Promise<string> {
  const { output } = await stackNamed('BenchResults', 'create the results bucket with npx cdk deploy BenchResults');
  const bucket = output('BucketName');
  if (!bucket) throw new Error('the stack BenchResults has no output BucketName: deploy it again');
  return bucket;
}
