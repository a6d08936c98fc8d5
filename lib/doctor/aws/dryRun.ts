import type { RunInstancesCommandInput } from '@aws-sdk/client-ec2';
import type { InstanceLaunch } from '../../common/aws/launch';
import { type AccountFinding, attempt, type CheckedDeployment, deployWith, ok, wrong } from './check';
import type { Zone } from './subnet';

const NAME = 'dry run';

/** EC2's error codes if there is no network to try it in. */
const NO_NETWORK = /^(VPCIdNotSpecified|MissingInput|DefaultVpcDoesNotExist|InvalidSubnetID\.NotFound)$/;

interface DryLaunch {
  readonly launch: InstanceLaunch;
  readonly imageId: string;
  readonly zone: Zone | undefined;
  readonly subnetId: string | undefined;
}

const worded = ({ name, count, instanceType }: InstanceLaunch): string => `${count} × ${instanceType} (${name})`;

/** The launch as the templates of the stacks make it, as far as policies ask for it: metadata by token, encrypted volumes, tags. */
function request({ configuration: { tags } }: CheckedDeployment, { launch, imageId, zone, subnetId }: DryLaunch) {
  const { count, instanceType, purchase, volumesGiB } = launch;
  const Tags = Object.entries({ Name: 'fsxbench', ...tags }).map(([Key, Value]) => ({ Key, Value }));
  return {
    DryRun: true,
    ImageId: imageId,
    InstanceType: instanceType as never,
    MinCount: count,
    MaxCount: count,
    MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
    BlockDeviceMappings: [
      { DeviceName: '/dev/xvda', Ebs: { VolumeSize: volumesGiB[0], VolumeType: 'gp3', Encrypted: true } },
    ],
    TagSpecifications: [
      { ResourceType: 'instance', Tags },
      { ResourceType: 'volume', Tags },
      ...(Object.keys(tags).length === 0 ? [] : [{ ResourceType: 'network-interface' as const, Tags }]),
    ],
    ...(subnetId === undefined
      ? { Placement: zone === undefined ? undefined : { AvailabilityZone: zone.name } }
      : { SubnetId: subnetId }),
    InstanceMarketOptions: purchase.kind === 'spot' ? { MarketType: 'spot' } : undefined,
    ...(purchase.kind === 'capacity-reservation' && {
      CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: purchase.id } },
    }),
  } satisfies RunInstancesCommandInput;
}

/** Checks with dry runs whether EC2 would start the instances: permissions, policies and parameters, but neither capacity nor quotas. Starts nothing. */
export async function dryRuns(
  subject: CheckedDeployment,
  images: ReadonlyMap<InstanceLaunch, string>,
  place: Pick<DryLaunch, 'zone' | 'subnetId'>,
): Promise<AccountFinding[]> {
  const refused = new Map<string, AccountFinding>();
  const started: string[] = [];
  for (const [launch, imageId] of images) {
    const findings = await attempt(NAME, () => dryRun(subject, { launch, imageId, ...place }));
    for (const finding of findings) refused.set(finding.found, finding);
    if (findings.length === 0) started.push(worded(launch));
  }
  return [...refused.values(), ...(started.length === 0 ? [] : [ok(NAME, `EC2 would start ${started.join(', ')}`)])];
}

async function dryRun(subject: CheckedDeployment, dry: DryLaunch): Promise<AccountFinding[]> {
  try {
    await subject.account.ask('ec2:RunInstances', request(subject, dry));
  } catch (error) {
    return (error as Error).name === 'DryRunOperation' ? [] : [refusal(subject, dry, error as Error)];
  }
  const found = 'AWS did not answer as documented (DryRunOperation)';
  const advice = 'an emulator may really have started them: terminate them';
  return [wrong(NAME, 'unknown', found, advice, deployWith(subject, 'scale=smoke'))];
}

function refusal(subject: CheckedDeployment, { launch, imageId }: DryLaunch, { name: code, message }: Error) {
  const { count, instanceType } = launch;
  const started = worded(launch);
  const [reason = ''] = message.split('\n');
  if (NO_NETWORK.test(code)) {
    const advice = 'the stack creates its own VPC: nothing to do';
    return wrong(NAME, 'limited', `not checked: there is no default VPC (${code})`, advice);
  }
  // A service control policy applies to the deploying user and to CloudFormation's role alike.
  if (code === 'UnauthorizedOperation' && /explicit deny in a service control policy/.test(message)) {
    const [, encoded = 'MESSAGE'] = /Encoded authorization failure message: (\S+)/.exec(message) ?? [];
    const found = `a service control policy of the organization denies ${started}`;
    const advice = "read what it requires; if that is tags, set 'tags' (-c tags=CostCenter=42)";
    return wrong(NAME, 'missing', found, advice, `aws sts decode-authorization-message --encoded-message ${encoded}`);
  }
  if (code === 'UnauthorizedOperation') {
    const role = `cdk-${subject.qualifier}-cfn-exec-role-${subject.accountId}-${subject.region}`;
    const advice = `CloudFormation starts them with its own role, ${role}: check it if the deployment fails`;
    return wrong(NAME, 'limited', `you may not start ${started}`, advice, `aws iam get-role --role-name ${role}`);
  }
  const command = `aws ec2 run-instances --dry-run --image-id ${imageId} --instance-type ${instanceType} --count ${count}`;
  const found = `EC2 refuses ${started}: ${code}: ${reason}`;
  return wrong(NAME, 'missing', found, 'fix that, or change the setting', command);
}
