import * as z from 'zod';
import { ownValue } from '../common/collections';
import { sentenceCase } from '../common/format/text';
import { type Of, text } from './document';
import TITLES from './titles.json';

/** `error` makes a run INVALID, `warning` makes it WARN, `note` only informs. */
const severity = z.enum(['error', 'warning', 'note']);

export type Severity = z.infer<typeof severity>;

/** A validity finding on a plan or on a run: what was expected, what was found, how bad it is. */
export const issueSchema = z.object({
  /** Stable, kebab-case: users filter on it. */
  id: text,
  severity,
  /** One sentence in the user's terms. */
  message: text,
  expected: text,
  actual: text,
  /** Next step, if there is one. */
  suggestion: text.optional(),
  /** The arm, step or repeat that it concerns, when it does not concern the whole. */
  where: text.optional(),
  /** True for a finding of a user's own program that the user allowed. */
  allowed: z.boolean().optional(),
});

export type Issue = Of<typeof issueSchema>;

/** A short phrase for people in place of an issue's id; of an unknown one, such as a code of a tool's output, the id's words. */
export const titleOf = (id: string): string => ownValue(TITLES, id) ?? sentenceCase(id.replaceAll(/[-_]/g, ' '));

/** The state of a run as a whole: the worst of its issues. */
export const validitySchema = z.enum(['VALID', 'WARN', 'INVALID']);

export type Validity = z.infer<typeof validitySchema>;

export function validityOf(issues: readonly Issue[]): Validity {
  if (issues.some((issue) => issue.severity === 'error')) return 'INVALID';
  return issues.some((issue) => issue.severity === 'warning') ? 'WARN' : 'VALID';
}
