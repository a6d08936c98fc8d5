import { appendLast, edited, readOptions, rule } from '../common/lint/rule';
import type { Tool } from '../tool';

/** xdd writes the data it is given; it has no compressibility setting (used in LANL's slides). */
const constantData = rule('xdd-constant-data', 'warning', (subject) => {
  const { args, command } = subject;
  const at = args.findIndex(({ value }) => value === '-datapattern');
  const pattern = at < 0 ? undefined : args[at + 1];
  if (pattern?.value === 'file') return null;
  if (!args.some(({ value }, index) => value === 'write' && args[index - 1]?.value === '-op')) return null;
  const suggestion =
    pattern === undefined
      ? appendLast(subject, '-datapattern file SAMPLE')
      : edited(command, [{ replace: pattern, by: 'file SAMPLE' }]);
  return {
    message: `xdd fills its buffers once ${pattern?.value === 'random' ? 'from a fixed seed ' : ''}and has no setting for compressibility: the data do not resemble real data.`,
    suggestion: suggestion.replace("'file SAMPLE'", 'file SAMPLE'),
  };
});

/** xdd, as used in studies: only its commands are linted. */
export const xdd: Tool = { id: 'xdd', lint: { options: (words) => readOptions(words, ''), rules: [constantData] } };
