import { constants } from 'node:os';
import { ownValue } from '../common/collections';
import meanings from './codes.json';

/** Short explanations of a document's codes; a code with a number is listed under its prefix. */
const MEANINGS: Readonly<Record<string, string>> = meanings;

/** `ENOSPC` for 28, from this system's table, since fio runs on Linux. */
const ERRNO_NAMES = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]));

/** A code with its meaning, if that is known: `usage_error: the options are wrong`. */
export function explained(code: string, separator = ': '): string {
  const meaning = meaningOf(code);
  return meaning === undefined ? code : `${code}${separator}${meaning}`;
}

/** The meaning of a code, `undefined` for an unknown one. */
export function meaningOf(code: string): string | undefined {
  const errno = ERRNO_NAMES.get(Number(/^job_error_(\d+)$/.exec(code)?.[1]));
  if (errno !== undefined) return `${MEANINGS.job_error}: ${errno}`;
  return ownValue(MEANINGS, code) ?? ownValue(MEANINGS, code.replace(/_-?\d+$/, ''));
}
