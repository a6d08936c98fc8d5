import * as z from 'zod';
import type { Benchmark } from '../benchmark/benchmark';
import { fewRepeats, inTheLab, planIssues } from '../benchmark/common/checks';
import { detectableOf } from '../benchmark/common/detectable';
import { flag, JUDGING_DEFAULTS, judging, parseParameters, whole } from '../benchmark/common/parameters';
import {
  betweenCapacities,
  DROP_CACHES,
  inRepeats,
  NEW_DIRECTORY,
  REMOVE_DATA,
  stepsOf,
  takingTurns,
  withSettling,
} from '../benchmark/common/steps';
import type { PlanDefinition, PlanEnvironment, PlanScale } from '../benchmark/plan';
import { memberBy } from '../common/collections';
import { IN_SECONDS } from '../common/quantity';
import { FEWEST_FOR_INTERIM } from '../common/statistics';
import type { Action, Plan, PlanArm, Step } from '../schema/plan';
import type { Filesystem } from '../storage/filesystem';
import { filesystemNamed, LAYOUT_PARAMETERS } from '../storage/filesystems';
import { storageOf } from '../storage/lookup';
import { OWN_PROGRAM } from '../workload/registry';
import { runTime } from './runTime';

const COMMAND = 'command';

const commandParameters = z.strictObject({
  repeats: whole(1, 1000),
  /** Expected duration of one run; it is stopped after twice that plus ten minutes. */
  seconds: whole(1, 172_800, IN_SECONDS),
  /** Flush and drop the clients' caches before each run. */
  dropCaches: flag(),
  /** Ranks per client of the program's own srun or mpirun, unless its options set it. @default - not set */
  ranksPerClient: whole(1, 1024).nullish(),
});
type CommandParameters = z.infer<typeof commandParameters>;

/**
 * The user's program, timed on each arm: each repeat makes an empty directory, drops caches, runs it, and removes the directory. Arms take turns, in
 * an order that rotates, since the program runs on one client.
 * @param program the program and its arguments, with `{dir}` for the arm's directory @throws Error for a program without `{dir}`
 */
function commandSteps(
  { repeats, seconds, dropCaches, ranksPerClient }: CommandParameters,
  arms: readonly PlanArm[],
  program: readonly string[],
): Step[] {
  if (!program.some((word) => word.includes('{dir}'))) {
    const got = program.length === 0 ? 'none' : `'${program.join(' ')}'`;
    throw new Error(
      `'command' must be a program with {dir} among its arguments, for each arm's directory, got ${got}. Write it last, such as -- cp -r SOURCE {dir}/copy`,
    );
  }
  const run: Action = {
    kind: 'workload',
    tool: OWN_PROGRAM.tool,
    operation: 'run',
    command: OWN_PROGRAM.command(program, { ranksPerClient: ranksPerClient ?? null }),
    program: [...program],
    ranksPerClient: ranksPerClient ?? 1,
    pattern: 'program',
  };
  const units = inRepeats(repeats, (repeat) => {
    const made = stepsOf({ repeat, compressibility: null, unit: `r${repeat}-${COMMAND}`, arms });
    const own = [
      made('directory', 'prepare', NEW_DIRECTORY),
      ...(dropCaches ? [made('drop-caches', 'prepare', DROP_CACHES)] : []),
      made('run', 'measure', run, { expectedSeconds: seconds }),
      made('remove', 'clean up', REMOVE_DATA),
    ];
    return takingTurns(own, arms, repeat);
  });
  return betweenCapacities(arms, units);
}

/** The plan that every benchmark has: the user's own program on each of its arms. */
const command: PlanDefinition<typeof commandParameters> = {
  name: COMMAND,
  takesProgram: true,
  parameters: commandParameters,
  defaults: (scale) => ({ repeats: scale === 'smoke' ? 2 : 5, seconds: scale === 'lab' ? 10 : 60, dropCaches: true }),
  steps: (parameters, { arms, program }) => commandSteps(parameters, arms, program),
  checks: [fewRepeats, inTheLab],
};

