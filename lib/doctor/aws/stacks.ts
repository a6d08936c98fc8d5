import type { Stack } from '@aws-sdk/client-cloudformation';
import { BENCHMARKS } from '../../benchmark/registry';
import { lustreLines, sumOf } from '../../cost/cost';
import { describeLustre } from '../../storage/lustre/documented';
import { stateOf } from '../../storage/lustre/scale/fileSystem';
import { askAll, tagOf } from './account';
import { type AccountFinding, ok, type Subject, wrong } from './check';
import { type Existing, STACK_NAME_TAG } from './quotas';

/** Versions of the bootstrap that CDK's synthesizer asks for: to deploy, and to look a VPC up (aws-cdk-lib, DefaultStackSynthesizer). */
export const BOOTSTRAP_VERSIONS = { deploy: 6, lookUp: 8 } as const;

/** Has `cdk bootstrap` been run here, by a version that is new enough? */
export async function bootstrap(subject: Subject): Promise<AccountFinding[]> {
  const { account, accountId, region, qualifier, configuration } = subject;
  const NAME = 'CDK bootstrap';
  const needed = configuration.network.vpcId === undefined ? BOOTSTRAP_VERSIONS.deploy : BOOTSTRAP_VERSIONS.lookUp;
  const command = `npx cdk bootstrap aws://${accountId}/${region}`;
  const parameter = `/cdk-bootstrap/${qualifier}/version`;
  const { Parameter } = await account.ask('ssm:GetParameter', { Name: parameter }).catch((error: Error) => {
    if (error.name === 'ParameterNotFound') return { Parameter: undefined };
    throw error;
  });
  const version = Number(Parameter?.Value ?? Number.NaN);
  if (version >= needed) return [ok(NAME, `version ${version}`)];
  const found = Number.isNaN(version) ? `not done in ${region}: ${parameter} is not there` : `version ${version}`;
  return [wrong(NAME, 'missing', found, `bootstrap this account and Region, version ${needed} or later`, command)];
}

/** What the AWS CLI waits for, by how a state begins (`aws cloudformation wait help`). */
const WAITERS = { CREATE: 'create', DELETE: 'delete', ROLLBACK: 'rollback', UPDATE_ROLLBACK: 'rollback' } as const;

/** A stack; `undefined` where there is none of that name. */
async function stackNamed({ account }: Subject, name: string): Promise<Stack | undefined> {
  const { Stacks = [] } = await account
    .ask('cloudformation:DescribeStacks', { StackName: name })
    .catch((error: Error) => {
      if (/does not exist/.test(error.message)) return { Stacks: [] };
      throw error;
    });
  return Stacks.find(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE');
}

/** Is a stack of the name in a state from which it can be deployed? */
export async function stack(subject: Subject, name: string): Promise<AccountFinding[]> {
  const NAME = `stack ${name}`;
  const { StackStatus: status } = (await stackNamed(subject, name)) ?? {};
  if (status === undefined) return [ok(NAME, 'not there yet')];
  // CDK takes these away itself before it deploys; REVIEW_IN_PROGRESS is a change set that nobody executed.
  if (/^(CREATE_FAILED|ROLLBACK_COMPLETE|REVIEW_IN_PROGRESS)$/.test(status)) {
    return [ok(NAME, `${status}: the deployment begins anew`)];
  }
  if (/_IN_PROGRESS$/.test(status)) {
    const [, waited = 'update'] = Object.entries(WAITERS).find(([prefix]) => status.startsWith(prefix)) ?? [];
    const command = `aws cloudformation wait stack-${waited}-complete --stack-name ${name}`;
    return [wrong(NAME, 'missing', status, 'somebody is at it: wait until it is done', command)];
  }
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    const command = `aws cloudformation continue-update-rollback --stack-name ${name}`;
    return [wrong(NAME, 'missing', status, 'finish the roll-back first', command)];
  }
  if (/FAILED$/.test(status)) {
    const command = `aws cloudformation delete-stack --stack-name ${name}`;
    return [wrong(NAME, 'missing', status, 'take away what is left of it', command)];
  }
  return [ok(NAME, `${status}: the deployment updates it`)];
}

/** The file systems of FSx for Lustre in the account and Region, whoever made them. */
export async function existingFileSystems(subject: Subject): Promise<Existing[]> {
  const all = await askAll(subject.account, 'fsx:DescribeFileSystems', {}, (page) => page.FileSystems);
  const found = all.filter(({ LustreConfiguration, Lifecycle }) => LustreConfiguration && Lifecycle !== 'DELETING');
  const names = BENCHMARKS.map(({ name }) => name);
  const standing = new Set<string>();
  for (const name of new Set(found.map((one) => tagOf(one, STACK_NAME_TAG) ?? ''))) {
    if (names.includes(name) && (await stackNamed(subject, name)) !== undefined) standing.add(name);
  }
  return found.map((one) => {
    const stack = tagOf(one, STACK_NAME_TAG);
    const { fileSystemId: id, configuration } = stateOf(one);
    return { id, configuration, stack, standing: stack !== undefined && standing.has(stack) };
  });
}

/** What of earlier deployments is still there, and what it costs. */
export function leftovers({ region, book }: Subject, existing: readonly Existing[]): AccountFinding[] {
  const NAME = 'left over';
  const names = BENCHMARKS.map(({ name }) => name);
  const own = existing.filter(({ stack: name = '' }) => names.includes(name));
  if (own.length === 0) return [ok(NAME, 'no file system of an earlier run')];
  return own.map(({ id, configuration, stack: name = '', standing }) => {
    const { hourlyUsd } = sumOf(lustreLines(configuration, region, { book }));
    const price = hourlyUsd === null ? 'at a price that is not known here' : `${hourlyUsd.toFixed(2)} USD/h`;
    const found = `${id} of ${name}, ${describeLustre(configuration)}: ${price}`;
    return standing
      ? wrong(NAME, 'limited', found, 'if nobody needs it, take its stack away', `npx cdk destroy ${name}`)
      : wrong(
          NAME,
          'limited',
          `${found}; its stack is gone`,
          'if nobody needs its data, delete it',
          `aws fsx delete-file-system --file-system-id ${id} --region ${region}`,
        );
  });
}
