import { imageParameter } from '../../deploy/machine/image';
import { type AccountFinding, type CheckedDeployment, deployWith, ok, wrong } from './check';
import type { Zone } from './zone';

const NAME = 'image';

/** The image that the clients will boot. */
interface Image {
  readonly id: string | null;
  readonly findings: readonly AccountFinding[];
}

/** Checks that the image exists and matches the instance type's architecture. */
export async function image(subject: CheckedDeployment): Promise<Image> {
  const { account, configuration, region } = subject;
  const { instanceType: type, kernel, image: pinned } = configuration.fleet;
  const { InstanceTypes: [info] = [] } = await account.ask('ec2:DescribeInstanceTypes', {
    InstanceTypes: [type as never],
  });
  const architectures = info?.ProcessorInfo?.SupportedArchitectures ?? [];
  const parameter = imageParameter(kernel, architectures.includes('arm64') ? 'arm64' : 'x86_64');
  const id = pinned ?? (await parameterValue(subject, parameter));
  if (id === undefined) {
    const command = `aws ssm get-parameters-by-path --path /aws/service/ami-amazon-linux-latest --region ${region} --query 'Parameters[].Name'`;
    const found = `${parameter} does not exist`;
    return {
      id: null,
      findings: [wrong(NAME, 'missing', found, "use another 'kernel', or set 'image'", command)],
    };
  }
  const { Images: [answer] = [] } = await account
    .ask('ec2:DescribeImages', { ImageIds: [id] })
    .catch((error: Error) => {
      if (/^InvalidAMIID/.test(error.name)) return { Images: [] };
      throw error;
    });
  const { Architecture, State, Name = id } = answer ?? {};
  const command = `aws ec2 describe-images --image-ids ${id} --region ${region}`;
  const lead = "leave out 'image' for the newest Amazon Linux 2023, or set one of this Region";
  if (answer === undefined)
    return { id: null, findings: [wrong(NAME, 'missing', `${id} does not exist`, lead, command)] };
  if (State !== 'available')
    return { id: null, findings: [wrong(NAME, 'missing', `${id} is ${State}`, lead, command)] };
  if (architectures.length > 0 && !(architectures as readonly (string | undefined)[]).includes(Architecture)) {
    const found = `${id} is for ${Architecture}, ${type} for ${architectures.join(', ')}`;
    return { id: null, findings: [wrong(NAME, 'missing', found, lead, command)] };
  }
  return { id, findings: [ok(NAME, `${id} (${Name})`)] };
}

async function parameterValue({ account }: CheckedDeployment, name: string): Promise<string | undefined> {
  const { Parameter } = await account.ask('ssm:GetParameter', { Name: name }).catch((error: Error) => {
    if (error.name === 'ParameterNotFound') return { Parameter: undefined };
    throw error;
  });
  return Parameter?.Value;
}

/** EC2's error codes if there is no network to try it in. */
const NO_NETWORK = /^(VPCIdNotSpecified|MissingInput|DefaultVpcDoesNotExist|InvalidSubnetID\.NotFound)$/;

/** Checks with a dry run whether EC2 would start the clients. AWS checks permissions and parameters, not capacity, and starts nothing. */
export async function dryRun(
  subject: CheckedDeployment,
  imageId: string,
  zone: Zone | undefined,
  subnetId: string | undefined,
): Promise<AccountFinding[]> {
  const name = 'dry run';
  const { account, configuration } = subject;
  const { instanceType: type, clients, purchase } = configuration.fleet;
  const started = `${clients} × ${type}`;
  try {
    await account.ask('ec2:RunInstances', {
      DryRun: true,
      ImageId: imageId,
      InstanceType: type as never,
      MinCount: clients,
      MaxCount: clients,
      ...(subnetId === undefined
        ? { Placement: zone === undefined ? undefined : { AvailabilityZone: zone.name } }
        : { SubnetId: subnetId }),
      ...(purchase.kind === 'spot' ? { InstanceMarketOptions: { MarketType: 'spot' } } : {}),
      ...(purchase.kind === 'capacity-reservation'
        ? { CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: purchase.id } } }
        : {}),
    });
  } catch (error) {
    const { name: code, message } = error as Error;
    const [reason = ''] = message.split('\n');
    if (code === 'DryRunOperation') return [ok(name, `EC2 would start ${started}`)];
    if (NO_NETWORK.test(code)) {
      const advice = 'the stack creates its own VPC: nothing to do';
      return [wrong(name, 'limited', `not checked: there is no default VPC (${code})`, advice)];
    }
    if (code === 'UnauthorizedOperation') {
      const role = `cdk-${subject.qualifier}-cfn-exec-role-${subject.accountId}-${subject.region}`;
      const advice = `CloudFormation starts them with its own role, ${role}: check it if the deployment fails`;
      return [wrong(name, 'limited', `you may not start ${started}`, advice, `aws iam get-role --role-name ${role}`)];
    }
    const command = `aws ec2 run-instances --dry-run --image-id ${imageId} --instance-type ${type} --count ${clients}`;
    return [
      wrong(name, 'missing', `EC2 refuses ${started}: ${code}: ${reason}`, 'fix that, or change the setting', command),
    ];
  }
  const advice = 'an emulator may really have started them: terminate them';
  return [
    wrong(
      name,
      'unknown',
      'AWS did not answer as documented (DryRunOperation)',
      advice,
      deployWith(subject, 'scale=smoke'),
    ),
  ];
}
