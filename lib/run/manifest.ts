import { fleetCost } from '../cost/deployment';
import type { FleetKind } from '../fleet/fleet';
import { fleetOf } from '../fleet/registry';
import { sumOf } from '../price/cost';
import { DEFAULT_REGION } from '../price/prices';
import type { ClientConfig } from '../schema/client';
import type { Deployment, StorageConfiguration } from '../schema/deployment';
import { METRICS_PERIOD } from '../schema/metrics';
import type { Plan } from '../schema/plan';
import type { DeployedArm, Described, Manifest } from '../schema/run';
import { isNeverDeployed, storageOf, storageOrNone } from '../storage/lookup';
import { LOCAL_KIND } from '../storage/registry';
import { mountTypeIn } from '../store/platform';
import type { DeployedStack } from './deployed';
import { newRunId } from './runner';

export const fleetOfDeployment = ({ fleet }: Pick<Deployment, 'fleet'>): FleetKind => fleetOf({ kind: fleet });

/** The services' unmodified descriptions of the arms' file systems; `null` for one that does not exist. */
export async function describeArms(arms: Deployment['arms']): Promise<Map<string, Described | null>> {
  const kinds = Map.groupBy(arms, ({ configuration }) => storageOf(configuration));
  const answers = [...kinds].map(async ([kind, own]) => {
    const ids = own.map(({ fileSystemId }) => fileSystemId);
    const known = await kind.account.describeAll?.(ids);
    return ids.map((id) => [id, known?.get(id) ?? null] as const);
  });
  return new Map((await Promise.all(answers)).flat());
}

/** Completes the arms' configurations by the service's own choices, such as the maintenance window. */
export function withDescriptions(deployment: Deployment, described: ReadonlyMap<string, Described | null>): Deployment {
  const arms = deployment.arms.map((arm) => {
    const { maintenance } = storageOf(arm.configuration).documented;
    const chosen = maintenance?.chosen(arm.configuration, described.get(arm.fileSystemId) ?? null);
    return { ...arm, configuration: chosen ?? arm.configuration };
  });
  return { ...deployment, arms };
}

/** The manifest of a run on a deployment, read through the services' own APIs. @param client of the lab, if it replaces the deployment */
export async function deployedManifest(
  run: string,
  stack: DeployedStack,
  plan: Plan,
  client: ClientConfig | null,
): Promise<Manifest> {
  const { deployment } = stack;
  const planned = new Set(plan.arms.map(({ name }) => name));
  const worked = deployment.arms.filter(({ name }) => planned.has(name));
  const described = await describeArms(worked);
  const arms = worked.map(({ name, description, fileSystemId, configuration, hourlyUsd }): DeployedArm => {
    const { actually = null, model, servers } = client?.arms[name] ?? {};
    return {
      name,
      description,
      kind: storageOf(configuration).kind,
      fileSystemId,
      describe: described.get(fileSystemId) ?? null,
      hourlyUsd,
      hourlyReason: hourlyUsd === null ? 'one of its prices is unknown' : undefined,
      actually,
      model,
      serverCpu: servers?.cpu,
    };
  });
  const clients = fleetCost(deployment.instanceType, deployment.clients);
  return {
    schema: 'fsxbench.manifest/1',
    run,
    benchmark: deployment.benchmark,
    lab: client !== null,
    stack: { name: stack.name, id: stack.id, hourlyUsd: deployment.hourlyUsd, priceBasis: deployment.priceBasis },
    region: stack.region,
    account: stack.account,
    arms,
    fleet: {
      kind: deployment.fleet,
      autoScalingGroup: deployment.autoScalingGroup,
      instanceType: deployment.instanceType,
      ...(await fleetOfDeployment(deployment).find(deployment)),
      hourlyUsd: clients.hourlyUsd,
      hourlyReason: clients.reason,
    },
    bucket: deployment.bucket,
    document: deployment.document,
    dashboard: deployment.dashboard,
    metricsPeriodSeconds: METRICS_PERIOD[client === null ? 'aws' : 'lab'],
    tools: client?.tools ?? {},
    notices: client === null ? [] : [...labNotices(arms), ...(client.notices ?? [])],
  };
}

