import { PAGES, textOf } from './pages';

const LONGEST = 200;

/** Addresses and code cannot be shortened, and a row of a table cannot be wrapped. */
const shortest = (line: string): string =>
  line.startsWith('|') ? line.replaceAll(/\]\([^)]*\)/g, ']').replaceAll(/`[^`]*`/g, '') : line;

/** The example report is a program's output, with each paragraph on one line. */
const isWritten = (page: string): boolean => !page.startsWith('docs/example-report/');

const tooLong = (page: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, at) => (shortest(line).length > LONGEST ? `${page}:${at + 1}: ${line.length} characters` : []));

test(`no line of a page is longer than ${LONGEST} characters, and no row of a table has more words`, () => {
  expect(PAGES.filter(isWritten).flatMap((page) => tooLong(page, textOf(page)))).toEqual([]);
});

test('a long sentence is found, and a long row but for its code and addresses', () => {
  const [words, code] = ['word '.repeat(50), `\`${'x'.repeat(300)}\``];
  expect(tooLong('page', `${words}\n| ${words} |\n| [here](https://${'x'.repeat(300)}) ${code} |\n${code}`)).toEqual([
    'page:1: 250 characters',
    'page:2: 254 characters',
    'page:4: 302 characters',
  ]);
});

/** A word that a program or a person was to replace. */
const placeholders = (text: string): string[] => text.match(/^[A-Z]+(?:_[A-Z]+)+$/gm) ?? [];

test('no page has a placeholder in the place of what it promises', () => {
  expect(PAGES.filter((page) => placeholders(textOf(page)).length > 0)).toEqual([]);
  expect(placeholders('every cell:\n\nNOISE_TABLE\n\n`NODE_OPTIONS` is set\n')).toEqual(['NOISE_TABLE']);
});

const EVIDENCE = /\b(?:not|never|nothing|none) (?:\w+ ){0,4}(?:tried|deployed to EC2)\b/gi;

test('what was never tried is said on one page, docs/verification.md; decisions keep theirs', () => {
  const isOther = (page: string) => page !== 'docs/verification.md' && !page.startsWith('docs/decisions/');
  expect(
    PAGES.filter(isOther).flatMap(
      (page) =>
        textOf(page)
          .match(EVIDENCE)
          ?.map((it) => `${page}: ${it}`) ?? [],
    ),
  ).toEqual([]);
  expect('It was not tried on AWS; this has never been tried.'.match(EVIDENCE)).toHaveLength(2);
});
