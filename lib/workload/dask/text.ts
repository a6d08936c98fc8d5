import type { ParsedSample } from '../../schema/parse';
import type { ParserFinding } from '../kit/parse/finding';
import { holds } from '../kit/parse/holds';
import { type Json, list, object, readJson } from '../kit/parse/json';
import type { Lines } from '../kit/parse/lines';

/** The line with which assets/client/bin/sst-analysis ends. */
const RESULT = /(?:^|\n)(\{"schema": ?"fsxbench\.dask\/1",[^\n]*\})\s*$/;
const BEGINS = /(?:^|\n)\{"schema": ?"fsxbench\.dask\/1"/;

export function isDask(text: string): boolean {
  return holds(text, '"fsxbench.dask/') && BEGINS.test(text);
}

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

/** Parses the document of one run. What libraries and jobs printed before it is ignored. */
export function parseDask({ text }: Lines): ParserFinding {
  const said: Json = readJson(RESULT.exec(text)?.[1] ?? '') ?? {};
  const kind = said.program === 'make' || said.program === 'analyse' ? FIGURES[said.program] : undefined;
  const problems = kind === undefined ? [BEGINS.test(text) ? 'truncated' : 'no_result_rows'] : [];
  const figures = (kind?.fields ?? []).map(([metric, unit, field]): ParsedSample => {
    const value = said[field];
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
  const years = list(said.years).flatMap(({ year, mean_k: mean }, iteration): ParsedSample[] =>
    isNumber(year) && isNumber(mean)
      ? [
          { ...common, iteration, metric: 'year', unit: '1', value: year },
          { ...common, iteration, metric: 'year_mean', unit: 'K', value: mean },
        ]
      : [],
  );
  const versions = object(said.versions);
  return {
    version: typeof versions.dask === 'string' ? versions.dask : null,
    complete: kind !== undefined && seconds !== null,
    problems,
    cautions: read !== null && stored !== null && read < WHOLE_READ * stored ? ['files_not_read'] : [],
    samples: [...figures, ...throughput, ...years],
  };
}
