import type { Issue } from '../schema/issue';
import type { Plan, PlanArm, Step } from '../schema/plan';
import { SETTLING } from '../storage/lustre/filesystem';
import { BEFORE_AFTER, type BeforeAfter, beforeAfterSteps, type Raise } from './beforeAfter';
import type { Surroundings } from './checked';
import { planIssues } from './checks';
import { COMMAND, COMMAND_CHECKS, commandDefaults, commandParameters, commandSteps } from './command';
import { detectableOf } from './detectable';
import { metadataSteps, publishedMetadataSteps } from './metadata';
import { METADATA_CHECKS } from './metadataChecks';
import {
  beforeAfterDefaults,
  beforeAfterParameters,
  metadataDefaults,
  metadataParameters,
  publishedMetadataDefaults,
  publishedMetadataParameters,
} from './metadataParameters';
import { pairedDefaults, pairedSteps } from './paired';
import { type PlanScale, pairedParameters, parseParameters, publishedParameters } from './parameters';
import { publishedDefaults, publishedSteps } from './published';
import { withSettling } from './steps';

/** The plans that can be asked for. */
export const PLAN_NAMES = ['paired', 'published', COMMAND] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

/** What a plan is made from. */
export interface PlanRequest {
  readonly benchmark: string;
  /** What the benchmark measures: the data of files, or operations on files. @default data */
  readonly subject?: 'data' | 'metadata';
  readonly plan: PlanName | typeof BEFORE_AFTER;
  readonly scale: PlanScale;
  readonly arms: readonly PlanArm[];
  /** What the plan `before-after` goes around, with its two arms; only there. */
  readonly raise?: Raise;
  readonly fleet: { readonly clients: number; readonly instanceType: string | null; readonly ranksPerClient: number };
  /** The user's own program with its arguments; only for the plan `command`. */
  readonly program?: readonly string[];
  /** `key=value` texts over the defaults of the scale. */
  readonly set?: readonly string[];
  /** List price of everything that is deployed while the plan runs. */
  readonly hourlyUsd: number | null;
  /** Why there is no price. */
  readonly costReason?: string;
  /** Of what day and whose the prices are, for people. */
  readonly costBasis?: string;
  /** What is known of the machines, for the checks that need it. */
  readonly surroundings?: Surroundings;
}

/**
 * A plan: every step with its commands, checked.
 *
 * @throws when a parameter is wrong; what is only unwise is in `issues`
 */
export function makePlan(request: PlanRequest): Plan {
  const {
    benchmark,
    plan,
    scale,
    arms,
    fleet,
    set = [],
    hourlyUsd,
    costReason,
    costBasis,
    surroundings = {},
  } = request;
  const { steps: made, parameters } = makeSteps(request, set);
  const steps = withSettling(made, (arm) => {
    const { configuration } = arms.find(({ name }) => name === arm) ?? {};
    return surroundings.lab === true || configuration === undefined ? undefined : SETTLING;
  });
  const expectedSeconds = steps.reduce((sum, each) => sum + each.expectedSeconds, 0);
  const issues: readonly Issue[] = planIssues(
    { plan, scale, arms, fleet, steps, parameters, surroundings },
    ...(plan === COMMAND ? [COMMAND_CHECKS] : request.subject === 'metadata' ? [METADATA_CHECKS] : []),
  );
  // Repeats that are not pairs find something else.
  const detectable = plan === BEFORE_AFTER ? null : detectableOf(steps, arms, parameters);
  const bytes = upperBytes(steps, parameters);
  const costUsd = hourlyUsd === null ? null : (hourlyUsd * expectedSeconds) / 3600;
  return {
    schema: 'fsxbench.plan/1',
    benchmark,
    plan,
    scale,
    arms,
    fleet,
    parameters,
    steps,
    totals: {
      expectedSeconds,
      bytesWritten: bytes,
      bytesRead: bytes,
      costUsd,
      ...(costUsd === null ? { costReason: costReason ?? 'one of the prices is unknown' } : {}),
      ...(costUsd === null || costBasis === undefined ? {} : { costBasis }),
    },
    ...(detectable === null ? {} : { detectable }),
    issues,
  };
}

function makeSteps(request: PlanRequest, set: readonly string[]): { steps: Step[]; parameters: Plan['parameters'] } {
  const { plan, scale, arms, fleet, subject = 'data', program = [] } = request;
  if (plan === COMMAND) {
    const parameters = parseParameters(commandParameters, commandDefaults(scale), set);
    return { steps: commandSteps(parameters, arms, program), parameters: recorded(parameters) };
  }
  if (program.length > 0)
    throw new Error(
      `a program is run by the plan ${COMMAND}, got '${plan}': leave --plan away, or set --plan ${COMMAND}`,
    );
  if (subject === 'metadata') return makeMetadataSteps(request, set);
  if (plan === 'published') {
    const parameters = parseParameters(publishedParameters, publishedDefaults(scale, fleet.ranksPerClient), set);
    return { steps: publishedSteps(parameters, arms), parameters: recorded(parameters) };
  }
  // One client cannot be divided between the arms: they take turns on it.
  const defaults = {
    ...pairedDefaults(scale, fleet.ranksPerClient),
    ...(fleet.clients === 1 ? { simultaneous: false } : {}),
  };
  const parameters = parseParameters(pairedParameters, defaults, set);
  return { steps: pairedSteps(parameters, arms, fleet.clients), parameters: recorded(parameters) };
}

function makeMetadataSteps(
  { plan, scale, arms, fleet, raise }: PlanRequest,
  set: readonly string[],
): { steps: Step[]; parameters: Plan['parameters'] } {
  const { clients, ranksPerClient } = fleet;
  if (plan === BEFORE_AFTER) {
    if (raise === undefined || arms.length !== 2)
      throw new Error(`the plan ${BEFORE_AFTER} needs a change and two arms, got ${arms.length} arms`);
    const parameters = parseParameters(beforeAfterParameters, beforeAfterDefaults(scale, ranksPerClient), set);
    const steps = beforeAfterSteps(parameters, arms as unknown as BeforeAfter, clients, raise);
    return { steps, parameters: recorded(parameters) };
  }
  if (plan === 'published') {
    const defaults = publishedMetadataDefaults(scale, ranksPerClient);
    const parameters = parseParameters(publishedMetadataParameters, defaults, set);
    return { steps: publishedMetadataSteps(parameters, arms, clients), parameters: recorded(parameters) };
  }
  const parameters = parseParameters(metadataParameters, metadataDefaults(scale, ranksPerClient), set);
  return { steps: metadataSteps(parameters, arms, clients), parameters: recorded(parameters) };
}

/** `null` is left out: a parameter without value has no place in a record of values. */
function recorded(
  parameters: Record<string, string | number | boolean | readonly number[] | null>,
): Plan['parameters'] {
  return Object.fromEntries(
    Object.entries(parameters).filter(
      (entry): entry is [string, string | number | boolean | readonly number[]] => entry[1] !== null,
    ),
  );
}

/** What is written at the most, all arms and repeats together; `null` for a plan that only time bounds. */
function upperBytes(steps: readonly Step[], parameters: Plan['parameters']): number | null {
  const { maxMiBPerArm } = parameters;
  if (typeof maxMiBPerArm !== 'number') return null;
  const writes = steps
    .flatMap((each) => each.tasks)
    .filter(({ action }) => action.kind === 'workload' && action.operation === 'write');
  return writes.length * maxMiBPerArm * 2 ** 20;
}
