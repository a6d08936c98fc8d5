import { type Json, readJson } from './json';
import type { Lines } from './lines';

/** JSON documents of a tool whose lists are read element by element: one of any size takes the memory of an element. */
export interface DocumentForm {
  /** The first key of each document, which is no key within one. */
  readonly begins: string;
  /** Keys whose values are lists of objects. */
  readonly lists: readonly string[];
}

/** Receives the parts of a document in their order. */
export interface DocumentReader {
  readonly element: (value: Json) => void;
  /** @param document without the elements of its lists; `undefined` if it is truncated or damaged */
  readonly end: (document: Json | undefined) => void;
}

/**
 * Reads the documents of an output, with any text before, between and after them. One that is truncated or damaged gives the elements
 * before that place, and hides no other.
 * @param open starts a document, given the fields before its first list
 * @param figures everything read so far, bounded as for {@link Lines.parts}
 * @returns true if the output holds whole documents and nothing else
 * @throws TooLarge
 */
export function readDocuments(
  input: Lines,
  form: DocumentForm,
  open: (head: Json) => DocumentReader,
  figures: readonly unknown[],
): boolean {
  const scanner = new DocumentScanner(form, open);
  for (const { text } of input.parts({ figures, longLines: true })) scanner.read(text);
  return scanner.finish();
}

const [FOREIGN, PLAIN, QUOTE, COMMA, OPEN, CLOSE] = [0, 1, 2, 3, 4, 5] as const;

/** The kind of each ASCII character outside strings; fio prints `nan` and `inf`, too. */
const KINDS = new Uint8Array(128).fill(FOREIGN);
for (const [characters, kind] of [
  [' \t\r\n:+-.0123456789E', PLAIN],
  ['true false null nan inf', PLAIN],
  ['"', QUOTE],
  [',', COMMA],
  ['{[', OPEN],
  ['}]', CLOSE],
] as const)
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;

const [LF, QUOTATION_MARK, BRACKET, BACKSLASH] = [10, 34, 91, 92] as const;

/** Depths of a document's own fields, and of the elements of its lists. */
const [FIELDS, ELEMENTS] = [1, 2] as const;

/** No tool has as much white space before the first key. */
const LONGEST_BEGINNING = 200;
/** Characters of an element that are kept to find its end. */
const LONGEST_ELEMENT = 2 ** 20;

/** Splits an output into documents, and their lists into elements, in one pass. */
class DocumentScanner {
  private readonly key: string;
  private readonly beginning: RegExp;
  private onlyDocuments = true;
  /** The end of a part, which the next one continues. */
  private kept = '';

  /** Open braces and brackets; 0 outside documents. */
  private depth = 0;
  private reader: DocumentReader | undefined;
  /** The document without the elements of its lists, and its length before the last comma between its fields. */
  private fields = '';
  private lastComma = 0;
  private lastString = '';
  private inList = false;
  /** Start of the fields that follow, or of an element, in the current text. */
  private from = 0;
  /** The line that ends the element which is cut out next. */
  private closing: string | undefined;

  constructor(
    private readonly form: DocumentForm,
    private readonly open: (head: Json) => DocumentReader,
  ) {
    this.key = `"${form.begins}"`;
    this.beginning = new RegExp(`\\{\\s*${this.key}\\s*:`, 'g');
  }

  read(part: string): void {
    const text = this.kept + part;
    const at = this.depth === 0 ? 0 : this.kept.length;
    this.kept = '';
    this.readOn(text, at);
  }

  private readOn(text: string, start: number): void {
    for (let at = start; at < text.length; )
      at =
        this.depth === 0
          ? this.seek(text, at)
          : this.closing
            ? this.cutOut(text, at, this.closing)
            : this.scan(text, at);
  }

  finish(): boolean {
    while (this.closing !== undefined) {
      const text = this.kept;
      this.kept = '';
      this.readOn(text, this.enter());
    }
    if (this.depth > 0) this.close(false);
    return this.onlyDocuments && this.kept.trim() === '';
  }

  /** Looks for the next document. @returns where to go on */
  private seek(text: string, from: number): number {
    this.beginning.lastIndex = from;
    const found = this.beginning.exec(text)?.index;
    const brace = text.lastIndexOf('{');
    const cut = brace >= from && text.length - brace < LONGEST_BEGINNING ? brace : text.length;
    if (text.slice(from, found ?? cut).trim() !== '') this.onlyDocuments = false;
    if (found !== undefined) {
      this.begin('', found);
      return found + 1;
    }
    this.kept = text.slice(cut);
    return text.length;
  }

