import type { Command } from 'commander';
import type { CliContext } from '../context';
import { JSON_DOCUMENT, PRICES } from '../input/options';

/** Declares the commands for stacks, which cost money. */
export function declareStacks(program: Command, context: CliContext): void {
  program.commandsGroup('Deployed stacks:');

  program
    .command('leftovers')
    .description(
      'list what the benchmarks left in the account that still costs money, with prices, or the data of unfinished runs',
    )
    .option(
      '--on [directories...]',
      'data of unfinished runs in these directories; without any, wherever this machine started runs',
    )
    .option('--remove', 'with --on, remove the data of runs that no driver works on')
    .option('--yes', 'with --remove, do not ask for confirmation')
    .addOption(PRICES)
    .addOption(JSON_DOCUMENT)
    .action(async (options) =>
      options.on === undefined
        ? (await import('../account/leftovers')).leftoversCommand(context, options)
        : (await import('../account/dataLeft')).dataLeftCommand(context, options),
    );

  program
    .command('extend')
    .argument('<stack>', 'such as CompressionBench')
    .description('postpone the time at which a stack deletes itself')
    .requiredOption('--hours <number>', 'how much later, such as 24 or 2d')
    .addOption(JSON_DOCUMENT)
    .action(async (stack, options) => (await import('../account/extend')).extendCommand(context, stack, options));
}
