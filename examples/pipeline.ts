// A pipeline (CDK Pipelines) that deploys the same file system to two accounts, the second one after an approval. docs/platform-teams.md has the steps.
//
//   npx cdk deploy --app "npx tsx pipeline.ts" Pipeline -c repository=OWNER/NAME -c connection=ARN
import { App, Duration, type Environment, RemovalPolicy, Stack, Stage } from 'aws-cdk-lib';
import { SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { CodePipeline, CodePipelineSource, ManualApprovalStep, ShellStep } from 'aws-cdk-lib/pipelines';
import { ExpiringStack, LustreAlarms, LustreFileSystem } from 'fsxbench/constructs';

const app = new App();
const given = (name: string): string => {
  const value: unknown = app.node.tryGetContext(name);
  if (typeof value !== 'string') throw new Error(`name the ${name}: -c ${name}=…, got none`);
  return value;
};

/** One environment: the file system and its alarms, which a trial deletes after eight hours. */
class Files extends Stage {
  constructor(id: string, env: Environment, isTrial: boolean) {
    super(app, id, { env });
    const stack = isTrial
      ? new ExpiringStack(this, 'Files', { expiresAfter: Duration.hours(8) })
      : new Stack(this, 'Files');
    const vpc = new Vpc(stack, 'Vpc', { maxAzs: 1 });
    const [subnet] = vpc.selectSubnets({ subnetType: SubnetType.PRIVATE_WITH_EGRESS }).subnets;
    if (subnet === undefined) throw new Error('the VPC must have a private subnet, found none');
    const fileSystem = new LustreFileSystem(stack, 'Projects', {
      vpc,
      subnet,
      configuration: { deploymentType: 'PERSISTENT_2', storageCapacityGiB: 2400, perUnitStorageThroughput: 250 },
      removalPolicy: isTrial ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    new LustreAlarms(stack, 'Alarms', { fileSystem, name: `${id} projects` });
  }
}

const stack = new Stack(app, 'Pipeline', { env: { account: '111111111111', region: 'us-east-1' } });
const input = CodePipelineSource.connection(given('repository'), 'main', { connectionArn: given('connection') });
const pipeline = new CodePipeline(stack, 'Pipeline', {
  crossAccountKeys: true,
  // The repository of the application has fsxbench-1.0.0.tgz, which its package.json names.
  synth: new ShellStep('Synth', { input, commands: ['npm ci', 'npx cdk synth --app "npx tsx pipeline.ts"'] }),
});
pipeline.addStage(new Files('Trial', { account: '222222222222', region: 'us-east-1' }, true));
pipeline.addStage(new Files('Production', { account: '333333333333', region: 'us-east-1' }, false), {
  pre: [new ManualApprovalStep('Approve')],
});
