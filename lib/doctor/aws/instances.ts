import type { Image, RunInstancesCommandInput } from '@aws-sdk/client-ec2';
import { askAll } from '../../common/aws/account';
import type { InstanceLaunch, LaunchImage } from '../../common/aws/launch';
import { OFFERINGS_AS_OF } from '../../fleet/offerings';
import { instanceTypesOf } from '../../fleet/vcpuQuota';
import { type AccountFinding, attempt, type CheckedDeployment, deployWith, ok, parameterValue, wrong } from './check';
import { type ChosenSubnet, type Zone, zoneOf, zonesOf } from './subnet';

const TYPE_CHECK = 'instance type';

interface Offer {
  readonly type: string;
  readonly launches: readonly InstanceLaunch[];
  readonly zones: readonly Zone[];
}

async function offersOf({ account, launches }: CheckedDeployment, zones: readonly Zone[]): Promise<Offer[]> {
  const types = [...new Set(launches.map(({ instanceType }) => instanceType))];
  const Filters = [{ Name: 'instance-type', Values: [...types].sort() }];
  const input = { LocationType: 'availability-zone-id', Filters } as const;
  const offerings = await askAll(account, 'ec2:DescribeInstanceTypeOfferings', input, 'InstanceTypeOfferings');
  const isOffered = (type: string, zone: string): boolean =>
    offerings.some(({ InstanceType, Location }) => InstanceType === type && Location === zone);
  return types.map((type) => ({
    type,
    launches: launches.filter(({ instanceType }) => instanceType === type),
    zones: zones.filter(({ id }) => isOffered(type, id)),
  }));
}

async function instanceTypes(subject: CheckedDeployment, zones: readonly Zone[], zone: Zone | undefined) {
  const { configuration, region, refusal } = subject;
  const offers = await offersOf(subject, zones);
  const nowhere = offers.filter((offer) => offer.zones.length === 0);
  if (nowhere.length > 0) return nowhere.map((offer) => offeredNowhere(subject, offer));
  const types = offers.map(({ type }) => type).join(', ');
  if (zone === undefined) {
    const found = `${configuration.network.availabilityZone} is not a zone of this account in ${region}`;
    return [wrong(TYPE_CHECK, 'missing', found, ...otherZones(subject, zones, offers, `one that offers ${types}`))];
  }
  const lacking = offers.filter((offer) => !offer.zones.includes(zone));
  if (lacking.length > 0) {
    const next = otherZones(subject, zones, offers, 'a zone that offers it');
    return lacking.map((offer) => {
      const found = `${offerWords(offer)} is not offered in ${zone.name}, which is ${zone.id} in this account`;
      return wrong(TYPE_CHECK, 'missing', found, ...next);
    });
  }
  if (refusal !== null) {
    // The settings are valid except by the table, which is older than the account's answer.
    const found = `${configuration.fleet.instanceType} is offered in ${zone.id}, but was not on ${OFFERINGS_AS_OF}, so cdk would refuse it`;
    return [
      wrong(TYPE_CHECK, 'missing', found, 'make cdk accept the type', deployWith(subject, 'checkOfferings=false')),
    ];
  }
  return [ok(TYPE_CHECK, `${types} ${offers.length === 1 ? 'is' : 'are'} offered in ${zone.name} (${zone.id})`)];
}

/** Advice on the zones that offer all types, since all instances are in one subnet, and the command that uses the first of them. */
function otherZones(
  subject: CheckedDeployment,
  zones: readonly Zone[],
  offers: readonly Offer[],
  wanted: string,
): [advice: string, command?: string] {
  const suitable = zones.filter((zone) => offers.every((offer) => offer.zones.includes(zone)));
  const [first] = suitable;
  if (first === undefined) return ['use other types: no zone of the Region offers all of them'];
  // CDK looks up the subnets of a VPC by zone name.
  const setting = subject.configuration.network.vpcId === undefined ? first.id : first.name;
  return [
    `use ${wanted}: ${suitable.map(({ id, name }) => `${id} (${name})`).join(', ')}`,
    deployWith(subject, `availabilityZone=${setting}`),
  ];
}

