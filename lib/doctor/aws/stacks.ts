import { askAll } from '../../common/aws/account';
import { storageOf } from '../../storage/lookup';
import { type AccountFinding, type CheckedDeployment, deployedStack, ok, parameterValue, wrong } from './check';
import type { Leftovers } from './leftovers';

const EBS = 'EBS encryption';

/** The key of AWS, with which every principal of the account may encrypt volumes through EC2. */
const AWS_KEY = /alias\/aws\/ebs$/;

/** Operations that starting an instance with encrypted volumes takes. Source: https://docs.aws.amazon.com/autoscaling/ec2/userguide/key-policy-requirements-EBS-encryption.html */
const OPERATIONS =
  'Encrypt Decrypt ReEncryptFrom ReEncryptTo GenerateDataKey GenerateDataKeyWithoutPlaintext DescribeKey CreateGrant';

interface Statement {
  readonly Effect?: string;
  readonly Principal?: string | { readonly AWS?: string | readonly string[] };
  readonly Action?: string | readonly string[];
}

/** True if a key's policy lets a principal create grants, which any use of a volume begins with. */
const lets = (policy: readonly Statement[], principal: (arn: string) => boolean): boolean =>
  policy.some(
    ({ Effect, Principal, Action }) =>
      Effect === 'Allow' &&
      [(typeof Principal === 'object' ? Principal.AWS : Principal) ?? []].flat().some(principal) &&
      [Action ?? []].flat().some((action) => /^(\*|kms:\*|kms:Create(\*|Grant))$/.test(action)),
  );

/**
 * Checks that who starts instances and attaches volumes may use an own default EBS key, which encrypts the stacks' volumes in any case. Nobody can extend
 * a service-linked role's policy: the key must allow it.
 */
export async function volumeKey(subject: CheckedDeployment): Promise<AccountFinding[]> {
  const { account, accountId, region, launches } = subject;
  const { KmsKeyId: keyId = '' } = await account.ask('ec2:GetEbsDefaultKmsKeyId', {});
  const { EbsEncryptionByDefault: byDefault = false } = await account.ask('ec2:GetEbsEncryptionByDefault', {});
  const mode = byDefault ? 'by default' : 'on request';
  if (AWS_KEY.test(keyId)) return [ok(EBS, `${mode}, with AWS’s key`)];
  const { KeyMetadata: { KeyManager, KeyState } = {} } = await account.ask('kms:DescribeKey', { KeyId: keyId });
  if (KeyManager === 'AWS') return [ok(EBS, `${mode}, with AWS’s key`)];
  const found = `${mode}, with your own key, ${keyId}`;
  if (KeyState !== 'Enabled') {
    const command = `aws kms describe-key --key-id ${keyId} --region ${region}`;
    return [wrong(EBS, 'missing', `${found}, which is ${KeyState}`, 'enable it, or set another default key', command)];
  }
  const { Policy = '{}' } = await account.ask('kms:GetKeyPolicy', { KeyId: keyId, PolicyName: 'default' });
  const { Statement = [] } = JSON.parse(Policy) as { readonly Statement?: Statement | readonly Statement[] };
  const policy = [Statement].flat();
  const grants = await askAll(account, 'kms:ListGrants', { KeyId: keyId }, 'Grants');
  const findings: AccountFinding[] = [];
  for (const started of new Set(launches.flatMap(({ startedBy }) => startedBy ?? []))) {
    const partition = /^arn:([\w-]+):/.exec(keyId)?.[1] ?? 'aws';
    const role = `arn:${partition}:iam::${accountId}:role/aws-service-role/${started}`;
    const granted = grants.some(
      ({ GranteePrincipal, Operations = [] }) =>
        GranteePrincipal === role &&
        OPERATIONS.split(' ').every((one) => (Operations as readonly string[]).includes(one)),
    );
    if (granted || lets(policy, (arn) => arn === role || arn === '*')) continue;
    const refused = `${found}: it does not let ${started.split('/')[1]} use it, so no client would start`;
    const advice = 'grant it the use of the key, or have that put into the policy of the key';
    const command = `aws kms create-grant --key-id ${keyId} --region ${region} --grantee-principal ${role} --operations ${OPERATIONS}`;
    findings.push(wrong(EBS, 'missing', refused, advice, command));
  }
  // The roles of the stacks may make grants as far as the key leaves that to the account's IAM policies.
  const anybody = new RegExp(`^(\\*|${accountId}|arn:[\\w-]+:iam::${accountId}:root)$`);
  if (!lets(policy, (arn) => anybody.test(arn))) {
    const advice =
      "its policy leaves nothing to IAM: ask the key's administrator to let CloudFormation's role, and that of clients that attach volumes, create grants (kms:CreateGrant)";
    const command = `aws kms get-key-policy --key-id ${keyId} --region ${region} --query Policy --output text`;
    findings.push(wrong(EBS, 'limited', found, advice, command));
  }
  return findings.length > 0 ? findings : [ok(EBS, found)];
}

/** Bootstrap versions that CDK's synthesizer requires: to deploy, and to look up a VPC (aws-cdk-lib, DefaultStackSynthesizer). */
export const BOOTSTRAP_VERSIONS = { deploy: 6, lookUp: 8 } as const;

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

/** Checks that the stack, if it exists, is in a deployable state. */
export async function stack(subject: CheckedDeployment, name: string): Promise<AccountFinding[]> {
  const NAME = `stack ${name}`;
  const { StackStatus: status } = (await deployedStack(subject.account, name)) ?? {};
  if (status === undefined) return [ok(NAME, 'does not exist yet')];
  // CDK deletes these itself before it deploys; REVIEW_IN_PROGRESS is a change set that was never executed.
  if (/^(CREATE_FAILED|ROLLBACK_COMPLETE|REVIEW_IN_PROGRESS)$/.test(status))
    return [ok(NAME, `${status}: the deployment starts over`)];
  if (/_IN_PROGRESS$/.test(status)) {
    const command = `aws cloudformation describe-stack-events --stack-name ${name}`;
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
export function updates({ configuration: { arms, definition } }: CheckedDeployment, found: Leftovers['fileSystems']) {
  return found.flatMap(({ id, stack: owner, standing, configuration: deployed }): AccountFinding[] => {
    if (!standing || owner !== definition.name || deployed === undefined) return [];
    const alike = arms.filter(({ storage }) => storage.kind === deployed.kind);
    const reasons = alike.map(({ storage }) => storageOf(deployed).account.refusesUpdate?.(deployed, storage) ?? null);
    const [reason = null] = reasons;
    if (reason === null || reasons.includes(null)) return [];
    const advice = 'destroy the stack first, which keeps the results; what is on its file systems is lost';
    return [wrong(`stack ${owner}`, 'missing', `${id}: ${reason}`, advice, `npx cdk destroy ${owner}`)];
  });
}
