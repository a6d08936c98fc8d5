import { iniSections } from '../kit/lint/ini';
import { quote } from '../kit/lint/shell';

/** The jobs of a job file as commands, each with what `global` says before it; `null` for another text. */
export function fioCommands(text: string): string[] | null {
  const sections = iniSections(text);
  if (sections === null || !sections.some(({ options }) => options.some(([name]) => /^(?:rw|readwrite)$/.test(name))))
    return null;
  const global: string[] = [];
  return sections.flatMap(({ name, options }) => {
    const words = options.map(([key, value]) => `--${key}${value === null ? '' : `=${value}`}`);
    if (name === 'global') global.push(...words);
    return name === 'global' ? [] : [['fio', `--name=${name}`, ...global, ...words].map(quote).join(' ')];
  });
}