export interface PlanRequest {
  readonly benchmark: Pick<Benchmark, 'name' | 'plans'>;
  readonly plan: string;
  readonly scale: PlanScale;
  readonly arms: readonly PlanArm[];
  readonly fleet: Plan['fleet'];
  /** The user's own program with its arguments, for plans that take one. */
  readonly program?: readonly string[];
  /** `key=value` texts over the defaults of the scale. */
  readonly set?: readonly string[];
  /** List price of the deployment while the plan runs. */
  readonly hourlyUsd: number | null;
  readonly costReason?: string;
  /** The known part of it, if the rest is billed by use. */
  readonly knownHourlyUsd?: number;
  readonly costBasis?: string;
  /** Known data of the machines, for the checks that need them. */
  readonly environment?: PlanEnvironment;
  /** Type of the file system that each arm is mounted as. @default - that of the arm's storage; unknown in the lab */
  readonly mountedAs?: Readonly<Record<string, string>>;
  /** Ids of findings in commands that the user allows. @default - none */
  readonly allow?: readonly string[];
}

/** Every plan of a benchmark, its default first; the plan for user programs works with any benchmark. */
export const plansOf = ({ plans }: Pick<Benchmark, 'plans'>): readonly PlanDefinition[] => [...plans, command];

/** A plan of a benchmark. @throws Error with the known names */
export const planNamed = (benchmark: Pick<Benchmark, 'plans'>, name: string): PlanDefinition =>
  memberBy(plansOf(benchmark), 'name', name, "'plan'");

/** The default plan: the first, or the first that takes a program if one is given. */
export function defaultPlan(benchmark: Pick<Benchmark, 'plans'>, program: readonly string[] = []): PlanDefinition {
  const plans = plansOf(benchmark);
  return plans.find(({ takesProgram = false }) => takesProgram === program.length > 0) ?? command;
}

export const defaultsOf = ({ defaults }: PlanDefinition, scale: PlanScale, fleet: Plan['fleet']) => ({
  ...defaults(scale, fleet),
  ...JUDGING_DEFAULTS,
});

/** The parameters of a plan as they are set. @throws Error naming one that there is not, or its value and what is allowed */
export function parametersOf(
  definition: PlanDefinition,
  { scale, fleet, set = [] }: Pick<PlanRequest, 'scale' | 'fleet' | 'set'>,
) {
  const everyPlan = { ...judging, ...optional(LAYOUT_PARAMETERS) };
  return parseParameters(definition.parameters.extend(everyPlan), defaultsOf(definition, scale, fleet), set);
}

/** Builds a plan: every step with its commands, checked; unwise choices are in `issues`. @throws for an invalid parameter, or an unknown allowed id */
export function makePlan(request: PlanRequest): Plan {
  const { benchmark, scale, arms, fleet, program = [], set = [], hourlyUsd, costBasis } = request;
  const { environment = {}, allow = [] } = request;
  const definition = planNamed(benchmark, request.plan);
  const { name: plan, asStudied = false, paired = true, takesProgram = false, reservations = [] } = definition;
  if (program.length > 0 && !takesProgram)
    throw new Error(
      `a program is run by the plan ${command.name}, got '${plan}': leave out --plan, or set --plan ${command.name}`,
    );
  const values = parametersOf(definition, { scale, fleet, set });
  requireInterimAnalyses(values, paired && arms.length > 1);
  const made = withLayout(definition.steps(values, { arms, fleet, program }), values);
  const parameters = recorded(values);
  const steps = withSettling(made, (arm) => filesystemOf(request, arm)?.settles === true);
  const { seconds: expectedSeconds, measuredSeconds } = runTime(steps, (each) => each.expectedSeconds);
  const checked = { asStudied, arms, fleet, steps, parameters, environment, allow, reservations };
  const issues = planIssues(checked, definition.checks);
  // The detectable difference assumes pairs.
  const detectable = paired ? detectableOf(steps, arms, parameters, environment) : null;
  const bytes = upperBytes(steps, parameters);
  const usd = (hourly: number) => (hourly * expectedSeconds) / 3600;
  const costUsd = hourlyUsd === null ? null : usd(hourlyUsd);
  return {
    schema: 'fsxbench.plan/1',
    benchmark: benchmark.name,
    plan,
    scale,
    arms,
    fleet,
    parameters,
    steps,
    totals: {
      expectedSeconds,
      measuredSeconds,
      bytesWritten: bytes,
      bytesRead: bytes,
      bytesReason: bytes === null ? 'bounded by time, or by the sizes in the commands' : undefined,
      costUsd,
      costReason: costUsd === null ? costReasonOf(request, usd) : undefined,
      costBasis: costUsd === null ? undefined : costBasis,
    },
    detectable: detectable ?? undefined,
    issues,
  };
}

