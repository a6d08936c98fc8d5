import type { ArmDefinition, BenchmarkDefinition, Scale } from '../benchmark/definition';
import type { BenchmarkConfiguration } from '../config/benchmark';
import { CLIENT_SERVICES } from '../kit/aws/services';
import { serversOf } from '../storage/lustre/servers';
import { builderLine } from './builder';
import { type CostLine, countedLines, fleetLines, lustreLines, type PurchaseKind, sumOf } from './cost';
import { DEFAULT_REGION, type PriceBook, PUBLISHED } from './prices';

/** What of a benchmark costs money while it is deployed. */
export interface DeployedParts {
  readonly arms: readonly ArmDefinition[];
  readonly fleet: {
    readonly instanceType: string;
    readonly clients: number;
    /** @default 30 */
    readonly rootVolumeGiB?: number;
    /** @default on-demand */
    readonly purchase?: PurchaseKind;
  };
  /** What the benchmark measures, which decides what its alarms watch. @default data */
  readonly subject?: 'data' | 'metadata';
  /** `null`: a network that is there anyway. @default nat */
  readonly egress?: 'nat' | 'endpoints' | null;
}

const DEFAULT_ROOT_VOLUME_GIB = 30;

/** A stalled run, an idle fleet. */
const COMPOSITE_ALARMS = 2;

/**
 * Every line of a benchmark's stack. Left out is what is billed by use, not by time: traffic through gateways, log and results
 * storage, requests, custom metrics; the budget of a run must have room for them.
 */
export function deploymentLines(
  parts: DeployedParts,
  region: string = DEFAULT_REGION,
  book: PriceBook = PUBLISHED,
): readonly CostLine[] {
  const { arms, fleet, egress = 'nat', subject = 'data' } = parts;
  return [
    ...arms.flatMap(({ name, lustre }) => lustreLines(lustre, region, { label: `arm ${name}`, book })),
    ...fleetLines({ ...fleet, rootVolumeGiB: fleet.rootVolumeGiB ?? DEFAULT_ROOT_VOLUME_GIB }, region, book),
    ...countedLines(
      {
        'vpc/nat-gateway': egress === 'nat' ? 1 : 0,
        'vpc/public-ipv4': egress === 'nat' ? 1 : 0,
        'vpc/interface-endpoint': egress === 'endpoints' ? Object.keys(CLIENT_SERVICES).length : 0,
        'cloudwatch/dashboard': 1,
        'cloudwatch/alarm-metric': alarmMetrics(arms, subject),
        'cloudwatch/composite-alarm': COMPOSITE_ALARMS,
      },
      region,
      book,
    ),
    builderLine(fleet.instanceType, region, book),
  ];
}

/** What of a benchmark, with all its settings, costs money. */
export function partsOf({ definition, arms, fleet, network }: BenchmarkConfiguration): DeployedParts {
  return {
    arms,
    egress: network.vpcId === undefined ? network.egress : null,
    subject: definition.subject,
    fleet: { ...fleet, purchase: fleet.purchase.kind },
  };
}

/** What a benchmark costs an hour as its definition has it; `null` with a reason where a price is unknown. */
export function deploymentCost(
  { arms, fleet, subject }: BenchmarkDefinition,
  scale: Scale,
  region: string = DEFAULT_REGION,
  book: PriceBook = PUBLISHED,
): { readonly hourlyUsd: number | null; readonly reason?: string; readonly lines: readonly CostLine[] } {
  const lines = deploymentLines({ arms: arms(scale), fleet: fleet(scale), subject }, region, book);
  return { ...sumOf(lines), lines };
}

/** What one arm's file system costs an hour. */
export function armCost(arm: ArmDefinition, region: string = DEFAULT_REGION): ReturnType<typeof sumOf> {
  return sumOf(lustreLines(arm.lustre, region, { label: `arm ${arm.name}` }));
}

/** What the clients cost an hour. */
export function fleetCost(
  instanceType: string,
  clients: number,
  region: string = DEFAULT_REGION,
): ReturnType<typeof sumOf> {
  return sumOf(fleetLines({ instanceType, clients, rootVolumeGiB: DEFAULT_ROOT_VOLUME_GIB }, region));
}

/**
 * Metrics that the alarms of a benchmark read; each is billed. For each arm: the capacity of every target, network and disk of every
 * server, and what tells that something happens: bytes read and written, or metadata operations. About metadata in addition: the CPU
 * of every metadata server, reads and writes of every metadata target whose IOPS are provisioned. For the whole: run activity twice,
 * clients in service twice.
 */
function alarmMetrics(arms: readonly ArmDefinition[], subject: 'data' | 'metadata'): number {
  const metadata = subject === 'metadata';
  const perArm = arms.map(({ lustre }) => {
    const seen = metadata ? 1 : 2;
    const servers = serversOf(lustre);
    if (servers === null) return seen;
    const { oss, ost, mds } = servers;
    const watched = metadata ? mds + (lustre.metadata === undefined ? 0 : 2 * mds) : 0;
    // Where the number of targets is not published, that of the servers is the least there can be.
    return (ost ?? oss) + 2 * oss + seen + watched;
  });
  return perArm.reduce((sum, count) => sum + count, 4);
}
