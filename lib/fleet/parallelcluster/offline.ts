import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type FleetConfiguration, type OfflineCheck, OPENMPI_VERSION } from '../fleet';
import { type ClusterParts, clusterConfiguration } from './configuration';
import { PARALLELCLUSTER_VERSION } from './fleet';
import { configureCluster } from './settings';

/** Placeholders for ids that are filled in later; no rule checks them. */
const LATER: ClusterParts = {
  stackName: 'a-stack',
  tags: {},
  subnetId: 'subnet-0a1b2c3d4e5f60718',
  securityGroupId: 'sg-0a1b2c3d4e5f60718',
  boot: { Script: 's3://bucket/boot', Args: [] },
  reads: [{ bucket: 'bucket', key: 'boot' }],
  policyArn: 'arn:aws:iam::123456789012:policy/parallelcluster/nodes',
  storages: [
    {
      Name: 'fsx',
      MountDir: '/fsx',
      StorageType: 'FsxLustre',
      FsxLustreSettings: { FileSystemId: 'fs-0a1b2c3d4e5f60718' },
    },
  ],
  logRetentionDays: 14,
};

const verdictsSchema = z.array(
  z.object({
    accepted: z.boolean(),
    problems: z.array(z.object({ level: z.string(), validator: z.string(), message: z.string() })),
    /** Validators that had all they ask for. */
    ran: z.array(z.string()),
    /** Validators that ask the account: neither passed nor failed. */
    skipped: z.array(z.string()),
  }),
);

/** Verdict of ParallelCluster's own code on a configuration, without AWS. */
export type Verdict = z.infer<typeof verdictsSchema>[number];

/** Command that installs ParallelCluster's code. */
const INSTALL = 'scripts/install-python parallelcluster';

/** Loading its package takes most of it. */
const SECONDS = 300;
const MEGABYTES = 16;

/** The verdict on each configuration, in order; `null` if ParallelCluster's code is not installed. @throws Error with what it printed when it broke */
export function validateOffline(root: string, configurations: readonly object[]): readonly Verdict[] | null {
  const packages = join(root, '.lab/parallelcluster');
  const python = join(root, '.lab/venv/bin/python');
  if (!existsSync(join(packages, 'fsxbench-stamp')) || !existsSync(python)) return null;
  const { status, stdout, stderr } = spawnSync(python, [join(root, 'assets/parallelcluster/validate.py')], {
    input: JSON.stringify(configurations),
    encoding: 'utf8',
    timeout: SECONDS * 1000,
    maxBuffer: MEGABYTES * 2 ** 20,
    env: { ...process.env, PYTHONPATH: packages },
  });
  if (status === 0) return verdictsSchema.parse(JSON.parse(stdout));
  throw new Error(`ParallelCluster's validators broke: ${stderr.trim().split('\n').slice(-3).join('\n')}`);
}

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
  openMpiVersion: OPENMPI_VERSION,
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
