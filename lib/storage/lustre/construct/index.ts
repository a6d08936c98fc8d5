import { Annotations, RemovalPolicy } from 'aws-cdk-lib';
import type { StorageDeployment } from '../../construct';
import type { MetricRole } from '../../role';
import type { LustreStorage } from '../configuration';
import { LUSTRE_METRICS } from '../metricTable';
import { metadataAlarms, storageAlarms } from './alarms';
import { LustreDashboardStack } from './dashboardStack';
import { LustreFileSystem } from './fileSystem';
import { clientGraphs, metadataGraphs, restGraphs, serverGraphs, spaceGraphs, undrawn } from './graphs';
import { METADATA_GOOD, metadataFirstGraphs } from './metadataGraphs';
import { viewOf } from './view';

const DATA_GOOD = [
  '**What good looks like.** In a paired run both arms work at the same time: their curves start and stop together, are flat within a step,',
  'and the servers of one arm are equally busy. What first reaches 100 % limits the arm: its *network* means that data came from memory or was',
  'compressed, its *disks* that data really reached them; if neither does, the clients are the limit. Bytes that clients wrote divided by',
  'bytes that disks wrote is the ratio achieved. A curve that falls in the middle of a step is a burst credit that ran out.',
];

/** Roles of the metrics about metadata: those that the service counts at metadata targets. */
const METADATA_ROLES: readonly MetricRole[] = [
  'metadata_operations',
  ...LUSTRE_METRICS.flatMap(({ scope, role }) => (scope === 'mdt' && role !== null ? [role] : [])),
];

const isAboutMetadata = (about: readonly MetricRole[]): boolean => about.some((role) => METADATA_ROLES.includes(role));

/** FSx for Lustre in templates, on dashboards and in alarms. */
export const lustreDeployment: StorageDeployment<LustreStorage, LustreFileSystem> = {
  kind: 'lustre',
  deploy: (scope, id, { smoke, ...props }) => {
    // It holds only what the benchmark can write again, and one that is left over goes on billing.
    const storage = new LustreFileSystem(scope, id, { ...props, removalPolicy: RemovalPolicy.DESTROY });
    if (smoke) {
      const reason = 'scale smoke tries the machinery, not the speed';
      Annotations.of(storage).acknowledgeWarning('fsxbench:lustre-one-server', reason);
    }
    return storage;
  },
  dashboard: (arms, about) => {
    const views = arms.map(viewOf);
    const first = isAboutMetadata(about);
    const data = [clientGraphs(views), serverGraphs(views, { metadata: !first }), spaceGraphs(views)];
    return first
      ? {
          reading: METADATA_GOOD,
          rows: [...metadataFirstGraphs(views), ...data],
          more: [restGraphs(views), undrawn(views)],
        }
      : { reading: DATA_GOOD, rows: data, more: [metadataGraphs(views), restGraphs(views), undrawn(views)] };
  },
  alarms: (scope, arm, words, about) => {
    const view = viewOf(arm);
    const alarms = storageAlarms(scope, view, words);
    return isAboutMetadata(about) ? [...alarms, ...metadataAlarms(scope, view, words)] : alarms;
  },
  watch: (scope, id, props) => new LustreDashboardStack(scope, id, props),
  warnings: (configurations, { efa }) =>
    !efa && configurations.some(({ efaEnabled }) => efaEnabled)
      ? [
          {
            id: 'fsxbench:efaClientsUseTcp',
            message:
              "'efa' makes file systems that EFA clients can mount; the clients of this stack mount them over TCP: set 'efaClients' to true for EFA",
          },
        ]
      : [],
};
