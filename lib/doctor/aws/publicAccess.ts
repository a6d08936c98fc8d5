import { askAll } from '../../common/aws/account';
import { type AccountFinding, type CheckedDeployment, deployWith, ok, wrong } from './check';

const NAME = 'VPC Block Public Access';

/**
 * Checks that the Region's VPC Block Public Access lets clients out through an internet gateway. In one direction it does: NAT gateways only
 * let connections out. Source: https://docs.aws.amazon.com/vpc/latest/userguide/security-vpc-bpa-basics.html
 *
 * @param vpcId an existing VPC; `undefined` for that of the stack, which nobody could have excluded yet
 */
export async function publicAccess(subject: CheckedDeployment, vpcId: string | undefined): Promise<AccountFinding[]> {
  const { account, region } = subject;
  const { VpcBlockPublicAccessOptions: { InternetGatewayBlockMode: mode = 'off', ManagedBy } = {} } = await account.ask(
    'ec2:DescribeVpcBlockPublicAccessOptions',
    {},
  );
  if (mode !== 'block-bidirectional') return [ok(NAME, mode)];
  const who = ManagedBy === 'declarative-policy' ? ', by a policy of the organization' : '';
  const found = `${mode} in ${region}${who}`;
  if (vpcId === undefined) {
    const advice =
      'the NAT gateway of a VPC of its own would reach nothing: use a VPC that is excluded, or one with another way out';
    return [wrong(NAME, 'missing', found, advice, deployWith(subject, 'vpcId=VPC'))];
  }
  const exclusions = await askAll(
    account,
    'ec2:DescribeVpcBlockPublicAccessExclusions',
    {},
    'VpcBlockPublicAccessExclusions',
  );
  const excluded = exclusions.some(
    ({ ResourceArn = '', State = '' }) => ResourceArn.endsWith(`/${vpcId}`) && /^(create|update)-complete$/.test(State),
  );
  if (excluded) return [ok(NAME, `${found}, but not for ${vpcId}`)];
  return [
    wrong(
      NAME,
      'missing',
      `${found}, and ${vpcId} is not excluded`,
      'exclude it, which lets connections out only',
      `aws ec2 create-vpc-block-public-access-exclusion --vpc-id ${vpcId} --internet-gateway-exclusion-mode allow-egress --region ${region}`,
    ),
  ];
}
