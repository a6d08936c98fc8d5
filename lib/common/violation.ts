import { singleLine } from './format/text';

/** The names that properties have on a surface (settings, flags of a command, props of a construct), and how values are written there. */
export interface Labels {
  name(property: string): string;
  value(value: unknown): string;
}

/** Text; one that names properties or their values is written in the words of the surface that shows it. */
export type Phrase = string | ((words: Labels) => string);

/** The allowed values of a property, or a conflict with another one; after a colon the reason. */
export type Must = Phrase | { readonly conflict: Phrase };

/** A value that is not allowed. Checks return it by property; each surface formats it ({@link violationMessage}). */
export interface Violation {
  /** Stable: tests and users refer to it. @default - the property says which rule it is */
  readonly id?: string;
  /** Path within the checked object: `metadata.iops`. */
  readonly property: string;
  /** Completes "must be", or "cannot be combined with". */
  readonly must: Must;
  readonly got: unknown;
  /** The next step, in sentences. @default - what is allowed says it */
  readonly next?: Phrase | undefined;
}

/** A remark on what is legal but unwise. */
export interface Warning {
  /** Stable: tests, users and acknowledgements refer to it. */
  readonly id: string;
  readonly message: string;
}

/** Findings on a configuration: `errors` make it impossible, `warnings` unwise. */
export interface Findings {
  readonly errors: readonly Violation[];
  readonly warnings: readonly Warning[];
}

/** A list with the violation of a rule, or an empty list if the rule is kept; such lists can be joined. */
export const unless = (kept: boolean, property: string, must: Must, got: unknown, next?: Phrase): Violation[] =>
  kept ? [] : [{ property, must, got, next }];

/** A value in a message. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'object' ? JSON.stringify(value) : singleLine(String(value));
}

/** The words of a surface by its names; a part without its own name has that of its whole. */
export const labelsOf = (names: Readonly<Record<string, string>>, value = shown): Labels => ({
  name: (property) => names[property] ?? names[property.split('.')[0] as string] ?? property,
  value,
});

/** The words of a surface that calls some names otherwise. */
export const renamed = ({ name, value }: Labels, names: Readonly<Record<string, string>>): Labels => ({
  name: (property) => names[name(property)] ?? name(property),
  value,
});

/** A value in a program's object. CDK context and environment variables give numbers as text, which looks like an allowed value. */
export const describeGiven = (value: unknown): string =>
  typeof value === 'string' && /^\d+$/.test(value) ? `'${value}' (a string): make it a number` : shown(value);

/** Words of a caller who writes the checked object itself. */
export const PROPERTIES = labelsOf({}, describeGiven);

/** Words of a user who types names and values as text. */
export const TYPED = labelsOf({}, (text) => `'${shown(text)}'`);

/** A violation in one line, for one surface. */
export function violationMessage({ id, property, must, got, next }: Violation, words: Labels = PROPERTIES): string {
  const inWords = (phrase: Phrase): string => (typeof phrase === 'string' ? phrase : phrase(words));
  const claim =
    typeof must === 'object'
      ? `(${words.value(got)}) cannot be combined with ${inWords(must.conflict)}`
      : `must be ${inWords(must)}, got ${words.value(got)}`;
  const parts = [`'${words.name(property)}' ${claim}`];
  if (next !== undefined) parts.push(`. ${inWords(next)}`);
  if (id !== undefined) parts.push(` [${id}]`);
  return parts.join('');
}

/** The violations that are found in an object, and what adds one: the property has the value that is refused. @param ids beginning of their ids */
export function refusing<C extends object>(checked: C, ids: string) {
  const errors: Violation[] = [];
  const refuse = (id: string, property: keyof C & string, must: Must, next: Phrase): void => {
    errors.push({ id: `${ids}-${id}`, property, must, got: checked[property], next });
  };
  return { errors, refuse };
}
