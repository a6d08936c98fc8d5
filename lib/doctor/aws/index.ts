import { launchesOf } from '../../config/launches';
import { deploymentLines, partsOf } from '../../cost/deployment';
import { costDocument } from '../../price/cost';
import { PUBLISHED } from '../../price/prices';
import { type AccountFinding, attempt, type CheckedDeployment, ok, wrong } from './check';
import { identity } from './identity';
import { findLeftovers, leftoverFindings, RESULTS_STACK } from './leftovers';
import { placeFindings } from './place';
import { quotas, reservations } from './quotas';
import { bootstrap, stack, updates } from './stacks';
import { volumeKey } from './volumeKey';

/** List prices change a few times a year. */
const OLD_DAYS = 90;
const DAY = 86_400_000;

/** The cost of the deployment and the age of the prices. */
function prices({ configuration, region, now, book }: CheckedDeployment): AccountFinding[] {
  const NAME = 'prices';
  const { hourly, reason, pricesAsOf } = costDocument(
    region,
    deploymentLines(partsOf(configuration), region, book),
    book,
  );
  const days = Math.floor((now.getTime() - Date.parse(pricesAsOf)) / DAY);
  const cost = hourly === null ? `unknown: ${reason}` : `${hourly.toFixed(2)} USD/h`;
  const found = `${cost}; list prices of ${pricesAsOf}, ${days} days old`;
  const refresh = `npx fsxbench cost ${configuration.definition.name} --refresh`;
  if (hourly === null) return [wrong(NAME, 'limited', found, 'fetch the price lists of the Region', refresh)];
  if (days > OLD_DAYS) return [wrong(NAME, 'limited', found, 'fetch the price lists again', refresh)];
  return [ok(NAME, found)];
}

/** The findings for an account. */
export interface Examination {
  /** `null` without credentials. */
  readonly accountId: string | null;
  readonly region: string | null;
  readonly findings: readonly AccountFinding[];
}

/** The checks to make, of the planned deployment regardless of the table of offerings. */
export interface ExaminationOptions
  extends Pick<CheckedDeployment, 'account' | 'configuration' | 'now'>,
    Partial<Pick<CheckedDeployment, 'qualifier' | 'book'>> {
  /** Why cdk would refuse it in a Region, by that table. */
  readonly refusal: (region: string) => string | null;
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
    launches: launchesOf(configuration),
    refusal: refusal(region),
  };
  const place = await placeFindings(subject);
  const name = subject.configuration.definition.name;

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
