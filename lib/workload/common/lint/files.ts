import type { FileAbility } from '../../../schema/fileRules';
import { type LintedTool, type LintRule, rule } from './rule';

const FAILS: Readonly<Record<FileAbility, string>> = {
  rewriting: 'a file is written once, from its beginning to its end, by one process',
  renaming: 'nothing can be renamed',
  'lasting-directories': 'a directory is gone with its last file, so that nothing can remove it',
};

/**
 * The rule that a command of a tool fails on a storage without an ability.
 *
 * @param needs says what the command does that takes it, and the command that does without; `null` where it does not
 */
export function needing(
  { id, ability }: { readonly id: string; readonly ability: FileAbility },
  needs: (subject: LintedTool) => { readonly does: string; readonly suggestion: string | null } | null,
): LintRule {
  return rule(id, 'error', (subject) => {
    const { files } = subject.context;
    const found = files?.lacks.includes(ability) ? needs(subject) : null;
    if (files === undefined || found === null) return null;
    const message = `${found.does}, which fails on this storage: ${FAILS[ability]} (${files.source}).`;
    return { message, suggestion: found.suggestion };
  });
}
