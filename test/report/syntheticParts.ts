import type { MetricSeries } from '../../lib/schema/metrics';
import type { Plan, Step } from '../../lib/schema/plan';
import type { Manifest } from '../../lib/schema/run';
import type { Sample } from '../../lib/schema/sample';
import type { RunRecord } from '../../lib/store/record';

/** When every synthetic run starts. */
export const START = Date.parse('2026-11-21T09:00:00.000Z');
export const MIB = 2 ** 20;

export function syntheticPlan(
  arms: readonly string[],
  compressibilities: readonly number[],
  repeats: number,
  lab: boolean,
  hostile: string,
): Plan {
  const steps: Step[] = [];
  const add = (
    id: string,
    phase: Step['phase'],
    repeat: number,
    compressibility: number | null,
    tasks: Step['tasks'],
  ): void => {
    const expectedSeconds = phase === 'measure' ? 300 : phase === 'warm-up' ? 60 : 5;
    steps.push({
      id,
      phase,
      repeat,
      compressibility,
      unit: id.replace(/-[^-]*$/, ''),
      tasks,
      expectedSeconds,
      deadlineSeconds: 900,
    });
  };
  const unit = (repeat: number, compressibility: number, phase: 'warm-up' | 'measure'): void => {
    const tool = compressibility === 1 || compressibility === 3.5 ? 'ior' : 'fio';
    const pattern = tool === 'ior' ? (compressibility === 1 ? 'ior-incompressible' : 'ior-default') : 'fio-60';
    const name = repeat === 0 ? 'warm-up' : `r${repeat}-c${compressibility}`;
    const tasks = (
      action: (operation: 'write' | 'read') => Step['tasks'][number]['action'],
      operation: 'write' | 'read',
    ) => arms.map((arm, index) => ({ arm, group: (repeat + index) % 2 === 0 ? 'A' : 'B', action: action(operation) }));
    const workload = (operation: 'write' | 'read') =>
      ({
        kind: 'workload',
        tool,
        operation,
        command: [tool, operation === 'write' ? '-w' : '-r', '-t', '1m', '-o', `{dir}/data${hostile}`],
        ranksPerClient: 36,
        pattern,
      }) as const;
    add(`${name}-write`, phase, repeat, compressibility, tasks(workload, 'write'));
    if (phase === 'measure')
      add(
        `${name}-space`,
        'conclude',
        repeat,
        compressibility,
        tasks(() => ({ kind: 'measure-ratio' }), 'write'),
      );
    add(
      `${name}-drop-caches`,
      'prepare',
      repeat,
      compressibility,
      tasks(() => ({ kind: 'drop-caches' }), 'write'),
    );
    add(`${name}-read`, phase, repeat, compressibility, tasks(workload, 'read'));
  };
  unit(0, compressibilities[0] ?? 1, 'warm-up');
  for (let repeat = 1; repeat <= repeats; repeat++)
    for (const compressibility of compressibilities) unit(repeat, compressibility, 'measure');
  return {
    schema: 'fsxbench.plan/1',
    benchmark: 'CompressionBench',
    plan: 'paired',
    scale: lab ? 'lab' : 'published',
    arms: arms.map((name, index) => ({
      name,
      configuration: {
        kind: 'lustre',
        deploymentType: 'PERSISTENT_1',
        storageType: 'SSD',
        storageCapacityGiB: 14400,
        perUnitStorageThroughput: 200,
        dataCompressionType: index === 0 ? 'NONE' : 'LZ4',
        version: '2.15',
      },
      description: `PERSISTENT_1 SSD 14,400 GiB, 200 MB/s/TiB, ${index === 0 ? 'NONE' : 'LZ4'}${hostile}`,
    })),
    fleet: { clients: lab ? 1 : 8, instanceType: lab ? null : 'c5n.9xlarge', ranksPerClient: 36 },
    parameters: { repeats, seconds: 300, compressibilities, tool: 'auto', iorVersion: '3.3.0', direct: !lab },
    steps,
    totals: { expectedSeconds: 7500, bytesWritten: null, bytesRead: null, costUsd: lab ? null : 56.2 },
    issues: [
      {
        id: 'data-fits-client-memory',
        severity: 'warning',
        message: `A read may come from the clients’ memory${hostile}.`,
        expected: 'more than 786 GB an arm',
        actual: '412 GB an arm',
        suggestion: 'raise maxMiBPerArm',
      },
      { id: 'mixed-tools', severity: 'note', message: 'Targets are written by two tools.', expected: '1', actual: '2' },
    ],
  };
}

