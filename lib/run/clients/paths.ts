import type { ClientConfig } from '../../schema/client';
import type { Plan } from '../../schema/plan';
import { workloadNamed } from '../../workload/lookup';

/** No tool's output and no list of processes survives these. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x1f\x7f]/;

/** Throws unless a path that was named for a run can be passed on and printed as it is. */
export function requirePlainPath(option: string, path: string): void {
  if (!CONTROL.test(path)) return;
  throw new Error(
    `'${option}' must be a path without line breaks, tabs and other control characters, got ${JSON.stringify(path)}: rename the directory`,
  );
}

/**
 * Checks that each tool of a plan takes the directories of its arms as they are.
 *
 * @throws naming the first directory that a tool would take for several
 */
export function requireWholePaths({ steps }: Plan, { arms }: Pick<ClientConfig, 'arms'>): void {
  for (const { arm, action } of steps.flatMap(({ tasks }) => tasks)) {
    if (action.kind !== 'workload' || !action.command.some((word) => word.includes('{dir}'))) continue;
    const { label, separators = '' } = workloadNamed(action.tool);
    const directory = arms[arm]?.mountPoint ?? '';
    const found = [...separators].find((character) => directory.includes(character));
    if (found !== undefined)
      throw new Error(
        `the directory of the arm '${arm}' must be a path without '${found}', at which ${label} divides it, got '${directory}': rename the directory, or choose another tool with --set tool=…`,
      );
  }
}
