import type { Image } from '@aws-sdk/client-ec2';
import { askAll } from '../../common/aws/account';
import type { InstanceLaunch, LaunchImage } from '../../common/aws/launch';
import { instanceTypesOf } from '../../fleet/vcpuQuota';
import { type AccountFinding, attempt, type CheckedDeployment, ok, parameterValue, wrong } from './check';

const NAME = 'image';

/** Checks that each image exists, may be used, is not deprecated, and matches the architecture of what boots it. @returns also the images found */
export async function images(subject: CheckedDeployment) {
  const { launches } = subject;
  const ids = new Map<InstanceLaunch, string>();
  const findings: AccountFinding[] = [];
  const sources = new Map(launches.map(({ image }) => [JSON.stringify(image), image]));
  for (const [key, source] of sources) {
    const own = launches.filter(({ image }) => JSON.stringify(image) === key);
    const found = await attempt(NAME, async () => {
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

const missing = (found: string, advice: string, command: string): AccountFinding =>
  wrong(NAME, 'missing', found, advice, command);

/** The image of some launches, or why they have none. */
async function findImage(
  subject: CheckedDeployment,
  source: LaunchImage,
  own: readonly InstanceLaunch[],
): Promise<Image | AccountFinding> {
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

async function newestNamed(
  subject: CheckedDeployment,
  { owner, name }: Extract<LaunchImage, { name: string }>,
): Promise<Image | AccountFinding> {
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
    return missing(`${parameter} does not exist`, `use another 'kernel'${set}`, command);
  }
  const found = `the parameter ${parameter} does not exist in ${region}`;
  const command = `aws ssm put-parameter --name ${parameter} --type String --data-type aws:ec2:image --value AMI`;
  return missing(found, `put the id of an image there${set}`, command);
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
  return image.State === 'available' ? image : missing(`${id} is ${image.State}`, lead, command);
}

/** An image that EC2 does not show: it does not exist, or *Allowed AMIs* hides it (EC2 user guide, ec2-allowed-amis). */
async function notVisible(
  { account, region }: CheckedDeployment,
  what: string,
  lead: string,
  command: string,
): Promise<AccountFinding> {
  const { State, ManagedBy, ImageCriteria = [] } = await account.ask('ec2:GetAllowedImagesSettings', {});
  if (State !== 'enabled') return missing(`${what} ${what.includes(' ') ? 'do' : 'does'} not exist`, lead, command);
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
    return [wrong(NAME, 'missing', found, advice, command)];
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
    return wrong(NAME, 'limited', found, 'it still boots, until its owner takes it away: use a newer one', command);
  }
  return ok(NAME, `${id} (${Name})`);
}
