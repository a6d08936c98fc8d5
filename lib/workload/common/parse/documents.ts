import { endOfString, type Json, readJson } from './json';
import type { Lines } from './lines';

/**
 * A token of JSON, by its first character; numbers and literals are passed over like white space. `key` is the first key of an object that is
 * looked for, `foreign` a character that JSON does not have, or a string that its line does not end.
 */
type Token = ',' | '"' | '{' | '[' | '}' | ']' | 'key' | 'foreign' | 'end';

/** fio prints `nan` and `inf` as well. */
const PASSED_OVER = ' \t\r\n:+-.0123456789E true false null nan inf';
/** Tokens that the ASCII characters begin. */
const TOKENS: readonly (Token | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (PASSED_OVER.includes(character)) return undefined;
  return ',"{[}]'.includes(character) ? (character as Token) : 'foreign';
});

const LF = 10;

/** Longest white space before the first key. */
const LONGEST_BEGINNING = 200;
/** Characters in which the closing line of an object is looked for. */
const LONGEST_OBJECT = 2 ** 20;

/**
 * JSON objects with a known first key, in an output that comes in parts of whole lines. A cursor goes from token to token; the text from one of
 * them up to the cursor is the piece.
 */
class JsonText {
  private readonly parts: Iterator<Lines>;
  private readonly key: string;
  private part = '';
  private token = 0;
  private cursor = 0;
  /** The piece: its text in earlier parts, and its start in this one. */
  private before = '';
  private from = 0;

  constructor(parts: Iterable<Lines>, key: string) {
    this.parts = parts[Symbol.iterator]();
    this.key = `"${key}"`;
  }

  /** Goes to the key of the next object. @returns whether there is one, and whether the text before it is blank */
  seek(): { found: boolean; blank: boolean } {
    const beginning = new RegExp(`\\{\\s*(?=${this.key}\\s*:)`, 'g');
    let blank = true;
    for (;;) {
      const { part, cursor } = this;
      beginning.lastIndex = cursor;
      const found = beginning.exec(part);
      const brace = part.lastIndexOf('{');
      const end = found?.index ?? (brace >= cursor && part.length - brace < LONGEST_BEGINNING ? brace : part.length);
      blank &&= part.slice(cursor, end).trim() === '';
      this.token = found === null ? end : beginning.lastIndex;
      this.beginPiece();
      if (found !== null) {
        this.cursor = this.token + this.key.length;
        return { found: true, blank };
      }
      if (!this.readOn()) return { found: false, blank: blank && this.before === '' };
      // The part before may have ended within the beginning.
      this.part = this.before + this.part;
    }
  }

  /** Advances to the end of the next token, or up to anything that is no JSON. */
  next(): Token {
    do {
      const { part } = this;
      for (let at = this.cursor; at < part.length; at += 1) {
        const code = part.charCodeAt(at);
        const token = code < TOKENS.length ? TOKENS[code] : 'foreign';
        if (token === undefined) continue;
        const end = token === '"' ? endOfString(part, at) : at + 1;
        this.token = at;
        this.cursor = at;
        if (token === 'foreign' || end === undefined) return 'foreign';
        this.cursor = end;
        return token === '"' && this.isKey ? 'key' : token;
      }
    } while (this.readOn());
    return 'end';
  }

  get isKey(): boolean {
    return this.part.startsWith(this.key, this.token);
  }

  get text(): string {
    return this.part.slice(this.token, this.cursor);
  }

  beginPiece(): void {
    this.before = '';
    this.from = this.token;
  }

  get piece(): string {
    return this.before + this.part.slice(this.from, this.cursor);
  }

  get pieceLength(): number {
    return this.before.length + this.cursor - this.from;
  }

  /** Reads on to the end of the object or list that the last token opens. @returns `undefined` for one that is damaged or cut off */
  value(): Json | undefined {
    this.beginPiece();
    const indented = this.indentedObject();
    if (indented !== undefined) return indented;
    this.part = this.before + this.part.slice(this.from);
    this.before = '';
    this.from = 0;
    this.cursor = 1;
    for (let depth = 1; depth > 0; ) {
      const token = this.next();
      if (token === '{' || token === '[') depth += 1;
      else if (token === '}' || token === ']') depth -= 1;
      else if (token === 'key' || token === 'foreign' || token === 'end') return undefined;
    }
    return readJson(this.piece);
  }

