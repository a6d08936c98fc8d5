/** The command whose output is parsed, from the `.cmd` next to the `.out`. */
export interface CommandFile {
  readonly command: string | null;
  /** Negative if killed by that signal; `null` if unknown. */
  readonly exitStatus: number | null;
  readonly tool: string | null;
}

export const NO_COMMAND: CommandFile = { command: null, exitStatus: null, tool: null };

const REPETITIONS = /(?:^|\s)['"]?-i['"]?[\s=]*['"]?(\d{1,9})(?=['"\s]|$)/g;

/** The repetitions that the command of an IOR or mdtest run requests last (`-i 3`, `-i3`, `-i=3`); `null` without that option. */
export function repetitionsIn(command: string | null): number | null {
  const found = [...(command ?? '').matchAll(REPETITIONS)].at(-1)?.[1];
  return found === undefined ? null : Number(found);
}

/**
 * The places where a command line starts a program; `null` if there is no command, or if a loop or similar construct starts the program.
 * @param program a pattern of the program and what must follow it, such as `ior\\s+-`
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

/** A loop over literal words, without expansions. */
const PLAIN_LOOP = /\bfor\s+[A-Za-z_]\w*\s+in\s+([\w.,:/ \t-]+)[;\n]\s*do\b/;

/** Counts the starts of a program, as {@link invocations}, and with each literal word of a `for` loop. @returns `null` if unknown */
export function countStarts(command: string | null, program: string): number | null {
  const outside = invocations(command, program);
  if (command === null || outside !== null) return outside?.length ?? null;
  const loop = PLAIN_LOOP.exec(command);
  const done = loop === null ? -1 : command.indexOf('done', loop.index);
  if (loop === null || done < 0) return null;
  const body = command.slice(loop.index + loop[0].length, done);
  // Each iteration may use a different file.
  if (/(?:>|\btee(?:\s+-a)?\s)\s*["']?[^\s;|]*\$/.test(body)) return null;
  const inside = invocations(body, program);
  const around = countStarts(`${command.slice(0, loop.index)};${command.slice(done + 4)}`, program);
  if (inside === null || around === null) return null;
  return (loop[1] as string).trim().split(/\s+/).length * inside.length + around;
}

/** Number of runs of a program that the command line announces; 1 if unknown. */
export const announcedRuns = (command: string | null, program: string): number =>
  Math.max(1, countStarts(command, `${program}\\s+-`) ?? 1);
