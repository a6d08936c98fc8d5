import { type Json, readJson } from './json';
import { JsonText } from './jsonText';
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
  /** Length of the fields before the last comma between them. */
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
