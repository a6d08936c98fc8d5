/** Text that is HTML already. Only {@link html} and {@link trusted} make it, so what comes from files is always escaped. */
export class Markup {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

type Content = Markup | string | number | null | undefined | false | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// What HTML forbids even when escaped: control characters, and halves of surrogate pairs.
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text made safe both between tags and inside a quoted attribute. */
const escapeHtml = (text: string): string =>
  text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

function render(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (content instanceof Markup) return content.text;
  if (Array.isArray(content)) return content.map(render).join('');
  return escapeHtml(String(content));
}

/** A template whose values are escaped unless they are {@link Markup}; lists are joined, `null` and `false` vanish. */
export const html = (strings: TemplateStringsArray, ...values: readonly Content[]): Markup =>
  new Markup(strings.map((text, index) => text + render(values[index])).join(''));

/** Marks text that fsxbench wrote as HTML: the style sheet, a drawn chart. Never for text from a file. */
export const trusted = (text: string): Markup => new Markup(text);
