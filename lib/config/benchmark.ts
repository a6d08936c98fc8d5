import { type ArmDefinition, type Benchmark, type BenchmarkFleet, SCALES, type Scale } from '../benchmark/benchmark';
import { dividesFleet } from '../benchmark/lookup';
import { BENCHMARKS } from '../benchmark/registry';
import { type ConfigurationProblem, requireNone, requireThat } from '../common/configurationError';
import { listed } from '../common/format/text';
import { nearest } from '../common/nearest';
import { unless, violationMessage } from '../common/violation';
import {
  DEFAULT_KERNEL,
  type FleetConfiguration,
  type FleetDefinition,
  OPENMPI_VERSION,
  type Placement,
  type Purchase,
} from '../fleet/configuration';
import type { FleetKind } from '../fleet/fleet';
import { bootsAmazonLinux, instanceType as infoOf, isWithoutSpot } from '../fleet/instanceTypes';
import { isZoneId } from '../fleet/offerings';
import { FLEETS, fleetOf } from '../fleet/registry';
import type { StorageConfiguration } from '../schema/deployment';
import { internetNeeds, maxClientsOf, storageOf } from '../storage/lookup';
import { STORAGES } from '../storage/registry';
import type { Settings } from './fields';
import { checkOffered, checkRegion } from './offered';

/** Maximum arms of a stack: with fourteen, it stays below CloudFormation's 500 resources and a parameter's 8,192 bytes in all cases. */
const MOST_ARMS = 14;

/** Problems with settings of storages, benchmarks and kinds of fleets that are not used, which would otherwise be ignored. */
function foreign(
  { name, settings: own = {} }: Benchmark,
  arms: readonly ArmDefinition[],
  fleet: FleetKind,
  settings: Settings,
) {
  const kinds = new Set(arms.map(({ storage }) => storageOf(storage)));
  const used = [own, fleet.settings ?? {}, ...[...kinds].map((kind) => kind.configuration.settings)];
  const others = [
    ...FLEETS.map(({ kind, settings: fields = {} }) => ({ owner: `fleet ${kind}`, fields })),
    ...STORAGES.map((storage) => ({ owner: storage.label, fields: storage.configuration.settings })),
    ...BENCHMARKS.map((benchmark) => ({ owner: benchmark.name, fields: benchmark.settings ?? {} })),
  ];
  return Object.entries(settings).flatMap(([key, value]) => {
    const owners = others.filter(({ fields }) => key in fields).map(({ owner }) => owner);
    const kept = value === undefined || owners.length === 0 || used.some((fields) => key in fields);
    const conflict = `${name}: it is a setting of ${listed(owners)}`;
    return unless(kept, key, { conflict }, value, 'Put it into the section of a benchmark that has it.');
  });
}

/** All arms that can be chosen. Settings that choose arms do not change them: an arm is what its name says. */
function candidates(definition: Benchmark, scale: Scale, settings: Settings): readonly ArmDefinition[] {
  const { chosenBy = [] } = definition;
  const common = Object.fromEntries(Object.entries(settings).filter(([key]) => !chosenBy.includes(key)));
  const arms = definition.arms(scale, settings);
  const fleet = fleetOf({ kind: settings.fleet ?? definition.fleet(scale).kind });
  requireNone(foreign(definition, arms, fleet, settings));
  const changed = (storage: StorageConfiguration) => storageOf(storage).configuration.withSettings(storage, common);
  return arms.map((arm) => ({ ...arm, storage: changed(arm.storage) }));
}

function subset(
  { settings: own = {} }: Benchmark,
  arms: readonly ArmDefinition[],
  wanted: Settings['arms'],
): readonly ArmDefinition[] {
  if (wanted === undefined) return arms;
  const names = arms.map(({ name }) => name);
  const [maker] = Object.keys(own);
  const problems = wanted
    .filter((name) => !names.includes(name))
    .map((name) => {
      const meant = nearest(name, names);
      const other = maker === undefined ? 'Leave it out for all of them.' : `Others come with '${maker}'.`;
      const step = meant === undefined ? other : `Did you mean '${meant}'?`;
      return { property: 'arms', must: `of ${names.join(', ')}`, got: name, next: step };
    });
  requireNone(problems);
  return arms.filter(({ name }) => wanted.includes(name));
}

