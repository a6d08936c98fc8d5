/** What erases a line of a terminal that is written anew. */
const ERASE_LINE = '\r\u001b[K';

/** What a terminal would act on: control characters, and what turns the direction of a line (Unicode TR9). */
const ACTING = /\r\n|[\p{Cc}\p{Bidi_Control}]/gu;
const HARMLESS: ReadonlySet<string> = new Set(['\n', '\t', '\r\n']);

/**
 * A text as a terminal may have it: control characters become `\u001b`, which JSON takes for the same. Line ends and tabs stay, and what
 * progress erases its line with.
 */
export function printable(text: string): string {
  return text
    .split(ERASE_LINE)
    .map((part) =>
      part.replace(ACTING, (found) =>
        HARMLESS.has(found) ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    )
    .join(ERASE_LINE);
}
