import { storageOf } from '../../storage/lookup';
import { type AccountFinding, type CheckedDeployment, deployedStack, ok, parameterValue, wrong } from './check';
import type { Leftovers } from './leftovers';

/** Bootstrap versions that CDK's synthesizer requires: to deploy, and to look up a VPC (aws-cdk-lib, DefaultStackSynthesizer). */
export const BOOTSTRAP_VERSIONS = { deploy: 6, lookUp: 8 } as const;

/** Checks that the account is bootstrapped with a recent enough version. */
export async function bootstrap(subject: CheckedDeployment): Promise<AccountFinding[]> {
  const { account, accountId, region, qualifier, configuration } = subject;
  const NAME = 'CDK bootstrap';
  const needed = configuration.network.vpcId === undefined ? BOOTSTRAP_VERSIONS.deploy : BOOTSTRAP_VERSIONS.lookUp;
  const command = `npx cdk bootstrap aws://${accountId}/${region}`;
  const parameter = `/cdk-bootstrap/${qualifier}/version`;
  const version = Number(await parameterValue(account, parameter));
  if (version >= needed) return [ok(NAME, `version ${version}`)];
  const found = Number.isNaN(version) ? `not done in ${region}: ${parameter} does not exist` : `version ${version}`;
  return [wrong(NAME, 'missing', found, `bootstrap this account and Region, version ${needed} or later`, command)];
}

/** The AWS CLI's waiter for each state prefix (`aws cloudformation wait help`). */
const WAITERS = { CREATE: 'create', DELETE: 'delete', ROLLBACK: 'rollback', UPDATE_ROLLBACK: 'rollback' } as const;

/** Checks that the stack, if it exists, is in a deployable state. */
export async function stack(subject: CheckedDeployment, name: string): Promise<AccountFinding[]> {
  const NAME = `stack ${name}`;
  const { StackStatus: status } = (await deployedStack(subject.account, name)) ?? {};
  if (status === undefined) return [ok(NAME, 'does not exist yet')];
  // CDK deletes these itself before it deploys; REVIEW_IN_PROGRESS is a change set that was never executed.
  if (/^(CREATE_FAILED|ROLLBACK_COMPLETE|REVIEW_IN_PROGRESS)$/.test(status))
    return [ok(NAME, `${status}: the deployment starts over`)];
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

/** Checks for changes of the stack's file systems that AWS refuses. A deployment with such a change fails and is rolled back. */
export function updates({ configuration }: CheckedDeployment, fileSystems: Leftovers['fileSystems']): AccountFinding[] {
  const { arms, definition } = configuration;
  return fileSystems.flatMap(({ id, stack: owner, standing, configuration: deployed }) => {
    if (!standing || owner !== definition.name || deployed === undefined) return [];
    const alike = arms.flatMap(({ storage }) => (storage.kind === deployed.kind ? [storage] : []));
    const reasons = alike.map((planned) => storageOf(deployed).account.refusesUpdate?.(deployed, planned) ?? null);
    const [reason = null] = reasons;
    if (reason === null || reasons.includes(null)) return [];
    const advice = 'destroy the stack first, which keeps the results; what is on its file systems is lost';
    return [wrong(`stack ${owner}`, 'missing', `${id}: ${reason}`, advice, `npx cdk destroy ${owner}`)];
  });
}
