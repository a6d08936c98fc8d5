import { askAll } from '../../common/aws/account';
import { isZoneId } from '../../fleet/offerings';
import { type AccountFinding, type CheckedDeployment, deployWith, standingStack, wrong } from './check';
import type { ChosenSubnet } from './subnet';

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
 * Checks that an existing stack stays in its zone. CloudFormation would make the new subnet next to the old one, whose range it has
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
