import type { Must, Phrase, Violation } from '../../../common/violation';
import type { LustreConfiguration } from '../configuration';

interface Refused extends Omit<Violation, 'id' | 'got'> {
  /** @default - the value of the property */
  readonly got?: unknown;
}

/** Judgements on refused or unwise values by id without {@link ID_PREFIX}, each on one aspect; nothing if it is fine or an earlier rule applies. */
export type Rules<Finding = Refused> = Readonly<
  Record<string, (configuration: LustreConfiguration) => Finding | false | undefined>
>;

export const ID_PREFIX = 'fsxbench:lustre-';

export const LEAVE_OUT = 'Leave it out.';

/** `a, b or c`. */
export function oneOf(values: readonly (string | number)[]): string {
  const texts = values.map(String);
  const last = texts.at(-1) ?? 'nothing';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`;
}

/** @param own what it is in place of the property's value, such as one of several */
export const must = (property: string, requirement: Must, next: Phrase, ...own: readonly [got?: unknown]): Refused => ({
  property,
  must: requirement,
  next,
  ...(own.length > 0 && { got: own[0] }),
});

/** True for a value that CloudFormation fills in later, such as the name of a bucket of the same stack: its text cannot be judged. */
export const isLater = (text: string): boolean => text.includes('${Token[');
