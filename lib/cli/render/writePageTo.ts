import { inside } from '../../common/files';
import { writeWhole } from '../../common/writeWhole';
import { UsageError } from '../context';

/** A name that the user did not type, below a folder that others may write to. */
export interface DefaultPlace {
  readonly folder: string;
  readonly name: string;
}

/** Writes a page to `--html`'s file, through a link, or to a default path, never through a link. @returns the path @throws UsageError on failure */
export function writePageTo(place: string | DefaultPlace, page: string): string {
  try {
    const path = typeof place === 'string' ? place : inside(place.folder, place.name);
    writeWhole(path, page);
    return path;
  } catch (error) {
    const { message } = error as Error;
    if (typeof place === 'string') throw new UsageError(`'--html' must be a writable file: ${message}`);
    throw new UsageError(`${message}: remove the link, or name another file with --html`);
  }
}
