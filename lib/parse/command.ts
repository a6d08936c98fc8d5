import { TOOLS, type Tool } from '../model/parse';

/** What is known of the command whose output is parsed: the `.cmd` beside the `.out`. */
export interface CommandFile {
  readonly command: string | null;
  /** Negative: killed by that signal. `null` when it is not known. */
  readonly exitStatus: number | null;
  readonly tool: Tool | null;
}

export const NO_COMMAND: CommandFile = { command: null, exitStatus: null, tool: null };

/** Reads `key: value` lines; a line without a key goes on with the value before it (a command with a here-document). */
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
    tool: toolNamed(values.get('tool')?.trim()) ?? toolOf(command),
  };
}

function toolNamed(name: string | undefined): Tool | null {
  if (name === 'bash') return 'dd';
  return TOOLS.find((tool) => tool === name && tool !== 'unknown') ?? null;
}

/** The tool that a command line starts, through whatever launchers. */
function toolOf(command: string | null): Tool | null {
  const match =
    /(?:^|[\s/(;&|])(ior|mdtest|fio|elbencho|smallfile(?=_cli\.py)|dd|compsize|du)(?:_cli\.py)?(?=\s|$)/.exec(
      command ?? '',
    );
  return match ? toolNamed(match[1]) : null;
}

/**
 * The value of a short option (`-i 3`, `-i3`, `-i=3`), the last one, as a whole number.
 * @returns `null` when the option is not there
 */
export function numberOption(command: string | null, letter: string): number | null {
  let value: number | null = null;
  for (const match of (command ?? '').matchAll(
    new RegExp(`(?:^|\\s)['"]?-${letter}['"]?[\\s=]*['"]?(\\d{1,9})(?=['"\\s]|$)`, 'g'),
  )) {
    value = Number(match[1]);
  }
  return value;
}

/**
 * The places where a command line starts a program, when that can be read from it.
 * @param program a pattern of the program and what must follow it, such as `ior\\s+-`
 * @returns `null` when there is no command, or when a loop or a construct of that kind starts the program
 */
export function invocations(command: string | null, program: string): string[] | null {
  if (command === null || /\b(?:xargs|parallel|eval)\b/.test(command)) return null;
  const start = `(?:^|[\\s;&|(/])${program}`;
  const pieces = command.split(/\bdo\b/);
  let outside = pieces[0] as string;
  for (const piece of pieces.slice(1)) {
    const end = piece.lastIndexOf('done');
    const inside = end < 0 ? piece : piece.slice(0, end);
    if (new RegExp(start).test(inside)) return null;
    if (end >= 0) outside += piece.slice(end + 4);
  }
  return [...outside.matchAll(new RegExp(`${start}[^;&|)\\n]*`, 'g'))].map((match) =>
    match[0].replace(/^[\s;&|(/]/, ''),
  );
}

/** A loop over words that stand in the line, with nothing for the shell to expand. */
const PLAIN_LOOP = /\bfor\s+[A-Za-z_]\w*\s+in\s+([\w.,:/ \t-]+)[;\n]\s*do\b/;

/**
 * How often a command line starts a program: as {@link invocations}, and a `for` over plain words counts each of them.
 * @returns `null` when that can't be told
 */
export function countStarts(command: string | null, program: string): number | null {
  const outside = invocations(command, program);
  if (command === null || outside !== null) return outside?.length ?? null;
  const loop = PLAIN_LOOP.exec(command);
  const done = loop === null ? -1 : command.indexOf('done', loop.index);
  if (loop === null || done < 0) return null;
  const body = command.slice(loop.index + loop[0].length, done);
  // Each round may have a file of its own.
  if (/(?:>|\btee(?:\s+-a)?\s)\s*["']?[^\s;|]*\$/.test(body)) return null;
  const inside = invocations(body, program);
  const around = countStarts(`${command.slice(0, loop.index)};${command.slice(done + 4)}`, program);
  if (inside === null || around === null) return null;
  return (loop[1] as string).trim().split(/\s+/).length * inside.length + around;
}