/** The file system that the driver will find; `undefined` if it is not known. */
function filesystemOf({ mountedAs, arms, environment }: PlanRequest, arm: string): Filesystem | undefined {
  const mounted = mountedAs?.[arm];
  if (mounted !== undefined) return filesystemNamed(mounted);
  const { configuration } = arms.find(({ name }) => name === arm) ?? {};
  return environment?.lab === true || configuration === undefined
    ? undefined
    : storageOf(configuration).client.filesystems[0];
}

/** Why there is no price, and what it is above where that is known. */
function costReasonOf({ costReason, knownHourlyUsd }: PlanRequest, usd: (hourly: number) => number): string {
  const known =
    knownHourlyUsd === undefined ? '' : `more than ${usd(knownHourlyUsd).toFixed(2)} USD while the plan runs; `;
  return `${known}${costReason ?? 'one of the prices is unknown'}`;
}

/** @throws Error where a plan with a precision could never stop */
function requireInterimAnalyses({ precision, repeats }: Readonly<Record<string, unknown>>, paired: boolean): void {
  if (precision == null) return;
  if (!paired || typeof repeats !== 'number')
    throw new Error(
      `'precision' applies to ratios of two arms, which this plan does not compare repeat by repeat, got '${precision}%': leave it out`,
    );
  if (repeats <= FEWEST_FOR_INTERIM)
    throw new Error(
      `'repeats' must be more than ${FEWEST_FOR_INTERIM} with 'precision', got ${repeats}: a run can be that precise after ${FEWEST_FOR_INTERIM} repeats at the earliest, and stops after 'repeats' in any case; add --set repeats=20`,
    );
}

const optional = (parameters: Readonly<Record<string, z.ZodType>>) =>
  Object.fromEntries(Object.entries(parameters).map(([name, schema]) => [name, schema.nullish()]));

/** The steps that make directories, with the layout that the user set. */
function withLayout(steps: readonly Step[], values: Readonly<Record<string, unknown>>): Step[] {
  const layout = recorded(Object.fromEntries(Object.keys(LAYOUT_PARAMETERS).map((name) => [name, values[name]])));
  return steps.map((each) => ({
    ...each,
    tasks: each.tasks.map((task) =>
      task.action.kind === 'make-directory' ? { ...task, action: { ...task.action, ...layout } } : task,
    ),
  }));
}

/** Drops parameters that are `null` or not set, which have no value to record. */
const recorded = (parameters: Readonly<Record<string, unknown>>): Plan['parameters'] =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value != null)) as Plan['parameters'];

/** The most bytes written, over all arms and repeats; `null` for a plan without a parameter for it. */
function upperBytes(steps: readonly Step[], parameters: Plan['parameters']): number | null {
  const { maxMiBPerArm } = parameters;
  if (typeof maxMiBPerArm !== 'number') return null;
  const writes = steps
    .flatMap((each) => each.tasks)
    .filter(({ action }) => action.kind === 'workload' && action.operation === 'write');
  return writes.length * maxMiBPerArm * 2 ** 20;
}
