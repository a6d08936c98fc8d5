import { type ArmDefinition, type Benchmark, SCALES, type Scale } from '../benchmark/benchmark';
import { breachMessage, unless } from '../common/breach';
import { type ConfigurationProblem, requireNone, requireThat } from '../common/configurationError';
import { type FleetConfiguration, type FleetDefinition, type FleetKind, OPENMPI_VERSION } from '../fleet/fleet';
import { DEFAULT_KERNEL } from '../fleet/image';
import { instanceType as infoOf } from '../fleet/instanceTypes';
import { isZoneId } from '../fleet/offerings';
import { FLEETS, fleetOf } from '../fleet/registry';
import { storageOf } from '../storage/lookup';
import { internetNeeds } from '../storage/outbound';
import { armsOf } from './arms';
import type { Settings } from './fields';
import { checkOffered, checkRegion, checkZone } from './offered';
import { checkType, placementOf, purchaseOf } from './purchase';

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
  /** Tags of all resources of the stack. */
  readonly tags: Readonly<Record<string, string>>;
  /** Name of the person or team that alone updates the stack. @default - the user who runs cdk */
  readonly owner?: string;
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
  const must = "absent when 'expiresAfterHours' is never";
  requireThat(maxCostUsd === undefined, 'maxCostUsd', must, maxCostUsd, 'Leave one of the two out.');
  return { expiresAfterHours: null };
}

/** Checks that clients divide evenly among arms; any number will do where all clients work on one arm after the other. */
function checkClients({ name, dividesFleet = false }: Benchmark, arms: number, clients: number): void {
  const below = Math.floor(clients / arms) * arms;
  const near = [below, below + arms].filter((count) => count >= arms && count <= 1000);
  const must = `a multiple of the ${arms} arms of ${name}, up to 1000`;
  const next = `Each arm is driven by an equal part of the fleet: use ${near.join(' or ')}.`;
  requireThat(!dividesFleet || clients % arms === 0, 'clients', must, clients, next);
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
    const unfit = capability.breach({ name: type, efa });
    return unfit === null ? [] : [breachMessage(unfit)];
  });
  requireNone(problems);
}

/** Every client mounts every arm. */
function checkMounts(arms: readonly ArmDefinition[], clients: number, instanceType: string): void {
  const problems = arms.flatMap(({ name, storage }): readonly ConfigurationProblem[] => {
    const { label, client } = storageOf(storage);
    const most = client.mostClients?.(storage) ?? clients;
    const needed = client.clientProblem?.(storage, instanceType) ?? null;
    const must = `at most ${most} with arm ${name}, since no more can mount ${label} at the same time`;
    return [
      ...(needed === null
        ? []
        : [
            `'instanceType' must be ${needed} with arm ${name}, got ${instanceType}. Set it, or leave the arm out with 'arms'.`,
          ]),
      ...unless(clients <= most, 'clients', must, clients, `Set it to ${most}, or leave the arm out with 'arms'.`),
    ];
  });
  requireNone(problems);
}

/** Rejects arms whose machines fetch from the internet where there is no way to it: their boot would fail after the file systems are paid for. */
function checkEgress({ egress }: Settings, arms: readonly ArmDefinition[]): void {
  if (egress !== 'endpoints') return;
  const next = "Leave it out, or leave the arm out with 'arms'.";
  requireNone(internetNeeds(arms).map((need) => ({ property: 'egress', must: `nat ${need}`, got: egress, next })));
}

/** Settings of other kinds of fleets: they would be passed over. */
function checkForeign({ kind, settings: own = {} }: FleetKind, settings: Settings): void {
  const problems = FLEETS.flatMap((other) =>
    Object.keys(other.settings ?? {}).flatMap((key) =>
      unless(
        settings[key] === undefined || key in own,
        key,
        `absent with fleet ${kind}`,
        settings[key],
        `Set 'fleet' to ${other.kind} to use it.`,
      ),
    ),
  );
  requireNone(problems);
}

/** Rejects settings that would be ignored, because an existing VPC or a given image determines them, or because a related setting is missing. */
function checkUnused(settings: Settings): void {
  const brought = [
    ['vpcId', 'vpcCidr'],
    ['vpcId', 'egress'],
    ['vpcId', 'flowLogs'],
    ['image', 'kernel'],
  ] as const;
  const problems: ConfigurationProblem[] = brought
    .filter(([owner, setting]) => settings[owner] !== undefined && settings[setting] !== undefined)
    .map(([owner, property]) => {
      const must = `absent with '${owner}', which has its own`;
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

/** Properties of the clients that need no check. */
const machineSettings = (settings: Settings, usual: FleetDefinition) => ({
  ranksPerClient: settings.ranksPerClient ?? usual.ranksPerClient,
  image: settings.image,
  kernel: settings.kernel ?? DEFAULT_KERNEL,
  rootVolumeGiB: settings.rootVolumeGiB ?? 30,
  bootTimeoutMinutes: settings.bootTimeoutMinutes ?? 45,
  iorVersion: settings.iorVersion ?? '3.3.0',
  openMpiVersion: OPENMPI_VERSION,
  install: settings.install === 'spack' ? settings.install : undefined,
  ...(settings.efaClients === true ? { efa: true } : {}),
});

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
  const fleet = { ...usual, kind: settings.fleet ?? usual.kind };
  const kind = fleetOf(fleet);
  checkForeign(kind, settings);
  const instanceType = settings.instanceType ?? fleet.instanceType;
  const purchase = purchaseOf(settings);
  const placement = placementOf(settings, definition, purchase);
  checkType(instanceType, placement, purchase);
  const checkOfferings = settings.checkOfferings ?? true;
  const { availabilityZone } = settings;
  checkZone({ region, availabilityZone });
  // A reservation proves that the type is available.
  if (checkOfferings && purchase.kind !== 'capacity-reservation')
    checkOffered(instanceType, { region, availabilityZone });
  const arms = armsOf(definition, scale, settings);
  if (checkOfferings)
    checkRegion(
      arms.map(({ storage }) => storage),
      region,
    );
  const clients = settings.clients ?? fleet.clients;
  checkClients(definition, arms.length, clients);
  checkMounts(arms, clients, instanceType);
  checkEgress(settings, arms);
  checkEfa(settings, arms, instanceType);
  const tuning = settings.tuning ?? definition.tuning ?? 'advised';
  const chosen = { ...fleet, instanceType, clients, purchase, placement, tuning };
  const configured: FleetConfiguration = { ...chosen, ...machineSettings(settings, fleet) };
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
    tags: settings.tags ?? {},
    ...(settings.owner !== undefined && { owner: settings.owner }),
    inputs: settings.inputs ?? [],
    logRetentionDays: settings.logRetentionDays ?? 30,
    ...lifeOf(settings, scale),
  };
}
