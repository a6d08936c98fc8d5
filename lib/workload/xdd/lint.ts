import { edited } from '../kit/lint/edit';
import type { LintedTool, LintRule } from '../kit/lint/rule';
import type { ShellWord } from '../kit/lint/shell';

/** xdd writes the data it is given; it has no compressibility setting (used in LANL's slides). */
export const constantData: LintRule<LintedTool> = ({ args, command }) => {
  const at = args.findIndex(({ value }) => value === '-datapattern');
  const pattern = args[at + 1]?.value;
  if (pattern === 'file' && at >= 0) return null;
  if (!args.some(({ value }, index) => value === 'write' && args[index - 1]?.value === '-op')) return null;
  return {
    id: 'xdd-constant-data',
    severity: 'warning',
    message: `xdd fills its buffers once ${pattern === 'random' && at >= 0 ? 'from a fixed seed ' : ''}and has no setting for compressibility: the data do not resemble real data.`,
    suggestion: edited(
      command,
      at >= 0 && args[at + 1]
        ? [{ replace: args[at + 1] as ShellWord, by: 'file SAMPLE' }]
        : [{ after: args.at(-1) as ShellWord, add: '-datapattern file SAMPLE' }],
    ).replace("'file SAMPLE'", 'file SAMPLE'),
  };
};
