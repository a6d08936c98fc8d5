/** Whole documents of a run, as their schemas have them: a test states only what it is about. */
import type { Outcome } from '../../lib/run/clients/process';
import type { ClientLoad } from '../../lib/schema/environment';
import type { Step, WorkloadAction } from '../../lib/schema/plan';
import type { DeployedArm, Manifest } from '../../lib/schema/run';
import type { Sample } from '../../lib/schema/sample';
import type { RunRecord } from '../../lib/store/record';

/** A rate of 1,000 MB/s that one client measured, which nothing is known of but what is given. */
export const sampleOf = (given: Partial<Sample> = {}): Sample => ({
  schema: 'fsxbench.sample/1',
  run: 'r',
  arm: 'none',
  step: 'r1-write',
  phase: 'measure',
  repeat: 1,
  attempt: 1,
  compressibility: null,
  operation: 'write',
  metric: 'throughput',
  unit: 'MB/s',
  value: 1000,
  iteration: null,
  source: 'client',
  tool: null,
  toolVersion: null,
  pattern: null,
  group: 'all',
  clients: 1,
  ranks: null,
  plannedRanks: null,
  nodes: null,
  raw: null,
  problems: [],
  cautions: [],
  startedAt: '2026-11-22T12:00:00.000Z',
  endedAt: '2026-11-22T12:00:05.000Z',
  ...given,
});

/** Samples of the measured tasks of a plan that run a tool: those of each task are made of what the plan says of it. */
export const samplesOfPlan = (
  steps: readonly Step[],
  make: (of: {
    readonly step: Step;
    readonly action: WorkloadAction;
    /** The sample of the task, with what is given. */
    readonly sample: (given: Partial<Sample>) => Sample;
    /** Position of the step in the plan, and of the task in its step. */
    readonly at: readonly [number, number];
  }) => readonly Sample[],
): Sample[] =>
  steps.flatMap((step, index) =>
    step.tasks.flatMap(({ arm, group, action }, position) => {
      if (step.phase !== 'measure' || action.kind !== 'workload') return [];
      const { id, phase, repeat, compressibility, fileBytes, threads, plannedNodes } = step;
      const axes = {
        ...(fileBytes && { fileBytes }),
        ...(threads && { threads }),
        ...(plannedNodes && { plannedNodes }),
      };
      const { tool, pattern, operation } = action;
      const planned = { arm, group, step: id, phase, repeat, compressibility, tool, pattern, operation, ...axes };
      return make({ step, action, at: [index, position], sample: (given) => sampleOf({ ...planned, ...given }) });
    }),
  );

/** A run of which nothing is known but what is given. */
export const recordOf = (given: Partial<RunRecord>): RunRecord => ({
  ...{ run: 'r', plan: null, samples: [], manifest: null, status: null, metrics: [], environment: [], raw: [] },
  problems: [],
  ...given,
});

/** A deployment without arms and clients. */
export const manifestOf = (given: Partial<Manifest> = {}): Manifest => ({
  schema: 'fsxbench.manifest/1',
  run: 'r',
  benchmark: 'CompressionBench',
  lab: false,
  stack: null,
  region: null,
  account: null,
  arms: [],
  fleet: { autoScalingGroup: null, instanceType: null, image: null, clients: [], hourlyUsd: null },
  bucket: null,
  document: null,
  dashboard: null,
  metricsPeriodSeconds: 60,
  tools: {},
  notices: [],
  ...given,
});

/** An arm on FSx for Lustre that the service does not describe, at 1 USD per hour. */
export const deployedArm = (given: Partial<DeployedArm> = {}): DeployedArm => ({
  name: 'lz4',
  description: '',
  kind: 'lustre',
  fileSystemId: 'fs-0123456789abcdef0',
  describe: null,
  hourlyUsd: 1,
  actually: null,
  ...given,
});

/** Load that an idle client with two CPUs reports. */
export const clientLoad = (given: Partial<ClientLoad> = {}): ClientLoad => ({
  client: null,
  seconds: 5,
  processors: 2,
  busy: 0,
  tool: 0,
  lasting: 0,
  others: 0,
  names: [],
  steal: 0,
  loadAverage: 0,
  cpuStall: 0,
  memoryStall: 0,
  device: null,
  ...given,
});

/** A write of a tool by one process on each client. */
export const workload = (tool: string, given: Partial<WorkloadAction> = {}): WorkloadAction => ({
  kind: 'workload',
  tool,
  operation: 'write',
  command: [],
  ranksPerClient: 1,
  pattern: 'any',
  ...given,
});

/** The end of a process that went well in a second. */
export const ENDED: Outcome = {
  exitStatus: 0,
  signal: null,
  timedOut: false,
  abandoned: false,
  startError: null,
  startedAt: new Date(0),
  endedAt: new Date(1000),
};
