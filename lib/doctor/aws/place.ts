import { type AccountFinding, attempt, attempted, type CheckedDeployment, unanswered, wrong } from './check';
import { dryRuns } from './dryRun';
import { images } from './image';
import { instanceTypes } from './instanceTypes';
import { publicAccess } from './publicAccess';
import { vpcs } from './quotas';
import { type ChosenSubnet, chooseSubnet, names, room, routes, usesGateway } from './subnet';
import { zoneKept, zoneOf, zonesOf } from './zone';

/** Checks of the place of the deployment: its network, its zone, and the instances there. */
export async function placeFindings(subject: CheckedDeployment): Promise<AccountFinding[]> {
  const { vpcId } = subject.configuration.network;
  const { subnet, findings } =
    vpcId === undefined ? { subnet: null, findings: await newNetwork(subject) } : await existingNetwork(subject, vpcId);
  return [...findings, ...(await attempt('instance type', () => instances(subject, subnet)))];
}

async function newNetwork(subject: CheckedDeployment): Promise<AccountFinding[]> {
  const throughNat = subject.configuration.network.egress === 'nat';
  return [...(await vpcs(subject)), ...(throughNat ? await blocked(subject) : [])];
}

/** Checks of an existing VPC, and the subnet in it; `null` if none fits, or the account does not say. */
async function existingNetwork(
  subject: CheckedDeployment,
  vpcId: string,
): Promise<{ readonly subnet: ChosenSubnet | null; readonly findings: AccountFinding[] }> {
  const failures: AccountFinding[] = [];
  const subnet = await attempted(
    () => chooseSubnet(subject, vpcId),
    (error) => failures.push(unanswered('subnet', error)),
  );
  if (subnet === undefined) return { subnet: null, findings: failures };
  if (subnet === null) return { subnet, findings: [noSubnet(vpcId)] };
  return {
    subnet,
    findings: [
      ...room(subject, subnet),
      ...(await attempt('routes', () => routes(subject, vpcId, subnet))),
      ...(await attempt('names', () => names(subject, vpcId))),
      ...(usesGateway(subnet) ? await blocked(subject, vpcId) : []),
    ],
  };
}

const noSubnet = (vpcId: string): AccountFinding =>
  wrong(
    'subnet',
    'missing',
    `${vpcId} has no private subnet as set`,
    "set 'availabilityZone' or 'subnetId' to an existing one",
    `aws ec2 describe-subnets --filters Name=vpc-id,Values=${vpcId} --query 'Subnets[].[SubnetId,AvailabilityZone]'`,
  );

const blocked = (subject: CheckedDeployment, vpcId?: string): Promise<AccountFinding[]> =>
  attempt('VPC Block Public Access', () => publicAccess(subject, vpcId));

/** Checks that the zone has the instances, up to a dry run of each. What an earlier check rules out is not tried. */
async function instances(subject: CheckedDeployment, subnet: ChosenSubnet | null): Promise<AccountFinding[]> {
  const zones = await zonesOf(subject);
  const zone = await zoneOf(subject, zones, subnet);
  const moved = await zoneKept(subject, zone);
  if (moved.length > 0) return moved;
  const offered = await instanceTypes(subject, zones, zone);
  if (offered.some(({ state }) => state !== 'ok')) return offered;
  const { ids, findings } = await images(subject);
  return [...offered, ...findings, ...(await dryRuns(subject, ids, { zone, subnetId: subnet?.id }))];
}