/** The arms with the settings applied, checked against AWS's rules. @throws ConfigurationError */
export function armsOf(definition: Benchmark, scale: Scale, settings: Settings): readonly ArmDefinition[] {
  const arms = subset(definition, candidates(definition, scale, settings), settings.arms);
  const storages = arms.map(({ storage }) => storage);
  const problems = storages.flatMap((storage) => {
    const { check, words } = storageOf(storage).configuration;
    return check(storage).errors.map((violation) => violationMessage(violation, words));
  });
  if (arms.length > MOST_ARMS)
    problems.push(
      `${definition.name} must have at most ${MOST_ARMS} arms, got ${arms.length}. Choose some with 'arms'.`,
    );
  for (const kind of new Set(storages.map(storageOf))) {
    const { checkTogether, words } = kind.configuration;
    const errors = checkTogether?.(storages.filter((storage) => storageOf(storage) === kind)) ?? [];
    problems.push(...errors.map((violation) => violationMessage(violation, words)));
  }
  requireNone(problems);
  return arms;
}

/** The way in which the settings buy the clients. @throws ConfigurationError */
function purchaseOf(settings: Settings): Purchase {
  const { purchase: kind = 'on-demand', capacityReservationId: id, placementGroup } = settings;
  if (kind !== 'capacity-reservation') {
    const conflict = `'purchase' ${kind}: it belongs to a capacity reservation`;
    const ofReservation = "Set 'purchase' to capacity-reservation to use it.";
    requireThat(id === undefined, 'capacityReservationId', { conflict }, id, ofReservation);
    const ofStack = "Leave it out: the stack creates its own group if 'placement' needs one.";
    requireThat(placementGroup === undefined, 'placementGroup', { conflict }, placementGroup, ofStack);
    return { kind };
  }
  const given = `given when 'purchase' is ${kind}`;
  const list = 'aws ec2 describe-capacity-reservations';
  requireThat(id !== undefined, 'capacityReservationId', given, id, `List them with: ${list}`);
  // A reservation is for one zone (EC2 user guide, capacity-reservations); elsewhere its clients would never start.
  const { availabilityZone, subnetId } = settings;
  const isPlaced = availabilityZone !== undefined || subnetId !== undefined;
  const ofZone = `Set it to the zone of the reservation: ${list} --capacity-reservation-ids ${id}`;
  requireThat(isPlaced, 'availabilityZone', given, availabilityZone, ofZone);
  return { kind, id, placementGroup };
}

/** EC2 reports a type that it cannot start that way only when the fleet starts, after the file systems. */
function checkType(instanceType: string, placement: Placement, { kind }: Purchase): void {
  const require = (kept: boolean, must: string, next: string) =>
    requireThat(kept, 'instanceType', must, instanceType, next);
  const boots = bootsAmazonLinux(instanceType);
  require(boots, 'a type that Amazon Linux 2023 boots on', 'Use one such as c5n.large.');
  // No burstable and no flex type can be in one (EC2 user guide, placement-strategies), nor some older ones.
  const apart = /^(t\d|[a-z0-9]+-flex\.)/.test(instanceType) || infoOf(instanceType)?.placementGroup === false;
  const together = "Use one with fixed performance, such as c5n.large, or 'placement' none.";
  require(placement !== 'cluster' || !apart, 'a type for cluster placement groups', together);
  const isSold = kind !== 'spot' || !isWithoutSpot(instanceType);
  require(isSold, "a type that EC2 offers as Spot Instances with 'purchase' spot", "Leave 'purchase' out.");
}

