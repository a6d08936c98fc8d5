import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
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
    const { label, launch } = workloadNamed(action.tool);
    const directory = arms[arm]?.mountPoint ?? '';
    const found = [...(launch.separators ?? '')].find((character) => directory.includes(character));
    if (found !== undefined)
      throw new Error(
        `the directory of the arm '${arm}' must be a path without '${found}', at which ${label} divides it, got '${directory}': rename the directory, or choose another tool with --set tool=…`,
      );
  }
}

/**
 * Why this user can make nothing in a directory, or in the nearest that exists above it; `null` if it can.
 *
 * @param root the last one to look at. @default - the directory itself
 */
export function notWritable(directory: string, root = directory): string | null {
  let found = directory;
  while (!existsSync(found) && found !== root) found = dirname(found);
  if (!existsSync(found)) return null;
  try {
    accessSync(found, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { mode, uid } = statSync(found);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS')
      return `'${found}' is on a file system that is mounted read-only (EROFS): mount it for writing`;
    return `'${found}' may not be written by ${userName()} (${code}, mode ${(mode & 0o7777).toString(8)}, of user ${uid})`;
  }
}

/** A user of a container may have a number only. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
