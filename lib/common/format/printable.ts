/** Characters that a terminal would act on: control characters, and those that change a line's direction (Unicode TR9). */
const ACTING = /\r\n|[[\p{Cc}--[\n\t]]\p{Bidi_Control}]/gv;

/** Makes a text safe for a terminal: control characters become escapes such as `\u001b`, which are equivalent in JSON. Newlines and tabs are kept. */
export const printable = (text: string): string =>
  text.replace(ACTING, (found) =>
    found === '\r\n' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
