import type { ParsedSample } from '../../schema/parse';
import type { ParserFinding } from '../kit/parse/finding';
import { holds } from '../kit/parse/holds';
import { type Json, readJson } from '../kit/parse/json';
import type { Lines } from '../kit/parse/lines';

/** The line with which assets/client/bin/lazy-load ends. */
const RESULT = /(?:^|\n)(\{"schema": ?"fsxbench\.lazyload\/1",[^\n]*\})\s*$/;
const BEGINS = /(?:^|\n)\{"schema": ?"fsxbench\.lazyload\/1"/;

export function isLazyLoad(text: string): boolean {
  return holds(text, '"fsxbench.lazyload/') && BEGINS.test(text);
}

/** Phases, and the operations that they measure. */
export const OPERATIONS = {
  metadata: 'import_metadata',
  first: 'first_read',
  second: 'second_read',
  preload: 'preload',
} as const;
type Phase = keyof typeof OPERATIONS;
const isPhase = (value: unknown): value is Phase => typeof value === 'string' && value in OPERATIONS;

const FIELDS = [
  ['seconds', 's', 'seconds'],
  ['files', '1', 'files'],
  ['bytes', 'B', 'bytes'],
  ['file_bytes', 'B', 'file_bytes'],
  ['released_before', '1', 'released_before'],
  ['released_after', '1', 'released_after'],
] as const;

/** Parses the document of one phase on one client. */
export function parseLazyLoad({ text }: Lines): ParserFinding {
  const said: Json = readJson(RESULT.exec(text)?.[1] ?? '') ?? {};
  const { phase } = said;
  const known = isPhase(phase);
  const samples = (known ? FIELDS : []).map(([metric, unit, field]): ParsedSample => {
    const value = said[field];
    const common = { operation: known ? OPERATIONS[phase] : '', test: null, iteration: null, metric, unit };
    return typeof value === 'number' && Number.isFinite(value) && value >= 0
      ? { ...common, value }
      : { ...common, value: null, reason: 'not printed' };
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