/** Placement of the clients. A capacity reservation decides it: reserved instances are in the reservation's group, or in none. */
function placementOf(
  { placement }: Settings,
  { placement: usual = 'cluster' }: BenchmarkFleet,
  purchase: Purchase,
): Placement {
  if (purchase.kind !== 'capacity-reservation') return placement ?? usual;
  const { placementGroup: group } = purchase;
  const reserved = group === undefined ? 'none' : 'cluster';
  const [must, next] =
    group === undefined
      ? [
          'none with a capacity reservation outside placement groups',
          "Leave it out, or name the group of the reservation with 'placementGroup'.",
        ]
      : [`cluster with 'placementGroup' ${group}`, 'Leave one of the two out.'];
  requireThat(placement === undefined || placement === reserved, 'placement', must, placement, next);
  return reserved;
}

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
    readonly egress: 'nat' | 'endpoints';
    readonly flowLogs: boolean;
  };
  /** Requirements of an account's own rules, by ARN. */
  readonly guards: { readonly permissionsBoundary: string | undefined; readonly kmsKeyArn: string | undefined };
  /** E-mail address, or ARN of a topic. */
  readonly alarmEmail: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** Name of the person or team that alone updates the stack. @default - the user who runs cdk */
  readonly owner?: string;
  /** Inputs that clients may read in S3, as `s3://bucket/prefix`. */
  readonly inputs: readonly string[];
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
  const conflict = "'expiresAfterHours' never: a stack deletes itself at a cost limit only if it expires";
  requireThat(maxCostUsd === undefined, 'maxCostUsd', { conflict }, maxCostUsd, 'Leave one of the two out.');
  return { expiresAfterHours: null };
}

/** Checks that clients divide evenly among arms; any number will do where all clients work on one arm after the other. */
function checkClients(definition: Benchmark, arms: number, clients: number): void {
  const below = Math.floor(clients / arms) * arms;
  const near = [below, below + arms].filter((count) => count >= arms && count <= 1000);
  const must = `a multiple of the ${arms} arms of ${definition.name}, up to 1000`;
  const next = `Each arm is driven by an equal part of the fleet: use ${near.join(' or ')}.`;
  requireThat(!dividesFleet(definition) || clients % arms === 0, 'clients', must, clients, next);
}

/** Clients without EFA, or on file systems without it, would mount over TCP without a word. */
function checkEfa({ efaClients = false }: Settings, arms: readonly ArmDefinition[], type: string): void {
  if (!efaClients) return;
  const efa = infoOf(type)?.efa ?? false;
  const problems = arms.flatMap(({ name, storage }): readonly ConfigurationProblem[] => {
    const capability = storageOf(storage).documented.performance?.efa;
    const must = `false with arm ${name}, which has no EFA`;
    if (capability?.enabled(storage) !== true)
      return [{ property: 'efaClients', must, got: true, next: "Set 'efa' to true, or leave it out." }];
    const unfit = capability.violation({ name: type, efa });
    return unfit === null ? [] : [violationMessage(unfit)];
  });
  requireNone(problems);
}

/** Every client mounts every arm. */
function checkMounts(arms: readonly ArmDefinition[], clients: number, instanceType: string): void {
  const problems = arms.flatMap(({ name, storage }): readonly ConfigurationProblem[] => {
    const kind = storageOf(storage);
    const max = maxClientsOf(kind) ?? clients;
    const needed = kind.client.clientProblem?.(storage, instanceType) ?? null;
    const type = `'instanceType' must be ${needed} with arm ${name}, got ${instanceType}. Set it, or leave the arm out with 'arms'.`;
    const must = `at most ${max} with arm ${name}, since no more can mount ${kind.label} at the same time`;
    return [
      ...(needed === null ? [] : [type]),
      ...unless(clients <= max, 'clients', must, clients, `Set it to ${max}, or leave the arm out with 'arms'.`),
    ];
  });
  requireNone(problems);
}

/** Rejects arms whose servers fetch from the internet if the network has no way to it: their boot would fail after the file systems are paid for. */
function checkEgress({ egress }: Settings, arms: readonly ArmDefinition[]): void {
  if (egress !== 'endpoints') return;
  const next = "Leave it out, or leave the arm out with 'arms'.";
  requireNone(internetNeeds(arms).map((need) => ({ property: 'egress', must: `nat ${need}`, got: egress, next })));
}

