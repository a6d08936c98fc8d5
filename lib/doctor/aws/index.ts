import { launchesOf } from '../../config/launches';
import { deploymentLines, partsOf } from '../../cost/deployment';
import { costDocument } from '../../price/cost';
import { PUBLISHED } from '../../price/prices';
import { identity } from './account';
import { type AccountFinding, attempt, attempted, type CheckedDeployment, ok, unanswered, wrong } from './check';
import { instances } from './instances';
import { findLeftovers, leftoverFindings, RESULTS_STACK } from './leftovers';
import { quotas, reservations, vpcs } from './quotas';
import { bootstrap, stack, updates, volumeKey } from './stacks';
import { chooseSubnet, names, publicAccess, room, routes, usesGateway } from './subnet';

export async function placeFindings(subject: CheckedDeployment): Promise<AccountFinding[]> {
  const { vpcId, egress } = subject.configuration.network;
  const { subnet, findings } =
    vpcId === undefined
      ? { subnet: null, findings: [...(await vpcs(subject)), ...(egress === 'nat' ? await publicAccess(subject) : [])] }
      : await existingNetwork(subject, vpcId);
  return [...findings, ...(await attempt('instance type', () => instances(subject, subnet)))];
}

/** Checks of an existing VPC, and the subnet in it; `null` if none fits, or the account does not say. */
async function existingNetwork(subject: CheckedDeployment, vpcId: string) {
  const failures: AccountFinding[] = [];
  const subnet = await attempted(
    () => chooseSubnet(subject, vpcId),
    (error) => failures.push(unanswered('subnet', error)),
  );
  if (subnet === undefined) return { subnet: null, findings: failures };
  if (subnet === null) {
    const advice = "set 'availabilityZone' or 'subnetId' to an existing one";
    const command = `aws ec2 describe-subnets --filters Name=vpc-id,Values=${vpcId} --query 'Subnets[].[SubnetId,AvailabilityZone]'`;
    const none = wrong('subnet', 'missing', `${vpcId} has no private subnet as set`, advice, command);
    return { subnet, findings: [none] };
  }
  const findings = [
    ...room(subject, subnet),
    ...(await attempt('routes', () => routes(subject, vpcId, subnet))),
    ...(await attempt('names', () => names(subject, vpcId))),
    ...(usesGateway(subnet) ? await publicAccess(subject, vpcId) : []),
  ];
  return { subnet, findings };
}

/** List prices change a few times a year. */
const OLD_DAYS = 90;
const DAY = 86_400_000;

function prices({ configuration, region, now, book }: CheckedDeployment): AccountFinding[] {
  const NAME = 'prices';
  const lines = deploymentLines(partsOf(configuration), region, book);
  const { hourly, reason, pricesAsOf } = costDocument(region, lines, book);
  const days = Math.floor((now.getTime() - Date.parse(pricesAsOf)) / DAY);
  const cost = hourly === null ? `unknown: ${reason}` : `${hourly.toFixed(2)} USD/h`;
  const found = `${cost}; list prices of ${pricesAsOf}, ${days} days old`;
  const refresh = `npx fsxbench cost ${configuration.definition.name} --refresh`;
  if (hourly === null) return [wrong(NAME, 'limited', found, 'fetch the price lists of the Region', refresh)];
  if (days > OLD_DAYS) return [wrong(NAME, 'limited', found, 'fetch the price lists again', refresh)];
  return [ok(NAME, found)];
}

/** The checks to make, of the planned deployment regardless of the table of offerings. */
export interface ExaminationOptions
  extends Pick<CheckedDeployment, 'account' | 'configuration' | 'now'>,
    Partial<Pick<CheckedDeployment, 'qualifier' | 'book'>> {
  /** Why cdk would refuse it in a Region, by that table. */
  readonly refusal: (region: string) => string | null;
}

/** Makes every check of an account that is possible before a deployment. Changes nothing; a check that could not be made is among the findings. */
export async function examineAccount(options: ExaminationOptions) {
  const { account, configuration, refusal, qualifier = 'hnb659fds', book = PUBLISHED, now } = options;
  const { accountId, findings: who } = await identity(account);
  const { region } = account;
  if (accountId === null || region === null) return { accountId, region, findings: who };
  const common = { account, accountId, region, qualifier, book, now, configuration };
  const subject = { ...common, launches: launchesOf(configuration), refusal: refusal(region) };
  const place = await placeFindings(subject);
  const { name } = configuration.definition;
  const found = await findLeftovers(subject, now);
  const answers = await Promise.all([
    attempt('CDK bootstrap', () => bootstrap(subject)),
    attempt(`stack ${RESULTS_STACK}`, () => stack(subject, RESULTS_STACK)),
    attempt(`stack ${name}`, () => stack(subject, name)),
    attempt(`stack ${name}`, async () => updates(subject, found.fileSystems)),
    attempt('vCPU quota', () => quotas(subject, found.fileSystemsKnown ? found.fileSystems : null)),
    attempt('capacity reservation', () => reservations(subject)),
    attempt('EBS encryption', () => volumeKey(subject)),
    attempt('left over', async () => leftoverFindings(found, name)),
    attempt('prices', async () => prices(subject)),
  ]);
  return { accountId, region, findings: [...who, ...place, ...answers.flat()] };
}
