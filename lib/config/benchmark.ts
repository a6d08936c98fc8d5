import { type ArmDefinition, type Benchmark, type Placement, SCALES, type Scale } from '../benchmark/benchmark';
import type { FleetConfiguration, FleetKind, Purchase } from '../fleet/fleet';
import { DEFAULT_KERNEL } from '../fleet/image';
import { instanceType as infoOf } from '../fleet/instanceTypes';
import { fleetOf } from '../fleet/lookup';
import { isZoneId } from '../fleet/offerings';
import { FLEETS } from '../fleet/registry';
import { breachMessage } from '../kit/breach';
import { ConfigurationError } from '../kit/configurationError';
import { storageOf } from '../storage/lookup';
import { internetNeeds } from '../storage/outbound';
import { armsOf } from './arms';
import type { Settings } from './fields';
import { checkOffered } from './offered';

/** The configuration of a benchmark's stack, with all defaults filled in. */
export interface BenchmarkConfiguration {
  readonly definition: Benchmark;
  readonly scale: Scale;
  readonly arms: readonly ArmDefinition[];
  readonly fleet: FleetConfiguration;
  readonly network: {
    /** By name or id. `undefined`: the first of the Region, chosen by CloudFormation. */
    readonly availabilityZone: string | undefined;
    /** `undefined`: a new VPC. */
    readonly vpcId: string | undefined;
    /** `undefined`: the first private one of the zone. */
    readonly subnetId: string | undefined;
    readonly cidr: string;
    readonly egress: 'nat' | 'endpoints';
    /** Record who talks to whom in the VPC of the stack. */
    readonly flowLogs: boolean;
  };
  /** Requirements of an account's own rules, by ARN. */
  readonly guards: {
    readonly permissionsBoundary: string | undefined;
    /** A key for log groups and topics. */
    readonly operationsKey: string | undefined;
  };
  readonly alarmEmail: string | undefined;
  /** Inputs that clients may read in S3, as `s3://bucket/prefix`. */
  readonly inputs: readonly string[];
  readonly logRetentionDays: number;
  /** Hours after its deployment at which the stack deletes itself; `null` for never. */
  readonly expiresAfterHours: number | null;
  /** Most that the stack may cost before it deletes itself. @default - no limit */
  readonly maxCostUsd?: number;
}

/** A day for the size of a study, whose longest plan takes half of it; a working day for smaller ones. */
const LIFE_HOURS: Readonly<Record<Scale, number>> = { published: 24, smoke: 8 };

/** With a budget the stack must live for a limited time, or nothing would end it. */
function lifeOf({ expiresAfterHours, maxCostUsd }: Settings, scale: Scale) {
  if (expiresAfterHours !== 'never') return { expiresAfterHours: expiresAfterHours ?? LIFE_HOURS[scale], maxCostUsd };
  if (maxCostUsd === undefined) return { expiresAfterHours: null };
  throw new ConfigurationError([
    `'maxCostUsd' must be absent when 'expiresAfterHours' is never, got ${maxCostUsd}. Leave one of the two out.`,
  ]);
}

function purchaseOf(settings: Settings): Purchase {
  const { purchase, capacityReservationId, placementGroup, availabilityZone, subnetId } = settings;
  if (purchase === 'capacity-reservation') {
    if (capacityReservationId === undefined) {
      throw new ConfigurationError([
        "'capacityReservationId' must be given when 'purchase' is capacity-reservation, got nothing. " +
          'List them with: aws ec2 describe-capacity-reservations',
      ]);
    }
    // A reservation is for one zone (EC2 user guide, capacity-reservations); elsewhere its clients would never start.
    if (availabilityZone === undefined && subnetId === undefined) {
      throw new ConfigurationError([
        "'availabilityZone' must be given when 'purchase' is capacity-reservation, got nothing. Set it to the zone of the reservation: " +
          `aws ec2 describe-capacity-reservations --capacity-reservation-ids ${capacityReservationId}`,
      ]);
    }
    return { kind: purchase, id: capacityReservationId, placementGroup };
  }
  if (capacityReservationId !== undefined) {
    throw new ConfigurationError([
      `'capacityReservationId' must be absent when 'purchase' is ${purchase ?? 'on-demand'}, got "${capacityReservationId}". ` +
        "Set 'purchase' to capacity-reservation to use it.",
    ]);
  }
  if (placementGroup !== undefined) {
    throw new ConfigurationError([
      `'placementGroup' must be absent when 'purchase' is ${purchase ?? 'on-demand'}, got "${placementGroup}". ` +
        "The stack creates its own group if 'placement' needs one; leave it out.",
    ]);
  }
  return { kind: purchase ?? 'on-demand' };
}

