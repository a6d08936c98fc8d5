import { Argument, type Command, Option } from 'commander';
import type { CliContext } from './context';
import * as given from './input/options';
import { LUSTRE_OPTIONS } from './scale';

export function declarePlanning(program: Command, context: CliContext): void {
  program.commandsGroup('Before a run:');

  program
    .command('benchmarks')
    .argument('[benchmark]', 'one of them, with every parameter that --set takes')
    .description('list the benchmarks: their questions, studies and plans')
    .addOption(given.JSON_DOCUMENT)
    .action(async (benchmark, options) =>
      (await import('./benchmarks')).benchmarksCommand(context, benchmark, options),
    );

  program
    .command('plan')
    .argument('[benchmark]', 'such as CompressionBench; none with --on')
    .argument('[program...]', "your own program after --, with {dir} for an arm's directory")
    .description('the resolved plan: phases, durations, bytes, cost, issues')
    .option('--plan <name>', 'paired, published or command; default: paired, or command if a program is given')
    .option('--scale <scale>', "published, smoke or lab; default: published, or in the lab's shell what run would do")
    .option('--on <directory>', 'the plan of run --on, without contacting any node or host')
    .addOption(given.AS)
    .addOption(given.NODES)
    .addOption(given.HOSTS)
    .addOption(given.RANKS)
    .addOption(given.LIKE)
    .addOption(given.PARAMETERS)
    .addOption(given.ALLOW)
    .addOption(given.REGION)
    .addOption(given.JSON_DOCUMENT)
    .action(async (_benchmark, _program, options, command) =>
      (await import('./showPlan')).planCommand(context, command, options),
    );

  program
    .command('cost')
    .argument('[benchmark]', 'such as CompressionBench; optional with --refresh')
    .description('the cost of deploying it, line by line; deploys nothing')
    .addOption(given.CONTEXT)
    .addOption(given.REGION)
    .option('--refresh', "first update the price file from AWS's public price lists")
    .addOption(given.JSON_DOCUMENT)
    .action(async (benchmark, options) => (await import('./cost')).costCommand(context, benchmark, options));

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
    .option('--exact', 'compress all bytes at every record size; slower on large trees')
    .option('--sample', 'read a sample of 4.2% of the bytes, and print a 95% interval')
    .option('--files', 'include each file in --json')
    .addOption(given.JSON_DOCUMENT)
    .action(async (paths, options) => (await import('./estimate')).estimateCommand(context, paths, options));

  const predict = program
    .command('predict')
    .description('throughput and metadata ceilings of a configuration, and its limit, without AWS')
    .option('--storage <kind>', 'kind of file system; default: the one that the options below describe')
    .option('--set <key=value>', 'a setting of a kind without its own options; repeatable', given.collect, [])
    .option('--ratio <number>', 'uncompressed ÷ compressed size, as printed by fsxbench estimate')
    .option('--efa', 'file system and clients use EFA')
    .option('--clients <number>', 'number of client instances')
    .option('--instance <type>', 'instance type of the clients, such as c5n.9xlarge')
    .option('--mode <mode>', 'write or read; default: write')
    .option('--read-share <percent>', 'share of reads, such as 70%, instead of --mode')
    .option('--working-set <size>', 'data that is read repeatedly, such as 500GB')
    .option('--processes <number>', 'processes on each client: whether enough requests are in flight')
    .option('--in-flight <number>', 'requests of each process in flight, such as fio --iodepth; default: 1')
    .option('--transfer <size>', 'size of a request; default: 1MiB')
    .option('--seconds <number>', 'duration of the run: whether it sees the burst; default: longer than any burst')
    .option('--served-from <where>', 'source of the data: disk, memory or s3; s3 needs the next two')
    .option('--files <number>', 'number of files')
    .option('--file-size <size>', 'size of each file, such as 150kB')
    .option('--region <region>', 'Region; some have a smaller network burst')
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('./predict')).predictCommand(context, options));
  for (const [flags, description] of LUSTRE_OPTIONS) predict.option(flags, description);

  program
    .command('advise')
    .description('the cheapest file systems that meet your requirements, ranked, without AWS')
    .option(
      '--storage <kind>',
      'kind of file system to choose from, or all; repeatable; default: FSx for Lustre',
      given.collect,
    )
    .option('--read <GB/s>', 'sustained read throughput')
    .option('--write <GB/s>', 'sustained write throughput')
    .option('--together', 'reads and writes happen at the same time; default: at different times')
    .option('--scan <GB/s>', 'throughput at which all data are read once, such as a restore')
    .option('--burst <size/time/period>', 'writes in bursts, such as checkpoints: 2TB/60s/30min')
    .option('--capacity <TB>', 'data to store, before compression')
    .option('--files <number>', 'number of files: small ones take more than their size')
    .option('--file-size <size>', 'average size of a file, instead of --files or --capacity')
    .option('--metadata <creates/s>', 'file creates per second; default: those that --write makes of such files')
    .option('--ratio <number>', 'uncompressed ÷ compressed size; also considers LZ4')
    .addOption(given.DATA)
    .option('--working-set <size>', 'data that is read repeatedly, such as 500GB')
    .option('--max-monthly <USD>', 'budget for the file system; alone, lists the largest that it buys')
    .option('--headroom <percent>', 'margin above the required throughput and files per second; default: 20%')
    .option('--all', 'list every option and what was rejected, not just the best of each kind')
    .option(
      '--hours-per-day <number>',
      'hours per day that the file system exists, with its data in S3 otherwise; default: 24',
    )
    .option('--load-within <time>', 'time to load all data from S3, such as 1h; default: --hours-per-day, if given')
    .option('--clients <number>', 'client instances that share the load')
    .option('--instance <type>', 'instance type of the clients, such as c5n.9xlarge')
    .option(
      '--processes <number>',
      'processes on each client that read or write at a time; default: as many as it takes',
    )
    .option('--efa', 'the clients use EFA')
    .addOption(given.REGION)
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('./advise')).adviseCommand(context, options));

  program
    .command('explore')
    .description('advise and predict as one self-contained page to play with, which needs no network')
    .addOption(given.DATA)
    .option('--run <run>', 'a run whose measurements are shown next to the predictions; repeatable', given.collect)
    .option('--html <file>', 'the page to write; default: explore.html')
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('./explore')).exploreCommand(context, options));

  program
    .command('lint')
    .argument('[command...]', 'a benchmark command after --, or a whole line in quotes')
    .description('check a benchmark command line for mistakes')
    .option('--ior-version <version>', 'version of IOR and mdtest, such as 3.3.0')
    .option('--clients <number>', 'number of clients')
    .option('--instance <type>', 'instance type of the clients, which gives CPUs and memory')
    .option('--server-memory <size>', 'total memory of all file servers')
    .option('--compression <type>', 'none or lz4; default: lz4')
    .option('--stripe-count <number>', 'stripe count of the directory; -1 for all OSTs')
    .option('--metadata-iops <number>', 'metadata IOPS of the file system')
    .option('--file <file>', 'a shell script, or a fio or IO500 file; - for stdin')
    .addOption(given.ALLOW)
    .option('--strict', 'also fail on warnings')
    .addOption(given.JSON_DOCUMENT)
    .action(async (command, options) => (await import('./lint')).lintCommandLine(context, command, options));

  program
    .command('doctor')
    .description('check that this computer has what a deployment, a run or the lab needs')
    .option(
      '--aws <benchmark>',
      'also check the AWS account for anything that would block this deployment; changes nothing',
    )
    .option(
      '-c, --context <key=value>',
      'with --aws, a stack setting, as for cdk deploy; repeatable',
      given.collect,
      [],
    )
    .option('--on <directory>', 'check what run --on would find before it measures: directory, nodes and tools')
    .addOption(given.AS)
    .addOption(given.NODES)
    .addOption(given.SLURM)
    .addOption(given.HOSTS)
    .addOption(given.MODULE)
    .addOption(given.SHARED)
    .option('--plan <name>', 'with --on, mount or scaling; default: mount')
    .addOption(given.PARAMETERS)
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('./account/doctor')).doctorCommand(context, options));
}

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
      (await import('./run')).runCommand(context, command, options),
    );

  program
    .command('watch')
    .argument('<run>', 'id of a run, as npx fsxbench list shows it, or its folder')
    .description('follow a run until it ends')
    .addOption(given.RESULTS)
    .option('--json', 'print the last status as one JSON document')
    .action(async (run, options) => (await import('./results/watch')).watchCommand(context, run, options));

  program
    .command('list')
    .description('list the runs in the results bucket and on this computer')
    .addOption(given.RESULTS)
    .option('--here', 'list only local runs, without AWS')
    .option('--json', 'print one JSON document, with figures')
    .action(async (options) => (await import('./results/list')).listCommand(context, options));

  program
    .command('collect')
    .argument('<run>', 'id of a run, as npx fsxbench list shows it, or its folder')
    .description("fetch the service's CloudWatch metrics for the time of the run")
    .addOption(given.RESULTS)
    .addOption(given.JSON_DOCUMENT)
    .action(async (run, options) => (await import('./results/collect')).collectCommand(context, run, options));

  program
    .command('report')
    .argument('<run...>', 'ids of runs, as npx fsxbench list shows them, or their folders')
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
      await (await import('./results/report')).reportCommand(context, runs, options);
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
    .action(async (subject, options) => (await import('./dashboard')).dashboardCommand(context, subject, options));

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
    .action(async (a, b, options) => (await import('./results/compare')).compareCommand(context, a, b, options));

  program
    .command('parse')
    .argument(
      '<file...>',
      'raw IOR, mdtest, fio, elbencho, smallfile, dd (with time), du or compsize output, or a Darshan log; - reads from a pipe',
    )
    .description("print a tool's raw output as normalised figures")
    .option('--json', 'print JSON: one document, or an array for several files')
    .action(async (files, options) => (await import('./parse')).parseCommand(context, files, options));
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
      (await import('./account/policy')).policyCommand(context, benchmark, principal, options),
    );

  program
    .command('leftovers')
    .description('list what the benchmarks left in the account that still costs money, with prices')
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('./account/leftovers')).leftoversCommand(context, options));

  program
    .command('extend')
    .argument('<stack>', 'such as CompressionBench')
    .description('postpone the time at which a stack deletes itself')
    .requiredOption('--hours <number>', 'how much later, such as 24 or 2d')
    .addOption(given.JSON_DOCUMENT)
    .action(async (stack, options) => (await import('./account/extend')).extendCommand(context, stack, options));
}

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
    .action(async (options) => (await import('./lab')).labUpCommand(context, options));
  lab
    .command('down')
    .description('stop the lab; leaves no process, mount or loop device')
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('./lab')).labDownCommand(context, options));
  lab
    .command('status')
    .description('show the state of the lab')
    .addOption(given.JSON_DOCUMENT)
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
    .action(async (options) => (await import('./quickstart')).quickstartCommand(context, options));
}
