import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Plan, Step } from '../../lib/model/plan';
import type { Manifest, MetricSeries, RunStatus } from '../../lib/model/run';
import type { Sample } from '../../lib/model/sample';
import type { RunRecord } from '../../lib/report/record';

/**
 * Runs with a known truth, the same for the same seed. `none` writes 3,500 MB/s on any data; `lz4` writes min(ratio, 3.4) × 0.97 times
 * that, so each test can say what the report has to find.
 */
export interface SyntheticOptions {
  readonly seed?: number;
  readonly lab?: boolean;
  readonly repeats?: number;
  readonly targets?: readonly number[];
  /** Stop after so many steps, as a killed driver does. */
  readonly stopAfter?: number;
  /** Fail the named steps on `lz4`. */
  readonly failing?: readonly string[];
  /** Fail these steps in a first attempt and do them again. */
  readonly retried?: readonly string[];
  readonly armNames?: readonly [string, string];
  readonly withMetrics?: boolean;
  readonly hostile?: string;
}

export const BASELINE_MBPS = 3500;
const START = Date.parse('2026-11-21T09:00:00.000Z');
const MIB = 2 ** 20;

/** What LZ4 makes of a target in these runs: a little less than asked for. */
export const achieved = (target: number): number => (target === 1 ? 1 : target * 0.96);
/** How much faster `lz4` is, before noise. */
export const speedup = (target: number): number => Math.min(achieved(target), 3.4) * 0.97;

