import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plan, PlanArm } from '../../lib/schema/plan';
import type { Manifest } from '../../lib/schema/run';
import { operationOrNone } from '../../lib/workload/lookup';
import { memoryFolder, smallPlan } from '../run/bench';

export const RUN = '20261121T100000Z-paired-abcd';
export const manifest: Manifest = {
  schema: 'fsxbench.manifest/1',
  run: RUN,
  benchmark: 'CompressionBench',
  lab: false,
  stack: {
    name: 'CompressionBench',
    id: 'arn:aws:cloudformation:us-east-1:123456789012:stack/CompressionBench/1',
    hourlyUsd: 1,
  },
  region: 'us-east-1',
  account: '123456789012',
  arms: ['none', 'lz4'].map((name) => ({
    name,
    description: name,
    kind: 'lustre',
    fileSystemId: 'fs-0123456789abcdef0',
    describe: {},
    hourlyUsd: 1,
    actually: 'x',
    importedFiles: 1,
    hourlyReason: '',
    model: {
      scale: 100,
      stands: 'x',
      dirtyBytes: 1,
      free: ['x'],
      held: [{ name: 'disk_write', documentedMBps: 1, setMBps: 1, measuredMBps: 1, source: 'x' }],
      metadata: {
        iops: 1,
        documentedCreatesPerSecond: 1,
        setCreatesPerSecond: 1,
        measuredCreatesPerSecond: 1,
        writesPerCreate: 1,
        writesPerSecond: 1,
        source: 'x',
      },
    },
  })) as Manifest['arms'],
  fleet: {
    autoScalingGroup: 'Group',
    instanceType: 'c5n.large',
    image: 'ami-0',
    hourlyUsd: 1,
    hourlyReason: '',
    clients: [
      { instanceId: 'i-0123456789abcdef0', privateIp: '10.0.0.4', image: 'ami-0' },
      { instanceId: 'i-0123456789abcdef1', privateIp: '10.0.0.5' },
    ],
  },

  bucket: 'results',
  document: 'Document',
  dashboard: 'Dashboard',
  metricsPeriodSeconds: 60,
  tools: { fio: '3.33' },
  notices: ['a notice'],
};
/** One step of each kind that writes, removes or starts something; the last one is the workload: its fields are also tried. */
export const plan: Plan = ((whole) => {
  const kinds = ['make-directory', 'measure-capacity', 'remove-data', 'workload'];
  const steps = kinds.flatMap((kind) => whole.steps.find(({ tasks }) => tasks[0]?.action.kind === kind) ?? []);
  return {
    ...whole,
    arms: whole.arms.map((arm) => ({
      ...arm,
      configuration: { kind: 'lustre', deploymentType: 'SCRATCH_2' } as PlanArm['configuration'],
    })),
    totals: { ...whole.totals, bytesReason: 'x', costReason: 'x', costBasis: 'x' },
    detectable: whole.detectable && { ...whole.detectable, reason: 'x', apartSeconds: 60, systematic: 0.05 },
    steps: steps.map((step) => ({
      ...step,
      fileBytes: 4096,
      threads: 4,
      tasks: step.tasks
        .slice(0, 1)
        .map((task) => ({
          ...task,
          action:
            task.action.kind === 'workload'
              ? {
                  ...task.action,
                  items: 'files',
                  program: ['x'],
                  operationId: operationOrNone(task.action)?.id,
                  published: 'x',
                }
              : task.action,
        })),
    })),
  };
})(smallPlan({ set: ['tool=fio', 'compressibilities=1', 'repeats=1', 'warmUpSeconds=0'] }));
export const fleetPlan: Plan = { ...plan, fleet: { ...plan.fleet, clients: 2 } };

/** A separate world: the run's folder and the arms' mount points, and around them files that must stay unchanged. */
export function world() {
  const root = memoryFolder();
  const [folder, mounts] = [join(root, 'results', 'runs', 'CompressionBench', RUN), join(root, 'mnt')];
  for (const path of [folder, join(mounts, 'none'), join(mounts, 'lz4'), join(root, 'outside')])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(root, 'outside', 'precious'), 'kept');
  const put = (name: string, document: unknown): void => writeFileSync(join(folder, name), JSON.stringify(document));
  return { root, folder, mounts, put };
}

/** Every file outside the run's folder with its content. */
export function around(root: string, folder: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => path !== folder && !path.startsWith(`${folder}/`))
      .map((path) => [relative(root, path), lstatSync(path).isFile() ? readFileSync(path, 'utf8') : 'no file']),
  );
}
