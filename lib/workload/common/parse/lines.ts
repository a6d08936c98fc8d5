/** The lines of an output, without the decoration of launchers and terminals. Its methods are called on it: destructured they lose it. */
export interface Lines {
  /** @throws TooLarge for an output that does not fit into memory: read {@link each} where it may be long */
  readonly lines: readonly string[];
  /** Text after the last newline, normally `''`. A number in it may be truncated, so it is never a figure. */
  readonly tail: string;
  /** The text of these lines; the original text if nothing was stripped. @throws TooLarge like `lines` */
  readonly text: string;
  /** The lines in turn, of an output of any size. @param figures what was read so far @throws TooLarge if they become too many */
  each(figures?: readonly unknown[]): Iterable<string>;
  /** The output in parts of whole lines, for searches within a line. The tail is in the last one. @throws TooLarge for too many figures */
  parts(of?: PartsOf): Iterable<Lines>;
  /** The last part. */
  readonly end: Lines;
  /** The value of an output that is one JSON document and nothing else; `undefined` for any other, and for a large one. */
  readonly json: unknown;
}

/** Bounds of an output that is read in parts. */
export interface PartsOf {
  /** Everything read so far. @default - nothing is kept */
  readonly figures?: readonly unknown[];
  /** True for documents without line ends, of which nothing may be left out. @default false */
  readonly longLines?: boolean;
}

/** An output that cannot be read within the memory that a command may take: its file and the next step. */
export class TooLarge extends Error {}

/** The text of the first part; empty for an empty output. */
export function firstPart(output: Lines): string {
  for (const { text } of output.parts()) return text;
  return '';
}

/** The first match within a line of an output of any size. */
export function firstMatch(output: Lines, pattern: RegExp): RegExpExecArray | null {
  for (const { text } of output.parts()) {
    const match = pattern.exec(text);
    if (match !== null) return match;
  }
  return null;
}

// mpirun --tag-output: `[1,0]<stdout>:text`; --timestamp-output: a date before it; Open MPI 5: `[prterun-host-1@1,0]<stdout>: text`.
const LAUNCHER_PREFIX =
  /^(?:[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})?(?:\[(?:[^\]\s@]{1,120}@)?\d+,\d+\])?<std(?:out|err|diag)>:/;

/**
 * `srun --label`: the task, right-aligned among its siblings, before each of its lines (Slurm 22.05: ` 0: text`); `-l` of Intel MPI and MPICH: `[0] text`.
 */
const TASK_PREFIX = /^(?: *\d+: ?|\[\d+\] ?)/;
/** A line without one that is neither blank nor a message of the launcher itself. */
const UNLABELLED = /^(?! *\d+: ?|\[\d+\] ?|(?:srun|slurm\w*|mpiexec\S*): |[^\S\r\n]*$)/m;

/** Colours and other control sequences of a terminal (ECMA-48, CSI). */
const ESCAPE = String.fromCharCode(27);
const CONTROL_SEQUENCE = new RegExp(`${ESCAPE}\\[[0-?]*[ -/]*[@-~]`, 'g');

const identity = (line: string): string => line;

/** Strips the decoration of the lines of a text, or of its bytes. */
export function cleanLine(text: {
  readonly includes: (part: string) => boolean;
  readonly indexOf: (part: string) => number;
  readonly slice: (start: number, end: number) => { readonly toString: () => string };
  readonly length: number;
}): (line: string) => string {
  const carriage = text.includes('\r');
  const tagged = text.includes('<std');
  const coloured = text.includes(ESCAPE);
  // The first line says no for nearly every output.
  const labelled = [text.indexOf('\n') + 1, text.length].every((end) => isLabelled(text.slice(0, end).toString()));
  if (!carriage && !tagged && !coloured && !labelled) return identity;
  return (raw) => {
    let line = coloured ? raw.replace(CONTROL_SEQUENCE, '') : raw;
    if (carriage) line = withoutCarriageReturns(line);
    if (labelled) return line.replace(TASK_PREFIX, '');
    return tagged && line.includes('<std') ? withoutPrefix(line) : line;
  };
}

