import { edited } from '../../workload/kit/lint/edit';
import type { LintFinding } from '../../workload/kit/lint/finding';
import type { LintedLine } from '../../workload/kit/lint/rule';
import { lintedTool } from '../tools';

/** A line writes data and then reads other data, of unknown age, size and placement. */
export function readsWhatWasNotWritten({ commands }: LintedLine): LintFinding[] {
  const accesses = commands.flatMap((launched) => lintedTool(launched.tool)?.access?.(launched) ?? []);
  return accesses.flatMap((reading, index): LintFinding[] => {
    if (reading.writes) return [];
    const written = accesses
      .slice(0, index)
      .filter(({ writes, launched }) => writes && launched.tool === reading.launched.tool);
    const last = written.at(-1);
    if (last === undefined || written.some(({ path }) => path === reading.path)) return [];
    return [
      {
        id: 'read-path-not-written',
        severity: 'warning',
        message: `'${last.path}' is written but '${reading.path}' is read: other data, of unknown size, age and striping.`,
        suggestion: edited(reading.launched.command, [{ replace: reading.word, by: `${reading.prefix}${last.path}` }]),
      },
    ];
  });
}
