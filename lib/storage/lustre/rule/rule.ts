import type { LustreConfiguration } from '../configuration';

/** One thing that AWS refuses, or that is unwise: a message, or nothing when the configuration is fine. */
export interface Rule {
  /** Stable: tests, users and acknowledgements refer to it. */
  readonly id: `fsxbench:lustre-${string}`;
  /** Judges one aspect; silent when another rule has to speak first. */
  readonly check: (configuration: LustreConfiguration) => string | undefined;
}

/** `a, b or c`. */
export function oneOf(values: readonly (string | number)[]): string {
  const texts = values.map(String);
  const last = texts.at(-1) ?? 'nothing';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`;
}

/** Quotes a value in a message. */
export function given(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `'prop' must be …, got …: next step` */
export function must(property: string, requirement: string, value: unknown, next: string): string {
  return `'${property}' must be ${requirement}, got ${given(value)}: ${next}`;
}

/** True for a value that CloudFormation fills in later, such as the name of a bucket of the same stack: its text cannot be judged. */
export function isLater(text: string): boolean {
  return text.includes('${Token[');
}
