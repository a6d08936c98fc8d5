import { html, type Markup } from '../../common/page/markup';

/** Bold, code and web links within a line; everything else is text. */
const INLINE = /\*\*([^*]+)\*\*|`([^`]+)`|\*([^*\s][^*]*)\*/g;

function inline(text: string): Markup {
  const parts: (Markup | string)[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [all, bold, code, emphasis] = match;
    parts.push(text.slice(at, match.index));
    parts.push(
      bold !== undefined
        ? html`<strong>${bold}</strong>`
        : code !== undefined
          ? html`<code>${code}</code>`
          : html`<em>${emphasis}</em>`,
    );
    at = match.index + all.length;
  }
  return html`${parts}${text.slice(at)}`;
}

/** The Markdown subset of our text widgets: headings, lists, paragraphs, bold, emphasis and code. Anything else stays text. */
export function markdown(text: string): Markup {
  const blocks: { readonly kind: 'h' | 'li' | 'p'; readonly level: number; readonly lines: string[] }[] = [];
  let open = false;
  for (const line of text.split(/\r?\n/)) {
    const [, hashes = '', heading] = /^(#{1,6})\s+(.*)$/.exec(line) ?? [];
    const item = /^\s*[-*]\s+(.*)$/.exec(line)?.[1];
    const last = blocks.at(-1);
    if (line.trim() === '') open = false;
    else if (heading !== undefined) {
      blocks.push({ kind: 'h', level: hashes.length, lines: [heading] });
      open = false;
    } else if (item !== undefined) {
      if (last?.kind === 'li') last.lines.push(item);
      else blocks.push({ kind: 'li', level: 0, lines: [item] });
      open = true;
    } else if (open && last?.kind === 'p') last.lines.push(line);
    else {
      blocks.push({ kind: 'p', level: 0, lines: [line] });
      open = true;
    }
  }
  return html`${blocks.map(({ kind, level, lines }) => {
    // The page has the first heading, and each widget is below it.
    if (kind === 'h')
      return level === 1 ? html`<h2>${inline(lines[0] ?? '')}</h2>` : html`<h3>${inline(lines[0] ?? '')}</h3>`;
    if (kind === 'li') return html`<ul>${lines.map((line) => html`<li>${inline(line)}</li>`)}</ul>`;
    return html`<p>${inline(lines.join(' '))}</p>`;
  })}`;
}
