import type { Command } from 'commander';

/** What commander says of wrong usage: one line, as every other error, that names the help of the very command. */
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
