import type { ParsedSample } from '../../schema/parse';
import type { ParserFinding } from '../kit/parse/finding';
import { holds } from '../kit/parse/holds';
import { type Json, readJson } from '../kit/parse/json';
import type { Lines } from '../kit/parse/lines';

/** The line that assets/client/bin/measure-command ends with. */
const MEASURED = /(?:^|\n)(\{"schema":"fsxbench\.command\/1",[^\n]*\})\s*$/;

export function isMeasured(text: string): boolean {
  return holds(text, '"fsxbench.command/') && MEASURED.test(text);
}

const FIGURES = [
  ['seconds', 's', 'wall_s'],
  ['user_seconds', 's', 'user_s'],
  ['system_seconds', 's', 'system_s'],
  ['bytes_read', 'B', 'read_bytes'],
  ['bytes_written', 'B', 'written_bytes'],
  ['exit_status', '1', 'exit_status'],
] as const;

/** Only where outputs were declared. */
const OUTPUT = ['output_bytes', 'B', 'output_bytes'] as const;

/**
 * Parses the measurements of a user's program: wall-clock `seconds`, CPU `user_seconds` and `system_seconds`, `bytes_read` and
 * `bytes_written` by its system calls, `output_bytes` of its declared outputs, and its `exit_status`, all for the operation `run`. The program's own output, which precedes
 * that line, is ignored.
 */
export function parseMeasured({ text }: Lines): ParserFinding {
  const said: Json = readJson(MEASURED.exec(text)?.[1] ?? '') ?? {};
  const status = said.exit_status;
  const samples = [...FIGURES, ...('output_bytes' in said ? [OUTPUT] : [])].map(
    ([metric, unit, field]): ParsedSample => {
      const value = said[field];
      const common = { operation: 'run', test: null, iteration: null, metric, unit };
      return typeof value === 'number' && Number.isFinite(value) && value >= 0
        ? { ...common, value }
        : { ...common, value: null, reason: value === null ? 'not reported by the kernel' : 'not printed' };
    },
  );
  return {
    // measure-command prints them all, if only as `null`.
    complete: FIGURES.every(([, , field]) => field in said),
    problems: typeof status === 'number' && status !== 0 ? [`exit_status_${status}`] : [],
    samples,
  };
}
