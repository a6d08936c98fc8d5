import type { ParsedSample } from '../../schema/parse';
import type { ParserFinding } from '../common/parse/finding';
import { type Json, list, object, readJson } from '../common/parse/json';
import type { Lines } from '../common/parse/lines';
import type { Operation } from '../operation';
import type { Workload } from '../workload';

/** assets/client/bin/sst-analysis, on the first client. */
const SST = '{bin}/sst-analysis';
/** The data set, below the task's directory; the logs of the Dask jobs are next to it. */
const DATA = ['--data', '{dir}/netcdf'];

const SECONDS = { metric: 'seconds', restartable: true } as const;
const MAKES = { on: 'data', verb: 'write', makesData: true, cached: false } as const;
const READS = { on: 'command', verb: 'run', makesData: false, cached: true } as const;
const GENERATE: Operation = { ...SECONDS, ...MAKES, id: 'generate', past: 'generated data' };
const ANALYSE: Operation = { ...SECONDS, ...READS, id: 'analyse', past: 'analysed data' };

/** Years of temperatures with a known trend, generated. */
type DataSetPhase = Readonly<
  Record<'years' | 'latitudes' | 'longitudes' | 'stepsPerDay' | 'trend' | 'seed' | 'processes', number>
>;

/** One analysis by workers that Dask brings itself: jobs of the scheduler, or processes of the client. */
interface AnalysisPhase {
  readonly nodes: number;
  readonly workersPerNode: number;
  readonly workerMiB: number;
  readonly partition: string;
  /** Directory with the user's own files; empty for the generated ones. */
  readonly source: string;
}

export const dataSetCommand = (phase: DataSetPhase): string[] => [
  ...[SST, 'make', ...DATA, '--years', `${phase.years}`, '--latitudes', `${phase.latitudes}`],
  ...['--longitudes', `${phase.longitudes}`, '--steps-per-day', `${phase.stepsPerDay}`, '--trend', `${phase.trend}`],
  ...['--seed', `${phase.seed}`, '--processes', `${phase.processes}`],
];

export const analysisCommand = ({ nodes, workersPerNode, workerMiB, partition, source }: AnalysisPhase): string[] => [
  ...[SST, 'analyse', ...(source === '' ? DATA : ['--data', source]), '--nodes', String(nodes)],
  ...['--workers-per-node', String(workersPerNode), '--worker-mib', String(workerMiB)],
  ...(partition === '' ? [] : ['--partition', partition]),
];

const RESULT = /(?:^|\n)(\{"schema": ?"fsxbench\.dask\/1",[^\n]*\})\s*$/;
const BEGINS = /(?:^|\n)\{"schema": ?"fsxbench\.dask\/1"/;

const isDask = (text: string): boolean => text.includes('"fsxbench.dask/') && BEGINS.test(text);

/** Metric, unit and field. Of the analysis, `seconds` is what the study timed: opening the files and the computation. */
const SIZES = [
  ['seconds', 's', 'seconds'],
  ['files', '1', 'files'],
  ['file_bytes', 'B', 'file_bytes'],
  ['logical_bytes', 'B', 'logical_bytes'],
] as const;
const FIGURES = {
  make: {
    operation: 'generate',
    fields: [...SIZES, ['trend', 'K/decade', 'trend_k_per_decade'], ['seed', '1', 'seed']],
  },
  analyse: {
    operation: 'analyse',
    fields: [
      ...SIZES,
      ['bytes', 'B', 'bytes_read'],
      ['start_seconds', 's', 'start_s'],
      ['open_seconds', 's', 'open_s'],
      ['compute_seconds', 's', 'compute_s'],
      ['nodes', '1', 'nodes'],
      ['workers', '1', 'workers'],
      ['mean', 'K', 'mean_k'],
      ['trend', 'K/decade', 'trend_k_per_decade'],
      ['trend_error', 'K/decade', 'trend_error_k_per_decade'],
    ],
  },
} as const satisfies Record<string, { operation: string; fields: readonly (readonly [string, string, string])[] }>;

/** The workers read less than this of the files: the analysis missed a part. Reads of libraries and metadata are above 1. */
const WHOLE_READ = 0.9;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
/** A time or an amount of something; temperatures and trends may be negative. */
const isSigned = (unit: string): boolean => unit.startsWith('K');

/** Parses the document of one run. Output of libraries and jobs before it is ignored. */
function parseDask({ text }: Lines): ParserFinding {
  const printed: Json = readJson(RESULT.exec(text)?.[1] ?? '') ?? {};
  const kind = printed.program === 'make' || printed.program === 'analyse' ? FIGURES[printed.program] : undefined;
  const problems = kind === undefined ? [BEGINS.test(text) ? 'truncated' : 'no_result_rows'] : [];
  const figures = (kind?.fields ?? []).map(([metric, unit, field]): ParsedSample => {
    const value = printed[field];
    const common = { operation: kind?.operation ?? '', test: null, iteration: null, metric, unit };
    if (isNumber(value) && (value >= 0 || isSigned(unit))) return { ...common, value };
    const reason = value === null && metric.startsWith('trend') ? 'fewer than three whole years' : 'not printed';
    return { ...common, value: null, reason };
  });
  const of = (metric: string): number | null => figures.find((one) => one.metric === metric)?.value ?? null;
  const [seconds, read, stored] = [of('seconds'), of('bytes'), of('file_bytes')];
  const common = { operation: kind?.operation ?? '', test: null };
  const throughput: ParsedSample[] =
    seconds !== null && seconds > 0 && read !== null
      ? [{ ...common, iteration: null, metric: 'throughput', unit: 'MB/s', value: read / seconds / 1e6 }]
      : [];
  const years = list(printed.years).flatMap(({ year, mean_k: mean }, iteration): ParsedSample[] =>
    isNumber(year) && isNumber(mean)
      ? [
          { ...common, iteration, metric: 'year', unit: '1', value: year },
          { ...common, iteration, metric: 'year_mean', unit: 'K', value: mean },
        ]
      : [],
  );
  const versions = object(printed.versions);
  return {
    version: typeof versions.dask === 'string' ? versions.dask : null,
    complete: kind !== undefined && seconds !== null,
    problems,
    cautions: read !== null && stored !== null && read < WHOLE_READ * stored ? ['files_not_read'] : [],
    samples: [...figures, ...throughput, ...years],
  };
}

/** Sea-surface temperature and its trend by Dask: one process, which brings its workers itself. */
export const dask: Workload = {
  id: 'dask',
  label: 'Dask',
  launch: { by: 'once', executable: SST },
  operations: [GENERATE, ANALYSE],
  stragglers: () => 'Dask shares the work among its workers itself',
  values: (_, { id }, documents) =>
    documents.flatMap(({ samples }) => samples.filter(({ operation }) => operation === id)),
  formats: [{ recognizes: isDask, parse: parseDask, form: 'last-line' }],
  program: 'sst-analysis',
  complaint: /^sst-analysis: (?!Dask's|to reach)|^usage: sst-analysis/m,
};
