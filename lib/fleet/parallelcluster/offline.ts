import type { FleetConfiguration, OfflineCheck } from '../fleet';
import { clusterConfiguration } from './configuration';
import { PARALLELCLUSTER_VERSION } from './fleet';
import { configureCluster, LATER } from './settings';
import { INSTALL, validateOffline } from './validate';

/** Nodes of the study's two sizes, and of both its clusters together. */
const SIZES = [{ clients: 2 }, { clients: 8 }, { clients: 8, moreQueues: ['c5.9xlarge:200'] }] as const;

const STUDY: FleetConfiguration = {
  instanceType: 'c5n.18xlarge',
  clients: 8,
  ranksPerClient: 36,
  purchase: { kind: 'on-demand' },
  placement: 'cluster',
  image: undefined,
  kernel: '6.12',
  rootVolumeGiB: 50,
  bootTimeoutMinutes: 45,
  iorVersion: '3.3.0',
  openMpiVersion: '4.1.8',
  tuning: 'advised',
};

/** Checks with ParallelCluster's own code the configurations that would be deployed, in the sizes of the study. */
export function checkOffline(root: string): OfflineCheck {
  const name = `ParallelCluster ${PARALLELCLUSTER_VERSION}'s validators`;
  const beside = { settings: {}, storages: [] };
  const configurations = SIZES.map((size) =>
    clusterConfiguration(configureCluster({ ...STUDY, ...size }, beside), LATER),
  );
  const verdicts = validateOffline(root, configurations);
  if (verdicts === null)
    return { name, ok: false, found: 'not installed', advice: `${INSTALL}; needed for fleet=parallelcluster only` };
  const wrong = verdicts.flatMap(({ problems }) => problems.filter(({ level }) => level === 'ERROR'));
  const [first] = verdicts;
  return wrong.length > 0
    ? {
        name,
        ok: false,
        found: wrong.map(({ message }) => message).join('; '),
        advice: 'use another release of fsxbench',
      }
    : {
        name,
        ok: true,
        found: `accept 2, 8 and 208 nodes; ${first?.ran.length} ran, ${first?.skipped.length} skipped, which ask the account`,
        advice: null,
      };
}