/** mulberry32: small, seeded, good enough for noise. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function syntheticRun(options: SyntheticOptions = {}): RunRecord {
  const {
    seed = 1,
    lab = false,
    repeats = 3,
    targets = [1, 1.65, 2.6, 3.5],
    stopAfter = Number.POSITIVE_INFINITY,
    failing = [],
    retried = [],
    armNames = ['none', 'lz4'],
    withMetrics = true,
    hostile = '',
  } = options;
  const noise = random(seed);
  const run = `20261121T090000Z-${lab ? 'lab' : 'aws'}${hostile}`;
  const plan = syntheticPlan(armNames, targets, repeats, lab, hostile);
  const samples: Sample[] = [];
  let clock = START;
  const iso = (at: number): string => new Date(at).toISOString();

  plan.steps.slice(0, stopAfter).forEach((step) => {
    const seconds = step.phase === 'measure' || step.phase === 'warm-up' ? step.expectedSeconds : 2;
    const attempts = retried.includes(step.id) ? 2 : 1;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      step.tasks.forEach((task, index) => {
        const fails = (failing.includes(step.id) && index === 1) || attempt < attempts;
        const base = {
          schema: 'fsxbench.sample/1',
          run,
          arm: task.arm,
          step: step.id,
          phase: step.phase,
          repeat: step.repeat,
          attempt,
          target: step.target,
          iteration: null,
          group: task.group,
          clients: lab ? 1 : 4,
          startedAt: iso(clock),
          endedAt: iso(clock + seconds * 1000),
          problems: fails ? ['no_space'] : [],
          cautions: [],
          ...(fails ? { reason: `write failed: no space left on device${hostile}` } : {}),
        } as const;
        const { action } = task;
        if (action.kind === 'workload') {
          const factor = index === 0 ? 1 : speedup(step.target ?? 1);
          const rate = BASELINE_MBPS * factor * (action.operation === 'read' ? 1.1 : 1) * (0.97 + 0.06 * noise());
          const shared = {
            ...base,
            operation: action.operation,
            source: 'client',
            tool: action.tool,
            toolVersion: action.tool === 'ior' ? '3.3.0' : '3.33',
            pattern: action.pattern,
            ranks: 144,
            raw: `raw/${task.arm}/${step.phase}/${step.repeat}-${step.id}`,
          } as const;
          samples.push({ ...shared, metric: 'throughput', value: fails ? null : (rate * 1e6) / MIB, unit: 'MiB/s' });
          samples.push({
            ...shared,
            metric: 'bytes',
            value: fails ? null : Math.round(rate * 1e6 * seconds),
            unit: 'B',
          });
        } else if (action.kind === 'measure-ratio') {
          const apparent = 400 * 2 ** 30;
          const ratio = index === 0 ? 1 : achieved(step.target ?? 1);
          const shared = {
            ...base,
            operation: 'space',
            source: lab ? 'compsize' : 'du',
            tool: null,
            toolVersion: null,
            pattern: null,
            ranks: null,
            raw: null,
          } as const;
          const allocated = Math.round(apparent / ratio);
          samples.push({ ...shared, metric: 'apparent_bytes', value: fails ? null : apparent, unit: 'B' });
          samples.push({ ...shared, metric: 'allocated_bytes', value: fails ? null : allocated, unit: 'B' });
          samples.push({
            ...shared,
            metric: 'compression_ratio',
            value: fails ? null : apparent / allocated,
            unit: '1',
          });
        }
      });
      clock += seconds * 1000;
    }
  });

  const stopped = plan.steps.length > stopAfter;
  const status: RunStatus = {
    schema: 'fsxbench.status/1',
    run,
    benchmark: plan.benchmark,
    state: stopped ? 'interrupted' : failing.length > 0 ? 'failed' : 'done',
    step: stopped ? (plan.steps[stopAfter]?.id ?? null) : null,
    phase: null,
    stepsDone: Math.min(plan.steps.length, stopAfter),
    stepsTotal: plan.steps.length,
    failedSteps: failing,
    startedAt: iso(START),
    updatedAt: iso(clock),
    endedAt: stopped ? null : iso(clock),
    etaSeconds: null,
    message: stopped ? 'the driver was ended by SIGTERM' : 'done',
    driver: { host: 'leader', pid: 4242 },
  };
  return {
    run,
    plan,
    manifest: syntheticManifest(run, plan, lab, hostile),
    status,
    samples,
    metrics: withMetrics ? syntheticMetrics(run, samples, armNames, clock, noise) : [],
    environment: [{ node: `i-0leader${hostile}`, facts: syntheticFacts(hostile) }],
    raw: [...new Set(samples.flatMap(({ raw }) => raw ?? []))].flatMap((stem) =>
      ['cmd', 'json', 'out'].map((ending) => ({ path: `${stem}.${ending}`, bytes: 2048 })),
    ),
    problems: [],
  };
}

function syntheticPlan(
  arms: readonly string[],
  targets: readonly number[],
  repeats: number,
  lab: boolean,
  hostile: string,
): Plan {
  const steps: Step[] = [];
  const add = (id: string, phase: Step['phase'], repeat: number, target: number | null, tasks: Step['tasks']): void => {
    const expectedSeconds = phase === 'measure' ? 300 : phase === 'warm-up' ? 60 : 5;
    steps.push({
      id,
      phase,
      repeat,
      target,
      unit: id.replace(/-[^-]*$/, ''),
      tasks,
      expectedSeconds,
      deadlineSeconds: 900,
    });
  };
  const unit = (repeat: number, target: number, phase: 'warm-up' | 'measure'): void => {
    const tool = target === 1 || target === 3.5 ? 'ior' : 'fio';
    const pattern = tool === 'ior' ? (target === 1 ? 'ior-incompressible' : 'ior-default') : 'fio-60';
    const name = repeat === 0 ? 'warm-up' : `r${repeat}-c${target}`;
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
    add(`${name}-write`, phase, repeat, target, tasks(workload, 'write'));
    if (phase === 'measure')
      add(
        `${name}-space`,
        'conclude',
        repeat,
        target,
        tasks(() => ({ kind: 'measure-ratio' }), 'write'),
      );
    add(
      `${name}-drop-caches`,
      'prepare',
      repeat,
      target,
      tasks(() => ({ kind: 'drop-caches' }), 'write'),
    );
    add(`${name}-read`, phase, repeat, target, tasks(workload, 'read'));
  };
  unit(0, targets[0] ?? 1, 'warm-up');
  for (let repeat = 1; repeat <= repeats; repeat++) for (const target of targets) unit(repeat, target, 'measure');
  return {
    schema: 'fsxbench.plan/1',
    benchmark: 'CompressionBench',
    plan: 'paired',
    scale: lab ? 'lab' : 'published',
    arms: arms.map((name, index) => ({
      name,
      description: `PERSISTENT_1 SSD 14,400 GiB, 200 MB/s/TiB, ${index === 0 ? 'NONE' : 'LZ4'}${hostile}`,
    })),
    fleet: { clients: lab ? 1 : 8, instanceType: lab ? null : 'c5n.9xlarge', ranksPerClient: 36 },
    parameters: { repeats, seconds: 300, targets, tool: 'auto', iorVersion: '3.3.0', direct: !lab },
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

function syntheticManifest(run: string, plan: Plan, lab: boolean, hostile: string): Manifest {
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
      kind: 'fsx-lustre',
      fileSystemId: `fs-0123456789abcdef${index}`,
      describe: {
        FileSystemId: `fs-0123456789abcdef${index}`,
        Lifecycle: 'AVAILABLE',
        StorageCapacity: 14400,
        Note: hostile,
        LustreConfiguration: { DeploymentType: 'PERSISTENT_1', DataCompressionType: index === 0 ? 'NONE' : 'LZ4' },
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

function syntheticMetrics(
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
        series('LogicalDiskUsage', 'Average', 'Bytes', (at) => 2 ** 40 + (at - START) * 1e6),
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

function syntheticFacts(hostile: string): Record<string, unknown> {
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

/** Writes a record as the run folder that it stands for; the folder's path. */
export function writeRun(record: RunRecord, folder = mkdtempSync(join(tmpdir(), 'fsxbench-report-'))): string {
  const put = (path: string, text: string): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const json = (path: string, value: unknown): void => {
    if (value !== null) put(path, JSON.stringify(value, null, 2));
  };
  json('plan.json', record.plan);
  json('manifest.json', record.manifest);
  json('status.json', record.status);
  put('samples.jsonl', record.samples.map((sample) => `${JSON.stringify(sample)}\n`).join(''));
  for (const file of record.metrics) json(`metrics/${file.series[0]?.arm ?? 'none'}.json`, file);
  for (const { node, facts } of record.environment) json(`environment/${encodeURIComponent(node)}.json`, facts);
  for (const { path, bytes } of record.raw) put(path, '.'.repeat(bytes));
  return folder;
}
