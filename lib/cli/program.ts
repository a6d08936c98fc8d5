import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { explain } from '../kit/aws/explain';
import { printable } from '../kit/format/printable';
import { type CliContext, Unsuccessful, UsageError } from './context';
import { pointToHelp } from './usageErrors';

/** Where runs are kept on this machine unless `--results` names another folder. */
export const RESULTS_FOLDER = 'results';

const collect = (value: string, earlier: string[]): string[] => [...earlier, value];

/**
 * The command line. Each command loads what it needs when it is called, so that `--help` and `parse` start at once.
 */
export function makeProgram(context: CliContext): Command {
  const program = new Command('fsxbench')
    .description('Finds the Amazon FSx for Lustre configuration that a workload needs, and proves it.')
    .version(versionIn(context.root), '--version', 'which fsxbench this is')
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.err })
    .showSuggestionAfterError();

  program
    .command('plan')
    .argument('<benchmark>', 'such as CompressionBench')
    .argument('[program...]', "a program of your own after --, {dir} for an arm's directory")
    .description('the resolved plan: phases, durations, bytes, cost, issues')
    .option('--plan <name>', 'paired, published or command; default: paired, or command with a program')
    .option('--scale <scale>', 'published, smoke or lab')
    .option('--set <key=value>', 'a parameter of the plan; repeatable', collect, [])
    .option('--region <region>', 'whose list prices; default: AWS_REGION, else us-east-1')
    .option('--prices <file>', 'prices that count more than those of fsxbench; default: prices.json, if there is one')
    .option('--json', 'one JSON document')
    .action(async (benchmark, program, options) =>
      (await import('./plan')).planCommand(context, benchmark, { ...options, program }),
    );

  program
    .command('cost')
    .argument('[benchmark]', 'such as CompressionBench; none with --refresh alone')
    .description('what deploying it costs, line by line, before anything is deployed')
    .option('--scale <scale>', 'published or smoke; default: published')
    .option('-c, --context <key=value>', 'a setting of the stacks, as for cdk deploy; repeatable', collect, [])
    .option('--region <region>', 'whose list prices; default: AWS_REGION, else us-east-1')
    .option('--prices <file>', 'prices that count more than those of fsxbench; default: prices.json, if there is one')
    .option('--refresh', "first write that file from AWS's public price lists")
    .option('--json', 'one JSON document')
    .action(async (benchmark, options) => (await import('./cost')).costCommand(context, benchmark, options));

  program
    .command('run')
    .argument('<benchmark>', 'such as CompressionBench')
    .argument('[program...]', "a program of your own after --, {dir} for an arm's directory")
    .description('start a run; it keeps running after you disconnect')
    .option('--plan <name>', 'paired, published or command; default: paired, or command with a program')
    .option('--scale <scale>', 'published, smoke or lab; default: as deployed')
    .option('--set <key=value>', 'a parameter of the plan; repeatable', collect, [])
    .option('--local <arm=directory...>', 'run on this machine and compare these directories')
    .option('--resume <run>', 'go on with a run that was interrupted or had failures')
    .option('--detach', 'return when the driver works; follow it with watch')
    .option('--results <folder>', 'where runs are kept on this machine', RESULTS_FOLDER)
    .option('--json', 'one JSON document at the end')
    .action(async (benchmark, program, options) =>
      (await import('./run')).runCommand(context, benchmark, { ...options, program }),
    );

  program
    .command('watch')
    .argument('<run>', 'id of a run')
    .description('follow a run until it ends')
    .option('--results <folder>', 'where runs are kept on this machine', RESULTS_FOLDER)
    .option('--json', 'the last status as one JSON document')
    .action(async (run, options) => (await import('./watch')).watchCommand(context, run, options));

  program
    .command('list')
    .description('the runs in the results bucket and on this machine')
    .option('--results <folder>', 'where runs are kept on this machine', RESULTS_FOLDER)
    .option('--here', 'only those on this machine; asks no bucket')
    .option('--html [file]', 'an index page with trends; default: index.html in the results folder')
    .option('--json', 'one JSON document, with trends')
    .action(async (options) => (await import('./list')).listCommand(context, options));

  program
    .command('collect')
    .argument('<run>', 'id or folder of a run')
    .description("the service's metrics of the run's window, from CloudWatch into the run")
    .option('--results <folder>', 'where runs are kept on this machine', RESULTS_FOLDER)
    .option('--no-wait', 'do not wait for the last points, which CloudWatch publishes minutes late')
    .option('--json', 'one JSON document')
    .action(async (run, options) => (await import('./collect')).collectCommand(context, run, options));

  program
    .command('report')
    .argument('<run...>', 'ids or folders of runs')
    .description('the HTML report of each run, as report/index.html in its folder')
    .option('--results <folder>', 'where runs are kept on this machine', RESULTS_FOLDER)
    .option('--upload', 'put the report into the bucket, too')
    .option('--json', 'the same content as one JSON document')
    .addOption(new Option('--markdown', 'the same content as Markdown').conflicts('json'))
    .addOption(
      new Option(
        '--csv [table]',
        'the same content as a table of all runs: a row a sample, or a summary with intervals',
      )
        .choices(['samples', 'summary'])
        .preset('samples')
        .conflicts(['json', 'markdown']),
    )
    .action(async (runs, options) => (await import('./report')).reportCommand(context, runs, options));

  program
    .command('dashboard')
    .argument('<subject>', 'a run, a file system such as fs-0a1b2c3d4e5f60718, or with --run a stack')
    .description('a CloudWatch dashboard as a page: of a run what was collected, of a file system its last hours')
    .option('--run <run>', 'id or folder of a run, where the subject is a stack')
    .option('--html <file>', "the page that is written; default: in the run's report/, or <file system>.html here")
    .option(
      '--template <file>',
      'a synthesised template that has the dashboard; default: as it was collected, or deployed',
    )
    .option('--hours <number>', 'of a file system, how far back', '3')
    .option('--results <folder>', 'where runs are kept on this machine', RESULTS_FOLDER)
    .option('--json', 'every graph in numbers, as one JSON document')
    .action(async (subject, options) => (await import('./dashboard')).dashboardCommand(context, subject, options));

  program
    .command('compare')
    .argument('<a>', 'id or folder of a run, or a baseline: what report --json has printed')
    .argument('<b>', 'the run that is held against it')
    .description('two runs, cell by cell, with confidence intervals; exit 1 when B is slower than the tolerance allows')
    .option('--tolerance <share>', 'how much slower B may be, such as 5%', '5%')
    .option('--results <folder>', 'where runs are kept on this machine', RESULTS_FOLDER)
    .option('--json', 'one JSON document')
    .action(async (a, b, options) => (await import('./compare')).compareCommand(context, a, b, options));

  program
    .command('parse')
    .argument(
      '<file...>',
      'raw output of IOR, mdtest, fio, elbencho, smallfile, dd with time, du or compsize; - reads it from a pipe',
    )
    .description("a tool's raw output as normalised figures")
    .option('--json', 'JSON: one document, or an array for several files')
    .action(async (files, options) => (await import('./parse')).parseCommand(context, files, options));

  program
    .command('lint')
    .argument('<command...>', 'a benchmark command after --, or a whole line in quotes')
    .description('what is wrong with a benchmark command line')
    .option('--ior-version <version>', 'of IOR and mdtest, such as 3.3.0')
    .option('--clients <number>', 'machines that it runs on')
    .option('--instance <type>', 'their type, which gives CPUs and memory')
    .option('--cpus <number>', 'of each client')
    .option('--client-memory <size>', 'of each client, such as 96G')
    .option('--server-memory <size>', 'of all file servers together')
    .option('--compression <type>', 'none or lz4; default: taken as lz4')
    .option('--stripe-count <number>', 'of the directory; -1 is all targets')
    .option('--metadata-iops <number>', 'of the file system')
    .option('--user <name>', 'who runs it')
    .option('--json', 'one JSON document')
    .action(async (command, options) => (await import('./lint')).lintCommandLine(context, command, options));

  program
    .command('estimate')
    .description('what could be expected, without AWS')
    .command('compression')
    .argument('<path...>', 'files, folders, s3://bucket/prefix')
    .description('how much LZ4 on FSx would save on these files')
    .option('--record <size>', 'record size such as 128K; default: 128K and 1M, as bounds')
    .option('--sector <size>', 'smallest unit of allocation: 512 to 16K', '4K')
    .option('--raidz <disks,parity>', 'RAID-Z, such as 5,1; default: one disk')
    .option('--on <file system>', 'lustre, whose objects take space of their own, or zfs; default: lustre')
    .option('--stripe-count <number>', 'objects of each file on Lustre; default: 1')
    .option('--exact', 'compress all bytes in records of every size, not only of the first; slower on large trees')
    .option('--sample', 'read a sample, and print a 95 % interval')
    .option('--sample-share <percent>', 'how much of the bytes a sample may read; default: 4.2')
    .option('--seed <number>', 'which sample; the same seed reads the same records')
    .option('--files', 'a line for each file, in --json')
    .option('--workers <number>', 'threads; default: one for each core')
    .option('--json', 'one JSON document')
    .action(async (paths, options) => (await import('./estimate')).estimateCommand(context, paths, options));

  program
    .command('predict')
    .description('throughput and metadata ceilings of a configuration, and what limits it, without AWS')
    .requiredOption('--deployment <type>', 'SCRATCH_2, PERSISTENT_1 or PERSISTENT_2')
    .option('--storage-type <type>', 'SSD, HDD or INTELLIGENT_TIERING; default: SSD')
    .option('--per-unit <MB/s>', 'MB/s per TiB, such as 200')
    .option('--capacity <GiB>', 'storage capacity, such as 14400')
    .option('--throughput-capacity <MB/s>', 'of Intelligent-Tiering')
    .option('--drive-cache <type>', 'NONE or READ; HDD')
    .option('--read-cache <size>', 'none, proportional or GiB; Intelligent-Tiering')
    .option('--metadata-iops <number>', 'automatic or a number; PERSISTENT_2')
    .option('--compression <type>', 'NONE or LZ4; default: LZ4 with a ratio, NONE without')
    .option('--ratio <number>', 'size before ÷ size after compression, as fsxbench estimate says')
    .option('--efa', 'a file system with EFA, and clients that use it')
    .option('--clients <number>', 'machines that drive it')
    .option('--instance <type>', 'their type, such as c5n.9xlarge')
    .option('--mode <mode>', 'write or read; default: write')
    .option('--read-share <percent>', 'reads and writes at once, such as 70%; instead of --mode')
    .option('--working-set <size>', 'what is read again and again, such as 500GB')
    .option('--cached <percent>', 'reads that caches answer, where it is known')
    .option('--measured-none <MB/s>', 'measured without compression: what LZ4 makes of it')
    .option('--region <region>', 'some Regions have less network burst')
    .option('--json', 'one JSON document')
    .action(async (options) => (await import('./predict')).predictCommand(context, options));

  program
    .command('advise')
    .description('the cheapest file systems that do what is required, ranked, without AWS')
    .option('--read <GB/s>', 'for good, not in a burst')
    .option('--write <GB/s>', 'for good, not in a burst')
    .option('--together', 'reads and writes happen at the same time; default: each at its own')
    .option('--capacity <TB>', 'data to store, before compression')
    .option('--metadata <creates/s>', 'files created a second')
    .option('--ratio <number>', 'size before ÷ size after compression: considers LZ4, too')
    .option(
      '--data <path>',
      'your own files, from which the ratio is estimated; repeatable',
      (path: string, earlier?: string[]) => [...(earlier ?? []), path],
    )
    .option('--working-set <size>', 'what is read again and again, such as 500GB')
    .option('--max-monthly <USD>', 'the most that the file system may cost')
    .option('--clients <number>', 'client instances that share the load')
    .option('--instance <type>', 'their type, such as c5n.9xlarge')
    .option('--efa', 'they use EFA')
    .option('--region <region>', 'whose list prices; default: AWS_REGION, else us-east-1')
    .option('--prices <file>', 'prices that count more than those of fsxbench; default: prices.json, if there is one')
    .option('--html <file>', 'cost against throughput, as a page of its own')
    .option('--json', 'one JSON document')
    .action(async (options) => (await import('./advise')).adviseCommand(context, options));

  program
    .command('doctor')
    .description('is everything here that a deployment, a run or the lab needs')
    .option('--aws <benchmark>', 'ask the AWS account what would stop its deployment; changes nothing')
    .option(
      '-c, --context <key=value>',
      'with --aws, a setting of the stacks, as for cdk deploy; repeatable',
      collect,
      [],
    )
    .option('--json', 'one JSON document')
    .action(async (options) => (await import('./doctor')).doctorCommand(context, options));

  const scale = program
    .command('scale')
    .description('change a file system that is in use, and wait until it is changed');
  scale
    .command('metadata')
    .argument('<file-system>', 'id such as fs-0a1b2c3d4e5f60718')
    .description('raise its metadata IOPS; says first what that costs')
    .requiredOption('--iops <number>', 'metadata IOPS, more than it has')
    .option('--dry-run', 'check it and say what it costs, change nothing')
    .option('--yes', 'do not ask')
    .option('--measure <directory>', 'measure it before and after, in this directory, where it is mounted')
    .option('--set <key=value>', 'a parameter of that measurement; repeatable', collect, [])
    .option('--new-run', 'begin a measurement anew although one is unfinished')
    .option('--results <folder>', 'where runs are kept on this machine', RESULTS_FOLDER)
    .option('--timeout <minutes>', 'how long to wait for the change', '120')
    .option('--json', 'one JSON document')
    .action(async (id, options) => (await import('./scaleMetadata')).scaleMetadataCommand(context, id, options));
  scale
    .command('compression')
    .argument('<file-system>', 'id such as fs-0a1b2c3d4e5f60718')
    .description('switch its compression, and rewrite what was written before')
    .requiredOption('--type <type>', 'LZ4 or NONE')
    .option('--recompress <directory>', 'rewrite the files below it, where the file system is mounted')
    .option('--files <number>', 'how many files are rewritten at a time')
    .option('--dry-run', 'check it, change nothing')
    .option('--yes', 'do not ask')
    .option('--timeout <minutes>', 'how long to wait for the switch', '120')
    .option('--json', 'one JSON document at the end')
    .action(async (id, options) => (await import('./scaleCompression')).scaleCompressionCommand(context, id, options));

  const lab = program
    .command('lab')
    .description('everything on this machine: an emulator for AWS, real local file systems');
  lab
    .command('up')
    .description('start the lab, deploy a benchmark into it')
    .option('--benchmark <name>', 'which one', 'CompressionBench')
    .option('--arms <name...>', 'at most two of its arms, which get a local file system; default: the first two')
    .action(async (options) => (await import('./lab')).labUpCommand(context, options));
  lab
    .command('down')
    .description('take the lab away: no process, mount or loop device stays')
    .action(async () => (await import('./lab')).labDownCommand(context));
  lab
    .command('status')
    .description('what of the lab is there')
    .option('--json', 'one JSON document')
    .action(async (options) => (await import('./lab')).labStatusCommand(context, options));
  lab
    .command('env')
    .description('exports for a shell: eval "$(npx fsxbench lab env)" points every command at the lab')
    .action(async () => (await import('./lab')).labEnvCommand(context));
  lab
    .command('quickstart')
    .description('up, run, collect, report, down: what npm run quickstart calls')
    .option('--set <key=value>', 'a parameter of the plan; repeatable', collect, [])
    .option('--benchmark <name>', 'which one', 'CompressionBench')
    .option('--arms <name...>', 'at most two of its arms, which get a local file system; default: the first two')
    .option('--keep', 'leave the lab up afterwards')
    .option('--results <folder>', 'where runs are kept on this machine', RESULTS_FOLDER)
    .action(async (options) => (await import('./quickstart')).quickstartCommand(context, options));
  pointToHelp(program);
  return program;
}

function versionIn(root: string): string {
  try {
    return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version?: string }).version ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

/** The same world, in which no text that came from elsewhere acts on the terminal. */
function withPrintable(context: CliContext): CliContext {
  return {
    ...context,
    out: (text) => context.out(printable(text)),
    err: (text) => context.err(printable(text)),
  };
}

/** Runs the command line. @returns the exit status: 0 success, 1 failure, 2 wrong usage */
export async function runProgram(world: CliContext, argv: readonly string[]): Promise<number> {
  const context = withPrintable(world);
  try {
    await makeProgram(context).parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Unsuccessful) {
      if (error.message !== '') context.err(`fsxbench: ${error.message}\n`);
      return 1;
    }
    context.err(`fsxbench: ${explain(error)}\n`);
    if (context.environment.FSXBENCH_DEBUG && error instanceof Error) context.err(`${error.stack}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
