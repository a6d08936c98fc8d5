import type { CommandFile } from '../workload/common/parse/command';
import { TOOLS } from '../workload/lookup';

/** Reads `key: value` lines; a line without a key continues the previous value (a command with a here-document). */
export function parseCommandFile(text: string): CommandFile {
  const values = new Map<string, string>();
  let last: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const match = /^([a-z][a-z0-9_]*): ?(.*)$/.exec(line);
    if (match) {
      last = match[1] as string;
      values.set(last, match[2] as string);
    } else if (last !== undefined && line !== '') {
      values.set(last, `${values.get(last)}\n${line}`);
    }
  }
  const exit = values.get('exit_status')?.trim();
  const command = values.get('command')?.trim() || null;
  return {
    command,
    exitStatus: exit !== undefined && /^-?\d{1,6}$/.test(exit) ? Number(exit) : null,
    tool: PRINTING.find(({ id }) => id === values.get('tool')?.trim())?.id ?? toolOf(command),
  };
}

/** The tools whose output is parsed, and a pattern for each program. */
const PRINTING = TOOLS.flatMap(({ id, formats, program = id }) => (formats === undefined ? [] : [{ id, program }]));
const STARTS = new RegExp(`(?:^|[\\s/(;&|])(?:${PRINTING.map(({ program }) => `(${program})`).join('|')})(?=\\s|$)`);

/** The tool that a command line starts, through any launchers. */
function toolOf(command: string | null): string | null {
  const groups = STARTS.exec(command ?? '')?.slice(1) ?? [];
  return PRINTING[groups.findIndex((group) => group !== undefined)]?.id ?? null;
}
