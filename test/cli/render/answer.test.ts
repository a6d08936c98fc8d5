import { renderChange, renderDuration, renderRange, renderRate, wrapped } from '../../../lib/cli/render/answer';

test.each([
  [0, '0 s'],
  [12.4, '12 s'],
  [59.4, '59 s'],
  // Rounded first: never 60 s.
  [59.6, '1 min 00 s'],
  [60, '1 min 00 s'],
  [250, '4 min 10 s'],
  [3599, '59 min 59 s'],
  [3599.6, '1 h 00 min'],
  [3900, '1 h 05 min'],
  [90_061, '25 h 01 min'],
])('%d s are written %s', (seconds, words) => expect(renderDuration(seconds)).toBe(words));

test.each([
  [20, 45, '20–45 s'],
  [20.9, 44.1, '20–45 s'],
  [0, 5, 'up to 5 s'],
  [100, 179, '100–179 s'],
  [120, 180, '2–3 min'],
  [130, 400, '2–7 min'],
  [10, 300, 'up to 5 min'],
  [3600, 7199, '60–120 min'],
  [3 * 3600, 5 * 3600, '3–5 h'],
  [1800, 7200, 'up to 2 h'],
])('from %d to %d s is written %s', (low, high, words) => expect(renderRange(low, high)).toBe(words));

test.each([
  [1, '+0.0 %'],
  [1.021, '+2.1 %'],
  [0.75, '-25.0 %'],
  [1.999, '+99.9 %'],
  [2, '+100 %'],
  [3.456, '+246 %'],
  [0, '-100.0 %'],
])('a ratio of %d is a change of %s', (ratio, words) => expect(renderChange(ratio)).toBe(words));

test.each([
  [1234.567, '1234.6'],
  [0.000123456, '0.00012346'],
  [123_456_789, '123460000'],
  [5, '5'],
  [0, '0'],
  [null, '-'],
])('the rate %p is written %s', (rate, words) => expect(renderRate(rate)).toBe(words));

const word = (length: number) => 'x'.repeat(length);

// A terminal has 100 columns. What follows is indented as the line is, by 2 at least; a word is never broken.
test.each<[string, string[]]>([
  [word(100), [word(100)]],
  [`${word(60)} ${word(39)}`, [`${word(60)} ${word(39)}`]],
  [`${word(100)} b`, [word(100), '  b']],
  [`${word(60)} ${word(40)}`, [word(60), `  ${word(40)}`]],
  [`    ${word(60)} ${word(50)}`, [`    ${word(60)}`, `    ${word(50)}`]],
  [word(120), [word(120)]],
  [`    ${word(120)}`, [`    ${word(120)}`]],
  [`${word(60)} ${word(50)} ${word(70)}`, [word(60), `  ${word(50)}`, `  ${word(70)}`]],
  ['', ['']],
])('%j is broken into %j', (line, lines) => expect(wrapped(line)).toEqual(lines));