/** A type, and whose it is where it is not that of the clients. */
const offerWords = ({ type, launches }: Offer): string =>
  launches.some(({ settings }) => settings.instanceType === 'instanceType')
    ? type
    : `${type} (${launches.map(({ name }) => name).join(', ')})`;

function offeredNowhere({ region }: CheckedDeployment, offer: Offer): AccountFinding {
  const found = `${offerWords(offer)} is offered in no zone of ${region}`;
  const command = `aws ec2 describe-instance-type-offerings --region ${region} --query 'InstanceTypeOfferings[].InstanceType'`;
  return wrong(TYPE_CHECK, 'missing', found, 'use another type or another Region', command);
}

const IMAGE = 'image';

/** Checks that each image exists, may be used, is not deprecated, and matches the architecture of what boots it. @returns also the images found */
async function images(subject: CheckedDeployment) {
  const { launches } = subject;
  const ids = new Map<InstanceLaunch, string>();
  const findings: AccountFinding[] = [];
  const sources = new Map(launches.map(({ image }) => [JSON.stringify(image), image]));
  for (const [key, source] of sources) {
    const own = launches.filter(({ image }) => JSON.stringify(image) === key);
    const found = await attempt(IMAGE, async () => {
      const image = await findImage(subject, source, own);
      if ('state' in image) return [image];
      const unfit = await wrongArchitecture(subject, image, own);
      if (unfit.length > 0) return unfit;
      for (const launch of own) ids.set(launch, image.ImageId ?? '');
      return [ageOf(subject, image)];
    });
    findings.push(...found);
  }
  return { ids, findings };
}

const noImage = (found: string, advice: string, command: string): AccountFinding =>
  wrong(IMAGE, 'missing', found, advice, command);

async function findImage(subject: CheckedDeployment, source: LaunchImage, own: readonly InstanceLaunch[]) {
  if ('name' in source) return newestNamed(subject, source);
  const [setting] = own.flatMap(({ settings }) => settings.image ?? []);
  const set = setting === undefined ? '' : `, or set '${setting}'`;
  const id = 'id' in source ? source.id : await parameterValue(subject.account, source.parameter);
  if (id === undefined) return withoutParameter(subject, 'parameter' in source ? source.parameter : '', set);
  const lead =
    setting === 'image'
      ? "leave out 'image' for the newest Amazon Linux 2023, or set one of this Region"
      : `use one of this Region${set}`;
  return imageById(subject, id, lead);
}

async function newestNamed(subject: CheckedDeployment, { owner, name }: Extract<LaunchImage, { name: string }>) {
  const Filters = Object.entries({ name, state: 'available' }).map(([Name, Value]) => ({ Name, Values: [Value] }));
  const input = { Owners: [owner], Filters, IncludeDeprecated: true };
  const all = await askAll(subject.account, 'ec2:DescribeImages', input, 'Images');
  const [newest] = all.sort((a, b) => ((a.CreationDate ?? '') < (b.CreationDate ?? '') ? 1 : -1));
  const command = `aws ec2 describe-images --owners ${owner} --filters 'Name=name,Values=${name}' --include-deprecated --region ${subject.region}`;
  return newest ?? notVisible(subject, `images of ${owner} named ${name}`, 'use another Region', command);
}

function withoutParameter({ region }: CheckedDeployment, parameter: string, set: string): AccountFinding {
  if (parameter.startsWith('/aws/service/')) {
    const command = `aws ssm get-parameters-by-path --path /aws/service/ami-amazon-linux-latest --region ${region} --query 'Parameters[].Name'`;
    return noImage(`${parameter} does not exist`, `use another 'kernel'${set}`, command);
  }
  const found = `the parameter ${parameter} does not exist in ${region}`;
  const command = `aws ssm put-parameter --name ${parameter} --type String --data-type aws:ec2:image --value AMI`;
  return noImage(found, `put the id of an image there${set}`, command);
}

