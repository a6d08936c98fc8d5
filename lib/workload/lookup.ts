import { TOOLS } from './registry';
import type { Tool } from './tool';

/**
 * What is known of a tool.
 * @throws Error for one that is not known here: a plan of another release, or a spelling mistake
 */
export function toolNamed(id: string): Tool {
  const tool = TOOLS.find((each) => each.id === id);
  if (tool) return tool;
  throw new Error(
    `'tool' must be one of ${TOOLS.map((each) => each.id).join(', ')}, got '${id}'. A plan with it was made by another release of fsxbench: take that one.`,
  );
}
