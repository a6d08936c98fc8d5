import { type Benchmark, SCALES, type Scale } from '../benchmark/benchmark';
import { PLAN_SCALES, type PlanDefinition, type PlanScale } from '../benchmark/plan';
import type { BenchmarkConfiguration } from '../config/benchmark';
import { configuredCost, deploymentCost } from '../cost/deployment';
import type { FleetDefinition } from '../fleet/fleet';
import { instanceType } from '../fleet/instanceTypes';
import { defaultPlan, makePlan, type PlanRequest, planNamed } from '../plan/plan';
import { basisOf, describeBasis, missingPrices } from '../price/basis';
import { knownUsd } from '../price/cost';
import { DEFAULT_REGION, type PriceBook, PUBLISHED } from '../price/prices';
import type { Plan } from '../schema/plan';
import { storageOf } from '../storage/lookup';
import { UsageError } from './context';
import { documentedEnvironment } from './input/environment';
import { word } from './input/quantity';

export interface PlanOptions {
  readonly region?: string;
  /** @default the benchmark's first; `command` if a program is given */
  readonly plan?: string;
  readonly scale?: string;
  readonly set: readonly string[];
  /** The user's own program, after `--`. @default none */
  readonly program?: readonly string[];
  /** Ids of findings in its commands that stop nothing. @default - none */
  readonly allow?: readonly string[];
  readonly json?: boolean;
}

/** A benchmark's plan from its definition, or from the configuration of a deployment, without AWS. */
export function documentedPlan(
  definition: Benchmark,
  options: PlanOptions,
  {
    region = DEFAULT_REGION,
    book = PUBLISHED,
    configuration = null,
  }: {
    readonly region?: string;
    readonly book?: PriceBook;
    readonly configuration?: BenchmarkConfiguration | null;
  } = {},
): Plan {
  const plan = chosenPlan(definition, options);
  const scale: PlanScale = word('scale', options.scale ?? 'published', PLAN_SCALES);
  // The lab plans the smallest deployment.
  const deployed: Scale = scale === 'lab' ? 'smoke' : word('scale', scale, SCALES);
  const arms = (configuration?.arms ?? definition.arms(deployed)).map(({ name, storage }) => ({
    name,
    description: storageOf(storage).configuration.describe(storage),
    configuration: storage,
  }));
  const { hourlyUsd, reason, lines } =
    configuration === null
      ? deploymentCost(definition, deployed, region, book)
      : configuredCost(configuration, region, book);
  const missing = missingPrices(lines, region);
  const fleet = configuration?.fleet ?? definition.fleet(deployed);
  const storages = arms.map(({ configuration }) => configuration);
  const environment = scale === 'lab' ? { lab: true } : documentedEnvironment(storages, fleet.instanceType, new Date());
  return planAs(definition, options, {
    plan: plan.name,
    scale,
    arms,
    fleet: scale === 'lab' ? definition.lab.fleet : plannedFleet(fleet, plan),
    set: options.set,
    hourlyUsd: scale === 'lab' ? 0 : hourlyUsd,
    costReason: reason === undefined ? undefined : (missing ?? reason),
    knownHourlyUsd: reason === undefined || missing !== null ? undefined : knownUsd(lines),
    costBasis: scale === 'lab' ? undefined : describeBasis(basisOf(lines, region)),
    environment,
  });
}

/** Makes a plan of what the options ask for. @throws UsageError for a parameter that is not allowed */
export const planAs = (
  benchmark: PlanRequest['benchmark'],
  { allow, program = [] }: Pick<PlanOptions, 'allow' | 'program'>,
  request: Omit<PlanRequest, 'benchmark' | 'allow' | 'program'>,
): Plan => usage(() => makePlan({ ...request, benchmark, allow, program }));

/** The fleet of a plan. One that repeats its study oversubscribes the clients as the study did; others give each rank a core of two threads. */
export function plannedFleet(
  { clients, instanceType: type, ranksPerClient }: FleetDefinition,
  { asStudied = false }: PlanDefinition,
): Plan['fleet'] {
  const cores = Math.max(1, Math.floor((instanceType(type)?.vcpus ?? Number.POSITIVE_INFINITY) / 2));
  return { clients, instanceType: type, ranksPerClient: asStudied ? ranksPerClient : Math.min(ranksPerClient, cores) };
}

/** The requested plan. @throws UsageError with the list */
export const chosenPlan = (
  definition: Pick<Benchmark, 'plans'>,
  { plan, program }: Pick<PlanOptions, 'plan' | 'program'>,
): PlanDefinition => usage(() => (plan === undefined ? defaultPlan(definition, program) : planNamed(definition, plan)));

/** Turns errors in a plan's parameters into usage errors. */
export function usage<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
