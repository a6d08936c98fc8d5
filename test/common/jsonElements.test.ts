import { jsonElements } from '../../lib/common/jsonElements';

/** The elements and the rest of a document that comes in pieces of so many bytes, each in the place of the one before. */
function elements(text: string, size: number, most = 1e6): { elements: string[]; rest: string } {
  const bytes = Buffer.from(text);
  const buffer = Buffer.alloc(size);
  function* pieces(): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += size)
      yield buffer.subarray(0, bytes.copy(buffer, 0, at, Math.min(bytes.length, at + size)));
  }
  const found = jsonElements(pieces(), 'series', most);
  const own: string[] = [];
  let next = found.next();
  for (; !next.done; next = found.next()) own.push(next.value);
  return { elements: own, rest: next.value };
}

const HARD = {
  window: { from: 'a', series: ['not', 'these'] },
  'x"series"': [1],
  series: [{ name: '}],"\\ é€😀', points: [['t', 1.5e-7], []] }, [], {}, 'text, "series":[', -1, null],
  after: [[{ series: [2] }]],
};

test.each([1, 2, 7, 100, 10_000])('a document in pieces of %d bytes is that of JSON.parse', (size) => {
  for (const indent of [undefined, 2]) {
    const found = elements(JSON.stringify(HARD, null, indent), size);
    expect(found.elements.map((one) => JSON.parse(one))).toEqual(HARD.series);
    expect(JSON.parse(found.rest)).toEqual({ ...HARD, series: [] });
  }
});

test.each(['{"series":[]}', '{ "series" : [ ] , "a": 1 }', '{"a":1}', '[1]', '7'])('%s has no elements', (text) => {
  const { elements: none, rest } = elements(text, 3);
  expect([none, JSON.parse(rest)]).toEqual([[], JSON.parse(text)]);
});

test.each([
  '{"series":[1,',
  '{"series":[1',
  '{"series":[1,]}',
  '{"series":[,1]}',
  '{"series":[1}}',
  '{"series":[1]',
  '',
  '{"series":["1]}',
])('what is not JSON comes out as such: %s', (text) => {
  const { elements: own, rest } = elements(text, 4);
  expect(() => [...own, rest].map((one) => JSON.parse(one))).toThrow(SyntaxError);
});

test('an element or a rest that is larger than allowed is refused, not kept', () => {
  expect(elements(`{"series":[${'1,'.repeat(1000)}1]}`, 10, 100).elements).toHaveLength(1001);
  for (const text of [`{"series":["${'x'.repeat(100)}"]}`, `{"other":"${'x'.repeat(100)}"}`])
    expect(() => elements(text, 10, 100)).toThrow(RangeError);
});
