/** A section of a file of `[name]` and `key=value` lines. */
export interface IniSection {
  readonly name: string;
  /** Line of its name, from 1. */
  readonly line: number;
  readonly options: readonly (readonly [key: string, value: string | null])[];
}

/** The sections of such a file, comments left out; `null` for a text that does not begin with one. */
export function iniSections(text: string): IniSection[] | null {
  const sections: { name: string; line: number; options: [string, string | null][] }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const content = line.replace(/^\s*[;#].*$/, '').trim();
    if (content === '') continue;
    const name = /^\[([^\]]+)\]$/.exec(content)?.[1];
    if (name !== undefined) sections.push({ name, line: index + 1, options: [] });
    else {
      const [, key, value] = /^([\w.-]+)\s*(?:=\s*(.*))?$/.exec(content) ?? [];
      if (key === undefined || sections.length === 0) return null;
      sections.at(-1)?.options.push([key, value ?? null]);
    }
  }
  return sections.length === 0 ? null : sections;
}
