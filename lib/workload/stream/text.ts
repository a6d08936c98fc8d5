import type { ParsedSample } from '../../schema/parse';
import type { ParserFinding } from '../kit/parse/finding';
import { holds } from '../kit/parse/holds';
import { jsonFigure, readJson } from '../kit/parse/json';
import type { Lines } from '../kit/parse/lines';

/** The line that assets/client/bin/compress-stream prints. */
const LINE = /^\{"schema":"fsxbench\.stream\/1"[^\n]*$/m;

export const isStream = (text: string): boolean => holds(text, '"fsxbench.stream/') && LINE.test(text);

const FIGURES = [
  ['bytes', 'B', 'bytes'],
  ['stored_bytes', 'B', 'stored_bytes'],
  ['seconds', 's', 'wall_s'],
  ['user_seconds', 's', 'user_s'],
  ['system_seconds', 's', 'system_s'],
] as const;

/**
 * A stream that was compressed on a client: `bytes` before and `stored_bytes` after compression, wall-clock `seconds` up to the sync, and
 * CPU `user_seconds` and `system_seconds` of its pipes.
 */
export function parseStream({ text }: Lines): ParserFinding {
  const said = readJson(LINE.exec(text)?.[0] ?? '');
  const samples = (said === undefined ? [] : FIGURES).map(([metric, unit, field]): ParsedSample => {
    return { operation: 'stream_write', test: null, iteration: null, metric, unit, ...jsonFigure(said?.[field]) };
  });
  const whole = samples.length > 0 && samples.every(({ value }) => value !== null);
  const { program, version, level, processes } = said ?? {};
  const release = [program, version].filter(Boolean).join(' ') || null;
  return {
    version: release === null ? null : `${release}, level ${level}`,
    complete: whole,
    problems: whole ? [] : ['truncated'],
    samples,
    tests: [{ test: 'stream', version: release, tasks: typeof processes === 'number' ? processes : null }],
  };
}