/**
 * EC2 supports no burstable, flex or Mac type in a cluster placement group (EC2 docs), but reports that only when the fleet starts, after
 * the file systems.
 */
function checkPlacement(instanceType: string, placement: Placement): void {
  if (placement === 'cluster' && /^(t\d|mac|[a-z0-9]+-flex\.)/.test(instanceType)) {
    throw new ConfigurationError([
      `'instanceType' must be a type for cluster placement groups, got "${instanceType}". ` +
        "Use one with fixed performance, such as c5n.large, or 'placement' none.",
    ]);
  }
}

/** Placement of the clients. A capacity reservation decides it: reserved instances are in the reservation's group, or in none. */
function placementOf(
  { placement }: Settings,
  { placement: usual = 'cluster' }: Benchmark,
  purchase: Purchase,
): Placement {
  if (purchase.kind !== 'capacity-reservation') return placement ?? usual;
  const reserved = purchase.placementGroup === undefined ? 'none' : 'cluster';
  if (placement === undefined || placement === reserved) return reserved;
  throw new ConfigurationError([
    purchase.placementGroup === undefined
      ? `'placement' must be none with a capacity reservation that was made in no placement group, got "${placement}". Leave it out, or name the group of the reservation with 'placementGroup'.`
      : `'placement' must be cluster with 'placementGroup' ${purchase.placementGroup}, got "${placement}". Leave one of the two out.`,
  ]);
}

/** Checks that clients divide evenly among arms; any number will do where all clients work on one arm after the other. */
function checkClients({ name, dividesFleet = false }: Benchmark, arms: number, clients: number): void {
  if (!dividesFleet || clients % arms === 0) return;
  const below = Math.floor(clients / arms) * arms;
  const near = [below, below + arms].filter((count) => count >= arms && count <= 1000);
  throw new ConfigurationError([
    `'clients' must be a multiple of the ${arms} arms of ${name}, up to 1000, got ${clients}. ` +
      `Each arm is driven by an equal part of the fleet: use ${near.join(' or ')}.`,
  ]);
}

/** Clients without EFA, or on file systems without it, would mount over TCP without a word. */
function checkEfa({ efaClients = false }: Settings, arms: readonly ArmDefinition[], type: string): void {
  if (!efaClients) return;
  const efa = infoOf(type)?.efa ?? false;
  const problems = arms.flatMap(({ name, storage }) => {
    const capability = storageOf(storage).documented.performance?.efa;
    if (capability?.enabled(storage) !== true)
      return [
        `'efaClients' must be false with arm ${name}, which has no EFA, got true. Set 'efa' to true, or leave it out.`,
      ];
    const unfit = capability.breach({ name: type, efa });
    return unfit === null ? [] : [breachMessage(unfit)];
  });
  if (problems.length > 0) throw new ConfigurationError([...new Set(problems)]);
}

