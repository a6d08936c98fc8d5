import { byHost, cleanLine, identity, prefixesOf } from './decoration';

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

/** Characters of a text in which its prefixes are looked for. */
const SAMPLE = 2 ** 16;
const BYTE_ORDER_MARK = 0xfeff;

/** The steps that strip the prefixes of an output, as its beginning and its end show them. */
export function prefixesIn(beginning: string, end = ''): ReturnType<typeof prefixesOf> {
  const text = beginning.slice(0, SAMPLE);
  const lines = text.split('\n');
  // A line that the sample cuts does not show its prefix; nor may the last one of an output that was cut off.
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines;
  const shown = [...whole, ...end.slice(-SAMPLE).split('\n').slice(1, -1)];
  return prefixesOf(shown.map(cleanLine(text, [])));
}

/**
 * Splits a text at LF, CR LF (typescript of script(1)) or a bare CR, after which the last piece counts (an overwritten progress line),
 * and strips terminal colours, no-break spaces, tags of launchers and the prefixes that all lines have.
 * @param prefixes of the output of which the text is a part
 */
export function splitLines(marked: string, prefixes?: ReturnType<typeof prefixesOf>): Lines {
  const text = marked.charCodeAt(0) === BYTE_ORDER_MARK ? marked.slice(1) : marked;
  const known = prefixes ?? prefixesIn(text);
  const clean = cleanLine(text, known);
  if (clean === identity) return new TextLines(text);
  const lines = text.split('\n');
  const whole = known.length === 0 ? lines : [...byHost(lines.slice(0, -1)), lines.at(-1) as string];
  return new TextLines(whole.map(clean).join('\n'));
}

/**
 * The lines of a text, split when they are asked for: most searches of a part of a large output need none. A class, since V8 gives an object
 * literal with getters its own hidden class, which outlives it and keeps its text in memory.
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
