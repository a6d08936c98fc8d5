import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { quote, type ShellCommand, type ShellScript, type ShellWord } from '../workload/common/lint/shell';
import { takesLine } from './launch';

/** Longer input is not a command line. */
export const MAX_LENGTH = 100_000;

const LOOPS: ReadonlySet<string> = new Set(['For', 'ArithmeticFor', 'While']);

/** Parses a command line as bash would; expands nothing, runs nothing. */
export function parseShell(source: string): ShellScript {
  const commands: ShellCommand[] = [];
  const errors: string[] = [];
  const constants = constantsOf(source);
  walk(parse(source), source, 0, false);
  return { source, commands, errors };

  function walk(node: SyntaxNode, text: string, depth: number, outerLoop: boolean): void {
    const looped = outerLoop || LOOPS.has(node.type);
    if (node.type === 'Script') {
      errors.push(...(node.errors ?? []).map(({ message }) => message));
      for (const child of node.commands) walk(child, node.source ?? text, depth, looped);
      return;
    }
    if (node.type === 'Command') {
      const words = [node.name, ...node.args].flatMap((word) =>
        word === undefined
          ? []
          : resolved({ value: word.type === 'Word' ? word.value : word.text, pos: word.pos, end: word.end }, constants),
      );
      if (words.length > 0) {
        const redirections = node.redirects.flatMap((redirect) =>
          redirect.type === 'Redirect' && redirect.target
            ? [{ operator: redirect.operator, target: redirect.target.value }]
            : [],
        );
        commands.push({ words, redirections, source: text, pos: node.pos, end: node.end, looped });
        const inner = scriptOfShell(words);
        if (inner !== null && depth < 5) walk(parse(inner), inner, depth + 1, looped);
      }
    }
    forEachChild(node, (child) => walk(child, text, depth, looped));
  }
}

/** Variables that a script sets once, to a text without expansions. */
function constantsOf(source: string): ReadonlyMap<string, string> {
  const values = new Map<string, string | null>();
  const set = (name: string, value: string | null): void => {
    values.set(name, values.has(name) ? null : value);
  };
  const walk = (node: SyntaxNode): void => {
    if (node.type === 'Assignment') {
      const { name, value } = node;
      const text = value?.type === 'Word' ? value.value : null;
      if (name !== undefined) set(name, text === null || /[$`]/.test(text) ? null : text);
    }
    if (node.type === 'For' && 'name' in node && node.name?.type === 'Word') set(node.name.value, null);
    forEachChild(node, walk);
  };
  walk(parse(source));
  return new Map([...values].flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

/** A word with the values of constants; one that is a variable alone may be several words, all in its place. */
function resolved(word: ShellWord, constants: ReadonlyMap<string, string>): ShellWord[] {
  const value = word.value.replaceAll(
    /\$(?:\{(\w+)\}|(\w+))/g,
    (text, braced, plain) => constants.get(braced ?? plain) ?? text,
  );
  if (value === word.value) return [word];
  const parts = /^\$\{?\w+\}?$/.test(word.value) ? value.split(/\s+/).filter((part) => part !== '') : [value];
  return parts.map((part) => ({ ...word, value: part }));
}

/** The script in `bash -c 'script'`, or the command in `ssh host 'command'` and `sbatch --wrap 'command'`. */
function scriptOfShell(words: readonly ShellWord[]): string | null {
  if (words.some(takesLine)) {
    const last = words.at(-1)?.value ?? '';
    return /\s/.test(last) ? last : null;
  }
  const wrap = words.findIndex(({ value }) => /^--wrap(?:=|$)/.test(value));
  if (wrap > 0) return words[wrap]?.value.slice('--wrap='.length) || (words[wrap + 1]?.value ?? null);
  const at = words.findIndex(({ value }) => /^(?:.*\/)?(?:(?:ba|da)?sh|su)$/.test(value));
  if (at < 0) return null;
  const option = words.slice(at + 1).findIndex(({ value }) => /^-[a-z]*c$/.test(value));
  return option < 0 ? null : (words[at + 1 + option + 1]?.value ?? null);
}

const OPERATORS = new Set([';', '&&', '||', '|', '&', '>', '>>', '<']);

/** Builds a command line from arguments. A single one is a whole line; a separate quoted `;` or `&&` separates commands. */
export function joinArguments(words: readonly string[]): string {
  if (words.length === 1) return words[0] as string;
  return words
    .map((word) => {
      if (OPERATORS.has(word)) return word;
      const listed = /^(.*[^\\;]);$/s.exec(word);
      return listed ? `${quote(listed[1] as string)};` : quote(word);
    })
    .join(' ');
}
