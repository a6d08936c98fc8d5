import type { ArmDefinition, Benchmark, Scale } from '../benchmark/benchmark';
import type { BenchmarkConfiguration } from '../config/benchmark';
import type { FleetDefinition } from '../fleet/configuration';
import { fleetOf } from '../fleet/registry';
import { builderLine, countedLines, type PricedFleet, sumOf } from '../price/cost';
import { DEFAULT_REGION, type PriceBook, PUBLISHED } from '../price/prices';
import type { CostLine } from '../schema/cost';
import { onePerServerSet, servicesFor, storageOf } from '../storage/lookup';
import type { MetricRole } from '../storage/storage';

/** The parts of a benchmark that cost money while it is deployed. */
export interface DeployedParts {
  readonly arms: readonly ArmDefinition[];
  /** Fleet, whose root volumes have 30 GiB unless it says otherwise. */
  readonly fleet: PricedFleet & Pick<FleetDefinition, 'kind'>;
  /** Roles of the metrics that the benchmark is about, which its alarms watch. */
  readonly about: readonly MetricRole[];
  /** `null`: an existing network. @default nat */
  readonly egress?: 'nat' | 'endpoints' | null;
  /** True if the stack deletes itself, which alarms watch. @default true */
  readonly expires?: boolean;
}

const DEFAULT_ROOT_VOLUME_GIB = 30;

/** Every cost line of a stack, without usage-based charges: gateway traffic, log and results storage, requests, custom metrics. */
export function deploymentLines(
  parts: DeployedParts,
  region: string = DEFAULT_REGION,
  book: PriceBook = PUBLISHED,
): readonly CostLine[] {
  const { arms, fleet, egress = 'nat', about, expires = true } = parts;
  const endpoints = Object.keys(servicesFor(arms.map(({ storage }) => storage))).length;
  return [
    ...onePerServerSet(arms).flatMap((arm) => armLines(arm, region, book)),
    ...fleetOf(fleet).cost({ rootVolumeGiB: DEFAULT_ROOT_VOLUME_GIB, ...fleet }, region, book),
    ...countedLines(
      {
        'vpc/nat-gateway': egress === 'nat' ? 1 : 0,
        'vpc/public-ipv4': egress === 'nat' ? 1 : 0,
        'vpc/interface-endpoint': egress === 'endpoints' ? endpoints : 0,
        'cloudwatch/dashboard': 1,
        'cloudwatch/alarm-metric': alarmMetrics(arms, about, expires),
        // A stalled run, an idle fleet; and a silent expiry.
        'cloudwatch/composite-alarm': expires ? 3 : 2,
      },
      region,
      book,
    ),
    builderLine(fleet.instanceType, region, book),
  ];
}

/** The parts of a benchmark, with all its settings, that cost money. */
export function partsOf(configuration: BenchmarkConfiguration): DeployedParts {
  const { definition, arms, fleet, network } = configuration;
  return {
    arms,
    expires: configuration.expiresAfterHours !== null,
    egress: network.vpcId === undefined ? network.egress : null,
    about: definition.about,
    fleet: { ...fleet, purchase: fleet.purchase.kind },
  };
}

/** The parts of a benchmark, as its definition has them, that cost money. */
export const partsAt = ({ arms, fleet, about }: Benchmark, scale: Scale): DeployedParts => ({
  arms: arms(scale),
  fleet: fleet(scale),
  about,
});

/** Hourly cost of a benchmark; `null` with a reason if a price is unknown. */
export function deploymentCost(
  parts: DeployedParts,
  region?: string,
  book?: PriceBook,
): ReturnType<typeof sumOf> & { readonly lines: readonly CostLine[] } {
  const lines = deploymentLines(parts, region, book);
  return { ...sumOf(lines), lines };
}

export function armLines({ name, storage }: ArmDefinition, region: string, book?: PriceBook): readonly CostLine[] {
  const { price } = storageOf(storage);
  return price.cost(storage, { region, label: `arm ${name}`, book });
}

export const fleetCost = (instanceType: string, clients: number): ReturnType<typeof sumOf> =>
  sumOf(fleetOf({}).cost({ instanceType, clients, rootVolumeGiB: DEFAULT_ROOT_VOLUME_GIB }, DEFAULT_REGION));

/** Billed metrics of a benchmark's alarms: the arms', run activity twice, clients in service twice, and three results of expiry executions. */
const alarmMetrics = (arms: readonly ArmDefinition[], about: readonly MetricRole[], expires: boolean): number =>
  arms.reduce(
    (sum, { storage }) => sum + (storageOf(storage).monitoring?.alarmMetrics(storage, about) ?? 0),
    expires ? 7 : 4,
  );
