import { Argument, type Command, Option } from 'commander';
import type { CliContext } from '../context';
import * as given from '../input/options';

export function declareRuns(program: Command, context: CliContext): void {
  program.commandsGroup('Runs:');

  program
    .command('run')
    .argument('[benchmark]', 'such as CompressionBench; none with --on')
    .argument('[program...]', "your own program after --, with {dir} for an arm's directory")
    .description('start a run; it keeps running after you disconnect')
    .option('--plan <name>', 'paired, published or command; default: paired, or command if a program is given')
    .option('--scale <scale>', 'published, smoke or lab; default: as deployed')
    .addOption(given.PARAMETERS)
    .addOption(given.ALLOW)
    .option('--local <arm=directory...>', 'run on this computer and compare these directories')
    .option('--on <directory>', 'measure one mounted file system of this computer, and find its bottleneck')
    .addOption(given.AS)
    .addOption(given.NODES)
    .addOption(given.SLURM)
    .addOption(given.HOSTS)
    .addOption(given.RANKS)
    .addOption(given.LIKE)
    .option('--recorded <log>', "with --on, your own program's Darshan log, described in the report")
    .addOption(given.MODULE)
    .addOption(given.SHARED)
    .option('--build-tools', 'with --shared, build IOR, mdtest and fio there with the MPI on PATH, unless they exist')
    .option('--resume <run>', 'resume a run that was interrupted or had failures')
    .option('--detach', 'return once the driver is running; follow the run with watch')
    .addOption(given.RESULTS)
    .option('--json', 'print one JSON document')
    .action(async (_benchmark, _program, options, command) =>
      (await import('../run')).runCommand(context, command, options),
    );

  program
    .command('watch')
    .argument('<run>', 'id or folder of a run')
    .description('follow a run until it ends')
    .addOption(given.RESULTS)
    .option('--json', 'print the last status as one JSON document')
    .action(async (run, options) => (await import('../results/watch')).watchCommand(context, run, options));

  program
    .command('list')
    .description('list the runs in the results bucket and on this computer')
    .addOption(given.RESULTS)
    .option('--here', 'list only local runs, without AWS')
    .option('--json', 'print one JSON document, with figures')
    .action(async (options) => (await import('../results/list')).listCommand(context, options));

  program
    .command('collect')
    .argument('<run>', 'id or folder of a run')
    .description("fetch the service's CloudWatch metrics for the time of the run")
    .addOption(given.RESULTS)
    .addOption(given.JSON_DOCUMENT)
    .action(async (run, options) => (await import('../results/collect')).collectCommand(context, run, options));

  program
    .command('report')
    .argument('<run...>', 'ids or folders of runs')
    .description('write the HTML report of each run to report/index.html in its folder')
    .addOption(given.RESULTS)
    .option('--upload', 'also upload the report to the bucket')
    .option('--json', 'print the report as one JSON document')
    .addOption(new Option('--markdown', 'print the report as Markdown').conflicts('json'))
    .addOption(
      new Option('--csv [table]', 'print a table of all runs: one row per sample, or "summary" with intervals')
        .choices(['samples', 'summary'])
        .preset('samples')
        .conflicts(['json', 'markdown']),
    )
    .action(async (runs, options) => {
      await (await import('../results/report')).reportCommand(context, runs, options);
    });

  program
    .command('dashboard')
    .argument('<subject>', 'a run, or a file system such as fs-0a1b2c3d4e5f60718')
    .description(
      'draw a CloudWatch dashboard as a page: the collected metrics of a run, or the last hours of a file system',
    )
    .option('--html <file>', "the page to write; default: in the run's report/, or <file system>.html in this folder")
    .option('--hours <number>', 'how far back, for a file system', '3')
    .addOption(given.RESULTS)
    .option('--json', 'print every graph as numbers, in one JSON document')
    .action(async (subject, options) => (await import('../dashboard')).dashboardCommand(context, subject, options));

  program
    .command('compare')
    .argument('<a>', 'id or folder of a run, or a baseline: the output of report --json')
    .argument('<b>', 'the run to compare with it')
    .description(
      'compare two runs, cell by cell, with confidence intervals; fails if B is slower than the tolerance allows',
    )
    .option('--tolerance <share>', 'how much slower B may be, such as 5%', '5%')
    .addOption(given.RESULTS)
    .addOption(given.JSON_DOCUMENT)
    .action(async (a, b, options) => (await import('../results/compare')).compareCommand(context, a, b, options));

  program
    .command('parse')
    .argument(
      '<file...>',
      'raw IOR, mdtest, fio, elbencho, smallfile, dd (with time), du or compsize output, or a Darshan log; - reads from a pipe',
    )
    .description("print a tool's raw output as normalised figures")
    .option('--json', 'print JSON: one document, or an array for several files')
    .action(async (files, options) => (await import('../parse')).parseCommand(context, files, options));
}

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
    .addOption(given.CONTEXT)
    .action(async (benchmark, principal, options) =>
      (await import('../account/policy')).policyCommand(context, benchmark, principal, options),
    );

  program
    .command('leftovers')
    .description('list what the benchmarks left in the account that still costs money, with prices')
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('../account/leftovers')).leftoversCommand(context, options));

  program
    .command('extend')
    .argument('<stack>', 'such as CompressionBench')
    .description('postpone the time at which a stack deletes itself')
    .requiredOption('--hours <number>', 'how much later, such as 24 or 2d')
    .addOption(given.JSON_DOCUMENT)
    .action(async (stack, options) => (await import('../account/extend')).extendCommand(context, stack, options));
}
