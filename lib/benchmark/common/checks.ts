import { keyOf } from '../../common/collections';
import { detectable as detectableWords } from '../../common/format/units';
import { type LintContext, type LintFinding, lintCommand, withAllowed } from '../../lint';
import type { Issue } from '../../schema/issue';
import { SECONDS_FOR_METRICS } from '../../schema/metrics';
import type { PlanArm, Step, WorkloadAction } from '../../schema/plan';
import { metadataRatesOf, publishesMetrics, storageOf } from '../../storage/lookup';
import { workloadNamed } from '../../workload/lookup';
import type { Check, Checked } from '../plan';
import { detectableOf, repeatsThatFind, SUPPOSED_VARIATION } from './detectable';

/** Lint rules that the plan's own checks cover better, since they know fleet, time and arms, or that the plan guarantees. */
const CHECKED_ELSEWHERE: ReadonlySet<string> = new Set([
  ...['data-fit-in-memory', 'phase-too-short', 'few-repeats', 'oversubscribed'],
  ...['mdtest-crowded-directory', 'mdtest-stack-overflow'],
  // The user's own program.
  'no-known-tool',
]);

/** Lint findings for every command of the plan, as issues. Flaws of a study in its published plan are notes, since it reproduces the study. */
export function commandIssues(checked: Checked): Issue[] {
  const all = workloads(checked).flatMap(({ step, arm, action }) => {
    const launched = launchedCommand(action);
    const command = [launched].flat().join(' ');
    const asStudied = checked.asStudied === true || action.published !== undefined;
    const findings = lintCommand(launched, contextOf(checked, arm)).filter(({ id }) => !CHECKED_ELSEWHERE.has(id));
    return findings.map((finding) => ({ finding, command, step: step.id, asStudied }));
  });
  const issues = [...Map.groupBy(all, ({ finding: { id, message } }) => keyOf(id, message)).values()].map((same) => {
    const { finding, command, asStudied } = same[0] as (typeof same)[number];
    const issue = issueOf(finding, command, asStudied);
    return { ...issue, where: same.length === 1 ? same[0]?.step : `${same[0]?.step} and ${same.length - 1} more` };
  });
  const { allow = [], reservations = [] } = checked;
  // An error that the user allowed is still a reservation about the run's figures.
  return withAllowed(issues, allow).map((issue) =>
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
function launchedCommand(action: WorkloadAction): string | readonly string[] {
  const { tool, command, program, published, ranksPerClient } = action;
  const byMpi = workloadNamed(tool).launch.by === 'mpi';
  return published ?? program ?? (byMpi ? ['mpirun', '-npernode', String(ranksPerClient), ...command] : command);
}

function contextOf({ parameters, fleet, arms, environment }: Checked, arm: PlanArm | undefined): LintContext {
  const configuration = arm?.configuration;
  const storage = configuration && storageOf(configuration);
  const { iorVersion, stripeCount, simultaneous } = {
    ...(configuration && storage?.documented.conditions?.(configuration)),
    ...parameters,
  } as Readonly<Record<string, unknown>>;
  const files = configuration && storage?.client.files?.(configuration);
  const creates = configuration && metadataRatesOf(configuration)?.file_create;
  const compressor = configuration && storage?.configuration.compression?.(configuration);
  return {
    iorVersion: typeof iorVersion === 'string' ? iorVersion : undefined,
    clients: simultaneous === true ? Math.floor(fleet.clients / arms.length) : fleet.clients,
    cpus: environment.clientCpus,
    compresses: compressor === undefined ? undefined : compressor !== null,
    files,
    stripeCount: typeof stripeCount === 'number' ? stripeCount : undefined,
    createsPerSecond: creates,
    repeated: true,
  };
}

function issueOf({ id, severity, message, suggestion }: LintFinding, command: string, asStudied: boolean): Issue {
  const kept = asStudied && severity !== 'note';
  return {
    id,
    severity: kept ? 'note' : severity,
    message: kept ? `${message} The study did so, and this plan reproduces it.` : message,
    expected: 'a command without lint findings',
    actual: command,
    suggestion: kept ? undefined : (suggestion ?? undefined),
  };
}

/** A check whose issues have one id and severity; `judge` returns what it finds, or `null`. */
export function check(
  id: string,
  severity: Issue['severity'],
  judge: (checked: Checked) => Omit<Issue, 'id' | 'severity'> | null,
): Check {
  return (checked) => {
    const found = judge(checked);
    return found && { id, severity, ...found };
  };
}

export const measured = (steps: readonly Step[]): Step[] => steps.filter((step) => step.phase === 'measure');

export const phaseTooShort = check('phase-too-short', 'warning', ({ arms, steps, environment }) => {
  const isCounted = arms.some(({ configuration }) => configuration === undefined || publishesMetrics(configuration));
  // The lab publishes a point every few seconds.
  if (environment.lab || environment.uncounted || !isCounted) return null;
  const shortest = Math.min(...measured(steps).map((step) => step.expectedSeconds));
  if (!(shortest < SECONDS_FOR_METRICS)) return null;
  return {
    message: 'Phases are too short for the service’s one-minute metrics to confirm what the clients measure.',
    expected: `at least ${SECONDS_FOR_METRICS} s`,
    actual: `${shortest} s`,
    suggestion: `--set seconds=${SECONDS_FOR_METRICS}`,
  };
});

/** The coarsest acceptable minimum detectable difference. A convention of fsxbench. */
const COARSEST = 0.3;

const inPercent = (difference: number): string => detectableWords(Math.round(difference * 100) / 100);

export const fewRepeats = check('few-repeats', 'warning', ({ asStudied, parameters, steps, arms, environment }) => {
  const repeats = asStudied ? 1 : parameters.repeats;
  const { variation = SUPPOSED_VARIATION } = environment;
  const detectable = detectableOf(steps, arms, parameters, environment);
  // Nothing is compared with a single arm.
  if (typeof repeats !== 'number' || arms.length < 2) return null;
  const difference = detectable?.difference ?? null;
  const blind = repeats < 3 || (difference !== null && difference > COARSEST);
  if (!blind) return null;
  const enough = detectable === null ? 5 : (repeatsThatFind(COARSEST, detectable) ?? 5);
  const found = detectableOf(steps, arms, { ...parameters, repeats: enough }, environment)?.difference ?? COARSEST;
  return {
    message:
      repeats < 3
        ? 'With so few repeats, a difference cannot be distinguished from chance.'
        : 'With so few repeats only large differences between the arms are significant.',
    expected: asStudied
      ? 'at least 3 repeats'
      : `at least ${enough} repeats, which detect ${inPercent(found)} with 80 % power if an arm varies by ${variation * 100} %`,
    actual: difference === null || asStudied ? String(repeats) : `${repeats}, which detect ${inPercent(difference)}`,
    suggestion: asStudied ? undefined : `--set repeats=${enough}`,
  };
});

export const oversubscribed = check('oversubscribed-clients', 'note', ({ fleet, parameters, environment }) => {
  const { ranksPerClient } = parameters;
  const { clientCpus } = environment;
  if (typeof ranksPerClient !== 'number' || clientCpus === undefined || ranksPerClient <= clientCpus) return null;
  return {
    message: 'More processes than CPUs on a client: they delay each other at barriers.',
    expected: `at most ${clientCpus} on ${fleet.instanceType ?? 'this computer'}`,
    actual: String(ranksPerClient),
  };
});

export const armsTakeTurns = check('arms-take-turns', 'note', ({ parameters, fleet }) =>
  parameters.simultaneous === false && fleet.clients === 1
    ? {
        message:
          'One client cannot be divided between the arms: they take turns, in an order that changes after each repeat.',
        expected: 'all arms at the same time',
        actual: 'one after the other',
      }
    : null,
);

export const inTheLab = check('lab-run', 'note', ({ arms, environment }) => {
  if (!environment.lab) return null;
  const labels = arms.flatMap(({ configuration }) => (configuration ? [storageOf(configuration).label] : []));
  const expected = [...new Set(labels)].join(', ') || 'file systems of AWS';
  return {
    message: `This run takes place in the lab: its rates are those of one computer and say nothing about those of ${expected}.`,
    expected,
    actual: 'file systems of one computer',
  };
});

/** The issues of a plan. An `error` prevents `run` from starting. */
export function planIssues(checked: Checked, checks: readonly Check[]): Issue[] {
  return [...checks.flatMap((check) => check(checked) ?? []), ...commandIssues(checked)];
}
