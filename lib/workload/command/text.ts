import type { ParsedSample } from '../../schema/parse';
import type { Finding } from '../kit/parse/finding';
import { type Json, readJson } from '../kit/parse/json';
import type { Lines } from '../kit/parse/lines';

/** The line that assets/client/bin/measure-command ends with. */
const MEASURED = /(?:^|\n)(\{"schema":"fsxbench\.command\/1",[^\n]*\})\s*$/;

export function isMeasured(text: string): boolean {
  return MEASURED.test(text);
}

const FIGURES = [
  ['seconds', 's', 'wall_s'],
  ['user_seconds', 's', 'user_s'],
  ['system_seconds', 's', 'system_s'],
  ['bytes_read', 'B', 'read_bytes'],
  ['bytes_written', 'B', 'written_bytes'],
  ['exit_status', '1', 'exit_status'],
] as const;

/**
 * What a user's own program took: `seconds` by the wall clock, `user_seconds` and `system_seconds` of the CPUs, `bytes_read` and
 * `bytes_written` by its system calls, and its `exit_status`, all of the operation `run`. What the program itself printed is not looked
 * at: it stands before that line.
 */
export function parseMeasured({ text }: Lines): Finding {
  const said: Json = readJson(MEASURED.exec(text)?.[1] ?? '') ?? {};
  const status = said.exit_status;
  const samples = FIGURES.map(([metric, unit, field]): ParsedSample => {
    const value = said[field];
    const common = { operation: 'run', test: null, iteration: null, metric, unit };
    return typeof value === 'number' && Number.isFinite(value) && value >= 0
      ? { ...common, value }
      : { ...common, value: null, reason: value === null ? 'the kernel does not tell' : 'not printed' };
  });
  return {
    tool: 'command',
    version: null,
    command: null,
    complete: true,
    problems: typeof status === 'number' && status !== 0 ? [`exit_status_${status}`] : [],
    cautions: [],
    samples,
    tests: [],
  };
}
