import type { StackEvent } from '@aws-sdk/client-cloudformation';
import type { Account } from '../../common/aws/account';
import { LAUNCH_PATIENCE_MINUTES, launchFailureOf } from '../../fleet/launchFailures';
import { attempted, reasonOf } from '../aws/check';
import { type GroupStatus, groupsOf } from './groups';
import { type BootingMachine, machinesOf } from './machines';
import { type KnownStack, lastDeployment, timeOf } from './stack';

/** A resource of a deployment that is being made, or could not be. */
export interface ResourceStatus {
  readonly id: string;
  readonly type: string;
  readonly since: string;
  readonly reason: string | null;
}

/** Something that keeps a deployment from its end. */
export interface Problem {
  /** Its subject: a group, an instance, a resource. */
  readonly what: string;
  readonly since: string | null;
  /** In the words of AWS or of a boot. */
  readonly found: string;
  readonly cause: string | null;
  readonly advice: string | null;
  readonly command: string | null;
  /** True if the deployment cannot succeed with it. */
  readonly final: boolean;
}

/** `cannot succeed`: CloudFormation still waits, for nothing. `deleted`: it was deployed, and is gone. */
export type DeploymentOutcome = 'in progress' | 'cannot succeed' | 'deployed' | 'failed' | 'deleted';

export interface DeploymentStatus {
  readonly stack: string;
  readonly status: string;
  readonly outcome: DeploymentOutcome;
  /** Times of the deployment's first and last events, in ISO 8601. */
  readonly startedAt: string | null;
  readonly lastEventAt: string | null;
  readonly resources: {
    readonly done: number;
    readonly inProgress: readonly ResourceStatus[];
    readonly failed: readonly ResourceStatus[];
  };
  readonly groups: readonly GroupStatus[];
  readonly machines: readonly BootingMachine[];
  readonly problems: readonly Problem[];
  /** Questions that could not be asked, with the reasons. */
  readonly unknown: readonly { readonly what: string; readonly reason: string }[];
}

/** Minutes of silence after which a boot is suspect: its longest step, a build, logs more often. */
const SILENCE_MINUTES = 15;

/** The state of a stack's last deployment. */
export async function deploymentStatus(account: Account, stack: KnownStack, now: Date): Promise<DeploymentStatus> {
  const events = await lastDeployment(account, stack);
  const own = events.filter(({ PhysicalResourceId }) => PhysicalResourceId === stack.id);
  const others = events.filter(({ PhysicalResourceId }) => PhysicalResourceId !== stack.id);
  const unknown: { what: string; reason: string }[] = [];
  const asked = async <T>(what: string, ask: () => Promise<readonly T[]>): Promise<readonly T[]> =>
    (await attempted(ask, (error) => void unknown.push({ what, reason: reasonOf(error) }))) ?? [];
  const begun = timeOf(events[0]?.Timestamp);
  const logGroup = physicalId(others, 'AWS::Logs::LogGroup', /^Logs/);
  const [groups, machines] = await Promise.all([
    asked('scaling activities', () => groupsOf(account, others, begun)),
    asked('boots', () => machinesOf(account, stack.name, logGroup)),
  ]);
  const failed = resourcesIn(others, /_FAILED$/).filter(({ reason }) => !/^Resource \w+ cancelled$/.test(reason ?? ''));
  const problems = [
    ...groups.flatMap((group) => lacking(stack, group, now)),
    ...machines.flatMap((machine) => broken(machine, logGroup, now)),
    ...failed.flatMap((resource) => refused(stack, resource)),
  ];
  return {
    stack: stack.name,
    status: stack.status,
    outcome: outcomeOf(stack, own, problems),
    startedAt: iso(begun),
    lastEventAt: iso(timeOf(events.at(-1)?.Timestamp)),
    resources: {
      done: resourcesIn(others, /^(CREATE|UPDATE)_COMPLETE$/).length,
      inProgress: resourcesIn(others, /_IN_PROGRESS$/),
      failed,
    },
    groups,
    machines,
    problems,
    unknown,
  };
}

const iso = (time: number): string | null => (time === 0 ? null : new Date(time).toISOString());

