import { keyOf } from '../../common/keyOf';
import { type LintContext, type LintFinding, lintCommand } from '../../lint';
import { withAllowed } from '../../lint/allowed';
import type { Issue } from '../../schema/issue';
import type { PlanArm, Step, WorkloadAction } from '../../schema/plan';
import { storageOf } from '../../storage/lookup';
import { workloadNamed } from '../../workload/lookup';
import type { Checked } from '../plan';

/** Lint rules that the plan's own checks cover better, since they know fleet, time and arms, or that the plan guarantees. */
const CHECKED_ELSEWHERE: ReadonlySet<string> = new Set([
  ...['data-fit-in-memory', 'phase-too-short', 'few-repeats', 'oversubscribed'],
  ...['mdtest-crowded-directory', 'mdtest-stack-overflow'],
  // The user's own program.
  'no-known-tool',
]);

/** A finding and its commands. */
interface Found {
  readonly finding: LintFinding;
  readonly command: string;
  readonly steps: readonly string[];
  /** The study had it as well. */
  readonly asStudied: boolean;
}

/**
 * Lint findings for every command of the plan, as issues. Flaws that a published plan repeats from its study are notes, since its
 * purpose is to reproduce the study.
 */
export function commandIssues(checked: Checked): Issue[] {
  const all = workloads(checked).flatMap(({ step, arm, action }) => {
    const launched = launchedCommand(action);
    const command = [launched].flat().join(' ');
    const asStudied = checked.asStudied === true || action.published !== undefined;
    const findings = lintCommand(launched, contextOf(checked, arm)).filter(({ id }) => !CHECKED_ELSEWHERE.has(id));
    return findings.map((finding) => ({ finding, command, step: step.id, asStudied }));
  });
  const found = [...Map.groupBy(all, ({ finding: { id, message } }) => keyOf(id, message)).values()].map(
    (same): Found => ({ ...(same[0] as (typeof same)[number]), steps: same.map(({ step }) => step) }),
  );
  const { allow = [], reservations = [] } = checked;
  // An error that the user allowed is still a reservation about the run's figures.
  return withAllowed(found.map(issueOf), allow).map((issue) =>
    issue.severity === 'error' && (issue.allowed || reservations.includes(issue.id))
      ? { ...issue, severity: 'warning' }
      : issue,
  );
}

/** Each command once per arm: steps of the same kind differ only in their targets and sizes. */
function workloads({ steps, arms }: Checked): { step: Step; arm: PlanArm | undefined; action: WorkloadAction }[] {
  const all = steps.flatMap((step) =>
    step.tasks.flatMap(({ arm: name, action }) =>
      action.kind === 'workload' ? [{ step, arm: arms.find((one) => one.name === name), action }] : [],
    ),
  );
  const key = ({ arm, action }: (typeof all)[number]): string => JSON.stringify([arm?.name, action.command]);
  return [...new Map(all.reverse().map((one) => [key(one), one])).values()].reverse();
}

/** The command with the driver's launcher, as far as lint rules depend on it. */
function launchedCommand({
  tool,
  command,
  program,
  published,
  ranksPerClient,
}: WorkloadAction): string | readonly string[] {
  if (published !== undefined) return published;
  if (program !== undefined) return [...program];
  const byMpi = workloadNamed(tool).launch.by === 'mpi';
  return byMpi ? ['mpirun', '-npernode', String(ranksPerClient), ...command] : [...command];
}

function contextOf({ parameters, fleet, arms, surroundings }: Checked, arm: PlanArm | undefined): LintContext {
  const configuration = arm?.configuration;
  const storage = configuration && storageOf(configuration);
  const { iorVersion, stripeCount, simultaneous } = {
    ...(configuration && storage?.configuration.conditions?.(configuration)),
    ...parameters,
  } as Readonly<Record<string, unknown>>;
  const files = configuration && storage?.client.files?.(configuration);
  const creates = configuration && storage?.documented.metadata?.rates(configuration)?.file_create;
  const compressor = configuration && storage?.configuration.compression?.(configuration);
  return {
    iorVersion: typeof iorVersion === 'string' ? iorVersion : undefined,
    clients: simultaneous === true ? Math.floor(fleet.clients / arms.length) : fleet.clients,
    cpus: surroundings.clientCpus,
    compresses: compressor === undefined ? undefined : compressor !== null,
    files,
    stripeCount: typeof stripeCount === 'number' ? stripeCount : undefined,
    createsPerSecond: creates,
    repeated: true,
  };
}

function issueOf({ finding, command, steps, asStudied }: Found): Issue {
  const { id, severity, message, suggestion } = finding;
  const kept = asStudied && severity !== 'note';
  return {
    id,
    severity: kept ? 'note' : severity,
    message: kept ? `${message} The study did so, and this plan reproduces it.` : message,
    expected: 'a command without lint findings',
    actual: command,
    suggestion: kept ? undefined : (suggestion ?? undefined),
    where: steps.length === 1 ? (steps[0] as string) : `${steps[0]} and ${steps.length - 1} more`,
  };
}
