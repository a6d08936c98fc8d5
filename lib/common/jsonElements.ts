const [QUOTE, BACKSLASH, COMMA] = [...'"\\,'].map((one) => one.charCodeAt(0));
// One bit distinguishes brackets from braces.
const opens = (byte: number): boolean => (byte | 0x20) === 0x7b;
const closes = (byte: number): boolean => (byte | 0x20) === 0x7d;

/** Characters in which the name of a list is looked for. */
const END = 100;

/**
 * The elements of one list of a JSON document, each as its text, then the document's text with that list empty. An invalid document gives invalid texts.
 * @param pieces bytes of the document; each may overwrite the one before @param name of the list, a field of the document
 * @param max bytes of an element, and of the rest together. @throws RangeError for more
 */
export function* jsonElements(pieces: Iterable<Buffer>, name: string, max: number): Generator<string, string> {
  const opening = new RegExp(`[{,]\\s*"${name}"\\s*:\\s*\\[$`);
  const rest = new Parts(max);
  let element: Parts | null = null;
  let [depth, inText, escaped, isFirst] = [0, false, false, true];
  for (const piece of pieces) {
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] as number;
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inText = false;
      } else if (byte === QUOTE) {
        inText = true;
      } else if (opens(byte)) {
        depth += 1;
        if (depth !== 2 || element !== null) continue;
        rest.add(piece.subarray(from, at + 1));
        from = at + 1;
        if (!opening.test(rest.end)) continue;
        [element, isFirst] = [new Parts(max), true];
      } else if (element !== null && depth === 2 && (byte === COMMA || closes(byte))) {
        element.add(piece.subarray(from, at));
        const text = element.text();
        const isLast = byte !== COMMA;
        from = isLast ? at : at + 1;
        element = isLast ? null : new Parts(max);
        if (isLast) depth -= 1;
        if (!(isLast && isFirst && text.trim() === '')) yield text;
        isFirst = false;
      } else if (closes(byte)) {
        depth -= 1;
      }
    }
    (element ?? rest).add(piece.subarray(from));
  }
  return `${rest.text()}${element?.text() ?? ''}`;
}

/** Copies of the parts of a text. */
class Parts {
  /** The last characters. */
  end = '';
  private readonly parts: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly max: number) {}

  add(part: Buffer): void {
    this.bytes += part.length;
    if (this.bytes > this.max) throw new RangeError(`a part of it has more than ${this.max} bytes`);
    this.parts.push(Buffer.from(part));
    this.end = `${this.end}${part.toString('latin1', Math.max(0, part.length - END))}`.slice(-END);
  }

  text(): string {
    return Buffer.concat(this.parts).toString('utf8');
  }
}
