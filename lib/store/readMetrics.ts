import { readSync } from 'node:fs';
import { jsonElements } from '../kit/jsonElements';
import { parseJson, read } from '../schema/document';
import { type MetricSeries, type MetricsFile, metricsSchema } from '../schema/metrics';
import type { SeriesColumns } from '../schema/series';
import { type FoundFile, findFile } from './documents';

const PIECE = 2 ** 20;
/** A series of twelve hours has 30 kB. */
const MOST_BYTES = 64e6;

/** The metrics of an arm below a run's folder, read series by series: the text of all would take several times the memory of their points. */
export function readMetrics(folder: string, file: string, columns: SeriesColumns): FoundFile<MetricsFile> {
  const found = findFile(folder, file, (opened): FoundFile<MetricsFile> => {
    const elements = jsonElements(piecesOf(opened), 'series', MOST_BYTES);
    const series: MetricSeries[] = [];
    let fault: string | null = null;
    let next = elements.next();
    for (; !next.done; next = elements.next()) {
      const parsed = parseJson(next.value);
      if (parsed === undefined) return { fault: 'is not JSON' };
      const one = read(metricsSchema.shape.series.element, parsed);
      if ('document' in one) series.push(columns.of(one.document));
      else fault ??= one.fault.replace(' (', ` (series.${series.length}.`);
    }
    const parsed = parseJson(next.value);
    if (parsed === undefined) return { fault: 'is not JSON' };
    const whole = read(metricsSchema, parsed);
    const wrong = 'fault' in whole ? whole.fault : fault;
    if (wrong !== null) return { fault: `does not have the expected form${wrong}` };
    return { document: { ...(parsed as MetricsFile), series } };
  });
  return 'document' in found ? found.document : found;
}

/** Pieces of an open file; each overwrites the one before. */
function* piecesOf(file: number): Generator<Buffer> {
  const buffer = Buffer.alloc(PIECE);
  for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) yield buffer.subarray(0, read);
}
