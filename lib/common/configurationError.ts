import { labelsOf, type Must, shown, unless, type Violation, violationMessage } from './violation';

/** A violation of a setting, or a sentence if no single property is to blame. */
export type ConfigurationProblem = Violation | string;

/** The words of keys of the context: values as in the JSON file. */
const IN_JSON = labelsOf({}, (value) => (value === undefined ? shown(value) : JSON.stringify(value)));

/** An invalid configuration: all problems at once, each one line with the next step; a problem of several arms is listed once. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const lines = problems.map((problem) =>
      typeof problem === 'string' ? problem : violationMessage(problem, IN_JSON),
    );
    const unique = [...new Set(lines)];
    super(unique.join('\n'));
    this.name = 'ConfigurationError';
    this.problems = unique;
  }
}

/** Requires a rule to be kept, before anything that builds on it. @throws ConfigurationError with its violation */
export function requireThat(kept: boolean, property: string, must: Must, got: unknown, next: string): asserts kept {
  requireNone(unless(kept, property, must, got, next));
}

/** @throws ConfigurationError with the problems, if there are any */
export function requireNone(problems: readonly ConfigurationProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems);
}
