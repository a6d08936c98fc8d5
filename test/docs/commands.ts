import { blocksOf, PAGES, textOf } from './pages';

/** A command line that a page prints, with the pages. */
export interface Printed {
  readonly command: string;
  readonly pages: readonly string[];
}

/** Pages without instructions: the changelog, and pages generated from the code. */
const INSTRUCTING = PAGES.filter((page) => page !== 'CHANGELOG.md' && !page.startsWith('docs/reference/'));

/** Programs that begin a command line in a block; any other line is output. */
const PROGRAMS = 'npx|npm|node|cdk|fsxbench|aws|export|mkdir|eval|sudo|cmake|sed|cd|bash|curl|\\(cd';
const BEGINS = new RegExp(`^(?:[A-Z_]+=\\S+ )?(?:${PROGRAMS}) `);
/** In a sentence, only these are commands and not names of programs. */
const IN_PROSE = /^(?:[A-Z_]+=\S+ )?(?:npx (?:fsxbench|cdk|jest)|npm|fsxbench|cdk|aws|(?:node )?scripts\/\S+) /;

const isOpen = (text: string): boolean =>
  /\\$/.test(text) || ['"', "'"].some((mark) => text.split(mark).length % 2 === 0);
const withoutComment = (text: string): string => text.replace(/\s+#\s.*$/, '').trim();

/** Command lines of a block: one continues after a backslash, in quotes, and with options in brackets. */
function linesOf(lines: readonly string[]): string[] {
  const whole: string[] = [];
  let open = false;
  for (const line of lines.map((each) => withoutComment(each.replace(/^\$ /, '')))) {
    if (open || line.startsWith('[-')) whole.push(`${whole.pop()?.replace(/\s*\\$/, '')} ${line}`);
    else whole.push(line);
    open = BEGINS.test(whole.at(-1) ?? '') && isOpen(whole.at(-1) ?? '');
  }
  return whole.filter((line) => BEGINS.test(line));
}

/** Commands that a page prints, in their order. */
export function printedOn(page: string): string[] {
  const text = textOf(page);
  const blocks = blocksOf(text).filter(({ language }) => ['', 'bash', 'sh'].includes(language));
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code.trim());
  return [...blocks.flatMap(({ lines }) => linesOf(lines)), ...spans.filter((code) => IN_PROSE.test(code))]
    .flatMap((line) => (/['"(]/.test(line) ? [line] : line.split(' && ')))
    .map((line) => line.trim());
}

/** Every command that README.md, CONTRIBUTING.md and docs/ print, each once. */
export const PRINTED: readonly Printed[] = (() => {
  const pages = new Map<string, Set<string>>();
  for (const page of INSTRUCTING)
    for (const command of printedOn(page)) pages.set(command, (pages.get(command) ?? new Set()).add(page));
  return [...pages].map(([command, on]) => ({ command, pages: [...on] }));
})();
