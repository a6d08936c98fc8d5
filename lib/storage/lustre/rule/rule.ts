import type { Breach, Phrase } from '../../../kit/breach';
import type { LustreConfiguration } from '../configuration';

/** A value that AWS refuses, by a rule. */
type Refused = Omit<Breach, 'id'>;

/** One thing that AWS refuses, or that is unwise (a message): nothing when the configuration is fine. */
export interface Rule<Finding = Refused> {
  /** Stable: tests, users and acknowledgements refer to it. */
  readonly id: `fsxbench:lustre-${string}`;
  /** Judges one aspect; silent when another rule has to speak first. */
  readonly check: (configuration: LustreConfiguration) => Finding | undefined;
}

export const LEAVE_OUT = 'Leave it out.';

/** `a, b or c`. */
export function oneOf(values: readonly (string | number)[]): string {
  const texts = values.map(String);
  const last = texts.at(-1) ?? 'nothing';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`;
}

export function must(property: string, requirement: Phrase, got: unknown, next: Phrase): Refused {
  return { property, must: requirement, got, next };
}

/** True for a value that CloudFormation fills in later, such as the name of a bucket of the same stack: its text cannot be judged. */
export function isLater(text: string): boolean {
  return text.includes('${Token[');
}
