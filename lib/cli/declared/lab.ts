import type { Command } from 'commander';
import type { CliContext } from '../context';
import * as given from '../input/options';

const MODEL =
  "limit disks and links to a configuration's rates, such as PERSISTENT_2:500,12TiB; none: no limits; default: the benchmark's own";

const LAUNCHER =
  "what starts processes: local, or slurm for a real Slurm on this computer; default: the benchmark's own";

const withDeployment = (command: Command): Command =>
  command
    .option('--benchmark <name>', 'benchmark to run; default: CompressionBench')
    .option('--arms <name...>', "arms that get a local file system; default: the benchmark's own")
    .option('--model [configuration]', MODEL)
    .option('--scale <1:N>', 'divisor of the documented figures in the scale model; default: 1:100')
    .option('--launcher <name>', LAUNCHER);

export function declareLab(program: Command, context: CliContext): void {
  program.commandsGroup('This computer:');

  const lab = program
    .command('lab')
    .description('all of fsxbench on this computer: an AWS emulator and real local file systems');
  withDeployment(lab.command('up').description('start the lab and deploy a benchmark into it'))
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('../lab')).labUpCommand(context, options));
  lab
    .command('down')
    .description('stop the lab; leaves no process, mount or loop device')
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('../lab')).labDownCommand(context, options));
  lab
    .command('status')
    .description('show the state of the lab')
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('../lab')).labStatusCommand(context, options));
  lab
    .command('env')
    .description('print exports for a shell: eval "$(npx fsxbench lab env)" points every command at the lab')
    .action(async () => (await import('../lab')).labEnvCommand(context));
  lab
    .command('publish', { hidden: true })
    .argument('<benchmark>', 'one that is deployed into the lab')
    .description('publish the metrics of its file systems; the lab starts this by itself')
    .action(async (benchmark) => (await import('../labPublish')).labPublishCommand(context, benchmark));
  withDeployment(
    lab
      .command('quickstart')
      .description('up, run, collect, report, down; called by npm run quickstart')
      .addOption(given.PARAMETERS),
  )
    .option('--keep', 'leave the lab up afterwards')
    .option(
      '--needs',
      'start nothing; print as JSON the packages that this computer lacks for it, and the environments that it makes',
    )
    .addOption(given.RESULTS)
    .action(async (options) => (await import('../quickstart')).quickstartCommand(context, options));
}
