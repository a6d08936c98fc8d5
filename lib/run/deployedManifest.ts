import { fleetCost } from '../cost/deployment';
import type { FleetKind } from '../fleet/fleet';
import { fleetOf } from '../fleet/registry';
import type { ClientConfig } from '../schema/client';
import type { Deployment } from '../schema/deployment';
import { METRICS_PERIOD } from '../schema/metrics';
import type { Plan } from '../schema/plan';
import type { DeployedArm, Described, Manifest } from '../schema/run';
import { storageOf, storageOrNone } from '../storage/lookup';
import type { DeployedStack } from './deployed';

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
