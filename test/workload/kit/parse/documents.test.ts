import { readDocuments } from '../../../../lib/workload/common/parse/documents';
import type { Json } from '../../../../lib/workload/common/parse/json';
import { type Lines, splitLines } from '../../../../lib/workload/common/parse/lines';

const FORM = { begins: 'made by', lists: ['rows', 'sums'] };
const ROWS = [{ id: 1, deep: { list: [{ a: 1 }] } }, { id: 2, text: 'a "quoted" {brace}\\' }, { id: 3 }];
const DOCUMENT = { 'made by': 'x-1', options: { a: '1' }, rows: ROWS, more: [{ util: 3 }], sums: [{ id: 'all' }] };
const PRETTY = JSON.stringify(DOCUMENT, null, 2);
const FIELDS = { ...DOCUMENT, rows: [], sums: [] };

/** The text in parts, as a large file is read: each ends with a line. */
function inParts(text: string, lines: number): Lines {
  const all = text.split(/(?<=\n)/);
  const parts = Array.from({ length: Math.ceil(all.length / lines) }, (_, at) =>
    splitLines(all.slice(at * lines, (at + 1) * lines).join('')),
  );
  return { ...splitLines(text), parts: () => parts };
}

interface Read {
  readonly head: Json;
  readonly elements: Json[];
  whole?: Json | undefined;
}

function readAll(input: Lines): { documents: Read[]; fills: boolean } {
  const documents: Read[] = [];
  const open = (head: Json) => {
    const document: Read = { head, elements: [] };
    return {
      element: (value: Json) => document.elements.push(value),
      end: (whole: Json | undefined) => documents.push(Object.assign(document, { whole })),
    };
  };
  const fills = readDocuments(input, FORM, open, []);
  return { documents, fills };
}

const WHOLE: Read = {
  head: { 'made by': 'x-1', options: { a: '1' } },
  elements: [...ROWS, { id: 'all' }],
  whole: FIELDS,
};

describe.each([1, 2, 7, 1000])('in parts of %i lines', (lines) => {
  const read = (text: string) => readAll(inParts(text, lines));

  test.each([
    ['indented', `${PRETTY}\n`],
    ['in one line', JSON.stringify(DOCUMENT)],
    ['indented by tabs', JSON.stringify(DOCUMENT, null, '\t')],
    ['with CR LF', `${PRETTY}\n`.replaceAll('\n', '\r\n')],
  ])('a document %s has its elements one by one, and fills the output', (_, text) => {
    expect(read(text)).toEqual({ documents: [WHOLE], fills: true });
  });

  test('several have theirs, and text beside them is passed over', () => {
    expect(read(`${PRETTY}\n${PRETTY}\n`)).toEqual({ documents: [WHOLE, WHOLE], fills: true });
    const text = `starts {\n${PRETTY}\nstopping {now}\n${PRETTY}\n}\n`;
    expect(read(text)).toEqual({ documents: [WHOLE, WHOLE], fills: false });
    expect(read('{"rows": []}\n')).toEqual({ documents: [], fills: false });
  });

  test('cut at any place, it has the elements before, and hides no document after it', () => {
    for (let at = PRETTY.indexOf(':') + 1; at < PRETTY.length; at += 3) {
      const { documents, fills } = read(`${PRETTY.slice(0, at)}\n${PRETTY}\n`);
      const [cut, next] = documents as [Read, Read];
      expect({ at, fills, count: documents.length }).toEqual({ at, fills: false, count: 2 });
      expect({ at, next }).toEqual({ at, next: WHOLE });
      expect(cut.whole).toBeUndefined();
      expect(cut.elements).toEqual(WHOLE.elements.slice(0, cut.elements.length));
      const closed = WHOLE.elements.filter((element) => {
        const end = PRETTY.indexOf('\n    }', PRETTY.indexOf(`"id": ${JSON.stringify(element.id)}`)) + '\n    }'.length;
        return end <= at;
      });
      expect({ at, elements: cut.elements.length }).toEqual({ at, elements: closed.length });
    }
  });

  test('a message within it ends it', () => {
    const at = PRETTY.indexOf('"id": 3');
    const { documents, fills } = read(`${PRETTY.slice(0, at)}x: stopped by signal 15\n${PRETTY.slice(at)}\n`);
    expect(documents).toEqual([{ head: WHOLE.head, elements: ROWS.slice(0, 2), whole: undefined }]);
    expect(fills).toBe(false);
  });

  test('a message before its first list leaves the fields that are whole', () => {
    const at = PRETTY.indexOf('"rows"');
    const { documents } = read(`${PRETTY.slice(0, at)}x: stopped by signal 15\n${PRETTY}\n`);
    expect(documents).toEqual([{ head: WHOLE.head, elements: [], whole: undefined }, WHOLE]);
  });

  test('an element that closes as its list is indented, or holds bare nan and inf, is read', () => {
    const text = '{\n"made by": "x-1",\n"rows": [\n{\n"id": {\n"a": nan\n},\n"b": -inf\n},\n{\n"id": 2\n}\n]\n}\n';
    expect(read(text)).toEqual({
      documents: [
        {
          head: { 'made by': 'x-1' },
          elements: [{ id: { a: 'nan' }, b: '-inf' }, { id: 2 }],
          whole: { 'made by': 'x-1', rows: [] },
        },
      ],
      fills: true,
    });
  });
});

test('a document that is cut off within an element of a megabyte gives way to the next', () => {
  const at = PRETTY.indexOf('"id": 3');
  const text = `${PRETTY.slice(0, at)}"lines": [\n${'0,\n'.repeat(500_000)}1\n`;
  const { documents } = readAll(inParts(`${text}${PRETTY}\n`, 20_000));
  expect(documents.map(({ elements, whole }) => [elements.length, whole === undefined])).toEqual([
    [2, true],
    [4, false],
  ]);
});
