import { type Benchmark, SCALES, type Scale } from '../benchmark/benchmark';
import { labFleet } from '../benchmark/lab';
import { PLAN_SCALES, type PlanDefinition, type PlanScale } from '../benchmark/plan';
import type { BenchmarkConfiguration } from '../config/benchmark';
import { deploymentCost, partsAt, partsOf } from '../cost/deployment';
import type { FleetDefinition } from '../fleet/configuration';
import { instanceType } from '../fleet/instanceTypes';
import { defaultPlan, makePlan, type PlanRequest, planNamed } from '../plan/plan';
import { basisOf, describeBasis, knownUsd, missingPrices } from '../price/cost';
import { DEFAULT_REGION, type PriceBook, PUBLISHED } from '../price/prices';
import type { Plan } from '../schema/plan';
import { storageOf } from '../storage/lookup';
import { usage } from './context';
import { documentedEnvironment } from './input/environment';
import { word } from './input/quantity';

export interface PlanOptions {
  readonly region?: string;
  /** @default the benchmark's first; `command` if a program is given */
  readonly plan?: string;
  readonly scale?: string;
  readonly set: readonly string[];
  readonly program?: readonly string[];
  readonly allow?: readonly string[];
  readonly json?: boolean;
}

interface Documented {
  readonly region: string;
  readonly book: PriceBook;
  readonly configuration: BenchmarkConfiguration;
}

/** A benchmark's plan from its definition, or from the configuration of a deployment, without AWS. */
export function documentedPlan(
  definition: Benchmark,
  options: PlanOptions,
  { region = DEFAULT_REGION, book = PUBLISHED, configuration }: Partial<Documented> = {},
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
  const parts = configuration === undefined ? partsAt(definition, deployed) : partsOf(configuration);
  const { hourlyUsd, reason, lines } = deploymentCost(parts, region, book);
  const missing = missingPrices(lines, region);
  const fleet = configuration?.fleet ?? definition.fleet(deployed);
  const storages = arms.map(({ configuration }) => configuration);
  const common = {
    plan: plan.name,
    scale,
    arms,
    set: options.set,
    costReason: reason === undefined ? undefined : (missing ?? reason),
    knownHourlyUsd: reason === undefined || missing !== null ? undefined : knownUsd(lines),
  };
  if (scale === 'lab')
    return planAs(definition, options, {
      ...common,
      fleet: labFleet(definition),
      hourlyUsd: 0,
      environment: { lab: true },
    });
  return planAs(definition, options, {
    ...common,
    fleet: plannedFleet(fleet, plan),
    hourlyUsd,
    costBasis: describeBasis(basisOf(lines, region)),
    environment: documentedEnvironment(storages, fleet.instanceType, new Date()),
  });
}

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
