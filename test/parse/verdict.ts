import type { ParseDocument } from '../../lib/schema/parse';
import type { Expected } from './corpus';

/** The part of a verdict that the corpus states; not every format states all of it. */
export function verdictOf(document: ParseDocument, { verdict }: Expected): Expected {
  const { complete, valid, problems, cautions } = document;
  const all: Expected = { complete, valid, problems, cautions };
  return Object.fromEntries(Object.keys(verdict).map((key) => [key, all[key]]));
}

/** The corpus explains one code in brackets; the code is what counts. */
export function expectedVerdict({ verdict }: Expected): Expected {
  return { ...verdict, problems: verdict.problems.map((code: string) => code.replace(/ .*/, '')) };
}