const physicalId = (events: readonly StackEvent[], type: string, id: RegExp): string | null =>
  events.findLast(
    ({ ResourceType, LogicalResourceId = '', PhysicalResourceId }) =>
      ResourceType === type && id.test(LogicalResourceId) && PhysicalResourceId,
  )?.PhysicalResourceId ?? null;

/** Resources by their last event. Those that failed do so although they were deleted later. */
function resourcesIn(events: readonly StackEvent[], status: RegExp): ResourceStatus[] {
  const last = new Map<string, StackEvent>();
  for (const event of events) {
    const id = event.LogicalResourceId ?? '';
    const before = last.get(id)?.ResourceStatus ?? '';
    if (!/_FAILED$/.test(before)) last.set(id, event);
  }
  return [...last].flatMap(([id, { ResourceStatus = '', ResourceType = '', ResourceStatusReason, Timestamp }]) =>
    status.test(ResourceStatus)
      ? { id, type: ResourceType, since: iso(timeOf(Timestamp)) ?? '', reason: ResourceStatusReason ?? null }
      : [],
  );
}

function outcomeOf(
  { status }: KnownStack,
  own: readonly StackEvent[],
  problems: readonly Problem[],
): DeploymentOutcome {
  if (/^(CREATE|UPDATE)_COMPLETE(_CLEANUP_IN_PROGRESS)?$/.test(status)) return 'deployed';
  if (/^(CREATE|UPDATE|REVIEW)_IN_PROGRESS$/.test(status))
    return problems.some(({ final }) => final) ? 'cannot succeed' : 'in progress';
  const was = own.some(({ ResourceStatus = '' }) => /^(CREATE|UPDATE)_COMPLETE$/.test(ResourceStatus));
  return was && /^DELETE_/.test(status) ? 'deleted' : 'failed';
}

const doctor = ({ name }: KnownStack): string => `npx fsxbench doctor --aws ${name}`;

/** A group without all of its instances, whose launches fail. */
function lacking(stack: KnownStack, { id, wanted, inService, failedLaunches }: GroupStatus, now: Date): Problem[] {
  const [first] = failedLaunches;
  const last = failedLaunches.at(-1);
  if (first === undefined || last === undefined || (wanted !== null && inService >= wanted)) return [];
  const failure = launchFailureOf(last.message);
  const minutes = (now.getTime() - Date.parse(first.at)) / 60_000;
  return [
    {
      what: `${id}: ${inService} of ${wanted ?? '?'} instances`,
      since: first.at,
      found: last.message,
      cause: failure?.cause ?? null,
      advice: failure?.advice ?? null,
      command: doctor(stack),
      final: failure?.passes === false || minutes >= LAUNCH_PATIENCE_MINUTES,
    },
  ];
}

/** An instance whose boot has failed, or says nothing any more. */
function broken(machine: BootingMachine, logGroup: string | null, now: Date): Problem[] {
  const { id, name, state, step, error, lastLineAt } = machine;
  const command = `aws logs get-log-events --log-group-name ${logGroup} --log-stream-name ${id}/boot --limit 50 --query events[].message --output text`;
  const common = { what: name === null ? id : `${id} (${name})`, since: lastLineAt, cause: null, command };
  if (error !== undefined)
    return [{ ...common, found: error, advice: 'its log has what led to it; fix that, and deploy again', final: true }];
  // The last step says that all is done.
  const silent = lastLineAt === null ? 0 : (now.getTime() - Date.parse(lastLineAt)) / 60_000;
  if (state !== 'running' || step === null || !/^step (?!.* took )/.test(step) || silent < SILENCE_MINUTES) return [];
  const advice = `look there: aws ssm start-session --target ${id}`;
  return [{ ...common, found: `silent for ${Math.floor(silent)} minutes in ${step}`, advice, final: false }];
}

/** A resource that could not be made. */
function refused(stack: KnownStack, { id, type, since, reason }: ResourceStatus): Problem[] {
  const failure = launchFailureOf(reason ?? '');
  return [
    {
      what: `${id} (${type})`,
      since,
      found: reason ?? 'no reason given',
      final: true,
      cause: failure?.cause ?? null,
      advice: failure?.advice ?? null,
      command: failure === null ? null : doctor(stack),
    },
  ];
}
