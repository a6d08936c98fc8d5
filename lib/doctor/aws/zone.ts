import { isZoneId, OFFERINGS_AS_OF, substituteFor } from '../../fleet/offerings';
import { askAll } from './account';
import { type AccountFinding, deployWith, ok, type Subject, wrong } from './check';
import type { ChosenSubnet } from './subnet';

const NAME = 'instance type';

/** A zone as this account names it. */
export interface Zone {
  readonly name: string;
  readonly id: string;
}

/** The zones of the Region, by name. */
export async function zonesOf({ account }: Subject): Promise<Zone[]> {
  const { AvailabilityZones = [] } = await account.ask('ec2:DescribeAvailabilityZones', {
    Filters: [{ Name: 'zone-type', Values: ['availability-zone'] }],
  });
  return AvailabilityZones.map(({ ZoneName: name = '', ZoneId: id = '' }) => ({ name, id })).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

/**
 * The zone of the deployment; `undefined` where there is none of that name. Without a setting CloudFormation takes the first one that
 * has a default subnet, or the first of all where none has
 * (docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-getavailabilityzones.html).
 */
export async function zoneOf(
  subject: Subject,
  zones: readonly Zone[],
  subnet: ChosenSubnet | null,
): Promise<Zone | undefined> {
  const wanted = subnet?.zone ?? subject.configuration.network.availabilityZone;
  if (wanted !== undefined) return zones.find((zone) => (isZoneId(wanted) ? zone.id : zone.name) === wanted);
  const defaults = await askAll(
    subject.account,
    'ec2:DescribeSubnets',
    { Filters: [{ Name: 'default-for-az', Values: ['true'] }] },
    (page) => page.Subnets,
  );
  const names = defaults.map(({ AvailabilityZone }) => AvailabilityZone);
  return zones.find(({ name }) => names.includes(name)) ?? zones[0];
}

/** Is the instance type offered where the clients will be? */
export async function offered(
  subject: Subject,
  zones: readonly Zone[],
  zone: Zone | undefined,
): Promise<AccountFinding[]> {
  const { configuration, region } = subject;
  const { instanceType: type } = configuration.fleet;
  const offerings = await askAll(
    subject.account,
    'ec2:DescribeInstanceTypeOfferings',
    { LocationType: 'availability-zone-id', Filters: [{ Name: 'instance-type', Values: [type] }] },
    (page) => page.InstanceTypeOfferings,
  );
  const ids = offerings.map(({ Location }) => Location);
  const having = zones.filter(({ id }) => ids.includes(id));
  const [first] = having;
  if (first === undefined) {
    const substitute = substituteFor(type, region);
    return [
      wrong(
        NAME,
        'missing',
        `${type} is offered in no zone of ${region}`,
        substitute === null
          ? 'take another type or another Region'
          : `take ${substitute}, which has no less of anything`,
        substitute === null
          ? `aws ec2 describe-instance-type-offerings --region ${region} --query 'InstanceTypeOfferings[].InstanceType'`
          : deployWith(subject, `instanceType=${substitute}`),
      ),
    ];
  }
  const { availabilityZone, vpcId } = configuration.network;
  // CDK looks the subnets of a VPC up by the names of their zones.
  const proposed = (it: Zone): string => (vpcId === undefined ? it.id : it.name);
  const others = having.map(({ id, name }) => `${id} (${name})`).join(', ');
  if (zone === undefined) {
    return [
      wrong(
        NAME,
        'missing',
        `${availabilityZone} is no zone of this account in ${region}`,
        `take one that offers ${type}: ${others}`,
        deployWith(subject, `availabilityZone=${proposed(first)}`),
      ),
    ];
  }
  if (!having.includes(zone)) {
    return [
      wrong(
        NAME,
        'missing',
        `${type} is not offered in ${zone.name}, which is ${zone.id} in this account`,
        `take a zone that offers it: ${others}`,
        deployWith(subject, `availabilityZone=${proposed(first)}`),
      ),
    ];
  }
  if (subject.refusal !== null) {
    // The settings are good but for the table, which is older than what the account says.
    const found = `${type} is offered in ${zone.id}, but was not on ${OFFERINGS_AS_OF}, so that cdk would refuse it`;
    const advice = 'have it take the type all the same';
    return [wrong(NAME, 'missing', found, advice, deployWith(subject, 'checkOfferings=false'))];
  }
  return [ok(NAME, `${type} is offered in ${zone.name} (${zone.id})`)];
}
