export type Form = 'html' | 'md' | 'json';

/** Words or figures of a report that are others now, on purpose. */
export interface Difference {
  readonly why: string;
  readonly forms: readonly Form[];
  /** As it was; replaced wherever it stands, after the differences before it. */
  readonly was: string | RegExp;
  readonly is: string;
}

const words = (was: string | RegExp, is: string, forms: readonly Form[] = ['html']): Difference => ({
  ...{ why: 'plain words, and the terms of the field', forms, was, is },
});

export const DIFFERENCES: readonly Difference[] = [
  words('First and last done', 'Stragglers', ['html', 'md']),
  words('Not known of ', 'Not available for '),
  words('what was found stands at the top of this page, with', 'what was found stands at the top, with'),
  words('what has no object in this run is left out.', 'checks that do not apply to this run are left out.'),
];

/** Sections of the Markdown that it did not have. */
export const ADDED: readonly { readonly heading: string; readonly why: string }[] = [];