/** Every client mounts every arm. */
function checkMounts(arms: readonly ArmDefinition[], clients: number, instanceType: string): void {
  const problems = arms.flatMap(({ name, storage }) => {
    const { label, client } = storageOf(storage);
    const most = client.mostClients?.(storage) ?? clients;
    const needed = client.clientProblem?.(storage, instanceType) ?? null;
    const wrong =
      needed === null
        ? []
        : [
            `'instanceType' must be ${needed} with arm ${name}, got ${instanceType}. Set it, or leave the arm out with 'arms'.`,
          ];
    return clients <= most
      ? wrong
      : [
          ...wrong,
          `'clients' must be at most ${most} with arm ${name}, since no more can mount ${label} at the same time, got ${clients}. Set it to ${most}, or leave the arm out with 'arms'.`,
        ];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** Rejects arms whose machines fetch from the internet where there is no way to it: their boot would fail after the file systems are paid for. */
function checkEgress({ egress }: Settings, arms: readonly ArmDefinition[]): void {
  if (egress !== 'endpoints') return;
  const problems = internetNeeds(arms).map(
    (need) => `'egress' must be nat ${need}, got "endpoints". Leave it out, or leave the arm out with 'arms'.`,
  );
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** Settings of other kinds of fleets: they would be passed over. */
function checkForeign({ kind, settings: own = {} }: FleetKind, settings: Settings): void {
  const problems = FLEETS.flatMap((other) =>
    Object.keys(other.settings ?? {})
      .filter((key) => settings[key] !== undefined && !(key in own))
      .map(
        (key) =>
          `'${key}' must be absent with fleet ${kind}, got ${JSON.stringify(settings[key])}. Set 'fleet' to ${other.kind} to use it.`,
      ),
  );
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** Rejects settings that would be ignored, because an existing VPC or a given image determines them, or because a related setting is missing. */
function checkUnused(settings: Settings): void {
  const brought = [
    ['vpcId', 'vpcCidr'],
    ['vpcId', 'egress'],
    ['vpcId', 'flowLogs'],
    ['image', 'kernel'],
  ] as const;
  const problems = brought
    .filter(([owner, setting]) => settings[owner] !== undefined && settings[setting] !== undefined)
    .map(
      ([owner, setting]) =>
        `'${setting}' must be absent with '${owner}', which has its own, got "${settings[setting]}". Leave one of the two out.`,
    );
  const { vpcId, availabilityZone } = settings;
  if (vpcId !== undefined && availabilityZone !== undefined && isZoneId(availabilityZone)) {
    // CDK looks up subnets only by zone name.
    problems.push(
      `'availabilityZone' must be the name of a zone with 'vpcId', got "${availabilityZone}". ` +
        'Its name in your account: aws ec2 describe-availability-zones --query "AvailabilityZones[].[ZoneId,ZoneName]"',
    );
  }
  if (settings.subnetId !== undefined && vpcId === undefined) {
    problems.push(
      `'vpcId' must be given with 'subnetId', got only "${settings.subnetId}". Set it to the VPC of the subnet.`,
    );
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/**
 * The configuration of a benchmark: its definition at the chosen scale, overridden by the settings, with every default filled in.
 *
 * @param region of the deployment; `undefined` if unknown
 * @throws ConfigurationError if settings conflict, AWS would reject a file system, or does not offer the instance type
 */
export function resolveBenchmark(definition: Benchmark, settings: Settings, region?: string): BenchmarkConfiguration {
  checkUnused(settings);
  const scale = settings.scale ?? SCALES[0];
  const usual = definition.fleet(scale);
  const fleet = { ...usual, ...(settings.fleet === undefined ? {} : { kind: settings.fleet }) };
  const kind = fleetOf(fleet);
  checkForeign(kind, settings);
  const instanceType = settings.instanceType ?? fleet.instanceType;
  const purchase = purchaseOf(settings);
  const placement = placementOf(settings, definition, purchase);
  checkPlacement(instanceType, placement);
  const checkOfferings = settings.checkOfferings ?? true;
  const { availabilityZone } = settings;
  // A reservation proves that the type is available.
  if (checkOfferings && purchase.kind !== 'capacity-reservation')
    checkOffered(instanceType, { region, availabilityZone });
  const arms = armsOf(definition, scale, settings);
  const clients = settings.clients ?? fleet.clients;
  checkClients(definition, arms.length, clients);
  checkMounts(arms, clients, instanceType);
  checkEgress(settings, arms);
  checkEfa(settings, arms, instanceType);
  const configured: FleetConfiguration = {
    ...fleet,
    instanceType,
    clients,
    ranksPerClient: settings.ranksPerClient ?? fleet.ranksPerClient,
    purchase,
    placement,
    image: settings.image,
    kernel: settings.kernel ?? DEFAULT_KERNEL,
    rootVolumeGiB: settings.rootVolumeGiB ?? 30,
    bootTimeoutMinutes: settings.bootTimeoutMinutes ?? 45,
    iorVersion: settings.iorVersion ?? '3.3.0',
    openMpiVersion: settings.openMpiVersion ?? '4.1.8',
    ...(settings.install === 'spack' ? { install: settings.install } : {}),
    ...(settings.efaClients === true ? { efa: true } : {}),
    tuning: settings.tuning ?? definition.tuning ?? 'advised',
  };
  const storages = arms.map(({ storage }) => storage);
  return {
    definition,
    scale,
    arms,
    fleet: kind.configure?.(configured, { settings, storages }) ?? configured,
    network: {
      availabilityZone,
      vpcId: settings.vpcId,
      subnetId: settings.subnetId,
      cidr: settings.vpcCidr ?? '10.0.0.0/16',
      egress: settings.egress ?? 'nat',
      flowLogs: settings.flowLogs ?? false,
    },
    guards: { permissionsBoundary: settings.permissionsBoundary, operationsKey: settings.operationsKey },
    alarmEmail: settings.alarmEmail,
    inputs: settings.inputs ?? [],
    logRetentionDays: settings.logRetentionDays ?? 30,
    ...lifeOf(settings, scale),
  };
}
