import { Argument, type Command } from 'commander';
import type { CliContext } from '../context';
import { collect, JSON_DOCUMENT } from '../input/options';

export function declareStacks(program: Command, context: CliContext): void {
  program.commandsGroup('Deployed stacks:');

  program
    .command('policy')
    .argument('<benchmark>', 'such as CompressionBench')
    .addArgument(
      new Argument('[principal]', 'operator: who deploys and runs; execution: the CloudFormation role')
        .choices(['operator', 'execution'])
        .default('operator'),
    )
    .description('print a least-privilege IAM policy as JSON, without AWS')
    .option('-c, --context <key=value>', 'a stack setting, as for cdk deploy; repeatable', collect, [])
    .action(async (benchmark, principal, options) =>
      (await import('../account/policy')).policyCommand(context, benchmark, principal, options),
    );

  program
    .command('leftovers')
    .description('list what the benchmarks left in the account that still costs money, with prices')
    .addOption(JSON_DOCUMENT)
    .action(async (options) => (await import('../account/leftovers')).leftoversCommand(context, options));

  program
    .command('extend')
    .argument('<stack>', 'such as CompressionBench')
    .description('postpone the time at which a stack deletes itself')
    .requiredOption('--hours <number>', 'how much later, such as 24 or 2d')
    .addOption(JSON_DOCUMENT)
    .action(async (stack, options) => (await import('../account/extend')).extendCommand(context, stack, options));
}
