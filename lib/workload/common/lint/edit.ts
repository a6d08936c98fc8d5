import type { LintedTool } from './rule';
import { quote, type ShellCommand, type ShellWord } from './shell';

/** An edit of a command's text. */
export type Edit =
  | { readonly replace: ShellWord; readonly by: string }
  | { readonly remove: readonly ShellWord[] }
  | { readonly after: ShellWord; readonly add: string };

/** The user's command with some words changed; other words keep their quotes. */
export function edited(command: ShellCommand, edits: readonly Edit[]): string {
  // Several words may stand in one place: a variable with several words. Only its owner can change it.
  const isOwn = (word: ShellWord): boolean => command.words.filter(({ pos }) => pos === word.pos).length < 2;
  const pieces = edits.flatMap((edit): { from: number; to: number; text: string }[] => {
    if ('replace' in edit && !isOwn(edit.replace)) return [];
    if ('replace' in edit) return [{ from: edit.replace.pos, to: edit.replace.end, text: quote(edit.by) }];
    if ('after' in edit) return [{ from: edit.after.end, to: edit.after.end, text: ` ${edit.add}` }];
    return edit.remove.filter(isOwn).map((word) => ({ from: word.pos, to: word.end, text: '' }));
  });
  let text = command.source.slice(command.pos, command.end);
  for (const { from, to, text: by } of pieces.sort((a, b) => b.from - a.from)) {
    let start = from - command.pos;
    // Remove the space before a removed word as well.
    if (by === '') while (start > 0 && /[ \t]/.test(text[start - 1] as string)) start -= 1;
    text = text.slice(0, start) + by + text.slice(to - command.pos);
  }
  return text.trim();
}

/** The user's command with an option right after its program. */
export const append = (subject: LintedTool, text: string): string =>
  edited(subject.command, [{ after: subject.programWord, add: text }]);

/** The user's command with an argument behind all others. */
export const appendLast = ({ command, args, programWord }: LintedTool, add: string): string =>
  edited(command, [{ after: args.at(-1) ?? programWord, add }]);

/** The user's command with a short option set to a value, whether or not it was given. */
export function withOption(subject: LintedTool, name: string, value: string): string {
  const [first, second] = subject.options.get(name)?.words ?? [];
  if (first === undefined) return append(subject, `-${name} ${value}`);
  return edited(subject.command, [
    second ? { replace: second, by: value } : { replace: first, by: `-${name}${value}` },
  ]);
}
