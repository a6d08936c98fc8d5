import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { explain } from '../kit/aws/explain';
import { printable } from '../kit/format/printable';
import { STORAGE_COMMANDS } from '../storage/commands';
import { type CliContext, EXIT_STATUSES, type ExitStatus, Unsuccessful, UsageError } from './context';
import { collect, RESULTS_FOLDER } from './options';
import { pointToHelp } from './usageErrors';

/** Of `lab up` and `lab quickstart`. */
const MODEL =
  "hold disks and links at a configuration's figures, such as PERSISTENT_2:500,12TiB; none: hold nothing; default: the benchmark's own configuration, where it has a model";

const LAUNCHER =
  "what starts processes: local, or slurm for a real Slurm of this machine; default: the benchmark's own";

/**
 * The command line. Each command loads its modules when it is called, so that `--help` and `parse` start quickly.
 */
export function makeProgram(context: CliContext): Command {
  const program = new Command('fsxbench')
    .description('Finds the Amazon FSx for Lustre configuration that a workload needs, and proves it.')
    .version(versionIn(context.root), '-V, --version', 'print the version')
    .addHelpText('after', helpAfter())
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.err })
    .showSuggestionAfterError();

  program
    .command('benchmarks')
    .description('list the benchmarks: their questions, studies and plans')
    .option('--json', 'print one JSON document')
    .action(async (options) => (await import('./benchmarks')).benchmarksCommand(context, options));

  program
    .command('plan')
    .argument('<benchmark>', 'such as CompressionBench')
    .argument('[program...]', "your own program after --, with {dir} for an arm's directory")
    .description('the resolved plan: phases, durations, bytes, cost, issues')
    .option('--plan <name>', 'paired, published or command; default: paired, or command if a program is given')
    .option('--scale <scale>', 'published, smoke or lab')
    .option('--set <key=value>', 'a parameter of the plan; repeatable', collect, [])
    .option('--region <region>', 'Region of the list prices; default: AWS_REGION, else us-east-1')
    .option('--prices <file>', 'price file that overrides the built-in prices; default: prices.json, if it exists')
    .option('--json', 'print one JSON document')
    .action(async (benchmark, program, options) =>
      (await import('./plan')).planCommand(context, benchmark, { ...options, program }),
    );

  program
    .command('cost')
    .argument('[benchmark]', 'such as CompressionBench; optional with --refresh')
    .description('what deploying it costs, line by line; deploys nothing')
    .option('--scale <scale>', 'published or smoke; default: published')
    .option('-c, --context <key=value>', 'a stack setting, as for cdk deploy; repeatable', collect, [])
    .option('--region <region>', 'Region of the list prices; default: AWS_REGION, else us-east-1')
    .option('--prices <file>', 'price file that overrides the built-in prices; default: prices.json, if it exists')
    .option('--refresh', "first update the price file from AWS's public price lists")
    .option('--json', 'print one JSON document')
    .action(async (benchmark, options) => (await import('./cost')).costCommand(context, benchmark, options));

  program
    .command('run')
    .argument('[benchmark]', 'such as CompressionBench; none with --on')
    .argument('[program...]', "your own program after --, with {dir} for an arm's directory")
    .description('start a run; it keeps running after you disconnect')
    .option('--plan <name>', 'paired, published or command; default: paired, or command if a program is given')
    .option('--scale <scale>', 'published, smoke or lab; default: as deployed')
    .option('--set <key=value>', 'a parameter of the plan; repeatable', collect, [])
    .option('--local <arm=directory...>', 'run on this machine and compare these directories')
    .option('--on <directory>', 'measure one mounted file system of this machine: what it does, and what limits it')
    .option(
      '--as <kind:configuration>',
      'with --on, what it is, such as lustre:PERSISTENT_2:500,12TiB or efs:efsThroughputMode=elastic; default: ask AWS',
    )
    .option('--instance <type>', 'with --on, the type of this machine; default: what it says of itself')
    .option('--resume <run>', 'resume a run that was interrupted or had failures')
    .option('--detach', 'return once the driver is running; follow it with watch')
    .option('--results <folder>', 'local results folder', RESULTS_FOLDER)
    .option('--json', 'print one JSON document at the end')
    .action(async (benchmark, program, options) =>
      (await import('./run')).runCommand(context, benchmark, { ...options, program }),
    );

  program
    .command('watch')
    .argument('<run>', 'id of a run')
    .description('follow a run until it ends')
    .option('--results <folder>', 'local results folder', RESULTS_FOLDER)
    .option('--json', 'print the last status as one JSON document')
    .action(async (run, options) => (await import('./watch')).watchCommand(context, run, options));

  program
    .command('list')
    .description('list the runs in the results bucket and on this machine')
    .option('--results <folder>', 'local results folder', RESULTS_FOLDER)
    .option('--here', 'list only local runs; do not query the bucket')
    .option('--html [file]', 'write an index page with trends; default: index.html in the results folder')
    .option('--json', 'print one JSON document, with trends')
    .action(async (options) => (await import('./list')).listCommand(context, options));

  program
    .command('collect')
    .argument('<run>', 'id or folder of a run')
    .description("fetch the service's CloudWatch metrics for the time of the run")
    .option('--results <folder>', 'local results folder', RESULTS_FOLDER)
    .option('--no-wait', 'do not wait for the last data points, which CloudWatch publishes minutes late')
    .option('--json', 'print one JSON document')
    .action(async (run, options) => (await import('./collect')).collectCommand(context, run, options));

  program
    .command('report')
    .argument('<run...>', 'ids or folders of runs')
    .description('write the HTML report of each run to report/index.html in its folder')
    .option('--results <folder>', 'local results folder', RESULTS_FOLDER)
    .option('--upload', 'also upload the report to the bucket')
    .option('--json', 'print the report as one JSON document')
    .addOption(new Option('--markdown', 'print the report as Markdown').conflicts('json'))
    .addOption(
      new Option('--csv [table]', 'print a table of all runs: one row per sample, or "summary" with intervals')
        .choices(['samples', 'summary'])
        .preset('samples')
        .conflicts(['json', 'markdown']),
    )
    .action(async (runs, options) => (await import('./report')).reportCommand(context, runs, options));

  program
    .command('dashboard')
    .argument('<subject>', 'a run, a file system such as fs-0a1b2c3d4e5f60718, or with --run a stack')
    .description(
      'draw a CloudWatch dashboard as a page: the collected metrics of a run, or the last hours of a file system',
    )
    .option('--run <run>', 'id or folder of a run, if the subject is a stack')
    .option('--html <file>', "the page to write; default: in the run's report/, or <file system>.html in this folder")
    .option(
      '--template <file>',
      'a synthesised template with the dashboard; default: the collected or the deployed one',
    )
    .option('--hours <number>', 'how far back, for a file system', '3')
    .option('--results <folder>', 'local results folder', RESULTS_FOLDER)
    .option('--json', 'print every graph as numbers, in one JSON document')
    .action(async (subject, options) => (await import('./dashboard')).dashboardCommand(context, subject, options));

  program
    .command('compare')
    .argument('<a>', 'id or folder of a run, or a baseline: the output of report --json')
    .argument('<b>', 'the run to compare with it')
    .description(
      'compare two runs, cell by cell, with confidence intervals; fails if B is slower than the tolerance allows',
    )
    .option('--tolerance <share>', 'how much slower B may be, such as 5%', '5%')
    .option('--results <folder>', 'local results folder', RESULTS_FOLDER)
    .option('--json', 'print one JSON document')
    .action(async (a, b, options) => (await import('./compare')).compareCommand(context, a, b, options));

  program
    .command('parse')
    .argument(
      '<file...>',
      'raw output of IOR, mdtest, fio, elbencho, smallfile, dd with time, du or compsize; - reads it from a pipe',
    )
    .description("print a tool's raw output as normalised figures")
    .option('--json', 'print JSON: one document, or an array for several files')
    .action(async (files, options) => (await import('./parse')).parseCommand(context, files, options));

  program
    .command('lint')
    .argument('<command...>', 'a benchmark command after --, or a whole line in quotes')
    .description('check a benchmark command line for mistakes')
    .option('--ior-version <version>', 'version of IOR and mdtest, such as 3.3.0')
    .option('--clients <number>', 'number of clients')
    .option('--instance <type>', 'instance type of the clients, which gives CPUs and memory')
    .option('--cpus <number>', 'CPUs of each client')
    .option('--client-memory <size>', 'memory of each client, such as 96G')
    .option('--server-memory <size>', 'total memory of all file servers')
    .option('--compression <type>', 'none or lz4; default: lz4')
    .option('--stripe-count <number>', 'stripe count of the directory; -1 for all OSTs')
    .option('--metadata-iops <number>', 'metadata IOPS of the file system')
    .option('--user <name>', 'user who runs the command')
    .option('--json', 'print one JSON document')
    .action(async (command, options) => (await import('./lint')).lintCommandLine(context, command, options));

  program
    .command('estimate')
    .description('estimates from your own data, without AWS')
    .command('compression')
    .argument('<path...>', 'files, folders, s3://bucket/prefix')
    .description('how much space LZ4 on FSx would save on these files')
    .option('--record <size>', 'record size such as 128K; default: 128K and 1M, as bounds')
    .option('--sector <size>', 'smallest unit of allocation: 512 to 16K', '4K')
    .option('--raidz <disks,parity>', 'RAID-Z, such as 5,1; default: one disk')
    .option('--on <file system>', 'lustre, which adds the overhead of its objects, or zfs; default: lustre')
    .option('--stripe-count <number>', 'objects of each file on Lustre; default: 1')
    .option('--exact', 'compress all bytes at every record size, not just the smallest; slower on large trees')
    .option('--sample', 'read a sample, and print a 95 % interval')
    .option('--sample-share <percent>', 'share of the bytes that a sample may read; default: 4.2')
    .option('--seed <number>', 'seed of the sample; the same seed reads the same records')
    .option('--files', 'include each file in --json')
    .option('--workers <number>', 'number of threads; default: one per core')
    .option('--json', 'print one JSON document')
    .action(async (paths, options) => (await import('./estimate')).estimateCommand(context, paths, options));

  const predict = program
    .command('predict')
    .description('throughput and metadata ceilings of a configuration, and its limit, without AWS')
    .option('--storage <kind>', 'kind of file system; default: the one that the options below describe')
    .option('--set <key=value>', 'a setting of a kind without options of its own; repeatable', collect, [])
    .option('--ratio <number>', 'uncompressed ÷ compressed size, as printed by fsxbench estimate')
    .option('--efa', 'file system and clients use EFA')
    .option('--clients <number>', 'number of client instances')
    .option('--instance <type>', 'instance type of the clients, such as c5n.9xlarge')
    .option('--mode <mode>', 'write or read; default: write')
    .option('--read-share <percent>', 'share of reads in a mix of reads and writes, such as 70%; instead of --mode')
    .option('--working-set <size>', 'data that is read repeatedly, such as 500GB')
    .option('--cached <percent>', 'share of reads served by caches, if known')
    .option('--measured-none <MB/s>', 'a rate measured without compression, to predict the rate with LZ4')
    .option('--region <region>', 'Region; some have a smaller network burst')
    .option('--json', 'print one JSON document')
    .action(async (options) => (await import('./predict')).predictCommand(context, options));
  for (const { configuration } of STORAGE_COMMANDS)
    for (const [flags, description] of configuration?.options ?? []) predict.option(flags, description);

  program
    .command('advise')
    .description('the cheapest file systems that meet your requirements, ranked, without AWS')
    .option(
      '--storage <kind>',
      'kind of file system to choose from, or all; repeatable; default: FSx for Lustre',
      (kind: string, earlier?: string[]) => [...(earlier ?? []), kind],
    )
    .option('--read <GB/s>', 'sustained read throughput')
    .option('--write <GB/s>', 'sustained write throughput')
    .option('--together', 'reads and writes happen at the same time; default: at different times')
    .option('--capacity <TB>', 'data to store, before compression')
    .option('--metadata <creates/s>', 'file creations per second')
    .option('--ratio <number>', 'uncompressed ÷ compressed size; also considers LZ4')
    .option(
      '--data <path>',
      'your own files, to estimate the ratio from; repeatable',
      (path: string, earlier?: string[]) => [...(earlier ?? []), path],
    )
    .option('--working-set <size>', 'data that is read repeatedly, such as 500GB')
    .option('--max-monthly <USD>', 'the most that the file system may cost')
    .option('--clients <number>', 'client instances that share the load')
    .option('--instance <type>', 'instance type of the clients, such as c5n.9xlarge')
    .option('--efa', 'the clients use EFA')
    .option('--region <region>', 'Region of the list prices; default: AWS_REGION, else us-east-1')
    .option('--prices <file>', 'price file that overrides the built-in prices; default: prices.json, if it exists')
    .option('--html <file>', 'write a self-contained page of cost against throughput')
    .option('--json', 'print one JSON document')
    .action(async (options) => (await import('./advise')).adviseCommand(context, options));

  program
    .command('doctor')
    .description('check that this machine has what a deployment, a run or the lab needs')
    .option(
      '--aws <benchmark>',
      'also check the AWS account for anything that would block this deployment; changes nothing',
    )
    .option('-c, --context <key=value>', 'with --aws, a stack setting, as for cdk deploy; repeatable', collect, [])
    .option('--json', 'print one JSON document')
    .action(async (options) => (await import('./doctor')).doctorCommand(context, options));

  for (const { register } of STORAGE_COMMANDS) register?.(program, context);

  const lab = program
    .command('lab')
    .description('all of fsxbench on this machine: an AWS emulator and real local file systems');
  lab
    .command('up')
    .description('start the lab and deploy a benchmark into it')
    .option('--benchmark <name>', 'which one; default: CompressionBench')
    .option(
      '--arms <name...>',
      'arms that get a local file system; default: those that the benchmark names for the lab',
    )
    .option('--model [configuration]', MODEL)
    .option('--scale <1:N>', 'divisor of the documented figures in the scale model; default: 1:100')
    .option('--launcher <name>', LAUNCHER)
    .action(async (options) => (await import('./lab')).labUpCommand(context, options));
  lab
    .command('down')
    .description('stop the lab; leaves no process, mount or loop device')
    .action(async () => (await import('./lab')).labDownCommand(context));
  lab
    .command('status')
    .description('show the state of the lab')
    .option('--json', 'print one JSON document')
    .action(async (options) => (await import('./lab')).labStatusCommand(context, options));
  lab
    .command('env')
    .description('print exports for a shell: eval "$(npx fsxbench lab env)" points every command at the lab')
    .action(async () => (await import('./lab')).labEnvCommand(context));
  lab
    .command('publish', { hidden: true })
    .argument('<benchmark>', 'one that is deployed into the lab')
    .description('publish the metrics of its file systems; the lab starts this by itself')
    .action(async (benchmark) => (await import('./labPublish')).labPublishCommand(context, benchmark));
  lab
    .command('quickstart')
    .description('up, run, collect, report, down; called by npm run quickstart')
    .option('--set <key=value>', 'a parameter of the plan; repeatable', collect, [])
    .option('--benchmark <name>', 'which one; default: CompressionBench')
    .option(
      '--arms <name...>',
      'arms that get a local file system; default: those that the benchmark names for the lab',
    )
    .option('--model [configuration]', MODEL)
    .option('--scale <1:N>', 'divisor of the documented figures in the scale model; default: 1:100')
    .option('--launcher <name>', LAUNCHER)
    .option('--keep', 'leave the lab up afterwards')
    .option('--results <folder>', 'local results folder', RESULTS_FOLDER)
    .action(async (options) => (await import('./quickstart')).quickstartCommand(context, options));
  pointToHelp(program);
  return program;
}

