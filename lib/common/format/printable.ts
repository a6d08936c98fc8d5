/** Characters that a terminal would act on: control characters, line and paragraph separators, and those that change a line's direction (Unicode TR9). */
const ACTING = /\r\n|[[\p{Cc}--[\n\t]]\p{Bidi_Control}\p{Zl}\p{Zp}]/gv;

const escapeOf = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Makes a text safe for a terminal: control characters become escapes such as `\u001b`, which are equivalent in JSON. Newlines and tabs are kept. */
export const printable = (text: string): string =>
  text.replace(ACTING, (found) => (found === '\r\n' ? found : escapeOf(found)));

/** Makes a page or a document safe to read: what changes a line's direction becomes an escape, which is equivalent in JSON and in scripts. */
export const withoutTurns = (text: string): string => text.replace(/\p{Bidi_Control}/gu, escapeOf);

/** A text from a file as part of a sentence: line breaks of every kind (Unicode UAX 14) become spaces, so that it forges no line. */
export const singleLine = (text: string): string => text.replace(/[ \t]*[\n\r\v\f\u0085\u2028\u2029]\s*/g, ' ');