async function imageById(subject: CheckedDeployment, id: string, lead: string): Promise<Image | AccountFinding> {
  const command = `aws ec2 describe-images --image-ids ${id} --include-deprecated --region ${subject.region}`;
  // Deprecated images are left out of the answer otherwise, and boot nevertheless (EC2 user guide, ami-deprecate).
  const { Images: [image] = [] } = await subject.account
    .ask('ec2:DescribeImages', { ImageIds: [id], IncludeDeprecated: true, IncludeDisabled: true })
    .catch((error: Error) => {
      if (/^InvalidAMIID/.test(error.name)) return { Images: [] };
      throw error;
    });
  if (image === undefined) return notVisible(subject, id, lead, command);
  return image.State === 'available' ? image : noImage(`${id} is ${image.State}`, lead, command);
}

/** An image that EC2 does not show: it does not exist, or *Allowed AMIs* hides it (EC2 user guide, ec2-allowed-amis). */
async function notVisible({ account, region }: CheckedDeployment, what: string, lead: string, command: string) {
  const { State, ManagedBy, ImageCriteria = [] } = await account.ask('ec2:GetAllowedImagesSettings', {});
  if (State !== 'enabled') return noImage(`${what} ${what.includes(' ') ? 'do' : 'does'} not exist`, lead, command);
  const providers = ImageCriteria.flatMap(({ ImageProviders = [] }) => ImageProviders).join(', ');
  const who = ManagedBy === 'declarative-policy' ? 'a policy of the organization' : 'the account';
  const found = `${what}: hidden, or not there; ${who} allows only images of ${providers || 'nobody'} in ${region}`;
  const advice = `have its owner allowed by who manages the setting; ${lead}`;
  const settings = `aws ec2 get-allowed-images-settings --region ${region}`;
  return wrong('Allowed AMIs', 'missing', found, advice, settings);
}

async function wrongArchitecture(
  { account, region }: CheckedDeployment,
  { ImageId: id, Architecture }: Image,
  own: readonly InstanceLaunch[],
): Promise<AccountFinding[]> {
  const started = own.map(({ instanceType }) => instanceType);
  const types = await instanceTypesOf(account, started);
  const command = `aws ec2 describe-images --image-ids ${id} --region ${region}`;
  const advice = otherArchitecture(own, Architecture);
  return types.flatMap(({ InstanceType, ProcessorInfo: { SupportedArchitectures = [] } = {} }) => {
    if (SupportedArchitectures.length === 0 || (SupportedArchitectures as unknown[]).includes(Architecture)) return [];
    const found = `${id} is for ${Architecture}, ${InstanceType} for ${SupportedArchitectures.join(', ')}`;
    return [wrong(IMAGE, 'missing', found, advice, command)];
  });
}

/** The setting that mends an image of another architecture than its machines'. */
function otherArchitecture([launch]: readonly InstanceLaunch[], architecture: string | undefined): string {
  const { image, instanceType } = launch?.settings ?? {};
  if (image === 'image') return "leave out 'image' for the newest Amazon Linux 2023, or set another";
  return image === undefined ? `set '${instanceType}' to a type for ${architecture}` : `set another image: '${image}'`;
}

function ageOf({ now, region }: CheckedDeployment, image: Image): AccountFinding {
  const { ImageId: id = '', Name = id, DeprecationTime, ImageAllowed } = image;
  const command = `aws ec2 describe-images --image-ids ${id} --include-deprecated --region ${region}`;
  if (ImageAllowed === false) {
    const advice = 'Allowed AMIs will refuse it once its audit mode ends: have its owner allowed';
    return wrong('Allowed AMIs', 'limited', `${id} (${Name}) is not among the allowed images`, advice, command);
  }
  if (DeprecationTime !== undefined && Date.parse(DeprecationTime) <= now.getTime()) {
    const found = `${id} (${Name}) is deprecated since ${DeprecationTime.slice(0, 10)}`;
    return wrong(IMAGE, 'limited', found, 'it still boots, until its owner takes it away: use a newer one', command);
  }
  return ok(IMAGE, `${id} (${Name})`);
}

const DRY_RUN = 'dry run';

/** EC2's error codes if there is no network to try it in. */
const NO_NETWORK = /^(VPCIdNotSpecified|MissingInput|DefaultVpcDoesNotExist|InvalidSubnetID\.NotFound)$/;

