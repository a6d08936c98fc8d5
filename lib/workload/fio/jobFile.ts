import { iniSections } from '../kit/lint/ini';
import { quote } from '../kit/lint/shell';
import type { FileCommand } from '../tool';

/** The jobs of a job file as commands, each with what `global` says before it; `null` for another text. */
export function fioCommands(text: string): FileCommand[] | null {
  const sections = iniSections(text);
  if (sections === null || !sections.some(({ options }) => options.some(([name]) => /^(?:rw|readwrite)$/.test(name))))
    return null;
  const global: string[] = [];
  return sections.flatMap(({ name, line, options }) => {
    const words = options.map(([key, value]) => `--${key}${value === null ? '' : `=${value}`}`);
    if (name === 'global') global.push(...words);
    return name === 'global'
      ? []
      : [{ command: ['fio', `--name=${name}`, ...global, ...words].map(quote).join(' '), line }];
  });
}
