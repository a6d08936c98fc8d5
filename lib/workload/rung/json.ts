import type { ParsedSample } from '../../schema/parse';
import type { ParserFinding } from '../kit/parse/finding';
import { holds } from '../kit/parse/holds';
import { jsonFigure, object, readJson } from '../kit/parse/json';
import type { Lines } from '../kit/parse/lines';

/** The line that assets/server/bin/rung prints. */
const LINE = /^\{"schema": ?"fsxbench\.rung\/1"[^\n]*$/m;

export const isRung = (text: string): boolean => holds(text, '"fsxbench.rung/') && LINE.test(text);

/** Latencies of fio, by the name of their samples. */
const PERCENTILES = ['p50', 'p99', 'p99.9'];

/**
 * A rung of the ladder: bytes and seconds of fio, its latencies, what gzip leaves of a byte of what was written (`gzip_share`), and what ZFS
 * says of the dataset before and after compression.
 */
export function parseRung({ text }: Lines): ParserFinding {
  const said = readJson(LINE.exec(text)?.[0] ?? '');
  const operation = said?.operation === 'read' ? 'read' : 'write';
  const rung = typeof said?.rung === 'string' ? said.rung : '';
  const samples: ParsedSample[] = [];
  const add = (metric: string, value: unknown, unit: ParsedSample['unit']) =>
    samples.push({ operation, test: rung, iteration: null, metric, unit, ...jsonFigure(value) });
  if (said !== undefined) {
    add('bytes', said.bytes, 'B');
    add('seconds', said.seconds, 's');
    const latencies = object(said.latencySeconds);
    for (const name of PERCENTILES) {
      if (name in latencies) add(`completion_latency_${name}`, latencies[name], 's');
    }
    // Only a write has data whose compressibility is asked for, only a dataset a space.
    if (said.gzipShare !== null) add('gzip_share', said.gzipShare, '1');
    if (said.logicalBytes !== null) add('logical_bytes', said.logicalBytes, 'B');
    if (said.usedBytes !== null) add('used_bytes', said.usedBytes, 'B');
  }
  const error = Number(said?.error ?? 0);
  const problems = [
    ...(said === undefined || samples.some(({ value }) => value === null) ? ['truncated'] : []),
    ...(error === 0 ? [] : [`job_error_${error}`]),
  ];
  const version = typeof said?.fio === 'string' ? said.fio : null;
  return {
    version,
    complete: problems.length === 0,
    problems,
    samples,
    tests: said === undefined ? [] : [{ test: rung, version }],
  };
}
