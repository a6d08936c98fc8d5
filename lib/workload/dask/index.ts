import type { ParseDocument } from '../../schema/parse';
import type { WorkloadAction } from '../../schema/plan';
import type { Measured } from '../kit/measured';
import type { Operation } from '../operation';
import type { AnalysisPhase, DataSetPhase, Workload } from '../workload';
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

const dataSet = ({ years, latitudes, longitudes, stepsPerDay, trend, seed, processes }: DataSetPhase): string[] => [
  ...[SST, 'make', ...DATA, '--years', String(years), '--latitudes', String(latitudes)],
  ...['--longitudes', String(longitudes), '--steps-per-day', String(stepsPerDay), '--trend', String(trend)],
  ...['--seed', String(seed), '--processes', String(processes)],
];

const analysis = ({ nodes, workersPerNode, workerMiB, partition, source }: AnalysisPhase): string[] => [
  ...[SST, 'analyse', ...(source === undefined ? DATA : ['--data', source]), '--nodes', String(nodes)],
  ...['--workers-per-node', String(workersPerNode), '--worker-mib', String(workerMiB)],
  ...(partition === undefined ? [] : ['--partition', partition]),
];

/** Sea-surface temperature and its trend by Dask: one process, which brings its workers itself. */
export const dask: Workload = {
  id: 'dask',
  label: 'Dask',
  executable: SST,
  launch: { by: 'once' },
  operations: [GENERATE, ANALYSE],
  reports: {
    processes: { silent: 'Dask starts as many workers as the scheduler gives it' },
    machines: { silent: 'Dask does not name them' },
    bytes: true,
  },
  values: (_: WorkloadAction, { id }: Operation, documents: readonly ParseDocument[]): Measured[] =>
    documents.flatMap(({ samples }) => samples.filter(({ operation }) => operation === id)),
  analysis: { dataSet, command: analysis },
  stragglers: { of: 'processes', silence: () => 'Dask shares the work among its workers itself' },
  output: {
    formats: [{ recognizes: isDask, parse: parseDask, ofWhole: true, ofJson: true }],
    program: 'sst-analysis',
    complaint: /^sst-analysis: (?!Dask's|to reach)|^usage: sst-analysis/m,
  },
};
