import { isZoneId, OFFERINGS_AS_OF, substituteFor } from '../../fleet/offerings';
import { askAll } from '../../kit/aws/account';
import { type AccountFinding, type CheckedDeployment, deployWith, ok, wrong } from './check';
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
    (page) => page.Subnets,
  );
  const names = defaults.map(({ AvailabilityZone }) => AvailabilityZone);
  return zones.find(({ name }) => names.includes(name)) ?? zones[0];
}

/** Checks that the zone offers the instance type. */
export async function offered(
  subject: CheckedDeployment,
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
          ? 'use another type or another Region'
          : `use ${substitute}, which is at least as large in every respect`,
        substitute === null
          ? `aws ec2 describe-instance-type-offerings --region ${region} --query 'InstanceTypeOfferings[].InstanceType'`
          : deployWith(subject, `instanceType=${substitute}`),
      ),
    ];
  }
  const { availabilityZone, vpcId } = configuration.network;
  // CDK looks up the subnets of a VPC by zone name.
  const proposed = (it: Zone): string => (vpcId === undefined ? it.id : it.name);
  const others = having.map(({ id, name }) => `${id} (${name})`).join(', ');
  if (zone === undefined) {
    return [
      wrong(
        NAME,
        'missing',
        `${availabilityZone} is not a zone of this account in ${region}`,
        `use one that offers ${type}: ${others}`,
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
        `use a zone that offers it: ${others}`,
        deployWith(subject, `availabilityZone=${proposed(first)}`),
      ),
    ];
  }
  if (subject.refusal !== null) {
    // The settings are valid except by the table, which is older than the account's answer.
    const found = `${type} is offered in ${zone.id}, but was not on ${OFFERINGS_AS_OF}, so cdk would refuse it`;
    const advice = 'make cdk accept the type';
    return [wrong(NAME, 'missing', found, advice, deployWith(subject, 'checkOfferings=false'))];
  }
  return [ok(NAME, `${type} is offered in ${zone.name} (${zone.id})`)];
}