  /** Reads on to the first line that may close the object: no object is a prefix of another. @returns `undefined` for another indentation */
  private indentedObject(): Json | undefined {
    const indentation = this.part.slice(this.part.lastIndexOf('\n', this.token) + 1, this.token);
    if (indentation.trim() !== '' || this.part.charCodeAt(this.cursor) !== LF) return undefined;
    do {
      const { part } = this;
      for (let brace = part.indexOf('}', this.cursor); brace >= 0; brace = part.indexOf('}', brace + 1)) {
        const line = brace - indentation.length;
        if ((line > 0 && part.charCodeAt(line - 1) !== LF) || !part.startsWith(indentation, line)) continue;
        this.token = brace;
        this.cursor = brace + 1;
        const object = readJson(this.piece);
        return object !== undefined && this.key.slice(1, -1) in object ? undefined : object;
      }
      this.cursor = part.length;
    } while (this.pieceLength < LONGEST_OBJECT && this.readOn());
    return undefined;
  }

  private readOn(): boolean {
    const { value, done } = this.parts.next();
    this.before += this.part.slice(this.from);
    this.part = done ? '' : (value as Lines).text;
    this.from = 0;
    this.token = 0;
    this.cursor = 0;
    return !done;
  }
}

/** JSON documents of a tool whose lists are read element by element: one of any size takes the memory of an element. */
interface DocumentForm {
  /** The first key of each document, which does not appear within one. */
  readonly begins: string;
  readonly lists: readonly string[];
}

export interface DocumentReader {
  readonly element: (value: Json) => void;
  /** @param document without the elements of its lists; `undefined` if it is truncated or damaged */
  readonly end: (document: Json | undefined) => void;
}

/**
 * Reads the documents of an output, with any text around them. One that is truncated or damaged gives the elements before that place, and hides no other.
 * @param open starts a document, given the fields before its first list @param figures everything read so far, bounded as for {@link Lines.parts}
 * @returns true if the output holds whole documents and nothing else @throws TooLarge
 */
export function readDocuments(
  input: Lines,
  { begins, lists }: DocumentForm,
  open: (head: Json) => DocumentReader,
  figures: readonly unknown[],
): boolean {
  const text = new JsonText(input.parts({ figures, longLines: true }), begins);
  let onlyDocuments = true;
  const seek = (): boolean => {
    const { found, blank } = text.seek();
    onlyDocuments &&= blank;
    return found;
  };
  // One that is cut off may end with the key of the next.
  for (let isThere = seek(); isThere; isThere = text.isKey || seek())
    onlyDocuments = readDocument(text, lists, open) && onlyDocuments;
  return onlyDocuments;
}

/** Reads a document from its first key on. @returns true if it is whole */
function readDocument(text: JsonText, lists: readonly string[], open: (head: Json) => DocumentReader): boolean {
  // Without the elements of its lists.
  let fields = '{';
  let reader: DocumentReader | undefined;
  let lastComma = 0;
  let name = '';
  const head = (): Json => readJson(`${fields}}`) ?? readJson(`${fields.slice(0, lastComma)}}`) ?? {};
  const readFields = (): boolean => {
    for (let depth = 1; depth > 0; ) {
      const token = text.next();
      if (token === 'key' || token === 'foreign' || token === 'end') return false;
      const isBetweenFields = depth === 1;
      if (token === '{' || token === '[') depth += 1;
      else if (token === '}' || token === ']') depth -= 1;
      if (!isBetweenFields) continue;
      if (token === ',') lastComma = fields.length + text.pieceLength - 1;
      else if (token === '"') name = text.text.slice(1, -1);
      else if (token === '[' && lists.includes(name)) {
        fields += text.piece;
        reader ??= open(head());
        if (!readList(text, reader)) return false;
        text.beginPiece();
        depth -= 1;
      }
    }
    return true;
  };
  text.beginPiece();
  const isClosed = readFields();
  fields += text.piece;
  const document = isClosed ? readJson(fields) : undefined;
  reader ??= open(document ?? head());
  reader.end(document);
  return document !== undefined;
}

/** Reads a list up to the bracket that closes it. @returns false if it is cut off */
function readList(text: JsonText, reader: DocumentReader): boolean {
  for (;;) {
    // Nothing between its elements is kept.
    text.beginPiece();
    const token = text.next();
    if (token === '}' || token === ']') return true;
    if (token === 'key' || token === 'foreign' || token === 'end') return false;
    if (token !== '{' && token !== '[') continue;
    const element = text.value();
    if (element === undefined) return false;
    reader.element(element);
  }
}