/** Rejects settings that would be ignored, because an existing VPC or a given image determines them, or because a related setting is missing. */
function checkUnused(settings: Settings): void {
  const brought = { egress: 'vpcId', flowLogs: 'vpcId', kernel: 'image' };
  const problems: ConfigurationProblem[] = Object.entries(brought)
    .filter(([setting, owner]) => settings[owner] !== undefined && settings[setting] !== undefined)
    .map(([property, owner]) => {
      const must = { conflict: `'${owner}': the ${owner === 'image' ? owner : 'VPC'} has its own` };
      return { property, must, got: `${settings[property]}`, next: 'Leave one of the two out.' };
    });
  const { vpcId, availabilityZone = '' } = settings;
  const next =
    'Its name in your account: aws ec2 describe-availability-zones --query "AvailabilityZones[].[ZoneId,ZoneName]"';
  // CDK looks up subnets only by zone name.
  const isLookedUp = vpcId === undefined || !isZoneId(availabilityZone);
  problems.push(...unless(isLookedUp, 'availabilityZone', "the name of a zone with 'vpcId'", availabilityZone, next));
  if (settings.subnetId !== undefined && vpcId === undefined)
    problems.push(
      `'vpcId' must be given with 'subnetId', got only "${settings.subnetId}". Set it to the VPC of the subnet.`,
    );
  requireNone(problems);
}

const machineSettings = (settings: Settings, usual: FleetDefinition) => ({
  ranksPerClient: settings.ranksPerClient ?? usual.ranksPerClient,
  image: settings.image,
  kernel: settings.kernel ?? DEFAULT_KERNEL,
  rootVolumeGiB: settings.rootVolumeGiB ?? 30,
  bootTimeoutMinutes: settings.bootTimeoutMinutes ?? 45,
  iorVersion: settings.iorVersion ?? '3.3.0',
  openMpiVersion: OPENMPI_VERSION,
  install: settings.install === 'spack' ? settings.install : undefined,
  ...(settings.efaClients && { efa: true }),
});

/**
 * The configuration of a benchmark: its definition at the chosen scale, overridden by the settings, with every default filled in.
 * @throws ConfigurationError if settings conflict, AWS would reject a file system, or does not offer the instance type
 */
export function resolveBenchmark(definition: Benchmark, settings: Settings, region?: string): BenchmarkConfiguration {
  checkUnused(settings);
  const scale = settings.scale ?? SCALES[0];
  const usual = definition.fleet(scale);
  const fleet = { ...usual, kind: settings.fleet ?? usual.kind };
  const kind = fleetOf(fleet);
  const instanceType = settings.instanceType ?? fleet.instanceType;
  const purchase = purchaseOf(settings);
  const placement = placementOf(settings, usual, purchase);
  checkType(instanceType, placement, purchase);
  const checkOfferings = settings.checkOfferings ?? true;
  const { availabilityZone } = settings;
  // A reservation proves that the type is available.
  if (checkOfferings && purchase.kind !== 'capacity-reservation')
    checkOffered(instanceType, { region, availabilityZone });
  const arms = armsOf(definition, scale, settings);
  const storages = arms.map(({ storage }) => storage);
  if (checkOfferings) checkRegion(storages, { region, availabilityZone });
  const clients = settings.clients ?? fleet.clients;
  checkClients(definition, arms.length, clients);
  checkMounts(arms, clients, instanceType);
  checkEgress(settings, arms);
  checkEfa(settings, arms, instanceType);
  const tuning = settings.tuning ?? usual.tuning ?? 'advised';
  const chosen = { ...fleet, instanceType, clients, purchase, placement, tuning };
  const configured: FleetConfiguration = { ...chosen, ...machineSettings(settings, fleet) };
  return {
    definition,
    scale,
    arms,
    fleet: kind.configure?.(configured, { settings, storages }) ?? configured,
    network: {
      availabilityZone,
      vpcId: settings.vpcId,
      subnetId: settings.subnetId,
      egress: settings.egress ?? 'nat',
      flowLogs: settings.flowLogs ?? false,
    },
    guards: { permissionsBoundary: settings.permissionsBoundary, kmsKeyArn: settings.kmsKeyArn },
    alarmEmail: settings.alarmEmail,
    tags: settings.tags ?? {},
    ...(settings.owner !== undefined && { owner: settings.owner }),
    inputs: settings.inputs ?? [],
    ...lifeOf(settings, scale),
  };
}
