import { TOOLS } from '../workload/lookup';
import type { Tool, ToolLint } from '../workload/tool';

/** A tool whose options are known. */
interface LintedTool extends ToolLint {
  readonly id: string;
  /** Also by the names that sites give what they build: `IOR`, `ior-4.0.0`, `mdtest_3.3.0`. */
  readonly named: RegExp;
}

/** The tools whose options are known. */
export const LINTED_TOOLS: readonly LintedTool[] = TOOLS.flatMap(({ id, lint }: Tool) =>
  lint === undefined
    ? []
    : [{ ...lint, id, named: new RegExp(`^${id}${lint.versionedName ? '(?:[-_]v?\\d+(?:\\.\\d+)*)?' : ''}$`, 'i') }],
);

/** What is known of a tool's options; `undefined` for a program that is none. */
export function lintedTool(id: string | null): LintedTool | undefined {
  return LINTED_TOOLS.find((tool) => tool.id === id);
}
