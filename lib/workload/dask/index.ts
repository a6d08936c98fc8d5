import type { ParseDocument } from '../../schema/parse';
import type { WorkloadAction } from '../../schema/plan';
import type { Measured } from '../kit/measured';
import type { Operation } from '../operation';
import type { Workload } from '../workload';
import { isDask, parseDask } from './text';

/** assets/client/bin/sst-analysis, on the first client. */
const SST = '{bin}/sst-analysis';
/** The data set, below the task's directory; the logs of Dask's jobs are beside it. */
const DATA = ['--data', '{dir}/netcdf'];

const SECONDS = { metric: 'seconds', unit: 's', better: 'lower', restartable: true } as const;
const GENERATE: Operation = {
  ...SECONDS,
  ...{ id: 'generate', on: 'data', verb: 'write', label: 'generation', makesData: true, cached: false },
};
const ANALYSE: Operation = {
  ...SECONDS,
  ...{ id: 'analyse', on: 'command', verb: 'run', label: 'analysis', makesData: false, cached: true },
};

/** Years of temperatures with a known trend, generated. */
interface DataSetPhase {
  readonly years: number;
  readonly latitudes: number;
  readonly longitudes: number;
  readonly stepsPerDay: number;
  /** Kelvin per decade. */
  readonly trend: number;
  readonly seed: number;
  readonly processes: number;
}

/** One analysis by workers that Dask brings itself: jobs of the scheduler, or processes of the client. */
interface AnalysisPhase {
  readonly nodes: number;
  readonly workersPerNode: number;
  readonly workerMiB: number;
  /** Partition of the scheduler. @default - its own */
  readonly partition?: string;
  /** Directory with the user's own files. @default - the generated ones */
  readonly source?: string;
}

/** The command that generates a data set. */
export const dataSetCommand = ({
  years,
  latitudes,
  longitudes,
  stepsPerDay,
  trend,
  seed,
  processes,
}: DataSetPhase): string[] => [
  ...[SST, 'make', ...DATA, '--years', String(years), '--latitudes', String(latitudes)],
  ...['--longitudes', String(longitudes), '--steps-per-day', String(stepsPerDay), '--trend', String(trend)],
  ...['--seed', String(seed), '--processes', String(processes)],
];

/** The command that analyses it. */
export const analysisCommand = ({ nodes, workersPerNode, workerMiB, partition, source }: AnalysisPhase): string[] => [
  ...[SST, 'analyse', ...(source === undefined ? DATA : ['--data', source]), '--nodes', String(nodes)],
  ...['--workers-per-node', String(workersPerNode), '--worker-mib', String(workerMiB)],
  ...(partition === undefined ? [] : ['--partition', partition]),
];

/** Sea-surface temperature and its trend by Dask: one process, which brings its workers itself. */
export const dask: Workload = {
  id: 'dask',
  label: 'Dask',
  launch: { by: 'once', executable: SST },
  operations: [GENERATE, ANALYSE],
  reports: {
    processes: { silent: 'Dask starts as many workers as the scheduler gives it' },
    machines: { silent: 'Dask does not name them' },
    bytes: true,
    stragglers: { of: 'processes', silence: () => 'Dask shares the work among its workers itself' },
  },
  values: (_: WorkloadAction, { id }: Operation, documents: readonly ParseDocument[]): Measured[] =>
    documents.flatMap(({ samples }) => samples.filter(({ operation }) => operation === id)),
  output: {
    formats: [{ recognizes: isDask, parse: parseDask, ofWhole: true, ofJson: true }],
    program: 'sst-analysis',
    complaint: /^sst-analysis: (?!Dask's|to reach)|^usage: sst-analysis/m,
  },
};
