export type Form = 'html' | 'md' | 'json';

/** Words or figures of a report that are others now, on purpose. */
export interface Difference {
  readonly why: string;
  readonly forms: readonly Form[];
  /** As it was; replaced wherever it stands, after the differences before it. */
  readonly was: string | RegExp;
  readonly is: string;
}

export const DIFFERENCES: readonly Difference[] = [];

/** Sections of the Markdown that it did not have. */
export const ADDED: readonly { readonly heading: string; readonly why: string }[] = [];
