import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const PROJECT = resolve(__dirname, '../..');

/** Every page of the project, from its folder: those for readers, and the decisions. */
export const PAGES: readonly string[] = [
  ...readdirSync(PROJECT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(PROJECT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
].sort();

export const textOf = (page: string): string => readFileSync(join(PROJECT, page), 'utf8');

/** Fenced blocks of a page, with the word behind their fence. */
export const blocksOf = (text: string): { readonly language: string; readonly lines: readonly string[] }[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', body = '']) => ({
    language,
    lines: body.trimEnd().split('\n'),
  }));

/** Commands in the blocks of a page, without comments; a line that ends with a backslash continues. */
export const commandsOf = (text: string): string[] =>
  blocksOf(text)
    .filter(({ language }) => language === 'bash')
    .flatMap(({ lines }) =>
      lines
        .join('\n')
        .replaceAll(/\\\n\s*/g, '')
        .split('\n'),
    )
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Anchors of a page's headings, as GitHub and GitLab make them. */
export function anchorsOf(text: string): Set<string> {
  const headings = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, words = '']) =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  return new Set(headings.map((slug, index) => (headings.indexOf(slug) === index ? slug : `${slug}-${index}`)));
}
