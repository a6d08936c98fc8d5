import { TOOLS } from '../workload/lookup';
import type { Tool, ToolLint } from '../workload/tool';

/** A tool with known options. */
interface LintedTool extends ToolLint {
  readonly id: string;
  /** Matches site-specific names as well: `IOR`, `ior-4.0.0`, `mdtest_3.3.0`, and scripts of that name: `io500.sh`. */
  readonly named: RegExp;
}

export const LINTED_TOOLS: readonly LintedTool[] = TOOLS.flatMap(({ id, lint }: Tool) =>
  lint === undefined ? [] : [{ ...lint, id, named: new RegExp(`^${id}(?:[-_]v?\\d+(?:\\.\\d+)*)?(?:\\.sh)?$`, 'i') }],
);

/** The option rules of a tool; `undefined` for an unknown program. */
export const lintedTool = (id: string | null): LintedTool | undefined => LINTED_TOOLS.find((tool) => tool.id === id);