/** True if tasks wrote every line of a text: the lines of some tool may begin so, but never all of them. */
const isLabelled = (text: string): boolean => !UNLABELLED.test(text);

/**
 * Splits a text at LF, CR LF (typescript of script(1)) or a bare CR, after which the last piece counts (an overwritten progress line),
 * and strips terminal colours and the prefixes of launchers (mpirun's `--tag-output` and `--timestamp-output`, srun's `--label`).
 */
export function splitLines(text: string): Lines {
  const clean = cleanLine(text);
  return new TextLines(clean === identity ? text : text.split('\n').map(clean).join('\n'));
}

/**
 * The lines of a text, split when they are asked for: most searches of a part of a large output need none. A class, since V8 gives an object
 * literal with getters a hidden class of its own, which outlives it and keeps its text in memory.
 */
class TextLines implements Lines {
  readonly tail: string;
  private split: readonly string[] | undefined;
  private document: { readonly value: unknown } | undefined;

  constructor(readonly text: string) {
    this.tail = text.slice(text.lastIndexOf('\n') + 1);
  }

  get lines(): readonly string[] {
    this.split ??= this.text.split('\n').slice(0, -1);
    return this.split;
  }

  get end(): Lines {
    return this;
  }

  get json(): unknown {
    this.document ??= { value: documentIn(this.text) };
    return this.document.value;
  }

  each(): Iterable<string> {
    return this.lines;
  }

  parts(): Iterable<Lines> {
    return [this];
  }
}

/** Tools print objects; a text that neither begins nor ends as one is not read as such. */
function documentIn(text: string): unknown {
  if (!/^\s{0,100}\{/.test(text) || !/\}\s{0,100}$/.test(text.slice(-101))) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutPrefix(line: string): string {
  const prefix = LAUNCHER_PREFIX.exec(line)?.[0];
  if (prefix === undefined) return line;
  return line.slice(prefix.length + (prefix.includes('@') && line[prefix.length] === ' ' ? 1 : 0));
}

function withoutCarriageReturns(line: string): string {
  let end = line.length;
  while (end > 0 && line.charCodeAt(end - 1) === 13) end -= 1;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** The whitespace-separated fields of a line. */
export function fields(line: string): string[] {
  const found: string[] = [];
  let start = -1;
  for (let index = 0; index < line.length; index += 1) {
    const space = line.charCodeAt(index) <= 32;
    if (space && start >= 0) found.push(line.slice(start, index));
    if (space) start = -1;
    else if (start < 0) start = index;
  }
  if (start >= 0) found.push(line.slice(start));
  return found;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NOT_A_NUMBER = /^"?[+-]?(?:nan|inf|infinity)"?$/i;

/** Why a figure has no value that no tool can have printed like this: the output is damaged. */
export const UNREADABLE = 'unreadable';
/** Above any rate, size or time: 2^64 bytes and nanoseconds are less. */
export const LARGEST = 1e20;

/** A figure that was read: its value, or `null` with the reason. */
export const readFigure = (value: number): { value: number | null; reason?: string } =>
  Math.abs(value) <= LARGEST ? { value: value === 0 ? 0 : value } : { value: null, reason: UNREADABLE };

/** Parses a printed figure: its value, or `null` with the reason (`nan`, `inf`, `not printed`); `undefined` if it is not a figure. */
export function figure(token: string | undefined): { value: number | null; reason?: string } | undefined {
  if (token === undefined) return undefined;
  if (NUMBER.test(token)) return readFigure(Number(token));
  if (token === '-' || token === 'NA') return { value: null, reason: 'not printed' };
  if (NOT_A_NUMBER.test(token)) return { value: null, reason: `printed as ${token.replaceAll('"', '')}` };
  return undefined;
}
