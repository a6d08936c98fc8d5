import type { BenchmarkConfiguration } from '../../config/benchmark';
import { type PriceBook, PUBLISHED } from '../../cost/prices';
import type { Account } from '../../kit/aws/account';
import { type AccountFinding, attempt, type CheckedDeployment, wrong } from './check';
import { identity } from './identity';
import { dryRun, image } from './image';
import { findLeftovers, leftoverFindings, RESULTS_STACK } from './leftovers';
import { prices } from './prices';
import { storage, vcpus, vpcs } from './quotas';
import { bootstrap, stack } from './stacks';
import { type ChosenSubnet, chooseSubnet, names, room, routes } from './subnet';
import { offered, zoneOf, zonesOf } from './zone';

/** The findings for an account. */
export interface Examination {
  /** `null` without credentials. */
  readonly accountId: string | null;
  readonly region: string | null;
  readonly findings: readonly AccountFinding[];
}

/** The checks to make. */
export interface ExaminationOptions {
  readonly account: Account;
  /** The planned deployment, regardless of the table of offerings. */
  readonly configuration: BenchmarkConfiguration;
  /** Why cdk would refuse it in a Region, by that table. */
  readonly refusal: (region: string) => string | null;
  /** Qualifier of the bootstrap. @default hnb659fds, CDK's own */
  readonly qualifier?: string;
  /** @default the built-in ones */
  readonly book?: PriceBook;
  readonly now: Date;
}

/**
 * Makes every check of an account that is possible before a deployment. Changes nothing; a check that could not be made
 * is among the findings.
 */
export async function examineAccount(options: ExaminationOptions): Promise<Examination> {
  const { account, configuration, refusal, qualifier = 'hnb659fds', book = PUBLISHED, now } = options;
  const { accountId, findings: who } = await identity(account);
  const { region } = account;
  if (accountId === null || region === null) return { accountId, region, findings: who };
  const subject: CheckedDeployment = {
    account,
    accountId,
    region,
    qualifier,
    book,
    now,
    configuration,
    refusal: refusal(region),
  };
  const { network } = await placed(subject);
  const name = subject.configuration.definition.name;

  const found = await findLeftovers(subject);
  const answers = await Promise.all([
    attempt('CDK bootstrap', () => bootstrap(subject)),
    attempt(`stack ${RESULTS_STACK}`, () => stack(subject, RESULTS_STACK)),
    attempt(`stack ${name}`, () => stack(subject, name)),
    attempt('vCPU quota', () => vcpus(subject)),
    // Quota usage is unknown without all existing file systems.
    found.unknown.length > 0 ? [] : attempt('storage quota', () => storage(subject, found.fileSystems)),
    attempt('left over', async () => leftoverFindings(found)),
    attempt('prices', async () => prices(subject)),
  ]);
  return { accountId, region, findings: [...who, ...network, ...answers.flat()] };
}

/** Checks that depend on the zone: zone, network, image. */
async function placed(subject: CheckedDeployment): Promise<{ readonly network: readonly AccountFinding[] }> {
  const { vpcId } = subject.configuration.network;
  let subnet: ChosenSubnet | null = null;
  const network: AccountFinding[] = [];
  if (vpcId === undefined) network.push(...(await vpcs(subject)));
  else {
    network.push(
      ...(await attempt('subnet', async () => {
        subnet = await chooseSubnet(subject, vpcId);
        if (subnet !== null) return [];
        const command = `aws ec2 describe-subnets --filters Name=vpc-id,Values=${vpcId} --query 'Subnets[].[SubnetId,AvailabilityZone]'`;
        const found = `${vpcId} has no private subnet as set`;
        return [wrong('subnet', 'missing', found, "set 'availabilityZone' or 'subnetId' to an existing one", command)];
      })),
    );
  }
  const chosen = subnet as ChosenSubnet | null;
  if (vpcId !== undefined && chosen !== null) {
    network.push(...room(subject, chosen));
    network.push(...(await attempt('routes', () => routes(subject, vpcId, chosen))));
    network.push(...(await attempt('names', () => names(subject, vpcId))));
  }
  network.push(
    ...(await attempt('instance type', async () => {
      const zones = await zonesOf(subject);
      const zone = await zoneOf(subject, zones, chosen);
      const places = await offered(subject, zones, zone);
      // Do not try an instance type that is not offered.
      if (places.some(({ state }) => state !== 'ok')) return places;
      const booted = await attempt('image', async () => {
        const { id, findings } = await image(subject);
        if (id === null) return [...findings];
        return [...findings, ...(await attempt('dry run', () => dryRun(subject, id, zone, chosen?.id)))];
      });
      return [...places, ...booted];
    })),
  );
  return { network };
}
