/** How bad an issue is: `error` makes a run INVALID, `warning` makes it WARN, `note` only informs. */
export type Severity = 'error' | 'warning' | 'note';

/** A validity finding on a plan or on a run: what was expected, what was found, how bad it is. */
export interface Issue {
  /** Stable, kebab-case: users filter on it. */
  readonly id: string;
  readonly severity: Severity;
  /** One sentence in the user's terms. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** What to do next, when there is something to do. */
  readonly suggestion?: string;
  /** The arm, step or repeat that it concerns, when it does not concern the whole. */
  readonly where?: string;
}

/** The state of a run as a whole: the worst of its issues. */
export type Validity = 'VALID' | 'WARN' | 'INVALID';

/** The validity that follows from a list of issues. */
export function validityOf(issues: readonly Issue[]): Validity {
  if (issues.some((issue) => issue.severity === 'error')) return 'INVALID';
  return issues.some((issue) => issue.severity === 'warning') ? 'WARN' : 'VALID';
}
