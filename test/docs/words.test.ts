import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { nodesOf, SOURCES, sourceOf } from '../support/sources';
import { PAGES, textOf } from './pages';

interface Rule {
  readonly id: string;
  readonly pattern: RegExp;
  readonly instead: string;
  readonly bad: string;
  readonly good: string;
}

const RULES: readonly Rule[] = readFileSync(join(__dirname, 'words.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((row) => {
    const [id = '', pattern = '', instead = '', bad = '', good = ''] = row.split('\t');
    return { id, pattern: new RegExp(pattern, 'g'), instead, bad, good };
  });

const BLOCK = /^\s*(?:\||#|[-*] |\d+\. |>)/;

/** Paragraphs, list items, rows and headings of a page, each in one line, without code and addresses. */
function proseOf(text: string): string[] {
  const paragraphs: string[] = [];
  let isOpen = false;
  for (const line of text.replaceAll(/^\s*```[\s\S]*?^\s*```$/gm, '').split('\n')) {
    if (line.trim() === '' || /^\s*\|[\s|:-]+\|$/.test(line)) isOpen = false;
    else if (isOpen && !BLOCK.test(line)) paragraphs.push(`${paragraphs.pop()} ${line.trim()}`);
    else {
      paragraphs.push(line.trim());
      isOpen = !/^\s*[|#]/.test(line);
    }
  }
  return paragraphs.map((paragraph) => paragraph.replaceAll(/`[^`]*`/g, '`c`').replaceAll(/\]\([^)]*\)/g, ']'));
}

const hitsIn = (place: string, text: string): string[] =>
  RULES.flatMap(({ id, pattern, instead }) =>
    [...text.matchAll(pattern)].map(
      ({ 0: hit, index }) => `${place}: ${id}: …${text.slice(Math.max(0, index - 20), index)}${hit} → ${instead}`,
    ),
  );

const hitsOf = (page: string): string[] => proseOf(textOf(page)).flatMap((paragraph) => hitsIn(page, paragraph));

/** Strings and templates of a source that have two words next to each other; a value in a template is `{…}`. Longer ones are programs and data. */
const stringsOf = (path: string): string[] =>
  nodesOf(sourceOf(path))
    .flatMap((node) =>
      ts.isStringLiteralLike(node)
        ? [node.text]
        : ts.isTemplateExpression(node)
          ? [node.head.text + node.templateSpans.map(({ literal }) => `{…}${literal.text}`).join('')]
          : [],
    )
    .filter((text) => text.length < 2000 && /[a-z] [a-z]/i.test(text))
    .map((text) => text.replaceAll(/\s+/g, ' '));

/** Comments of a source that begin a line, each in one line, without code. */
const commentsOf = (path: string): string[] =>
  [...sourceOf(path).text.matchAll(/^ *(?:\/\*([\s\S]*?)\*\/|\/\/ (.*)$)/gm)].map(([, block = '', line = '']) =>
    `${block}${line}`
      .replaceAll(/^ *\* ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/`[^`]*`/g, '`c`')
      .trim(),
  );

/** The changelog is written last, and the example report is a program's output. */
const WRITTEN = PAGES.filter((page) => page !== 'CHANGELOG.md' && !page.startsWith('docs/example-report/'));
const isDecision = (page: string): boolean => page.startsWith('docs/decisions/');
const isGenerated = (page: string): boolean => page.startsWith('docs/reference/');

test.each(RULES)('$id is found in its bad example and not in its good one', ({ pattern, instead, bad, good }) => {
  expect(instead).not.toBe('');
  expect([[...bad.matchAll(pattern)].length, [...good.matchAll(pattern)].length]).toEqual([1, 0]);
});

/** Counts that may only fall: lower one when a page has improved. */
test.each([
  ['pages', 3, (page: string) => !isDecision(page) && !isGenerated(page)],
  ['the generated reference', 0, isGenerated],
  ['decisions', 0, isDecision],
] as const)('%s have at most %d phrases that readers find hard', (_, most, belongs) => {
  const hits = WRITTEN.filter(belongs).flatMap(hitsOf);
  expect(hits.length > most ? hits : []).toEqual([]);
});

test.each([
  ['strings', 15, stringsOf],
  ['comments', 15, commentsOf],
] as const)('%s of sources have at most %d phrases that readers find hard', (_, most, textsOf) => {
  const hits = SOURCES.flatMap((path) => textsOf(path).flatMap((text) => hitsIn(path, text)));
  expect(hits.length > most ? hits : []).toEqual([]);
});

const LONGEST = 40;

/** Sentences that may stay long, by page: a quoted line of a program, and a row whose cells are one sentence. */
const EXCEPTIONS: Readonly<Record<string, number>> = { 'docs/own-program.md': 1, 'docs/security.md': 1 };

test(`no sentence of a page has more than ${LONGEST} words, but for those that are counted`, () => {
  const longOf = (page: string): string[] =>
    proseOf(textOf(page))
      .flatMap((paragraph) => paragraph.split(/(?<=[.!?]) /))
      .filter((sentence) => sentence.split(/\s+/).length > LONGEST);
  const found = WRITTEN.filter((page) => !isDecision(page) && longOf(page).length > (EXCEPTIONS[page] ?? 0));
  expect(found.flatMap((page) => longOf(page).map((sentence) => `${page}: ${sentence}`))).toEqual([]);
});

test('a paragraph is read as one text, without code, and rows and items one by one', () => {
  expect(proseOf('# A\n\nOne `x y`\ntwo.\n\n```\ncode\n```\n| [a](b) |\n|---|\n- b\n  c\n- d\n')).toEqual([
    '# A',
    'One `c` two.',
    '| [a] |',
    '- b c',
    '- d',
  ]);
});
