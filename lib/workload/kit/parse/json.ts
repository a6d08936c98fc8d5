/** An object of a tool's JSON, of which nothing is known yet. */
export type Json = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one for anything else. */
export function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The objects of a list; none for anything else. */
export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

/** Where the object that opens at `start` ends; `undefined` when the text ends before. */
export function endOfObject(text: string, start: number): number | undefined {
  const token = /["{}]/g;
  token.lastIndex = start;
  let depth = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === '{') depth += 1;
    else if (match[0] === '}') {
      depth -= 1;
      if (depth === 0) return match.index + 1;
    } else {
      const close = endOfString(text, match.index);
      if (close === undefined) return undefined;
      token.lastIndex = close;
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number | undefined {
  for (let index = start + 1; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (char === 92) index += 1;
    else if (char === 34) return index + 1;
  }
  return undefined;
}

/** The object that a text is, `undefined` when it is none. fio writes bare `nan` and `inf` for some averages of nothing. */
export function readJson(text: string): Json | undefined {
  for (const candidate of [text, text.replace(/(:\s*)(-?(?:nan|inf))(?=\s*[,}\]])/g, '$1"$2"')]) {
    try {
      return object(JSON.parse(candidate));
    } catch {
      // the next candidate, or none
    }
  }
  return undefined;
}

/**
 * The objects of a tool's runs in a text, with whatever stands before, between and after them.
 * @param start how such an object begins
 * @returns of each what stands there up to where the next one begins, so that one that breaks off hides no other and each byte is looked
 * at once; `document` is `undefined` for one that breaks off
 */
export function objectsIn(text: string, start: RegExp): { section: string; document: Json | undefined }[] {
  const starts = [...text.matchAll(new RegExp(start, 'g'))].map((match) => match.index);
  return starts.map((from, index) => {
    const section = text.slice(from, starts[index + 1] ?? text.length);
    const end = endOfObject(section, 0);
    return { section, document: end === undefined ? undefined : readJson(section.slice(0, end)) };
  });
}
