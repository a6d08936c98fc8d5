import { writeWhole } from '../../common/writeWhole';
import { UsageError } from '../context';

/** Writes a page to the file that `--html` names. @throws UsageError if it cannot be written */
export function writePageTo(path: string, page: string): void {
  try {
    writeWhole(path, page);
  } catch (error) {
    throw new UsageError(`'--html' must be a writable file: ${(error as Error).message}`);
  }
}
