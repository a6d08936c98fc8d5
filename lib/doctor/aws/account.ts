import type { Account, Services } from '../../common/aws/account';
import { BOUNDED } from '../../common/aws/connection';
import { credentialFault } from '../../common/aws/explain';
import { camelCase } from '../../common/format/text';
import { type AccountFinding, ok, reasonOf, wrong } from './check';

/** True for calls that change nothing: reads, and the dry run. */
export function isReadOnly(call: string, input: unknown): boolean {
  if (/^[a-z0-9]+:(Describe|Get|List)[A-Z]/.test(call)) return true;
  return call === 'ec2:RunInstances' && (input as { readonly DryRun?: unknown }).DryRun === true;
}

/** The packages of the SDK, each loaded on the first call to its service. */
const CLIENTS: Readonly<Record<keyof Services, () => Promise<object>>> = {
  sts: async () => new (await import('@aws-sdk/client-sts')).STS(BOUNDED),
  ec2: async () => new (await import('@aws-sdk/client-ec2')).EC2(BOUNDED),
  servicequotas: async () => new (await import('@aws-sdk/client-service-quotas')).ServiceQuotas(BOUNDED),
  fsx: async () => new (await import('@aws-sdk/client-fsx')).FSx(BOUNDED),
  kms: async () => new (await import('@aws-sdk/client-kms')).KMS(BOUNDED),
  ssm: async () => new (await import('@aws-sdk/client-ssm')).SSM(BOUNDED),
  elasticfilesystem: async () => new (await import('@aws-sdk/client-efs')).EFS(BOUNDED),
  logs: async () => new (await import('@aws-sdk/client-cloudwatch-logs')).CloudWatchLogs(BOUNDED),
  cloudwatch: async () => new (await import('@aws-sdk/client-cloudwatch')).CloudWatch(BOUNDED),
  route53: async () => new (await import('@aws-sdk/client-route-53')).Route53(BOUNDED),
  // With a path, as the emulator's address has no names below it.
  s3: async () => new (await import('@aws-sdk/client-s3')).S3({ ...BOUNDED, forcePathStyle: true }),
  states: async () => new (await import('@aws-sdk/client-sfn')).SFN(BOUNDED),
  cloudformation: async () => new (await import('@aws-sdk/client-cloudformation')).CloudFormation(BOUNDED),
};

/** The account and the Region of the environment, as the SDK finds them. */
export async function environmentsAccount(): Promise<Account> {
  const clients = new Map<string, Promise<object>>();
  return {
    region: await regionOfEnvironment(),
    ask: async (call, input) => {
      if (!isReadOnly(call, input)) throw new Error(`doctor is read-only: refusing to call ${call}`);
      const [service, operation = ''] = call.split(':') as [keyof Services, string];
      const client = clients.get(service) ?? CLIENTS[service]();
      clients.set(service, client);
      const methods = (await client) as Record<string, (input: unknown) => Promise<never>>;
      const method = methods[camelCase(operation)];
      if (method === undefined) throw new TypeError(`the SDK has no method for ${call}`);
      return method.call(methods, input);
    },
  };
}

async function regionOfEnvironment(): Promise<string | null> {
  const { STS } = await import('@aws-sdk/client-sts');
  try {
    return await new STS({}).config.region();
  } catch {
    return null;
  }
}

const NAME = 'AWS credentials';

/** Next steps where the caller or the Region is not known, in a line. */
export const unidentified = (findings: readonly AccountFinding[]): string =>
  findings
    .filter(({ state }) => state !== 'ok')
    .map(({ name, found, advice, command }) => `${name}: ${found}: ${advice}${command === null ? '' : ` (${command})`}`)
    .join('; ');

/** The caller and the Region, without which no other check can be made. */
export async function identity(account: Account) {
  const { region } = account;
  if (region === null) {
    const advice = 'choose the Region of the deployment';
    const finding = wrong('AWS Region', 'missing', 'none', advice, 'export AWS_REGION=us-east-1');
    return { accountId: null, findings: [finding] };
  }
  const inRegion = ok('AWS Region', region);
  try {
    const { Account: accountId = '', Arn = 'somebody' } = await account.ask('sts:GetCallerIdentity', {});
    return { accountId, findings: [ok(NAME, Arn), inRegion] };
  } catch (error) {
    const missing = credentialFault(error);
    const finding =
      missing === null
        ? wrong(NAME, 'unknown', reasonOf(error), 'nothing else can be asked before AWS says who asks')
        : wrong(NAME, 'missing', missing.fault, missing.advice, missing.command);
    return { accountId: null, findings: [finding, inRegion] };
  }
}
