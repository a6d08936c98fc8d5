import { askAll } from '../../common/aws/account';
import type { InstanceLaunch } from '../../common/aws/launch';
import { OFFERINGS_AS_OF, substituteFor } from '../../fleet/offerings';
import { type AccountFinding, type CheckedDeployment, deployWith, ok, wrong } from './check';
import type { Zone } from './subnet';

const NAME = 'instance type';

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

export async function instanceTypes(
  subject: CheckedDeployment,
  zones: readonly Zone[],
  zone: Zone | undefined,
): Promise<AccountFinding[]> {
  const { configuration, region, refusal } = subject;
  const offers = await offersOf(subject, zones);
  const nowhere = offers.filter((offer) => offer.zones.length === 0);
  if (nowhere.length > 0) return nowhere.map((offer) => offeredNowhere(subject, offer));
  const types = offers.map(({ type }) => type).join(', ');
  if (zone === undefined) {
    const found = `${configuration.network.availabilityZone} is not a zone of this account in ${region}`;
    return [wrong(NAME, 'missing', found, ...otherZones(subject, zones, offers, `one that offers ${types}`))];
  }
  const lacking = offers.filter((offer) => !offer.zones.includes(zone));
  if (lacking.length > 0) {
    const next = otherZones(subject, zones, offers, 'a zone that offers it');
    return lacking.map((offer) => {
      const found = `${worded(offer)} is not offered in ${zone.name}, which is ${zone.id} in this account`;
      return wrong(NAME, 'missing', found, ...next);
    });
  }
  if (refusal !== null) {
    // The settings are valid except by the table, which is older than the account's answer.
    const found = `${configuration.fleet.instanceType} is offered in ${zone.id}, but was not on ${OFFERINGS_AS_OF}, so cdk would refuse it`;
    return [wrong(NAME, 'missing', found, 'make cdk accept the type', deployWith(subject, 'checkOfferings=false'))];
  }
  return [ok(NAME, `${types} ${offers.length === 1 ? 'is' : 'are'} offered in ${zone.name} (${zone.id})`)];
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
const worded = ({ type, launches }: Offer): string =>
  launches.some(({ settings }) => settings.instanceType === 'instanceType')
    ? type
    : `${type} (${launches.map(({ name }) => name).join(', ')})`;

function offeredNowhere(subject: CheckedDeployment, offer: Offer): AccountFinding {
  const { region } = subject;
  const { type, launches } = offer;
  const [{ settings: { instanceType: setting } = {}, onRequest = false } = {}] = launches;
  const found = `${worded(offer)} is offered in no zone of ${region}`;
  const substitute = onRequest || setting === undefined ? null : substituteFor(type, region);
  if (substitute === null) {
    const command = `aws ec2 describe-instance-type-offerings --region ${region} --query 'InstanceTypeOfferings[].InstanceType'`;
    return wrong(NAME, 'missing', found, 'use another type or another Region', command);
  }
  const advice = `use ${substitute}, which is at least as large in every respect`;
  return wrong(NAME, 'missing', found, advice, deployWith(subject, `${setting}=${substitute}`));
}