/** What is asked first, for the end of --help; all work without AWS. */
export const EXAMPLES = [
  'npx fsxbench benchmarks',
  'npx fsxbench estimate compression /data',
  'npx fsxbench plan CompressionBench --scale smoke',
  'npx fsxbench run CompressionBench --local none=/mnt/a lz4=/mnt/b',
] as const;

function helpAfter(): string {
  return [
    '',
    'Examples:',
    ...EXAMPLES.map((line) => `  ${line}`),
    '',
    'Exit status:',
    ...EXIT_STATUSES.map(({ status, meaning }) => `  ${status}  ${meaning}`),
    '',
    'fsxbench COMMAND --help has the options of a command; README.md and docs/ in the project explain the rest.',
  ].join('\n');
}

function versionIn(root: string): string {
  try {
    return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version?: string }).version ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

/** The same context with control characters in foreign text made harmless to the terminal. */
function withPrintable(context: CliContext): CliContext {
  return {
    ...context,
    out: (text) => context.out(printable(text)),
    err: (text) => context.err(printable(text)),
  };
}

/** Runs the command line. @returns one of `EXIT_STATUSES` */
export async function runProgram(world: CliContext, argv: readonly string[]): Promise<ExitStatus> {
  const context = withPrintable(world);
  try {
    await makeProgram(context).parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Unsuccessful) {
      if (error.message !== '') context.err(`fsxbench: ${error.message}\n`);
      return error.status;
    }
    context.err(`fsxbench: ${explain(error)}\n`);
    if (context.environment.FSXBENCH_DEBUG && error instanceof Error) context.err(`${error.stack}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