interface DryLaunch {
  readonly launch: InstanceLaunch;
  readonly imageId: string;
  readonly zone: Zone | undefined;
  readonly subnetId: string | undefined;
}

const launchWords = ({ name, count, instanceType }: InstanceLaunch): string => `${count} × ${instanceType} (${name})`;

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
async function dryRuns(
  subject: CheckedDeployment,
  images: ReadonlyMap<InstanceLaunch, string>,
  place: Pick<DryLaunch, 'zone' | 'subnetId'>,
): Promise<AccountFinding[]> {
  const refused = new Map<string, AccountFinding>();
  const started: string[] = [];
  for (const [launch, imageId] of images) {
    const findings = await attempt(DRY_RUN, () => dryRun(subject, { launch, imageId, ...place }));
    for (const finding of findings) refused.set(finding.found, finding);
    if (findings.length === 0) started.push(launchWords(launch));
  }
  return [...refused.values(), ...(started.length === 0 ? [] : [ok(DRY_RUN, `EC2 would start ${started.join(', ')}`)])];
}

async function dryRun(subject: CheckedDeployment, dry: DryLaunch): Promise<AccountFinding[]> {
  try {
    await subject.account.ask('ec2:RunInstances', request(subject, dry));
  } catch (error) {
    return (error as Error).name === 'DryRunOperation' ? [] : [refusal(subject, dry, error as Error)];
  }
  const found = 'AWS did not answer as documented (DryRunOperation)';
  const advice = 'an emulator may really have started them: terminate them';
  return [wrong(DRY_RUN, 'unknown', found, advice, deployWith(subject, 'scale=smoke'))];
}

function refusal(subject: CheckedDeployment, { launch, imageId }: DryLaunch, { name: code, message }: Error) {
  const { count, instanceType } = launch;
  const started = launchWords(launch);
  const [reason = ''] = message.split('\n');
  if (NO_NETWORK.test(code)) {
    const advice = 'the stack creates its own VPC: nothing to do';
    return wrong(DRY_RUN, 'limited', `not checked: there is no default VPC (${code})`, advice);
  }
  // A service control policy applies to the deploying user and to CloudFormation's role alike.
  if (code === 'UnauthorizedOperation' && /explicit deny in a service control policy/.test(message)) {
    const [, encoded = 'MESSAGE'] = /Encoded authorization failure message: (\S+)/.exec(message) ?? [];
    const found = `a service control policy of the organization denies ${started}`;
    const advice = "read what it requires; if that is tags, set 'tags' (-c tags=CostCenter=42)";
    return wrong(
      DRY_RUN,
      'missing',
      found,
      advice,
      `aws sts decode-authorization-message --encoded-message ${encoded}`,
    );
  }
  if (code === 'UnauthorizedOperation') {
    const role = `cdk-${subject.qualifier}-cfn-exec-role-${subject.accountId}-${subject.region}`;
    const advice = `CloudFormation starts them with its own role, ${role}: check it if the deployment fails`;
    return wrong(DRY_RUN, 'limited', `you may not start ${started}`, advice, `aws iam get-role --role-name ${role}`);
  }
  const command = `aws ec2 run-instances --dry-run --image-id ${imageId} --instance-type ${instanceType} --count ${count}`;
  const found = `EC2 refuses ${started}: ${code}: ${reason}`;
  return wrong(DRY_RUN, 'missing', found, 'fix that, or change the setting', command);
}

/** Checks that the zone has the instances, up to a dry run of each, except those that an earlier check ruled out. */
export async function instances(subject: CheckedDeployment, subnet: ChosenSubnet | null): Promise<AccountFinding[]> {
  const zones = await zonesOf(subject);
  const zone = await zoneOf(subject, zones, subnet);
  const offered = await instanceTypes(subject, zones, zone);
  if (offered.some(({ state }) => state !== 'ok')) return offered;
  const { ids, findings } = await images(subject);
  return [...offered, ...findings, ...(await dryRuns(subject, ids, { zone, subnetId: subnet?.id }))];
}
