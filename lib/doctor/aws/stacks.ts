import type { Stack } from '@aws-sdk/client-cloudformation';
import { BENCHMARKS } from '../../benchmark/registry';
import { sumOf } from '../../cost/cost';
import type { Described } from '../../schema/run';
import { storageOf } from '../../storage/lookup';
import { STORAGES } from '../../storage/registry';
import { askAll, tagOf } from './account';
import { type AccountFinding, type CheckedDeployment, ok, wrong } from './check';
import { type Existing, STACK_NAME_TAG } from './quotas';

/** Bootstrap versions that CDK's synthesizer requires: to deploy, and to look up a VPC (aws-cdk-lib, DefaultStackSynthesizer). */
export const BOOTSTRAP_VERSIONS = { deploy: 6, lookUp: 8 } as const;

/** Checks that the account is bootstrapped with a recent enough version. */
export async function bootstrap(subject: CheckedDeployment): Promise<AccountFinding[]> {
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
  const found = Number.isNaN(version) ? `not done in ${region}: ${parameter} does not exist` : `version ${version}`;
  return [wrong(NAME, 'missing', found, `bootstrap this account and Region, version ${needed} or later`, command)];
}

/** The AWS CLI's waiter for each state prefix (`aws cloudformation wait help`). */
const WAITERS = { CREATE: 'create', DELETE: 'delete', ROLLBACK: 'rollback', UPDATE_ROLLBACK: 'rollback' } as const;

/** A stack; `undefined` if there is none with that name. */
async function stackNamed({ account }: CheckedDeployment, name: string): Promise<Stack | undefined> {
  const { Stacks = [] } = await account
    .ask('cloudformation:DescribeStacks', { StackName: name })
    .catch((error: Error) => {
      if (/does not exist/.test(error.message)) return { Stacks: [] };
      throw error;
    });
  return Stacks.find(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE');
}

/** Checks that the stack, if it exists, is in a deployable state. */
export async function stack(subject: CheckedDeployment, name: string): Promise<AccountFinding[]> {
  const NAME = `stack ${name}`;
  const { StackStatus: status } = (await stackNamed(subject, name)) ?? {};
  if (status === undefined) return [ok(NAME, 'does not exist yet')];
  // CDK deletes these itself before it deploys; REVIEW_IN_PROGRESS is a change set that was never executed.
  if (/^(CREATE_FAILED|ROLLBACK_COMPLETE|REVIEW_IN_PROGRESS)$/.test(status)) {
    return [ok(NAME, `${status}: the deployment starts over`)];
  }
  if (/_IN_PROGRESS$/.test(status)) {
    const [, waited = 'update'] = Object.entries(WAITERS).find(([prefix]) => status.startsWith(prefix)) ?? [];
    const command = `aws cloudformation wait stack-${waited}-complete --stack-name ${name}`;
    return [wrong(NAME, 'missing', status, 'an operation is in progress: wait until it is done', command)];
  }
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    const command = `aws cloudformation continue-update-rollback --stack-name ${name}`;
    return [wrong(NAME, 'missing', status, 'finish the rollback first', command)];
  }
  if (/FAILED$/.test(status)) {
    const command = `aws cloudformation delete-stack --stack-name ${name}`;
    return [wrong(NAME, 'missing', status, 'delete what is left of it', command)];
  }
  return [ok(NAME, `${status}: the deployment updates it`)];
}

/** All file systems of known kinds in the account and Region. */
export async function existingFileSystems(subject: CheckedDeployment): Promise<Existing[]> {
  const all = await askAll(subject.account, 'fsx:DescribeFileSystems', {}, (page) => page.FileSystems);
  const found = all.flatMap((one) => {
    const described = one as unknown as Described;
    const [configuration] = STORAGES.flatMap((storage) => storage.fromDescription(described) ?? []);
    return configuration === undefined || one.Lifecycle === 'DELETING' ? [] : [{ one, configuration }];
  });
  const names = BENCHMARKS.map(({ name }) => name);
  const standing = new Set<string>();
  for (const name of new Set(found.map(({ one }) => tagOf(one, STACK_NAME_TAG) ?? ''))) {
    if (names.includes(name) && (await stackNamed(subject, name)) !== undefined) standing.add(name);
  }
  return found.map(({ one, configuration }) => {
    const stack = tagOf(one, STACK_NAME_TAG);
    return { id: one.FileSystemId ?? '', configuration, stack, standing: stack !== undefined && standing.has(stack) };
  });
}

/** Leftovers of earlier deployments and their cost. */
export function leftovers({ region, book }: CheckedDeployment, existing: readonly Existing[]): AccountFinding[] {
  const NAME = 'left over';
  const names = BENCHMARKS.map(({ name }) => name);
  const own = existing.filter(({ stack: name = '' }) => names.includes(name));
  if (own.length === 0) return [ok(NAME, 'no file system from an earlier run')];
  return own.map(({ id, configuration, stack: name = '', standing }) => {
    const { hourlyUsd } = sumOf(storageOf(configuration).cost(configuration, { region, book }));
    const price = hourlyUsd === null ? 'at an unknown price' : `${hourlyUsd.toFixed(2)} USD/h`;
    const found = `${id} of ${name}, ${storageOf(configuration).describe(configuration)}: ${price}`;
    return standing
      ? wrong(NAME, 'limited', found, 'if nobody needs it, destroy its stack', `npx cdk destroy ${name}`)
      : wrong(
          NAME,
          'limited',
          `${found}; its stack is gone`,
          'if nobody needs its data, delete it',
          `aws fsx delete-file-system --file-system-id ${id} --region ${region}`,
        );
  });
}
