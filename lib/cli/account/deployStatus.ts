import type { Account } from '../../common/aws/account';
import { patient } from '../../common/aws/patient';
import { andMore } from '../../common/format/strings';
import { renderTable } from '../../common/format/table';
import { keyOf } from '../../common/keyOf';
import { environmentsAccount } from '../../doctor/aws/account';
import { identity, unidentified } from '../../doctor/aws/identity';
import { knownStack } from '../../doctor/deployment/stack';
import { type DeploymentOutcome, type DeploymentStatus, deploymentStatus } from '../../doctor/deployment/status';
import { type CliContext, printJson, Unsuccessful } from '../context';
import { renderDuration } from '../render/figures';

interface DeployStatusOptions {
  readonly once?: boolean;
  readonly json?: boolean;
}

/** Milliseconds between two looks: CloudFormation limits how often it is asked. */
const LOOK_EVERY = 10_000;

/**
 * `fsxbench deploy-status STACK`: follows a deployment until it is done or cannot succeed any more. Exit status 0 if it was deployed, or goes
 * well with `--once`.
 */
export async function deployStatusCommand(
  context: CliContext,
  name: string,
  options: DeployStatusOptions,
  {
    account,
    lookEvery = LOOK_EVERY,
    now = () => new Date(),
  }: { account?: Account; lookEvery?: number; now?: () => Date } = {},
): Promise<void> {
  const asked = account ?? (await environmentsAccount());
  const { accountId, findings } = await identity(asked);
  if (accountId === null) throw new Unsuccessful(unidentified(findings));
  const printed = new Set<string>();
  const stackNow = patient(() => knownStack(asked, name), {
    everySeconds: lookEvery / 1000,
    onAway: (message) => context.err(`${message}\n`),
  });
  for (;;) {
    const stack = await stackNow();
    if (stack === null)
      throw new Unsuccessful(
        `there is no stack ${name} in this account and Region, nor was there one in the last 90 days: deploy it with npx cdk deploy ${name}`,
      );
    const status = await deploymentStatus(asked, stack, now());
    if (status.outcome === 'in progress' && !options.once) {
      for (const line of statusLines(status)) if (!printed.has(line)) context.err(`${line}\n`);
      for (const line of statusLines(status)) printed.add(line);
      await new Promise((resolve) => setTimeout(resolve, lookEvery));
      continue;
    }
    if (options.json) printJson(context, { schema: 'fsxbench.deploy-status/1', ...status });
    else context.out(renderStatus(status, now()));
    if (status.outcome !== 'deployed' && status.outcome !== 'in progress')
      throw new Unsuccessful(options.json ? '' : ENDS[status.outcome](name));
    return;
  }
}

const ENDS: Readonly<Record<Exclude<DeploymentOutcome, 'deployed' | 'in progress'>, (name: string) => string>> = {
  'cannot succeed': (name) =>
    `${name} cannot be deployed as it is, and costs money until it ends: npx cdk destroy ${name} ends it now`,
  failed: (name) => `${name} was not deployed: npx cdk destroy ${name} removes what is left of it`,
  deleted: (name) => `${name} was deployed, and is deleted`,
};

/** Seconds and less of a time say nothing to people. */
const clock = (iso: string): string => `${iso.slice(11, 19)}Z`;

/** Lines worth telling when they are seen for the first time. */
function statusLines({ resources, groups, machines, problems }: DeploymentStatus): string[] {
  const waiting = resources.inProgress.map(({ id }) => id).join(', ');
  return [
    `${resources.done} resources are done${waiting === '' ? '' : `; waiting for ${waiting}`}`,
    ...groups.flatMap(({ id, wanted, inService, signals }) =>
      wanted === null
        ? []
        : `${id}: ${inService} of ${wanted} instances in service, ${signals.success} ready${signals.failure > 0 ? `, ${signals.failure} failed` : ''}`,
    ),
    ...machines.flatMap(({ id, name, step, lastLineAt }) =>
      step === null || lastLineAt === null ? [] : `${name ?? id}: ${step}`,
    ),
    ...problems.map(({ what, found }) => `${what}: ${found}`),
  ];
}

/** Machines in the same state share a row: a fleet has hundreds. */
function machineRows(machines: DeploymentStatus['machines']): string[][] {
  const rows = machines.map(({ id, name, state, step, stateReason }) => ({
    id,
    cells: [name ?? '', state ?? 'gone', step ?? stateReason ?? 'no log yet'],
  }));
  return [...Map.groupBy(rows, ({ cells }) => keyOf(...cells)).values()].map((group) => {
    const [{ id, cells }] = group as [(typeof rows)[number]];
    return [andMore(id, group.length), ...cells];
  });
}

/** A deployment for people: what was done, what it waits for, and what is wrong with the next step. */
function renderStatus(status: DeploymentStatus, now: Date): string {
  const { stack, startedAt, resources, groups, machines, problems, unknown } = status;
  const age = (since: string | null): string =>
    since === null ? '' : ` for ${renderDuration(Math.max(0, (now.getTime() - Date.parse(since)) / 1000))}`;
  const running = /_IN_PROGRESS$/.test(status.status);
  const tables = [
    ...(resources.inProgress.length === 0 || !running
      ? []
      : [
          renderTable(
            ['waiting for', '', ''],
            resources.inProgress.map(({ id, type, since }) => [id, type, age(since).trim()]),
          ),
        ]),
    ...(groups.length === 0
      ? []
      : [
          renderTable(
            ['group', 'in service', 'ready', 'failed', 'failed launches'],
            groups.map(({ id, wanted, inService, signals, failedLaunches }) => [
              id,
              wanted === null ? 'gone' : `${inService} of ${wanted}`,
              ...[signals.success, signals.failure, failedLaunches.length].map(String),
            ]),
          ),
        ]),
    ...(machines.length === 0 ? [] : [renderTable(['machine', '', 'state', 'boot'], machineRows(machines))]),
  ];
  const wrong = problems.map(({ what, since, found, cause, advice, command }) =>
    [
      `${what}${since === null ? '' : `, ${clock(since)}`}: ${found}\n`,
      ...(cause === null ? [] : [`    ${cause}\n`]),
      ...(advice === null ? [] : [`    ${advice}\n`]),
      ...(command === null ? [] : [`    ${command}\n`]),
    ].join(''),
  );
  const unasked = unknown.map(({ what, reason }) => `not known, ${what}: ${reason}\n`);
  const head = `${stack}: ${status.status}${running ? age(startedAt) : ''}; ${resources.done} resources done\n`;
  return [head, ...tables, ...wrong, ...unasked].join('\n');
}