  private begin(fields: string, from: number): void {
    this.depth = FIELDS;
    this.reader = undefined;
    this.fields = fields;
    this.lastComma = 0;
    this.inList = false;
    this.from = from;
    this.closing = undefined;
  }

  /**
   * Reads an indented element up to the line that should close it. No JSON object is a prefix of another, so a slice that JSON.parse accepts is the whole element.
   * @returns where to go on
   */
  private cutOut(text: string, start: number, closing: string): number {
    let brace = text.indexOf('}', start);
    while (brace >= 0 && !text.startsWith(closing, brace + 1 - closing.length)) brace = text.indexOf('}', brace + 1);
    if (brace < 0 && text.length - this.from < LONGEST_ELEMENT) {
      this.kept = text.slice(this.from);
      this.from = 0;
      return text.length;
    }
    const end = brace + 1;
    const element = brace < 0 ? undefined : readJson(text.slice(this.from, end));
    if (element === undefined || this.form.begins in element) return this.enter();
    this.closing = undefined;
    this.reader?.element(element);
    return end;
  }

  /** Scans an element whose closing line was not found. @returns where to go on */
  private enter(): number {
    this.closing = undefined;
    this.depth += 1;
    return this.from + 1;
  }

  /** Reads on in a document. @returns where to go on */
  private scan(text: string, start: number): number {
    const cutOff = (at: number, next: number): number => {
      if (!this.inList) this.fields += text.slice(this.from, at);
      return this.close(false, next);
    };
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      switch (code < KINDS.length ? KINDS[code] : FOREIGN) {
        case PLAIN:
          break;
        case COMMA:
          if (this.depth === FIELDS) this.lastComma = this.fields.length + at - this.from;
          break;
        case QUOTE: {
          const end = endOfString(text, at);
          if (end === undefined) return cutOff(at, at + 1);
          if (this.depth === FIELDS) this.lastString = text.slice(at + 1, end);
          else if (text.startsWith(this.key, at)) {
            cutOff(at, at);
            this.begin('{', at);
          }
          at = end;
          break;
        }
        case OPEN:
          if (this.inList && this.depth === ELEMENTS) {
            this.from = at;
            this.closing = closingOf(text, at);
            if (this.closing !== undefined) return at;
          }
          this.depth += 1;
          if (
            !this.inList &&
            this.depth === ELEMENTS &&
            code === BRACKET &&
            this.form.lists.includes(this.lastString)
          ) {
            this.fields += text.slice(this.from, at + 1);
            this.reader ??= this.open(this.fieldsSoFar());
            this.inList = true;
          }
          break;
        case CLOSE:
          this.depth -= 1;
          if (this.depth === 0) {
            this.fields += text.slice(this.from, at + 1);
            return this.close(true, at + 1);
          }
          if (this.inList && this.depth === ELEMENTS) {
            const element = readJson(text.slice(this.from, at + 1));
            if (element === undefined) return this.close(false, at + 1);
            this.reader?.element(element);
          } else if (this.inList && this.depth === FIELDS) {
            this.inList = false;
            this.from = at;
          }
          break;
        default:
          return cutOff(at, at);
      }
    }
    if (!this.inList) this.fields += text.slice(this.from);
    else if (this.depth > ELEMENTS) this.kept = text.slice(this.from);
    this.from = 0;
    return text.length;
  }

  /** The fields that are whole, of a document that is not. */
  private fieldsSoFar(): Json {
    return readJson(`${this.fields}}`) ?? readJson(`${this.fields.slice(0, this.lastComma)}}`) ?? {};
  }

  private close(whole: boolean, next = 0): number {
    const document = whole ? readJson(this.fields) : undefined;
    if (document === undefined) this.onlyDocuments = false;
    this.reader ??= this.open(document ?? this.fieldsSoFar());
    this.reader.end(document);
    this.depth = 0;
    return next;
  }
}

/** The line end, indentation and brace that close an object which opens in a line of its own; `undefined` for another. */
function closingOf(text: string, at: number): string | undefined {
  const indentation = text.slice(text.lastIndexOf('\n', at) + 1, at);
  return indentation.trim() === '' ? `\n${indentation}}` : undefined;
}

/** Index of the quotation mark that closes a string; `undefined` if its line ends before. */
function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTATION_MARK) return at;
    else if (code === LF) return undefined;
  }
  return undefined;
}