export function syntheticManifest(run: string, plan: Plan, lab: boolean, hostile: string): Manifest {
  const really = ['btrfs without compression on a loop device', 'btrfs compress-force=lzo on a loop device'];
  return {
    schema: 'fsxbench.manifest/1',
    run,
    benchmark: plan.benchmark,
    lab,
    stack: { name: 'CompressionBench', id: 'arn:aws:cloudformation:us-east-1:123456789012:stack/CompressionBench/1' },
    region: 'us-east-1',
    account: '123456789012',
    arms: plan.arms.map(({ name, description }, index) => ({
      name,
      description,
      kind: 'lustre',
      fileSystemId: `fs-0123456789abcdef${index}`,
      describe: {
        FileSystemId: `fs-0123456789abcdef${index}`,
        Lifecycle: 'AVAILABLE',
        StorageCapacity: 14400,
        Note: hostile,
        LustreConfiguration: {
          DeploymentType: 'PERSISTENT_1',
          DataCompressionType: index === 0 ? 'NONE' : 'LZ4',
          WeeklyMaintenanceStartTime: '3:04:30',
        },
      },
      hourlyUsd: 5.72,
      actually: lab ? (really[index] ?? null) : null,
    })),
    fleet: {
      autoScalingGroup: 'CompressionBench-Fleet',
      instanceType: 'c5n.9xlarge',
      image: 'ami-0123456789abcdef0',
      clients: Array.from({ length: 8 }, (_, index) => ({
        instanceId: `i-0abc${index}`,
        privateIp: `10.0.1.${10 + index}`,
      })),
      hourlyUsd: 15.552,
    },
    bucket: 'results-bucket',
    document: 'CompressionBench-Run',
    dashboard: 'CompressionBench',
    metricsPeriodSeconds: lab ? 5 : 60,
    tools: { fsxbench: '0.1.0', node: '20.20.2' },
    notices: lab ? ['An emulator answered for AWS.', 'No rate in it is a property of Amazon FSx for Lustre.'] : [],
  };
}

export function syntheticMetrics(
  run: string,
  samples: readonly Sample[],
  arms: readonly string[],
  end: number,
  noise: () => number,
): RunRecord['metrics'] {
  const period = 60;
  return arms.map((arm) => {
    const series = (metric: string, statistic: string, unit: string, value: (at: number) => number): MetricSeries => ({
      arm,
      namespace: 'AWS/FSx',
      metric,
      dimensions: { FileSystemId: `fs-${arm}` },
      statistic,
      unit,
      periodSeconds: period,
      points: Array.from({ length: Math.max(0, Math.ceil((end - START) / 1000 / period)) }, (_, index) => {
        const at = START + index * period * 1000;
        return [new Date(at).toISOString(), value(at)] as const;
      }),
    });
    const during = (operation: string) => (at: number) => {
      const sample = samples.find(
        ({ metric, operation: done, arm: of, startedAt, endedAt }) =>
          of === arm &&
          metric === 'throughput' &&
          done === operation &&
          at >= Date.parse(startedAt) &&
          at < Date.parse(endedAt),
      );
      return sample?.value ? sample.value * MIB * period * (0.98 + 0.03 * noise()) : 0;
    };
    return {
      schema: 'fsxbench.metrics/1',
      run,
      window: { from: new Date(START).toISOString(), to: new Date(end).toISOString() },
      series: [
        series('DataWriteBytes', 'Sum', 'Bytes', during('write')),
        series('DataReadBytes', 'Sum', 'Bytes', during('read')),
        series('NetworkThroughputUtilization', 'Average', 'Percent', (at) => (during('write')(at) / 6e11) * 40 + 3),
        series('LogicalDiskUsage', 'Sum', 'Bytes', (at) => 2 ** 40 + (at - START) * 1e6),
        {
          ...series('CPUUtilization', 'Average', 'Percent', () => 0),
          points: [],
          reason: 'the service published no points',
        },
        { ...series('DiskReadBytes', 'Sum', 'Bytes', () => 0), points: [], reason: 'the service published no points' },
      ],
    };
  });
}

export function syntheticFacts(hostile: string): Record<string, unknown> {
  const setting = (name: string, wanted: string, effective: string, message: string | null) => ({
    name,
    wanted,
    effective: [effective],
    applied: message === null,
    message,
  });
  return {
    schema: 'fsxbench.environment/1',
    node: `leader${hostile}`,
    os: { id: 'amzn', version: '2023', name: `Amazon Linux 2023${hostile}` },
    kernel: '6.1.141-155.222.amzn2023.x86_64',
    cpus: 36,
    cpuModel: 'Intel(R) Xeon(R) Platinum 8124M CPU @ 3.00GHz',
    memoryBytes: 103_079_215_104,
    instance: { id: 'i-0leader', type: 'c5n.9xlarge', availabilityZone: 'us-east-1a' },
    lustre: { lfs: 'lfs 2.15.6', lctl: 'lctl 2.15.6' },
    arms: { none: { mountPoint: '/fsx/none', type: 'lustre', options: `rw,noatime,flock${hostile}`, layout: null } },
    parameters: { 'osc.fsx-OST0000-osc-ffff.max_dirty_mb': '64' },
    tuning: {
      schema: 'fsxbench.tuning/1',
      settings: [
        setting('osc.*.max_dirty_mb', '64', '64', null),
        setting('llite.*.max_read_ahead_mb', '512', '64', `refused by the server${hostile}`),
      ],
      warnings: [],
    },
    tools: { ior: 'IOR-3.3.0', openmpi: 'mpirun (Open MPI) 4.1.8' },
    notices: [`no EFA here${hostile}`],
  };
}
