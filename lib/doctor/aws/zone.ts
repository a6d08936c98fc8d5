import { isZoneId, OFFERINGS_AS_OF, substituteFor } from '../../fleet/offerings';
import { askAll } from '../../kit/aws/account';
import type { InstanceLaunch } from '../../kit/aws/launch';
import { type AccountFinding, type CheckedDeployment, deployWith, ok, standingStack, wrong } from './check';
import type { ChosenSubnet } from './subnet';

const NAME = 'instance type';

/** A zone with this account's name for it. */
export interface Zone {
  readonly name: string;
  readonly id: string;
}

/** The zones of the Region, by name. */
export async function zonesOf({ account }: CheckedDeployment): Promise<Zone[]> {
  const { AvailabilityZones = [] } = await account.ask('ec2:DescribeAvailabilityZones', {
    Filters: [{ Name: 'zone-type', Values: ['availability-zone'] }],
  });
  return AvailabilityZones.map(({ ZoneName: name = '', ZoneId: id = '' }) => ({ name, id })).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

/**
 * The zone of the deployment; `undefined` if there is none with that name. Without a setting CloudFormation uses the first one that
 * has a default subnet, or the first of all if none has
 * (docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-getavailabilityzones.html).
 */
export async function zoneOf(
  subject: CheckedDeployment,
  zones: readonly Zone[],
  subnet: ChosenSubnet | null,
): Promise<Zone | undefined> {
  const wanted = subnet?.zone ?? subject.configuration.network.availabilityZone;
  if (wanted !== undefined) return zones.find((zone) => (isZoneId(wanted) ? zone.id : zone.name) === wanted);
  const defaults = await askAll(
    subject.account,
    'ec2:DescribeSubnets',
    { Filters: [{ Name: 'default-for-az', Values: ['true'] }] },
    'Subnets',
  );
  const names = defaults.map(({ AvailabilityZone }) => AvailabilityZone);
  return zones.find(({ name }) => names.includes(name)) ?? zones[0];
}

/**
 * Checks that a stack that stands stays in its zone. CloudFormation would make the new subnet beside the old one, whose range it has
 * (docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ec2-subnet.html, AvailabilityZone).
 */
export async function zoneKept(subject: CheckedDeployment, zone: Zone | undefined): Promise<AccountFinding[]> {
  const { account, configuration } = subject;
  const { name } = configuration.definition;
  if (configuration.network.vpcId !== undefined || zone === undefined) return [];
  const { StackStatus: status = '' } = (await standingStack(account, name)) ?? {};
  if (!/^(CREATE|UPDATE|UPDATE_ROLLBACK)_COMPLETE$/.test(status)) return [];
  const own = await askAll(
    account,
    'ec2:DescribeSubnets',
    { Filters: [{ Name: 'tag:aws:cloudformation:stack-name', Values: [name] }] },
    'Subnets',
  );
  const [elsewhere] = own.filter(({ AvailabilityZone }) => AvailabilityZone !== zone.name);
  if (elsewhere === undefined) return [];
  const { AvailabilityZone: stands, AvailabilityZoneId: id } = elsewhere;
  return [
    wrong(
      `stack ${name}`,
      'missing',
      `it stands in ${stands} (${id}), and would be moved to ${zone.name} (${zone.id}): CloudFormation cannot replace its subnet`,
      `keep the zone, or destroy the stack first (npx cdk destroy ${name}), which keeps the results; what is on its file systems is lost`,
      deployWith(subject, `availabilityZone=${id}`),
    ),
  ];
}

/** An instance type, what is of it, and the zones that offer it. */
interface Offered {
  readonly type: string;
  readonly launches: readonly InstanceLaunch[];
  readonly zones: readonly Zone[];
}

/** Checks that the zone offers every instance type. */
export async function offered(
  subject: CheckedDeployment,
  zones: readonly Zone[],
  zone: Zone | undefined,
): Promise<AccountFinding[]> {
  const { configuration, launches } = subject;
  const types = [...new Set(launches.map(({ instanceType }) => instanceType))];
  const offerings = await askAll(
    subject.account,
    'ec2:DescribeInstanceTypeOfferings',
    { LocationType: 'availability-zone-id', Filters: [{ Name: 'instance-type', Values: [...types].sort() }] },
    'InstanceTypeOfferings',
  );
  const all = types.map((type): Offered => {
    const ids = offerings.filter(({ InstanceType }) => InstanceType === type).map(({ Location }) => Location);
    return {
      type,
      launches: launches.filter(({ instanceType }) => instanceType === type),
      zones: zones.filter(({ id }) => ids.includes(id)),
    };
  });
  const nowhere = all.filter((one) => one.zones.length === 0);
  if (nowhere.length > 0) return nowhere.map((one) => offeredNowhere(subject, one));
  // All are in one subnet.
  const having = zones.filter((one) => all.every((type) => type.zones.includes(one)));
  const advice =
    having.length === 0
      ? 'use other types: no zone of the Region offers all of them'
      : `use ${zone === undefined ? 'one' : 'a zone'} that offers ${zone === undefined ? types.join(', ') : 'it'}: ${having.map(({ id, name }) => `${id} (${name})`).join(', ')}`;
  const { availabilityZone, vpcId } = configuration.network;
  // CDK looks up the subnets of a VPC by zone name.
  const [first] = having;
  const proposed = first && deployWith(subject, `availabilityZone=${vpcId === undefined ? first.id : first.name}`);
  if (zone === undefined) {
    const found = `${availabilityZone} is not a zone of this account in ${subject.region}`;
    return [wrong(NAME, 'missing', found, advice, proposed)];
  }
  const lacking = all.filter((one) => !one.zones.includes(zone));
  if (lacking.length > 0)
    return lacking.map((one) => {
      const found = `${worded(one)} is not offered in ${zone.name}, which is ${zone.id} in this account`;
      return wrong(NAME, 'missing', found, advice, proposed);
    });
  if (subject.refusal !== null) {
    // The settings are valid except by the table, which is older than the account's answer.
    const found = `${configuration.fleet.instanceType} is offered in ${zone.id}, but was not on ${OFFERINGS_AS_OF}, so cdk would refuse it`;
    return [wrong(NAME, 'missing', found, 'make cdk accept the type', deployWith(subject, 'checkOfferings=false'))];
  }
  const verb = types.length === 1 ? 'is' : 'are';
  return [ok(NAME, `${types.join(', ')} ${verb} offered in ${zone.name} (${zone.id})`)];
}

/** A type, and whose it is where it is not that of the clients. */
const worded = ({ type, launches }: Offered): string =>
  launches.some(({ settings }) => settings.instanceType === 'instanceType')
    ? type
    : `${type} (${launches.map(({ name }) => name).join(', ')})`;

function offeredNowhere(subject: CheckedDeployment, one: Offered): AccountFinding {
  const { region } = subject;
  const { type, launches } = one;
  const [{ settings: { instanceType: setting = '' } = {}, onRequest = false } = {}] = launches;
  const substitute = onRequest ? null : substituteFor(type, region);
  return wrong(
    NAME,
    'missing',
    `${worded(one)} is offered in no zone of ${region}`,
    substitute === null
      ? 'use another type or another Region'
      : `use ${substitute}, which is at least as large in every respect`,
    substitute === null
      ? `aws ec2 describe-instance-type-offerings --region ${region} --query 'InstanceTypeOfferings[].InstanceType'`
      : deployWith(subject, `${setting}=${substitute}`),
  );
}