/** Notices for readers of a lab run: whose rates these are not. */
export function labNotices(arms: readonly Pick<DeployedArm, 'kind' | 'model'>[]): readonly string[] {
  const labels = new Set(arms.map(({ kind }) => storageOrNone(kind)?.label ?? kind));
  const none = `is a property of ${[...labels].join(' or ')}, and nothing in it cost money.`;
  const scales = [...new Set(arms.flatMap(({ model }) => model?.scale ?? []))];
  if (scales.length === 0)
    return [
      'This run took place in the lab: an emulator answered for AWS, and the work was done on local file systems of one computer.',
      `No rate, ratio or time in it ${none}`,
    ];
  const links = arms.some(({ model }) => model?.held.some(({ name }) => name.startsWith('network_')));
  return [
    `This run took place in the lab, in a scale model of 1:${scales.join(', 1:')}: an emulator answered for AWS, and the kernel throttled each arm's ${links ? 'disk and network' : 'disks'} to AWS's documented figures divided by that scale. Data were really compressed, sent and written.`,
    `It shows how figures scale, such as throughput with compression; no rate in it ${none}`,
  ];
}

export const LOCAL_FLEET: Manifest['fleet'] = {
  autoScalingGroup: null,
  instanceType: null,
  image: null,
  clients: [],
  hourlyUsd: null,
  hourlyReason: 'this computer',
};

/** Facts about a local run that follow neither from its plan nor from its client. */
interface LocalRun extends Pick<Manifest, 'notices'> {
  /** @default - a new one */
  readonly run?: string | undefined;
  /** A lab stands in for AWS. @default false */
  readonly lab?: boolean;
  /** @default - not known */
  readonly region?: string | null;
  /** The file system of an arm in its service's words. @default - directories, of which no service knows */
  readonly known?: (arm: string) => Pick<DeployedArm, 'fileSystemId' | 'describe'>;
  /** Facts that differ from those of this computer. @default - there are none */
  readonly fleet?: Partial<Manifest['fleet']>;
}

/** The manifest of a run on existing file systems, which this process drives. */
export function localManifest(plan: Plan, client: ClientConfig, facts: LocalRun): Manifest {
  const { run = newRunId(plan.plan, new Date()), lab = false, region = null, fleet, notices } = facts;
  const { known = () => ({ fileSystemId: null, describe: null }) } = facts;
  return {
    schema: 'fsxbench.manifest/1',
    run,
    benchmark: plan.benchmark,
    lab,
    stack: null,
    region,
    account: null,
    arms: plan.arms.map(({ name, description, configuration = { kind: LOCAL_KIND } }) => ({
      name,
      description,
      kind: configuration.kind,
      ...known(name),
      ...priceOf(configuration, region ?? DEFAULT_REGION, lab ? null : (client.arms[name]?.actually ?? null)),
      actually: client.arms[name]?.actually ?? null,
    })),
    fleet: { ...LOCAL_FLEET, ...fleet },
    bucket: null,
    document: null,
    dashboard: null,
    metricsPeriodSeconds: METRICS_PERIOD[lab ? 'lab' : 'aws'],
    tools: client.tools,
    notices,
  };
}

function priceOf(configuration: StorageConfiguration, region: string, mounted: string | null) {
  const storage = storageOf(configuration);
  if (isNeverDeployed(storage))
    return { hourlyUsd: null, hourlyReason: 'a directory of this computer has no list price' };
  const { price, client, label } = storage;
  const type = mountTypeIn(mounted);
  if (type !== undefined && !client.filesystems.some((own) => own.type === type))
    return { hourlyUsd: null, hourlyReason: `${mounted} is mounted, which is not ${label}` };
  const { hourlyUsd, reason } = sumOf(price.cost(configuration, { region }));
  return { hourlyUsd, hourlyReason: reason };
}
