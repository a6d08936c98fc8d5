import type { ParsedSample } from '../../schema/parse';
import { type Measured, printedValues } from '../common/measured';
import type { ParserFinding } from '../common/parse/finding';
import { type Json, jsonFigure, readJson } from '../common/parse/json';
import type { Lines } from '../common/parse/lines';
import { type Operation, UNITS } from '../operation';
import type { Workload } from '../workload';

/** assets/client/bin/lazy-load, on each client. */
const LAZY_LOAD = '{bin}/lazy-load';

/** Phases, and the operations that they measure. */
const OPERATIONS = {
  metadata: 'import_metadata',
  first: 'first_read',
  second: 'second_read',
  preload: 'preload',
} as const;
type Phase = keyof typeof OPERATIONS;

/** Loading files is not restartable: those of an interrupted attempt stay on the file system. */
const operation = (
  phase: Phase,
  { metric = 'throughput', ...own }: Pick<Operation, 'on' | 'verb' | 'past' | 'cached'> & Partial<Operation>,
): Operation => ({ id: OPERATIONS[phase], metric, makesData: false, restartable: own.cached, ...own });

/** All clients' parts, divided by the time of the slowest. */
const values: Workload['values'] = (_, { id: operation, metric }, documents) => {
  const of = printedValues(documents, operation);
  const sum = (name: string): number => of(name).reduce((total, value) => total + value, 0);
  const amount = (name: string, its: string): Measured => ({ operation, metric: name, value: sum(name), unit: its });
  const seconds = Math.max(...of('seconds'), 0);
  if (!(seconds > 0)) return [];
  const value = metric === 'rate' ? sum('files') / seconds : sum('bytes') / seconds / 1e6;
  return [
    { operation, metric, value, unit: UNITS[metric] },
    ...['files', 'released_before', 'released_after'].map((name) => amount(name, '1')),
    ...['bytes', 'file_bytes'].map((name) => amount(name, 'B')),
    { operation, metric: 'seconds', value: seconds, unit: 's' },
  ];
};

/** One phase of an import from a bucket, on the clients' parts of its files. */
export interface ImportPhase {
  readonly phase: Phase;
  readonly directory: string;
  readonly processesPerClient: number;
  readonly clients: number;
  /** Until a preload is given up. */
  readonly seconds: number;
}

export const importCommand = ({ phase, directory, processesPerClient, clients, seconds }: ImportPhase): string[] => [
  ...[LAZY_LOAD, phase, directory, '--processes', String(processesPerClient)],
  ...['--part', '{client}', '--of', String(clients), '--deadline', String(seconds)],
];

const RESULT = /(?:^|\n)(\{"schema": ?"fsxbench\.lazyload\/1",[^\n]*\})\s*$/;
const BEGINS = /(?:^|\n)\{"schema": ?"fsxbench\.lazyload\/1"/;

const isLazyLoad = (text: string): boolean => text.includes('"fsxbench.lazyload/') && BEGINS.test(text);

const isPhase = (value: unknown): value is Phase => typeof value === 'string' && value in OPERATIONS;

const FIELDS = {
  seconds: 's',
  files: '1',
  bytes: 'B',
  file_bytes: 'B',
  released_before: '1',
  released_after: '1',
} as const;

function parseLazyLoad({ text }: Lines): ParserFinding {
  const printed: Json = readJson(RESULT.exec(text)?.[1] ?? '') ?? {};
  const { phase } = printed;
  const known = isPhase(phase);
  const samples = Object.entries(known ? FIELDS : {}).map(([metric, unit]): ParsedSample => {
    const operation = known ? OPERATIONS[phase] : '';
    return { operation, test: null, iteration: null, metric, unit, ...jsonFigure(printed[metric]) };
  });
  const of = (metric: string): number | null => samples.find((one) => one.metric === metric)?.value ?? null;
  const [files, before, after] = [of('files'), of('released_before'), of('released_after')];
  // Reading files that were there already is not part of an import.
  const alreadyThere =
    (phase === 'first' || phase === 'preload') && files !== null && before !== null && before < files;
  const stillAway = phase === 'second' && (before ?? 0) > 0;
  return {
    complete: known && of('seconds') !== null && files !== null,
    problems: [
      ...(known ? [] : [BEGINS.test(text) ? 'truncated' : 'no_result_rows']),
      ...(phase !== 'metadata' && (after ?? 0) > 0 ? ['files_released'] : []),
    ],
    cautions: [...(alreadyThere ? ['files_loaded_before'] : []), ...(stillAway ? ['files_released_before'] : [])],
    samples,
  };
}

/** Files of an S3 bucket behind a data repository association: their metadata, first and second read, and loading them in advance. */
export const lazyload: Workload = {
  id: 'lazyload',
  label: 'lazy load',
  launch: { by: 'each-client', executable: LAZY_LOAD },
  operations: [
    operation('metadata', { on: 'files', verb: 'stat', past: 'imported metadata', metric: 'rate', cached: true }),
    operation('first', { on: 'data', verb: 'read', past: 'read for the first time', cached: false }),
    operation('second', { on: 'data', verb: 'read', past: 'read again', cached: true }),
    operation('preload', { on: 'command', verb: 'run', past: 'loaded beforehand', cached: false }),
  ],
  stragglers: () => 'lazy loading reports the processes of a client as one',
  values,
  formats: [{ recognizes: isLazyLoad, parse: parseLazyLoad, form: 'last-line' }],
  program: 'lazy-load',
  complaint: /^lazy-load: (?!\d+%)|^usage: lazy-load/m,
};
