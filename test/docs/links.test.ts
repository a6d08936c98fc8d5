import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { anchorsOf, PAGES, PROJECT, textOf } from './pages';

/** Prose without code, where brackets do not mean links. */
const proseOf = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');

interface Link {
  readonly page: string;
  readonly target: string;
}

const LINKS: readonly Link[] = PAGES.flatMap((page) =>
  [...proseOf(textOf(page)).matchAll(/\]\(([^()\s]+(?:\([^()]*\))?[^()\s]*)\)/g)].map(([, target = '']) => ({
    page,
    target,
  })),
);

const isExternal = ({ target }: Link): boolean => /^[a-z]+:/.test(target);

const problemOf = ({ page, target }: Link): string | null => {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(PROJECT, file))) return `${page}: there is no ${file}`;
  if (anchor === undefined || statSync(join(PROJECT, file)).isDirectory() || !file.endsWith('.md')) return null;
  return anchorsOf(textOf(file)).has(anchor) ? null : `${page}: ${file} has no heading #${anchor}`;
};

test('every link inside the project leads to a page, and to a heading of it', () => {
  const inside = LINKS.filter((link) => !isExternal(link));
  expect(inside.length).toBeGreaterThan(50);
  expect(inside.map(problemOf).filter((problem) => problem !== null)).toEqual([]);
});

/** Files that pages name in prose, except decisions, which describe the past, and the example that a reader makes. */
test('every file that a page names is there', () => {
  const named = PAGES.filter((page) => !page.includes('/decisions/') && !page.endsWith('CHANGELOG.md')).flatMap(
    (page) =>
      [...textOf(page).matchAll(/`((?:lib|assets|test|scripts|bench|bin|claims)\/[\w./-]+)`/g)].map(
        ([, path = '']) => ({ page, path }),
      ),
  );
  expect(named.length).toBeGreaterThan(50);
  const missing = named.filter(
    ({ path }) => !['', '.ts'].some((ending) => existsSync(join(PROJECT, `${path}${ending}`))),
  );
  expect(missing).toEqual([{ page: 'docs/extending/benchmark.md', path: 'lib/benchmark/capacity/index.ts' }]);
});

test('links out of the project are encrypted', () => {
  expect(LINKS.filter((link) => isExternal(link) && !link.target.startsWith('https://'))).toEqual([]);
});

test('the index leads to every page', () => {
  const index = 'docs/README.md';
  const linked = new Set(
    LINKS.filter(({ page }) => page === index).map(({ target }) => normalize(join('docs', target.split('#')[0] ?? ''))),
  );
  const pages = PAGES.filter((page) => page.startsWith('docs/') && page !== index && !page.includes('/decisions/'));
  expect(pages.filter((page) => !linked.has(page))).toEqual([]);
});
