import type { Command } from 'commander';

/** Commander's usage error as one line, like all other errors, with the command's own --help. */
export function pointToHelp(command: Command, name: string = command.name()): void {
  const known = command.commands.length > 0 ? 'commands' : 'options';
  command.configureOutput({
    outputError: (text, write) => {
      // Commander puts its suggestion on a second line.
      const line = text
        .trim()
        .replace(/^error: /, '')
        .replace(/\s*\n\s*/g, ' ');
      write(`fsxbench: ${line} (${name} --help names the ${known})\n`);
    },
  });
  for (const below of command.commands) pointToHelp(below, `${name} ${below.name()}`);
}
