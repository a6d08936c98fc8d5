/** A section of a file of `[name]` and `key=value` lines. */
export interface IniSection {
  readonly name: string;
  readonly options: readonly (readonly [key: string, value: string | null])[];
}

/** The sections of such a file, comments left out; `null` for a text that does not begin with one. */
export function iniSections(text: string): IniSection[] | null {
  const sections: { name: string; options: [string, string | null][] }[] = [];
  for (const line of text.split('\n')) {
    const content = line.replace(/^\s*[;#].*$/, '').trim();
    if (content === '') continue;
    const name = /^\[([^\]]+)\]$/.exec(content)?.[1];
    if (name !== undefined) sections.push({ name, options: [] });
    else {
      const [, key, value] = /^([\w.-]+)\s*(?:=\s*(.*))?$/.exec(content) ?? [];
      if (key === undefined || sections.length === 0) return null;
      sections.at(-1)?.options.push([key, value ?? null]);
    }
  }
  return sections.length === 0 ? null : sections;
}
