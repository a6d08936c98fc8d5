import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A path below a folder, from a relative path that somebody else may have written. Code that opens, moves or removes such a path must get
 * it here.
 *
 * @throws unless it stays below the folder, by its words and by every link on its way
 */
export function inside(root: string, path: string): string {
  const parts = path.split('/');
  const refuse = (why: string): never => {
    throw new Error(
      `a path below '${root}' must stay there, got ${JSON.stringify(path.slice(0, 200))}, ${why}; nothing was touched`,
    );
  };
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\0\\]/.test(part)))
    refuse("which has a part that is empty, '.', '..' or no name");
  let at = root;
  for (const part of parts) {
    at = join(at, part);
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) refuse(`and '${at}' is a link`);
  }
  return at;
}
