import fc from 'fast-check';
import { printable } from '../../../lib/common/format/text';

test('leaves nothing that a terminal would act on, whatever it is given', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = printable(text).replaceAll('\r\n', '\n');
      expect(shown).not.toMatch(/[^\P{Cc}\n\t]|\p{Bidi_Control}/u);
    }),
  );
});

test.each([
  ['\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
  ['\u009b2J', '\\u009b2J'],
  ['abc\u202edcb', 'abc\\u202edcb'],
  ['a\rb', 'a\\u000db'],
  ['a\tb\r\nc\n', 'a\tb\r\nc\n'],
  ['state: failed\r\u001b[Kdone', 'state: failed\\u000d\\u001b[Kdone'],
])('%j is shown as %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('a document stays what it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const document = JSON.stringify({ text }, null, 2);
      expect(JSON.parse(printable(document))).toEqual({ text });
    }),
  );
});
