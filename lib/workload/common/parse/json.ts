import { LARGEST, type Lines, UNREADABLE } from './lines';

/** An unvalidated object of a tool's JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** The value as an object; an empty object for anything else. */
export const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** The objects of a list; none for anything else. */
export const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : []);

const [LF, QUOTATION_MARK, BACKSLASH] = [10, 34, 92] as const;

/** Index after a string; `undefined` if its line ends before. */
export function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTATION_MARK) return at + 1;
    else if (code === LF) return undefined;
  }
  return undefined;
}

/** Braces and strings of a text with their ends; braces in strings are text. The last has no end if a string is cut off. */
function* tokensOf(text: string): Generator<{ brace: string; at: number; end: number | undefined }> {
  const token = /["{}]/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { 0: brace, index: at } = match;
    const end = brace === '"' ? endOfString(text, at) : at + 1;
    yield { brace, at, end };
    if (end === undefined) return;
    token.lastIndex = end;
  }
}

/** The end of the object with which a text begins; `undefined` if it is truncated. */
function endOfObject(text: string): number | undefined {
  let depth = 0;
  for (const { brace, end } of tokensOf(text)) {
    if (brace === '{') depth += 1;
    else if (brace === '}') depth -= 1;
    if (depth === 0) return end;
  }
  return undefined;
}

/** The objects of a text that have a key, in any position and with any text around them. @returns `undefined` for one that is truncated or damaged */
export function objectsWith(text: string, key: string): (Json | undefined)[] {
  const open: number[] = [];
  const found: (Json | undefined)[] = [];
  let depth = 0;
  for (const { brace, at, end } of tokensOf(text)) {
    if (brace === '{') open.push(at);
    else if (brace === '}') {
      const start = open.pop() ?? at;
      if (depth > open.length) {
        found.push(readJson(text.slice(start, end)));
        depth = 0;
      }
    } else if (depth === 0 && end === at + key.length + 2 && text.startsWith(key, at + 1)) depth = open.length;
  }
  return depth > 0 ? [...found, undefined] : found;
}

/** Parses a text as an object; `undefined` for any other text. fio prints bare `nan` and `inf` for some empty averages. */
export function readJson(text: string): Json | undefined {
  const quoted = () => text.replace(/(:\s*)(-?(?:nan|inf))(?=\s*[,}\]])/g, '$1"$2"');
  for (const candidate of [() => text, quoted]) {
    try {
      return object(JSON.parse(candidate()));
    } catch {
      // the next candidate, or none
    }
  }
  return undefined;
}

/**
 * The objects of a tool's runs in an output, with any text around them. Each text ends at the next object: a truncated one hides no other, and each
 * byte is scanned once. `document` is `undefined` for a truncated object. @param start how such an object begins
 */
export function objectsIn({ text, json }: Lines, start: RegExp): { section: string; document: Json | undefined }[] {
  if (json !== undefined && text.trimStart().search(start) === 0) return [{ section: text, document: object(json) }];
  const starts = [...text.matchAll(new RegExp(start, 'g'))].map((match) => match.index);
  return starts.map((from, index) => {
    const section = text.slice(from, starts[index + 1] ?? text.length);
    const end = endOfObject(section);
    return { section, document: end === undefined ? undefined : readJson(section.slice(0, end)) };
  });
}

/** A field of a tool's JSON as a figure: a finite number that is not negative, or `null` with the reason. */
export function jsonFigure(value: unknown, divisor = 1): { value: number } | { value: null; reason: string } {
  if (typeof value !== 'number') return { value: null, reason: 'not printed' };
  return value >= 0 && value <= LARGEST ? { value: value / divisor } : { value: null, reason: UNREADABLE };
}
