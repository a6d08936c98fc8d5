import { sumOf } from '../price/cost';
import { DEFAULT_REGION } from '../price/prices';
import type { ClientConfig } from '../schema/client';
import type { StorageConfiguration } from '../schema/deployment';
import { METRICS_PERIOD } from '../schema/metrics';
import type { Plan } from '../schema/plan';
import type { DeployedArm, Manifest } from '../schema/run';
import { storageOf } from '../storage/lookup';
import { LOCAL_KIND } from '../storage/registry';
import { mountTypeIn } from '../store/platform';
import { newRunId } from './runner';

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
export function localManifest(
  plan: Plan,
  client: ClientConfig,
  {
    run = newRunId(plan.plan, new Date()),
    lab = false,
    region = null,
    known = () => ({ fileSystemId: null, describe: null }),
    fleet,
    notices,
  }: LocalRun,
): Manifest {
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
  const { local = false, price, client, label } = storageOf(configuration);
  if (local) return { hourlyUsd: null, hourlyReason: 'a directory of this computer has no list price' };
  const type = mountTypeIn(mounted);
  if (type !== undefined && !client.filesystems.some((own) => own.type === type))
    return { hourlyUsd: null, hourlyReason: `${mounted} is mounted, which is not ${label}` };
  const { hourlyUsd, reason } = sumOf(price.cost(configuration, { region }));
  return { hourlyUsd, hourlyReason: reason };
}
